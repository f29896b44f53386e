import Channel
import Events
import Testing

@testable import Network

/// When addresses are tried: a value, told the time and what came of the attempts.
@Suite struct DiallerTests {
  private final class Attempt: ConnectionAttempt {
    private(set) var isCancelled = false
    func cancel() { isCancelled = true }
  }

  private static let peer = TestPeer.credentials(2).signer.peer

  private func address(_ port: UInt16) -> Address { Address(host: "192.0.2.1", port: port) }

  private func nobody(_ peer: PeerID) -> Bool { false }
  private func nobody(_ peer: PeerID, by address: Address) -> Bool { false }

  /// Fails once when the dial is due.
  /// - Returns: the pause until then.
  private func fail(_ dialler: inout Dialler, at now: inout UInt64) -> UInt64 {
    guard let due = dialler.deadline else { return 0 }
    defer { now = due }
    #expect(due == now || dialler.takeDue(at: due - 1, nobody).isEmpty)
    for dial in dialler.takeDue(at: due, nobody) { dialler.failed(dial.number, "nobody", at: due) }
    return due - now
  }

  /// Each pause is about twice as long as the one before, up to a minute; short again after a connection that held.
  @Test func pausesGrowUntilAConnectionHolds() {
    for seed in 0..<20 as Range<UInt64> {
      var dialler = Dialler(.standard, seed: seed)
      var now: UInt64 = 1_000
      dialler.add(address(1), wanted: nil, at: now)
      #expect(fail(&dialler, at: &now) == 0)
      var length: UInt64 = 500
      for _ in 0..<12 {
        let pause = fail(&dialler, at: &now)
        #expect((length * 3 / 4...length * 5 / 4).contains(pause))
        length = min(2 * length, 60_000)
      }
      let number = dialler.dials[0].number
      #expect(dialler.statuses(nobody)[0].failure == "nobody")
      dialler.found(Self.peer, by: number)
      dialler.connected(number)
      #expect(dialler.deadline == nil)
      #expect(dialler.statuses { $0 == Self.peer }[0].isConnected)
      dialler.ended(number, .silent, hasHeld: true, at: now)
      #expect(dialler.statuses(nobody)[0].failure == ChannelError.silent.description)
      #expect((375...625).contains((dialler.deadline ?? 0) - now))
      // Who belongs to another network will still do so in a second.
      dialler.ended(number, .otherNetwork, hasHeld: false, at: now)
      #expect((45_000...75_000).contains((dialler.deadline ?? 0) - now))
    }
  }

  @Test func anAttemptHasItsTime() {
    var dialler = Dialler(.standard, seed: 1)
    dialler.add(address(1), wanted: Self.peer, at: 0)
    let due = dialler.takeDue(at: 0, nobody)
    #expect(due.map(\.wanted) == [Self.peer])
    let attempt = Attempt()
    dialler.began(due[0].number, attempt, at: 0)
    #expect(dialler.deadline == 10_000)
    #expect(dialler.statuses(nobody)[0].isConnecting)
    #expect(dialler.takeDue(at: 9_999, nobody).isEmpty && !attempt.isCancelled)
    #expect(dialler.takeDue(at: 10_000, nobody).isEmpty && attempt.isCancelled)
    #expect(dialler.statuses(nobody)[0].failure == NetworkError.noAnswer(address(1)).description)
    #expect(!dialler.statuses(nobody)[0].isConnecting)
  }

  /// A peer that is connected otherwise is not dialled, until it is lost.
  @Test func whoIsConnectedNeedsNoSecondConnection() {
    var dialler = Dialler(.standard, seed: 1)
    dialler.add(address(1), wanted: Self.peer, at: 0)
    #expect(dialler.takeDue(at: 0) { peer, _ in peer == Self.peer }.isEmpty)
    #expect(dialler.deadline == nil)
    dialler.lost(TestPeer.credentials(3).signer.peer, at: 100)
    #expect(dialler.deadline == nil)
    dialler.lost(Self.peer, at: 100)
    #expect((475...725).contains(dialler.deadline ?? 0))
  }

  /// What others tell of is limited, and forgotten when nobody is there; what a person names stays.
  @Test func whatWasToldIsTriedOnlySoOften() {
    var settings = NetworkSettings()
    settings.limitTold = 2
    settings.limitToldFailures = 3
    var dialler = Dialler(settings, seed: 1)
    let peers = (10..<14 as Range<UInt8>).map { TestPeer.credentials($0).signer.peer }
    for (number, peer) in peers.enumerated() {
      dialler.meet(Acquaintance(peer: peer, address: address(UInt16(number))), at: 0)
    }
    #expect(dialler.dials.map(\.address) == [address(0), address(1)])
    dialler.add(address(1), wanted: nil, at: 0)
    #expect(dialler.dials.map(\.isTold) == [true, false])
    #expect(dialler.dials.map(\.wanted) == [peers[0], nil])
    var now: UInt64 = 0
    for _ in 0..<10 { _ = fail(&dialler, at: &now) }
    #expect(dialler.dials.map(\.address) == [address(1)])
    // It leads to this peer itself: no use.
    dialler.ended(dialler.dials[0].number, .oneself, hasHeld: false, at: now)
    #expect(dialler.deadline == nil)
  }

  /// What comes of an attempt whose dial is gone says nothing of another one at the same address.
  @Test func aForgottenDialChangesNothing() {
    var dialler = Dialler(.standard, seed: 1)
    dialler.add(address(1), wanted: nil, at: 0)
    let attempt = Attempt()
    let first = dialler.takeDue(at: 0, nobody)[0].number
    dialler.began(first, attempt, at: 0)
    dialler.remove(address(1))
    #expect(attempt.isCancelled)
    dialler.add(address(1), wanted: nil, at: 5)
    dialler.failed(first, "late", at: 6)
    dialler.ended(first, .silent, hasHeld: true, at: 6)
    #expect(dialler.deadline == 5)
    #expect(dialler.statuses(nobody)[0].failure == nil)
    dialler.halt()
    dialler.add(address(2), wanted: nil, at: 7)
    #expect(dialler.deadline == nil)
  }

  /// Of what is heard at a relay only so much is tried; those whose peers are connected otherwise make room.
  @Test func whatIsHeardAtARelayHasALimit() {
    var settings = NetworkSettings()
    settings.limitRelayed = 3
    settings.limitToldFailures = 2
    var dialler = Dialler(settings, seed: 1)
    func relayed(_ number: UInt8) -> Address { Address(relayInbox: [UInt8](repeating: number, count: 16)) }
    for number in 1...5 {
      for _ in 0..<2 { dialler.hear(of: relayed(UInt8(number)), at: 0) }
    }
    #expect(dialler.dials.map(\.address) == (1...3).map { relayed($0) })
    // Those that peers told have a limit of their own.
    dialler.meet(Acquaintance(peer: Self.peer, address: address(9)), at: 0)
    #expect(dialler.dials.count == 4)
    let due = dialler.takeDue(at: 0, nobody)
    #expect(due.count == 4)
    for dial in due { dialler.began(dial.number, Attempt(), at: 0) }
    for _ in 0..<2 { dialler.failed(due[0].number, "nobody", at: 0) }
    dialler.hear(of: relayed(4), at: 0)
    #expect(dialler.dials.map(\.address) == [relayed(2), relayed(3), address(9), relayed(4)])
    // The peer of one of them turns out to be connected.
    dialler.found(Self.peer, by: due[1].number)
    dialler.ended(due[1].number, .ended(.doubled, byOther: true), hasHeld: true, at: 0)
    dialler.hear(of: relayed(5), at: 0)
    #expect(!dialler.dials.contains { $0.address == relayed(5) })
    _ = dialler.takeDue(at: 5_000) { peer, _ in peer == Self.peer }
    dialler.hear(of: relayed(5), at: 0)
    #expect(dialler.dials.map(\.address) == [relayed(3), address(9), relayed(4), relayed(5)])
  }
}
