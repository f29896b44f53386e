import CFloor
import Channel
import EventLog
import Events
import Network
import Peer
import Platform

extension Role {
  /// Opens connections for some seconds when it is ordered to.
  func flood() async throws {
    let words = try greeting()
    let (addresses, rate, seconds) = (try number(1), try number(2), try number(3))
    try answer("ready")
    guard await nextOrder() else { return }
    var tally = floor_flood_tally()
    let port = UInt16(try number(0))
    // SAFETY: the bytes live until the call returns, and nothing keeps them.
    try unsafe words.withUnsafeBufferPointer { words in
      var plan = unsafe floor_flood_plan(
        port: port, addresses: UInt32(addresses), rate: Double(rate), seconds: Double(seconds),
        bytes: words.baseAddress, count: words.count)
      try FloorError.check(unsafe floor_flood(&plan, &tally))
    }
    try answer("flooded \(tally.opened) \(tally.failed) \(tally.unsent)")
    _ = await nextOrder()
  }

  private func greeting() throws -> [UInt8] {
    guard try text(4) == ConnectionsFlood.Words.greeting.rawValue else { return [] }
    let signer = SigningKey(seed: [UInt8](repeating: 1, count: 32))
    let credentials = Credentials(signer: signer, network: .standard, keys: .generate())
    var channel = Channel(.initiator, credentials, at: 0)
    return channel.takeOutbox()
  }

  /// Connects peers, and tells after how many milliseconds each was heard that was in time.
  func knock() async throws {
    let (port, count, pause) = (UInt16(try number(0)), try number(1), UInt64(try number(2)))
    let log = MemoryEventLog(network: .standard)
    let committer = GroupCommitter(log)
    let transport = TCPTransport(try EventLoop())
    let heard = try await withThrowingTaskGroup(of: Double?.self) { group in
      for number in 0..<count {
        group.addTask {
          let peer = Self.peer(number, log, committer, transport)
          let time = try await Self.timeUntilHeard(peer, port)
          await peer.stop()
          return time
        }
        try await Task.sleep(for: .milliseconds(pause))
      }
      var heard: [Double] = []
      for try await time in group { if let time { heard.append(time) } }
      return heard
    }
    try answer((["heard"] + heard.map { "\($0)" }).joined(separator: " "))
    _ = await nextOrder()
  }

  private static func timeUntilHeard(_ peer: NetworkPeer, _ port: UInt16) async throws -> Double? {
    let clock = ContinuousClock()
    let began = clock.now
    await peer.connect(to: Address(host: "127.0.0.1", port: port))
    let limit = Duration.milliseconds(ConnectionsFlood.limitMilliseconds)
    while clock.now - began < limit {
      if await !peer.peers.isEmpty { return (clock.now - began) / .milliseconds(1) }
      try await Task.sleep(for: .milliseconds(2))
    }
    return nil
  }
}
