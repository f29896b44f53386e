import BotKit
import EventLog
import Events
import Gossip
import Peer

/// Whoever has all dishonest peers in hand: what they have said and to whom they say nothing, the keys that they have
/// besides their own, and what they make up. It signs with these keys alone.
struct Adversary: Sendable {
  /// The most messages that are remembered of a peer.
  private static let limitRemembered = 64

  /// By peer: what is known of a dishonest one's doings.
  private var forgers: [Forger?]
  /// By peer: what a dishonest one writes with its own and with other keys.
  private var fraudsters: [Fraudster?]
  /// What is made up.
  var inventions: RandomStream
  /// Which tricks are played.
  var frauds: RandomStream

  /// - Parameter signers: those of all peers first, then the strangers' of each fraudster.
  init(_ plan: Plan, _ signers: [any Signer], seed: UInt64) {
    inventions = RandomStream(seed: seed, for: .inventions)
    frauds = RandomStream(seed: seed, for: .frauds)
    forgers = plan.mischief.indices.map { plan.mischief[$0].isEmpty ? nil : Forger() }
    fraudsters = forgers.map { _ in nil }
    for (number, peer) in plan.fraudulent.enumerated() {
      let strangers = signers.dropFirst(forgers.count + number * Fraudster.strangers)
        .prefix(Fraudster.strangers)
      fraudsters[peer] = Fraudster(signers: [signers[peer]] + strangers)
    }
  }

  /// Keys that are none of its peers' names.
  var strangers: [PeerID] { fraudsters.flatMap { $0?.strangers ?? [] } }

  // MARK: - Branches

  /// From which number on a peer's feed has two branches in a room; `nil` where it has told one story.
  func fork(of peer: Int, in room: RoomID) -> UInt64? { forgers[peer]?.fork(in: room) }

  /// Notes that one of a peer's two programs has written in a room, after so many events.
  mutating func note(_ face: Int, of peer: Int, wroteIn room: RoomID, after count: UInt64) {
    forgers[peer]?.note(face, wroteIn: room, after: count)
  }

  /// Notes that a peer has two branches in a room, after so many events.
  mutating func noteBranches(of peer: Int, in room: RoomID, after count: UInt64) {
    for face in 0..<2 { note(face, of: peer, wroteIn: room, after: count) }
  }

  /// Notes that a peer tells others what it has written in its tricks.
  mutating func noteTricksTold(of peer: Int, in room: RoomID) {
    guard let fork = fraudsters[peer]?.fork(in: room) else { return }
    noteBranches(of: peer, in: room, after: fork - 1)
  }

  // MARK: - Messages

  /// Messages that a peer has sent.
  func sent(by peer: Int) -> [[UInt8]] { forgers[peer]?.sent ?? [] }

  /// Has a peer say nothing to another for a while.
  mutating func silence(_ peer: Int, toward victim: Int, until time: UInt64) {
    let peers = forgers.count
    forgers[peer]?.silence(victim, until: time, peers: peers)
  }

  /// Decides whether a message of a peer's program is sent, and remembers some that are.
  mutating func lets(_ member: inout SimulatedPeer, send bytes: [UInt8], to other: Int, at time: UInt64)
    -> Bool
  {
    let peer = member.number
    if forgers[peer]?.isSilent(to: other, at: time) == true { return false }
    if member.mischief.contains(.withholding), member.random.oneIn(4) { return false }
    if forgers[peer]?.sent.count ?? 0 < Self.limitRemembered {
      forgers[peer]?.sent.append(bytes)
    } else if member.random.oneIn(8) {
      forgers[peer]?.sent[member.random.below(Self.limitRemembered)] = bytes
    }
    return true
  }

  // MARK: - Frauds

  /// Has a peer play a trick in a room.
  mutating func play(
    in log: RoomLog, by peer: Int
  ) throws(FormatError) -> (trick: Fraudster.Trick, deliveries: [Fraudster.Delivery])? {
    try fraudsters[peer]?.play(in: log, &frauds)
  }

  /// Has a peer make something up, of what it has seen in some room of its own.
  /// - Parameters:
  ///   - rooms: those that there are, whether it may know of them or not.
  ///   - peers: everybody.
  mutating func invent(
    by member: SimulatedPeer, rooms: [RoomID], peers: [PeerID],
    _ body: (inout Inventor) throws(FormatError) -> Message
  ) throws(FormatError) -> Message {
    let known = member.tables.compactMap { $0?.room }
    let seen =
      inventions.pick(known).flatMap { room in
        member.faces.first?.withLog(of: room) { $0.entries.suffix(16).map(\.event) }
      } ?? []
    var inventor = Inventor(
      signer: member.signer, hasher: EventHasher(network: .standard), rooms: rooms, peers: peers, seen: seen,
      random: inventions)
    defer { inventions = inventor.random }
    return try body(&inventor)
  }
}
