import EventLog
import Events
import Simulation

// What a peer owes it does once, also where it was started again in between.

extension StoreChecks {
  /// Looks for what somebody honest has done twice in a room.
  func checkDuties(_ log: RoomLog, at number: Int) {
    for (owner, host) in hosts.enumerated() where plan.isHonest(owner) {
      guard let feed = log.feed(host.peer) else { continue }
      var done: Set<Action> = []
      for event in feed.positions.lazy.map({ log.graph.events[$0] }) {
        // What an organizer takes back it may say again.
        if case .revoke(let word) = event.action, let place = log.position(of: word),
          let duty = Self.duty(log.graph.events[place].action)
        {
          done.remove(duty)
        }
        guard let duty = Self.duty(event.action), !done.insert(duty).inserted else { continue }
        record.violate(
          .conduct, peer: number,
          "peer \(owner) has done in \(log.room.short) twice what it owed once: \(event.kindName)")
      }
    }
  }

  /// What is owed once, as far as it tells one duty from another; `nil` for what may be said again.
  private static func duty(_ action: Action) -> Action? {
    switch action {
    case .grant, .ready, .draw, .start, .reveal, .result, .ruling, .hosted(.settle): action
    case .hosted(.close(let opening, _)): .hosted(.close(opening: opening, milliseconds: 0))
    case .pairingResult(let word):
      .pairingResult(
        .init(
          pairing: word.pairing, attempt: word.attempt, room: .none, heads: [], walkover: .played, games: []))
    default: nil
    }
  }
}
