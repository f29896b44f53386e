import Events
import NATS
import Network
import Platform
import Relay
import TestKit
import Testing

/// Streams through a real server of NATS, between two connections of this process.
@Suite(.blocking, .enabled(if: QueueServers.areThere, QueueServers.missing)) struct RelayStreamTests {
  /// Two ends of a stream, on their loop.
  private actor Ends {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
    private var near: (any ByteStream)?
    private var far: (any ByteStream)?
    private var listeners: [any Listener] = []
    private var attempt: (any ConnectionAttempt)?
    private(set) var received: [UInt8] = []
    private(set) var isOver = false

    init(_ loop: EventLoop) { self.loop = loop }

    /// Connects once one end has heard of the other: before that the servers may not know where that waits.
    func connect(_ one: RelayTransport, _ two: RelayTransport) throws(NetworkError) {
      let waiting = try two.listen(on: two.address) { stream in
        self.far = stream
        // Nothing is read at first.
        stream.start { event in
          switch event {
          case .received(let bytes): self.received += bytes
          case .drained: break
          case .ended: self.isOver = true
          }
        }
        stream.setReading(false)
      }
      one.hear { address in
        guard self.attempt == nil, address == two.address else { return }
        self.attempt = one.connect(to: address) { result in
          guard case .success(let stream) = result else { return }
          self.near = stream
          stream.start { _ in }
        }
      }
      listeners = [waiting, try one.listen(on: one.address) { _ in }]
    }

    var isThere: Bool { near != nil && far != nil }
    var queuedBytes: Int { near?.queuedBytes ?? 0 }
    func write(_ bytes: [UInt8]) { near?.write(bytes) }
    func read() { far?.setReading(true) }
    func end() { near?.close(afterWriting: true) }

    func close() {
      for listener in listeners { listener.close() }
      for stream in [near, far] { stream?.close(afterWriting: false) }
      (near, far) = (nil, nil)
    }
  }

  private func wait(for what: Comment, _ holds: () async -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(300)
    while await !holds() {
      try #require(ContinuousClock.now < end, what)
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  /// Who does not read holds the other end up, and loses nothing.
  @Test func aLongStreamArrivesWhole() async throws {
    let servers = try await QueueServers()
    let loop = try EventLoop()
    let settings = try NATSSettings(servers: servers.addresses)
    var connections: [RelayConnection] = []
    for _ in 0..<2 {
      connections.append(
        try await RelayConnection.open(settings, .standard, loop, random: SigningKey.randomSeed) { _ in })
    }
    let ends = Ends(loop)
    try await ends.connect(connections[0].transport, connections[1].transport)
    try await wait(for: "a stream") { await ends.isThere }
    let content = (0..<8_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 5) }
    await ends.write(content)
    // The first portion is on its way; the rest waits here.
    #expect(await ends.queuedBytes > 7_000_000)
    #expect(await ends.received.isEmpty)
    await ends.read()
    await ends.end()
    try await wait(for: "the end") { await ends.isOver }
    #expect(await ends.received == content)
    await ends.close()
    for connection in connections { await connection.close() }
  }
  /// What a subscription hears.
  private enum Heard: Equatable {
    case news(NATSConnectionNews)
    case message(String)
  }

  /// Who hears something over a connection that was away has heard before that it is back.
  @Test func aConnectionIsBackBeforeSomethingComesOverIt() async throws {
    let servers = try await QueueServers()
    let heard = Guarded<[Heard]>([])
    let hears = try await servers.connect()
    let subscription = try NATSSubscription(
      hears, "news", limit: 1 << 20, report: { news in heard.withLock { $0.append(.news(news)) } },
      receive: { bytes in heard.withLock { $0.append(.message(String(decoding: bytes, as: UTF8.self))) } })
    let early = try await servers.connect()
    try await wait(for: "a message") {
      early.send("news", Array("early".utf8))
      return heard.withLock { $0.contains(.message("early")) }
    }
    try servers.kill9(0)
    try await wait(for: "the break") { heard.withLock { $0.contains(.news(.isAway)) } }
    try servers.restart(0)
    let end = ContinuousClock.now + .seconds(300)
    var late: NATSConnection?
    while late == nil {
      try #require(ContinuousClock.now < end)
      do { late = try await servers.connect() } catch { try await Task.sleep(for: .milliseconds(5)) }
    }
    let speaks = try #require(late)
    try await wait(for: "another message") {
      speaks.send("news", Array("late".utf8))
      return heard.withLock { $0.contains(.message("late")) }
    }
    let all = heard.withLock { $0 }
    #expect(all.prefix { $0 != .message("late") }.last == .news(.isBack), "\(all)")
    subscription.stop()
  }
}
