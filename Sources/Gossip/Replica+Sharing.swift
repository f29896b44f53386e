import EventLog
import Events

// Which rooms are compared with a neighbour, when it or this peer does not want everything.

extension Replica {
  /// A neighbour says what it wants; `nil` for everything. Whoever says so again and again is heard later: to find what
  /// is wanted may be much work.
  mutating func receive(interest: Interest?, from link: Int, at now: Tick) {
    if links[link].said.hears(interest, at: now) { take(interest: interest, from: link, at: now) }
  }

  /// Hears what was put off.
  mutating func takeLateInterest(from link: Int, at now: Tick) {
    if let late = links[link].said.takeLate(at: now) { take(interest: late, from: link, at: now) }
  }

  private mutating func take(interest: Interest?, from link: Int, at now: Tick) {
    let (before, isNews) = links[link].said.hear(interest)
    guard isNews else { return }
    // Who wants everything says so to somebody who does not, and would wait for it.
    if interest != nil, !links[link].said.isMineTold { linkTable.sendInterest(to: link) }
    if let before, let before, let interest {
      let coming = offers.wanted(interest.beyond(before))
      links[link].shared?.announce(coming)
    } else {
      links[link].shared = nil
      offers.limit(link)
    }
    self.interest.noteNeighbours()
    links[link].compareAt = now
  }
}
