import Discovery
import Events
import Foundation
import TestKit
import Testing

/// Real processes on networks of their own.
@Suite(.enabled(if: LocalNetwork.isPossible, LocalNetwork.impossible)) struct LocalNetworkTests {
  static let network = NetworkID(Bytes32([UInt8](repeating: 1, count: 32), at: 0))

  @Test func peersFindEachOtherOnceAndHearGoodbyes() async throws {
    let local = try LocalNetwork(hosts: 4)
    let peers = try (1...3).map { try local.peer(on: $0, port: 4_000 + UInt16($0)) }
    let stranger = try local.peer(on: 4, network: 2, port: 4_004)
    let watcher = try local.peer(on: 4, port: nil)
    for (at, peer) in peers.enumerated() {
      try await eventually("peer \(at) sees the others", of: peers) {
        peer.seen.count == 2 && !peer.name.isEmpty
      }
    }
    try await eventually("who is not seen sees all", of: peers + [watcher]) { watcher.seen.count == 3 }
    for (at, peer) in peers.enumerated() {
      let others = peers.enumerated().filter { $0.offset != at }
      #expect(peer.everSeen == Set(others.map(\.element.name)))
      for (other, its) in others {
        let address = "10.99.0.\(other + 1):\(4_001 + other)"
        try await eventually("its address", of: peers) { peer.seen[its.name]?.first == address }
      }
      // One after the other is told of a name only where something has changed.
      for name in peer.everSeen {
        let told = peer.lines.filter { $0.count >= 2 && $0[1] == name }
        #expect(zip(told, told.dropFirst()).allSatisfy { $0 != $1 }, "\(told)")
      }
    }
    #expect(stranger.everSeen.isEmpty)
    #expect(watcher.name == "-")
    try peers[0].stop()
    #expect(try await peers[0].finish() == 0)
    for peer in [peers[1], peers[2], watcher] {
      try await eventually("a goodbye is heard", of: [peer]) { peer.seen[peers[0].name] == nil }
    }
    #expect(peers[1].seen[peers[2].name] != nil)
  }

  /// No goodbye: its addresses are believed for half a minute.
  @Test(.onlyAtFullSize) func whoIsKilledIsLost() async throws {
    let local = try LocalNetwork(hosts: 2)
    let (one, other) = (try local.peer(on: 1, port: 4_001), try local.peer(on: 2, port: 4_002))
    try await eventually("both are found", of: [one, other]) { one.seen.count == 1 && other.seen.count == 1 }
    other.kill9()
    try await eventually("it is lost", of: [one]) { one.seen.isEmpty }
    let next = try local.peer(on: 2, port: 4_002)
    try await eventually("who comes after it is found", of: [one, next]) {
      one.seen.count == 1 && next.seen.count == 1
    }
  }

  @Test func severalOnOneHost() async throws {
    let local = try LocalNetwork(hosts: 1)
    let peers = try (1...3).map { try local.peer(on: 1, port: 4_000 + UInt16($0)) }
    for peer in peers {
      // Addresses come one by one, and that of the machine itself need not be the first.
      try await eventually("the others, where they can be reached", of: peers) {
        peer.seen.count == 2
          && peer.seen.values.allSatisfy {
            $0.contains { $0.hasPrefix("127.0.0.1:") || $0.hasPrefix("10.99.0.1:") }
          }
      }
    }
    try peers[2].stop()
    try await eventually("a goodbye", of: Array(peers[..<2])) {
      peers[0].seen.count == 1 && peers[1].seen.count == 1
    }
  }

  @Test(.onlyAtFullSize) func cablesAreFollowed() async throws {
    let local = try LocalNetwork(hosts: 2)
    try local.setCable(of: 2, isIn: false)
    let (one, other) = (try local.peer(on: 1, port: 4_001), try local.peer(on: 2, port: 4_002))
    try await eventually("both run", of: [one, other]) { !one.name.isEmpty && !other.name.isEmpty }
    #expect(one.everSeen.isEmpty && other.everSeen.isEmpty)
    try local.setCable(of: 2, isIn: true)
    try await eventually("both are found", of: [one, other]) { one.seen.count == 1 && other.seen.count == 1 }
    try local.setCable(of: 2, isIn: false)
    try await eventually("both are lost", of: [one, other]) { one.seen.isEmpty && other.seen.isEmpty }
    try local.setCable(of: 2, isIn: true)
    try await eventually("both are found again", of: [one, other]) {
      one.seen.count == 1 && other.seen.count == 1
    }
  }

  /// Sockets, threads and memory of those that were stopped are given back; one after the other is a peer of its own.
  @Test func stoppingLeavesNothing() async throws {
    let local = try LocalNetwork(hosts: 2)
    let watcher = try local.peer(on: 2, port: nil)
    let peer = try local.peer(on: 1, port: 4_001, startsBefore: 20)
    try await eventually("the last is found", of: [watcher, peer]) {
      !peer.name.isEmpty && watcher.seen[peer.name] != nil
    }
    let kept = peer.lines.filter { $0.first == "kept" }
    #expect(kept.count == 2 && kept[0] == kept[1], "\(kept)")
    try peer.stop()
    try await eventually("nobody is left", of: [watcher]) { watcher.seen.isEmpty }
    #expect(try await peer.finish() == 0)
  }

  @Test func withoutAnInterfaceThereAreWords() async throws {
    let local = try LocalNetwork(hosts: 1)
    try local.isolate(1)
    let peer = try local.peer(on: 1, port: 4_001)
    #expect(try await peer.finish() == 69)
    #expect(peer.said.contains("no network interface is up, so no peer can be found nearby"))
  }

  @Test func withoutThePortThereAreWords() async throws {
    let local = try LocalNetwork(hosts: 1)
    let occupier = try local.attacker(on: 1, "occupy", text: [])
    try await eventually("the port is taken", of: [occupier]) { occupier.said.contains("occupied") }
    let peer = try local.peer(on: 1, port: 4_001)
    #expect(try await peer.finish() == 69)
    #expect(peer.said.contains("cannot use multicast DNS: "), "\(peer.said)")
    try occupier.stop()
    #expect(try await occupier.finish() == 0)
  }

  /// What anybody on the network can send: nobody crashes, nothing is believed that is not so, and honest peers are
  /// still found.
  @Test(arguments: ["aliases", "rubbish", "elsewhere"]) func hostilePackets(_ what: String) async throws {
    let local = try LocalNetwork(hosts: 3)
    let one = try local.peer(on: 1, port: 4_001)
    try await eventually("it runs", of: [one]) { !one.name.isEmpty }
    let attacker = try local.attacker(on: 3, what, text: ServiceRecord.text(of: Self.network))
    #expect(try await attacker.finish() == 0, "\(attacker.said)")
    let other = try local.peer(on: 2, port: 4_002)
    try await eventually("both are found", of: [one, other]) {
      one.seen[other.name] != nil && other.seen[one.name] != nil
    }
    #expect(one.everSeen == [other.name])
    #expect(other.everSeen == [one.name])
    #expect(one.isRunning && other.isRunning)
  }

  /// Many names take no more room than there is, and those without an address take it from nobody.
  @Test func floodsAreBounded() async throws {
    let local = try LocalNetwork(hosts: 3)
    let one = try local.peer(on: 1, port: 4_001)
    try await eventually("it runs", of: [one]) { !one.name.isEmpty }
    let attacker = try local.attacker(on: 3, "empty", text: [])
    #expect(try await attacker.finish() == 0, "\(attacker.said)")
    let other = try local.peer(on: 2, port: 4_002)
    try await eventually("both are found", of: [one, other]) {
      one.seen[other.name] != nil && other.seen[one.name] != nil
    }
    let crowd = try local.attacker(on: 3, "crowd", text: ServiceRecord.text(of: Self.network))
    #expect(try await crowd.finish() == 0, "\(crowd.said)")
    try await eventually("some of the crowd", of: [one]) { one.seen.keys.contains { $0.hasPrefix("crowd") } }
    #expect(one.seen.count <= 256)
    #expect(one.isRunning && other.isRunning)
    try one.stop()
    #expect(try await one.finish() == 0)
  }
}
