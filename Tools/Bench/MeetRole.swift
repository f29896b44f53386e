import Network
import Service

extension Role {
  /// Opens a store, and when it is ordered to, connects and waits until both ends know that they hold the same, then
  /// ends in order: a store's folder, a port.
  func meet() async throws {
    let (folder, address) = (try text(0), Address(host: "127.0.0.1", port: UInt16(try number(1))))
    let (opened, service) = try await Span.of { try await peer(of: folder, listens: false) }
    try answer("opened \(opened.wall) \(opened.cpu)")
    guard await nextOrder() else { return await service.close() }
    let met = await Span.of {
      let pulses = await service.pulses()
      await service.found(address)
      for await _ in pulses {
        guard let other = await service.surroundings.status(of: address)?.peer else { continue }
        if await service.surroundings.isEqual(with: other) { break }
      }
    }.0
    try answer("equal \(met.wall) \(met.cpu)")
    _ = await nextOrder()
    await service.close()
  }

  /// Passes one connection on to a port, and at its end says how many bytes went there and back.
  func relay() async throws {
    let (listener, port) = (try FloorListener(), UInt16(try number(0)))
    try answer("port \(listener.port)")
    guard await nextOrder() else { return }
    let (sent, received) = try listener.relay(to: port)
    try answer("relayed \(sent) \(received)")
  }
}
