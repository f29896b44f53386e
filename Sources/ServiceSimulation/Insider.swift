import BotKit
import EventLog
import Events
import Peer
import Simulation

/// Somebody who takes part and means ill: its machine runs the program as it is, and beside that it signs, with the key
/// that it takes part with, what no program writes.
final class Insider {
  let number: Int
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
  init(at place: Int, of plan: ServicePlan, _ keys: [SigningKey], _ attacker: Attacker, seed: UInt64) {
    number = plan.insiders[place]
    frauds = plan.faults.intersection(Fault.ofInsiders).sorted { $0.rawValue < $1.rawValue }
    random = RandomStream(seed: seed, for: .attacks, 4 + 10 * place)
    cheat = Cheat(signer: keys[number], random: RandomStream(seed: seed, for: .attacks, 5 + 10 * place))
    fraudster = Fraudster(signers: [keys[number]] + (0..<Fraudster.strangers).map { _ in attacker.newKey() })
  }
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
  /// does not belong to it.
  func isProvable(_ held: RoomLog?) -> Bool {
    guard kind == .inventedHead, let held else { return kind.isProvable }
    return !heads.contains { head in
      held.position(of: head.event) == nil && held.graph.forks[head.author] != nil
    }
  }
}
