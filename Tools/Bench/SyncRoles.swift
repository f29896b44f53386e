import EventLog
import Network
import Service

// The roles of figures that sync a store.

extension Role {
  /// Serves a store; at each order says how much processor time this process has used, or how much memory it has of
  /// its own and how many peers are connected.
  func serve() async throws {
    let service = try await peer(of: try text(0), listens: true)
    await Self.measureTurns(service)
    try answer("port \(await service.address?.port ?? 0)")
    try await forEachOrder { order in
      if order == "memory" {
        Memory.reset()
        let connected = await service.neighbours().count { $0.state == .connected }
        try answer("memory \(try Memory.now()?.anonymous ?? 0) \(connected)")
      } else if order == "turn" {
        try answer("turn \(await Self.longestTurn(service))")
      } else {
        try answer("used \(Span.processorSeconds)")
      }
    }
    await service.close()
  }

  /// Syncs into a store when it is ordered to: the time is that from before the connection until everything is
  /// durable here.
  func sync() async throws {
    let service = try await peer(of: try text(0), listens: false)
    let (address, events) = (Address(host: "127.0.0.1", port: UInt16(try number(1))), try number(2))
    await Self.measureTurns(service)
    try answer("ready")
    guard await nextOrder() else { return }
    let span = await Span.of {
      let pulses = await service.pulses()
      await service.found(address)
      for await _ in pulses where await service.exchange().storedEvents >= events { break }
    }.0
    let turn = await Self.longestTurn(service)
    try answer("synced \(span.wall) \(span.cpu) \(await service.exchange().storedEvents) \(turn)")
    _ = await nextOrder()
    await service.close()
  }

  /// Measures from now on how long the loop works each time that it goes round.
  private static func measureTurns(_ service: isolated PeerService) { service.loop.measureTurns() }

  /// The longest that the loop has worked between two looks at sockets since then, in milliseconds.
  private static func longestTurn(_ service: isolated PeerService) -> Double { service.loop.longestTurn }

  /// The floor's `serve`: takes one connection at each order.
  func serveFloor() async throws {
    let floor = try Floor(folder: try text(0), isWriter: false)
    let listener = try FloorListener()
    try answer("port \(listener.port)")
    try await forEachOrder { _ in
      let span = try Span.of { try floor.serve(listener) }.0
      try answer("used \(span.cpu)")
    }
  }

  /// The floor's `sync`.
  func syncFloor() async throws {
    let floor = try Floor(folder: try text(0), isWriter: true)
    let port = UInt16(try number(1))
    try answer("ready")
    guard await nextOrder() else { return }
    let (span, events) = try Span.of { try floor.sync(from: port) }
    try answer("synced \(span.wall) \(span.cpu) \(events) 0")
  }
}
