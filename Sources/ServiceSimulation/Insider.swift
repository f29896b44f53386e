import BotKit
import EventLog
import Events
import Peer
import Projection
import Rules
import Simulation

/// Somebody who takes part and means ill: its machine runs the program as it is, and beside that it signs, with the key
/// that it takes part with, what no program writes.
final class Insider {
  /// The rooms in which it does something: the newest ones.
  private static let limitRooms = 12
  /// The longest time that it says a round has been on, in milliseconds.
  private static let limitElapsed: UInt64 = 6_000

  let number: Int
  /// How many peers take part.
  let peers: Int
  private let key: SigningKey
  /// What it does, in order.
  let frauds: [Fault]
  /// What it writes against the rules of play.
  var cheat: Cheat
  /// What it writes on branches of its feed.
  var fraudster: Fraudster
  var random: RandomStream
  /// Its disk as it was once.
  var copy: MemoryEventLog?
  /// What it has said of pairings as a tournament's organizer.
  var lies: [FalseWord] = []

  /// The one at a place among those that a plan has.
  init(at place: Int, of plan: ServicePlan, _ key: SigningKey, _ attacker: Attacker) {
    number = plan.insiders[place]
    peers = plan.peers
    self.key = key
    frauds = plan.faults.intersection(Fault.ofInsiders).sorted { $0.rawValue < $1.rawValue }
    random = RandomStream(seed: plan.seed, for: .attacks, 4 + 10 * place)
    cheat = Cheat(signer: key, random: RandomStream(seed: plan.seed, for: .attacks, 5 + 10 * place))
    fraudster = Fraudster(signers: [key] + (0..<Fraudster.strangers).map { _ in attacker.newKey() })
  }

  var peer: PeerID { key.peer }

  /// A room in which it may write. A tournament that has not begun is let be: there a fork ends all, and nobody doubts
  /// whose it was.
  func room(besides attacker: Attacker?, _ tournament: StoredTournament) throws -> RoomID? {
    let disk = tournament.disk
    let rooms = try disk.rooms(limit: Self.limitRooms).filter { listing throws(LogError) in
      guard attacker?.isOwn(listing.create.author) != true else { return false }
      let log = try disk.load(listing.room, verify: false)
      if listing.room == tournament.room { return log.graph.events.contains { $0.kind == .start } }
      if log.feed(peer) != nil { return true }
      if case .create(let create) = listing.create.action { return create.referee == peer }
      return false
    }
    return random.pick(rooms.map(\.room))
  }

  /// Writes something that is out of place, untrue, or against the rules.
  func misbehave(
    _ fraud: Fault, in room: RoomID, _ tournament: StoredTournament, _ core: inout PeerCore
  ) throws(PeerError) -> String {
    if room == tournament.room, number == 0, fraud != .cheating {
      return try sayUntrue(of: tournament, &core)
    }
    switch fraud {
    case .roundFrauds:
      let elapsed = random.time(0...Self.limitElapsed)
      let tried = cheat.triedFrauds.count
      try cheat.defraudRound(in: room, elapsed: { _ in elapsed }, &core)
      let kinds = cheat.triedFrauds.dropFirst(tried).map(\.kind.rawValue)
      return kinds.isEmpty ? "nothing" : kinds.joined(separator: ", ")
    case .falseWords:
      let claims = core.withLog(of: room) { log in log.graph.events.filter { $0.kind == .claim }.map(\.id) }
      guard let claim = random.pick(claims ?? []) else { return "nothing" }
      _ = try core.write(.ruling(claim: claim), in: room, citing: [claim])
      return "a ruling"
    default:
      try cheat.cheat(in: room, &core)
      return "cheating"
    }
  }

  /// Writes something that could stand by itself, or could not.
  func speak(
    in room: RoomID, _ tournament: StoredTournament, _ core: inout PeerCore
  ) throws(PeerError) {
    if random.oneIn(2), let state = core.state(of: room), let game = state.currentGame,
      let seat = state.seatToChoose(of: peer),
      let move = random.pick(game.state.legalMoves(of: seat))
    {
      return try core.choose(move, in: room)
    }
    let fraud = random.pick(frauds.filter { $0 != .restores }) ?? .cheating
    _ = try misbehave(fraud, in: room, tournament, &core)
  }
}

extension [Insider] {
  /// Whether a key is that of one of them.
  func contains(_ peer: PeerID) -> Bool { contains { $0.peer == peer } }
}

/// What a dishonest organizer has said of a pairing.
struct FalseWord {
  /// In which way it is not so.
  enum Kind: CaseIterable {
    /// Other scores than those of the games, which were all over.
    case otherScores
    /// That games were played, and no room.
    case nowherePlayed
    /// Scores, and nothing of the room behind it.
    case restsOnNothing
    /// An event of the room that nobody wrote.
    case inventedHead
    /// The room of another pairing.
    case otherRoom
    /// That somebody was absent whose games are over and signed, as it knows.
    case absenceAgainstSigned
    /// A room that there is not.
    case noSuchRoom
    /// That somebody was absent, and nothing else: that is a decision, and cannot be proven false.
    case absence
    /// A pairing that the format does not have.
    case noSuchPairing

    /// Whether everybody who has the room can prove it false, where no feed is forked.
    fileprivate var isProvable: Bool {
      switch self {
      case .otherScores, .nowherePlayed, .restsOnNothing, .inventedHead, .otherRoom, .absenceAgainstSigned:
        true
      case .noSuchRoom, .absence, .noSuchPairing: false
      }
    }
  }

  let kind: Kind
  let event: EventID
  /// The room of which it speaks, and the heads that it names there.
  let room: RoomID
  let heads: [Action.PairingResult.Head]

  /// Whether everybody who has the room can prove it false, as the room is held: of a forked feed nobody can say what
  /// does not belong to it, nor what lies behind a branch that is not here.
  func isProvable(_ held: RoomLog?) -> Bool {
    guard kind.isProvable, let held else { return kind.isProvable }
    return !heads.contains { head in
      held.position(of: head.event) == nil && held.graph.forks[head.author] != nil
    }
  }
}
