import Events
import Glibc
import Platform
import Testing

@testable import Network

/// What must hold of every transport: TCP over both versions of IP, inside the process, and through a relay.
@Suite(.serialized) struct TransportSuiteTests {
  /// A listener, and a connection to it: end 0 and end 1, whichever was first.
  private func connected(_ way: Way) async throws -> (StreamEnds, Address) {
    let ends = StreamEnds(way.transport(try EventLoop()))
    let address = try await ends.listen(on: way.anyPort)
    await ends.connect(to: address)
    try await eventually("a connection") { await ends.count == 2 }
    return (ends, address)
  }

  private static let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

  @Test(arguments: Way.all) func bytesArriveInOrderBothWays(_ way: Way) async throws {
    let (ends, address) = try await connected(way)
    #expect(address.port != 0 || way == .relay)
    for start in stride(from: 0, to: Self.large.count, by: 99_991) {
      await ends.write(Array(Self.large[start..<min(start + 99_991, Self.large.count)]), 0)
    }
    await ends.write([1, 2, 3], 1)
    try await eventually("all bytes") { await ends.bytes(1).count >= Self.large.count }
    #expect(await ends.bytes(1) == Self.large)
    try await eventually("the answer") { await ends.bytes(0) == [1, 2, 3] }
    #expect(await ends.queuedBytes(0) == 0)
    for end in 0..<2 { #expect(await ends.remote(end).isNearby == (way != .relay)) }
    await ends.closeAll()
  }

  /// Who does not read makes the other wait, and loses nothing.
  @Test(arguments: Way.all) func whoDoesNotReadHoldsTheOtherUp(_ way: Way) async throws {
    let (ends, _) = try await connected(way)
    await ends.setReading(false, 1)
    for _ in 0..<20 { await ends.write(Self.large, 0) }
    await ends.loop.turn()
    #expect(await ends.queuedBytes(0) > 10_000_000)
    #expect(await ends.bytes(1).count <= 65_536)
    await ends.setReading(true, 1)
    try await eventually("all bytes") { await ends.bytes(1).count == 20 * Self.large.count }
    try await eventually("an empty queue") { await ends.queuedBytes(0) == 0 }
    await ends.closeAll()
  }

  @Test(arguments: Way.all) func whatWasWrittenBeforeTheEndArrives(_ way: Way) async throws {
    let (ends, _) = try await connected(way)
    await ends.write(Self.large, 0)
    await ends.close(0)
    try await eventually("the end") { await ends.isOver(1) }
    #expect(await ends.bytes(1) == Self.large)
    // Nothing that is written into nowhere harms.
    await ends.write([1], 1)
    await ends.write([1], 0)
    await ends.close(0)
    await ends.closeAll()
  }

  @Test(arguments: Way.all) func anEndAtOnceIsHeard(_ way: Way) async throws {
    let (ends, _) = try await connected(way)
    await ends.close(1, afterWriting: false)
    try await eventually("the end") { await ends.isOver(0) }
    #expect(await ends.isOver(1) == false)
    await ends.closeAll()
  }

  @Test(arguments: Way.all) func nobodyListens(_ way: Way) async throws {
    let (ends, address) = try await connected(way)
    await #expect(throws: NetworkError.self) { try await ends.listen(on: address) }
    await ends.closeListeners()
    await ends.connect(to: address)
    try await eventually("a failure") { await ends.failures.count == 1 }
    guard case .system(let what, _)? = await ends.failures.first else {
      Issue.record("\(await ends.failures)")
      return
    }
    #expect(what == "cannot connect to \(address)")
    // The connection that stands is not touched.
    await ends.write([7], 0)
    try await eventually("a byte") { await ends.bytes(1) == [7] }
    await ends.closeAll()
  }

  @Test(arguments: Way.all) func whoGivesUpHearsNothing(_ way: Way) async throws {
    let ends = StreamEnds(way.transport(try EventLoop()))
    let address = try await ends.listen(on: way.anyPort)
    await ends.connectAndCancel(to: address)
    await ends.loop.turn()
    #expect(await ends.failures.isEmpty)
    #expect(await ends.count <= 1)
    await ends.closeAll()
  }

  /// A connection is given away with all that comes over it, and its place is nobody else's meanwhile.
  @Test(arguments: Way.there.filter { $0 != .inProcess }) func aConnectionIsHandedOver(_ way: Way)
    async throws
  {
    let ends = StreamEnds(TCPTransport(try EventLoop()))
    let address = try await ends.listenAndHandOver(on: way.anyPort)
    let refusal = await #expect(throws: NetworkError.self) { try await ends.listen(on: address) }
    #expect(refusal?.description == "cannot listen on \(address): address already in use")
    await ends.connect(to: address)
    try await eventually("a connection") { await ends.count + ends.handedOver.count == 2 }
    let descriptor = Descriptor(try #require(await ends.handedOver.first))
    #expect(fcntl(descriptor.number, F_GETFL) & O_NONBLOCK != 0)
    #expect(fcntl(descriptor.number, F_GETFD) & FD_CLOEXEC != 0)
    await ends.closeListeners()
    await ends.write([1, 2, 3], 0)
    #expect(try descriptor.readSome(limitBytes: 9) == [1, 2, 3])
    try descriptor.write([4])
    try await eventually("the answer") { await ends.bytes(0) == [4] }
    descriptor.forget()
    try await eventually("the end") { await ends.isOver(0) }
    await ends.closeAll()
  }

  /// Names are looked up; those that nobody has fail with words.
  @Test func namesAreLookedUp() async throws {
    let ends = StreamEnds(TCPTransport(try EventLoop()))
    let address = try await ends.listen(on: Way.ipv4.anyPort)
    await ends.connect(to: Address(host: "localhost", port: address.port))
    try await eventually("a connection") { await ends.count == 2 }
    await ends.connect(to: Address(host: "nobody.invalid", port: 1))
    try await eventually("a failure") { await !ends.failures.isEmpty }
    #expect(
      await ends.failures.map(\.description).first?.hasPrefix("cannot look up nobody.invalid: ") == true)
    await ends.closeAll()
  }

  @Test func addressesHaveOneForm() throws {
    for text in ["127.0.0.1:80", "[::1]:4000", "host.example:65535", "in-process:3"] {
      #expect(try Address(text).description == text)
    }
    for text in [
      "", "host", "host:", "host:70000", "::1:80", ":80", "a b:1", "[]:1", "host:-1", "h\u{1B}[m:1",
    ] {
      #expect(throws: NetworkError.notAnAddress(text)) { try Address(text) }
    }
    let near = ["10.0.0.1", "172.16.0.1", "192.168.7.7", "169.254.1.1", "fe80::1", "fd00::1", "127.0.0.1"]
    for host in near { #expect(Address(host: host, port: 1).isNearby, "\(host)") }
    for host in ["8.8.8.8", "172.32.0.1", "2001:db8::1", "fd.example", "10.example"]
    where host != "10.example" {
      #expect(!Address(host: host, port: 1).isNearby, "\(host)")
    }
  }
}

extension StreamEnds {
  func connectAndCancel(to address: Address) {
    connect(to: address)
    cancelAttempts()
  }
}
