package import EventLog
package import Events
internal import Projection
package import Rules
package import Tournaments

/// What the room of a tournament and the rooms of its games prove of it.
///
/// It is given room by room what was checked event by event, from a store or from a file, and keeps nothing of the
/// moves. What is so in the end is the same fold as everywhere (``TournamentFold``).
package struct TournamentProof: Sendable {
  /// Something that was found.
  package struct Finding: Hashable, Sendable {
    /// What it means for the tournament. Raw values are the names in words and in JSON.
    package enum Kind: String, Hashable, Sendable {
      /// Somebody says what is not so, or bytes were changed.
      case isFalse = "false"
      /// It can be neither shown nor refuted here.
      case notProven = "not proven"
      /// It is so by the organizer's word alone, as the rules allow.
      case decision
      /// Somebody contradicts itself, which accuses its author and is no fault of the tournament.
      case fork
    }

    /// What it means.
    package let kind: Kind
    /// The pairing that it is about, where it is about one.
    package let pairing: PairingNumber?
    /// Which of the pairing's rooms, from 0.
    package let attempt: UInt8?
    /// The room that it is about, where there is one.
    package let room: RoomID?
    /// The event that it is about, where there is one.
    package let event: EventID?
    /// What was found, in words.
    package let reason: String
  }

  /// The tournament's own room.
  package let room: RoomID
  /// How many rooms were taken.
  package private(set) var rooms = 1
  /// How many events they have.
  package private(set) var events: Int
  /// What was found so far; all of it after ``conclude()``.
  package private(set) var findings: [Finding] = []
  /// The tournament; `nil` before ``conclude()``, and where it has not begun or cannot be read.
  package private(set) var tournament: TournamentRoom?
  /// What the reveals of joint draws and of choices were.
  package private(set) var reveals = RoomCheck.Reveals()

  private let catalog: GameCatalog
  private let state: RoomState
  private let unplayed: TournamentRoom?
  /// The first word that names each room.
  private var words: [RoomID: Action.PairingResult] = [:]
  private var held: [(room: RoomID, create: Create)] = []
  private var pictures: [RoomID: PairingRoom] = [:]

  /// Begins with the tournament's own room, whose events are genuine.
  package init(_ log: RoomLog, _ catalog: GameCatalog) throws(LogError) {
    (room, events, self.catalog) = (log.room, log.graph.events.count, catalog)
    var projection = try log.projection(catalog)
    state = projection.state
    let forks = log.forkProofs
    do throws(TournamentError) { unplayed = try TournamentRoom(unplayed: state, catalog) } catch {
      unplayed = nil
      findings.append(about(log.room, .isFalse, log.room, "its settings cannot be: \(error)"))
    }
    let said = state.tournamentWords
    for case .result(let result, _) in unplayed?.standing(said).words ?? said where words[result.room] == nil
    {
      words[result.room] = result
    }
    guard findings.isEmpty else { return }
    for fork in forks { findings.append(about(log.room, .fork, fork.events.first, fork.words)) }
    guard unplayed == nil, state.start != nil || !state.phase.isKnown else { return }
    findings.append(about(log.room, .notProven, nil, "this program does not know how its room is to be read"))
  }

  /// Takes the room of a game, whose events are genuine.
  package mutating func take(_ log: RoomLog) throws(LogError) {
    let check = try RoomCheck(log, in: nil, catalog)
    rooms += 1
    events += log.graph.events.count
    held.append((log.room, check.state.create))
    if let heads = words[log.room]?.heads {
      pictures[log.room] =
        PairingRoom(check.state, log.clock, heads: heads) ?? PairingRoom(log.graph, heads: heads, catalog)
    } else {
      pictures[log.room] = PairingRoom(check.state)
    }
    reveals += check.reveals
    for fork in log.forkProofs {
      findings.append(about(log.room, .fork, fork.events.first, fork.words, check.state.create))
    }
    if let fault = check.fault {
      findings.append(about(log.room, .isFalse, fault.event, fault.reason, check.state.create))
    }
  }

  /// Notes that the bytes of a room do not hold.
  package mutating func note(damaged room: RoomID, event: EventID?, _ reason: String) {
    findings.append(about(room, .isFalse, event, reason))
  }

  /// Compares the organizer's words with the rooms, after the last of them.
  package mutating func conclude() {
    guard let unplayed else { return }
    // A word may name even the tournament's own room, which is none of its games.
    pictures[room] = PairingRoom(state)
    let pictures = pictures
    let find: TournamentFold<Never>.Find = { (room, _) in pictures[room] }
    let tournament = unplayed.folded(state, rooms: held, find: find)
    self.tournament = tournament
    for found in tournament.findings {
      guard let kind = Finding.Kind(found) else { continue }
      findings.append(
        Finding(
          kind: kind, pairing: found.pairing, attempt: found.attempt,
          room: found.room.isSome ? found.room : nil, event: found.event, reason: found.words))
    }
    for (entrant, reason) in tournament.disqualified.sorted(by: { $0.key < $1.key }) {
      findings.append(
        Finding(
          kind: .decision, pairing: nil, attempt: nil, room: nil, event: nil,
          reason: "\(tournament.labels[entrant.index]) is disqualified by the organizer: \(reason)"))
    }
    for event in tournament.revoked {
      findings.append(
        Finding(
          kind: .decision, pairing: nil, attempt: nil, room: room, event: event,
          reason: "the organizer has taken back what it decided in it"))
    }
  }

  /// The first thing that is false.
  package var fault: Finding? { findings.first { $0.kind == .isFalse } }
  /// Whether something can be neither shown nor refuted.
  package var isUnproven: Bool { findings.contains { $0.kind == .notProven } }

  private func about(
    _ room: RoomID, _ kind: Finding.Kind, _ event: EventID?, _ reason: String, _ create: Create? = nil
  ) -> Finding {
    var (pairing, attempt) = words[room].map { (PairingNumber($0.pairing), $0.attempt) } ?? (nil, nil)
    if case .games(self.room, let number, let its)? = create?.purpose {
      (pairing, attempt) = (PairingNumber(number), its)
    }
    return Finding(
      kind: kind, pairing: pairing, attempt: attempt, room: room, event: event, reason: reason)
  }
}

extension TournamentProof.Finding {
  /// That a file does not hold so far as it is needed to say of which tournament it is.
  package init(_ error: BundleError, of room: RoomID?) {
    self.init(
      kind: .isFalse, pairing: nil, attempt: nil, room: room, event: error.event, reason: error.description)
  }

  /// What was found, in words: “M1, attempt 1: void: every seat had signed 1–0”.
  package var description: String {
    let place = pairing.map { "\($0), attempt \(Int(attempt ?? 0) + 1)" } ?? room.map { "room \($0.short)" }
    return (place.map { "\($0): " } ?? "") + reason
  }
}

extension PairingFinding {
  /// What was found, in words.
  fileprivate var words: String {
    switch kind {
    case .holds: "nothing but the organizer's word decides it"
    case .notProven: reason
    default: reason.isEmpty ? kind.rawValue : "\(kind.rawValue): \(reason)"
    }
  }
}

extension ForkProof {
  /// What it proves, in words.
  fileprivate var words: String {
    "peer \(author.short) signed \(events.count) different events as its number \(sequence)"
  }
}

extension TournamentProof.Finding.Kind {
  /// What a finding of a word means; `nil` for a result that simply holds.
  fileprivate init?(_ found: PairingFinding) {
    switch found.kind {
    case .holds:
      guard found.isDecision else { return nil }
      self = .decision
    case .againstSigned, .refused: self = .decision
    case .notProven: self = .notProven
    default: self = .isFalse
    }
  }
}

// MARK: - Where the rooms come from

extension TournamentProof {
  /// Proves a tournament of a store, which is read room by room.
  /// - Parameter step: is called before each room but the first, with how many were read and how many there are.
  /// - Throws: where there is no such tournament, or the store cannot be read.
  package static func of<Failure: Error>(
    _ room: RoomID, in log: any EventLog, _ catalog: GameCatalog,
    step: (_ done: Int, _ total: Int) throws(Failure) -> Void
  ) throws -> TournamentProof {
    let own = try log.load(room, verify: true)
    var proof = try TournamentProof(own, catalog)
    let games = try TournamentRooms(of: own, in: log).held
    for (done, id) in games.enumerated() {
      try step(done + 1, games.count + 1)
      do throws(LogError) { try proof.take(try log.load(id, verify: true)) } catch {
        guard case .corrupt(let event, let reason) = error else { throw error }
        proof.note(damaged: id, event: event, reason)
      }
    }
    proof.conclude()
    return proof
  }

  /// Proves the tournament of a file, which is read to its end.
  /// - Throws: `BundleError` where the file does not say whose tournament it holds, or cannot be read.
  package static func of<Failure: Error>(
    _ reader: TournamentFileReader, _ catalog: GameCatalog,
    step: (_ done: Int, _ total: Int) throws(Failure) -> Void
  ) throws -> TournamentProof {
    let rooms = reader.rooms
    guard let first = try reader.next() else { preconditionFailure("a tournament's file has a room") }
    var proof = try TournamentProof(RoomLog(room: first.room, restoring: first.entries), catalog)
    var done = 1
    while true {
      try step(done, rooms.count)
      do throws(BundleError) {
        guard let content = try reader.next() else { break }
        do throws(LogError) {
          try proof.take(RoomLog(room: content.room, restoring: content.entries))
        } catch { throw BundleError.log(error) }
      } catch {
        switch error {
        case .inputOutput: throw error
        case .part(let room, _, let inner): proof.note(damaged: room, event: inner.event, "\(error)")
        default: proof.note(damaged: rooms[0], event: nil, "\(error)")
        }
      }
      done += 1
    }
    proof.conclude()
    return proof
  }
}
