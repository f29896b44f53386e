import EventLog
import Events
import Simulation
import Tournaments

// What a tournament is on the disks of honest peers.

extension StoreChecks {
  /// The machines of honest ones that have not forgotten a room of what is played. Whoever has, for lack of space,
  /// knows what the organizer says, and not what it rests on.
  private var wholeMachines: [Int] {
    get throws(LogError) {
      var whole: [Int] = []
      for number in honestMachines where try lostRooms(at: number).isEmpty { whole.append(number) }
      return whole
    }
  }

  /// Standings are alike everywhere.
  func checkStandings() {
    do {
      let digests = try wholeMachines.map { number in
        try hosts[number].stored(tournament).read()?.standingsDigest()
      }
      if Set(digests).count > 1 { record.violate(.finality, "the standings are not the same everywhere") }
    } catch { record.violate(.integrity, "the standings cannot be read: \(error)") }
  }

  /// All that came back show the same tournament, to the end or to where it waits for its organizer, which was honest.
  func checkTournament() {
    do {
      let whole = try wholeMachines
      let shown = try whole.map { try hosts[$0].stored(tournament).read() }
      guard let first = shown.first.flatMap(\.self) else {
        // A creator that forks its feed before the start closes the room.
        return plan.hasDishonestHost ? () : record.violate(.ability, "the tournament is not there")
      }
      record.statistics.overruled = first.findings.count { $0.kind == .againstSigned }
      for found in first.findings where found.kind != .holds && found.kind != .againstSigned {
        if try plan.hasDishonestHost || isUnprovable(found, at: whole[0]) { continue }
        record.violate(.conviction, "an honest organizer's word: \(found.description)")
      }
      for (number, read) in zip(whole, shown) {
        var differences: [String] = []
        // What is proven counts sooner than what is said, and not everybody has all branches of a forked feed.
        if Set(read?.rooms ?? []) != Set(first.rooms) { differences.append("rooms") }
        if read?.state.schedule != first.state.schedule { differences.append("schedule") }
        if let words = try difference(read?.findings ?? [], at: number, first.findings, at: whole[0]) {
          differences.append(words)
        }
        guard !differences.isEmpty else { continue }
        let words = differences.joined(separator: ", ")
        record.violate(
          .finality, peer: number, "the tournament is not what it is at peer \(whole[0]): other \(words)")
      }
    } catch { record.violate(.integrity, "the tournament cannot be read: \(error)") }
  }

  /// What one peer finds of the organizer's words, and another one otherwise; `nil` for nothing.
  private func difference(
    _ findings: [PairingFinding], at number: Int, _ others: [PairingFinding], at other: Int
  ) throws -> String? {
    guard findings.map(\.event) == others.map(\.event) else {
      return "findings: \(findings.map(\.description)) instead of \(others.map(\.description))"
    }
    for (found, otherwise) in zip(findings, others) where found != otherwise {
      if try isUnprovable(found, at: number) || isUnprovable(otherwise, at: other) { continue }
      return "finding: \(found.description) instead of \(otherwise.description)"
    }
    return nil
  }

  /// Whether a word rests on a branch of a forked feed, which not everybody has.
  private func isUnprovable(_ found: PairingFinding, at number: Int) throws -> Bool {
    guard found.kind == .notProven, !insiders.isEmpty, found.room.isSome,
      try hosts[number].disk.holds(found.room)
    else { return false }
    let log = try hosts[number].disk.load(found.room, verify: false)
    return log.feeds.indices.contains { log.graph.isForked(feed: $0) }
  }
}
