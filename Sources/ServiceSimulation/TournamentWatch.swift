import EventLog
import Events
import Games
import Peer
import Projection
import Simulation
import Tournaments

/// What counts in a tournament on each disk, and that nothing which counted is undone but by what may undo it.
struct TournamentWatch {
  private let plan: ServicePlan
  private let record: ServiceRunRecord
  private let organizer: PeerID
  /// Whoever takes part and means ill.
  private let insiders: [PeerID]
  /// By host: what counted there when it was looked last.
  private var counted: [CountedResults?]

  init(_ plan: ServicePlan, _ record: ServiceRunRecord, organizer: PeerID, insiders: [PeerID]) {
    self.plan = plan
    self.record = record
    self.organizer = organizer
    self.insiders = insiders
    counted = (0..<plan.machines).map { _ in nil }
  }

  /// Looks what counts on a disk, where something has come that may change it.
  mutating func note(_ changes: [RoomChange], in tournament: StoredTournament, at number: Int) {
    let mayChange = changes.contains { change in
      change.entries.contains { entry in
        switch entry.event.kind {
        case .create, .grant, .start, .result, .leave, .pairingResult, .disqualify, .revoke: true
        default: false
        }
      }
    }
    guard mayChange else { return }
    do {
      guard try tournament.isHeld() else { return }
      let state = try tournament.state()
      guard let read = try tournament.disk.tournament(state, Games.catalog, nil) else { return }
      let now = CountedResults(read, state.tournamentWords)
      if let before = counted[number], !state.forked.contains(organizer) {
        try compare(before, now, read, on: tournament.disk, at: number)
      }
      counted[number] = now
    } catch { record.violate(.integrity, peer: number, "the tournament cannot be read: \(error)") }
  }

  private func compare(
    _ before: CountedResults, _ now: CountedResults, _ read: TournamentRoom, on disk: MemoryEventLog,
    at number: Int
  ) throws {
    var earlier: [CountedResults.Change] = []
    for change in before.changes(to: now) {
      earlier.append(change)
      guard mustStand(change, read), !now.excuses(change, since: before) else { continue }
      let pairing = PairingNumber(change.key.pairing)
      let complaint = try before.complaint(about: change, after: earlier.dropLast()) {
        try isIgnorant($0, on: disk)
      }
      if let complaint {
        record.violate(
          .finality, peer: number,
          "\(pairing), attempt \(change.key.attempt + 1): \(complaint): \(change.old.words) became"
            + " \(change.new?.words ?? "nothing")")
      }
      if case .signed = change.old.basis, let new = change.new, new.entrants == change.old.entrants,
        case .word = new.basis,
        !read.findings.contains(where: {
          ($0.kind == .againstSigned || $0.kind.isFalse || plan.hasDishonestHost && $0.kind == .notProven)
            && $0.pairing == pairing
        })
      {
        record.violate(
          .finality, peer: number, "\(pairing): nobody is told that a signed result was overruled")
      }
      record.tell(
        "at peer \(number) \(pairing) was \(change.old.words), and is \(change.new?.words ?? "open")")
    }
  }

  /// Whether what counted may not be undone by who has said or signed it: a false word stands as long as nothing signed
  /// is held, and a seat may take its signature back by a fork.
  private func mustStand(_ change: CountedResults.Change, _ read: TournamentRoom) -> Bool {
    if plan.hasDishonestHost, case .word = change.old.basis { return false }
    return !(change.old.entrants + (change.new?.entrants ?? [])).contains {
      insiders.contains(read.entrants[$0.index].peer)
    }
  }

  /// Whether a word was made without all that the seats have signed in its past.
  private func isIgnorant(_ word: Action.PairingResult, on disk: MemoryEventLog) throws(LogError) -> Bool {
    guard word.room.isSome, try disk.holds(word.room) else { return true }
    let graph = try disk.load(word.room, verify: false).graph
    let heads = word.heads.compactMap { graph.position(of: $0.event) }
    return graph.events.indices.contains { position in
      graph.events[position].kind == .result
        && !heads.contains { $0 == position || graph.isInPast(position, of: $0) }
    }
  }
}
