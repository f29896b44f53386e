import Events

/// The positions of what is said before play begins, by what it says, each in the order in which it was added.
struct Lobby: Sendable {
  var requests: [Int] = []
  var grants: [Int] = []
  var readies: [Int] = []
  var draws: [Int] = []
  var starts: [Int] = []
  var leavings: [Int] = []

  /// Adds an event of a kind that belongs here; does nothing for any other.
  mutating func append(_ position: Int, kind: Kind?) {
    switch kind {
    case .request: requests.append(position)
    case .grant: grants.append(position)
    case .ready: readies.append(position)
    case .draw: draws.append(position)
    case .start: starts.append(position)
    case .leave: leavings.append(position)
    default: break
    }
  }

  /// What decides who sits where, without the requests, as far as a condition holds.
  func settling(where isIncluded: (Int) -> Bool) -> Lobby {
    Lobby(
      grants: grants.filter(isIncluded), readies: readies.filter(isIncluded), draws: draws.filter(isIncluded),
      starts: starts.filter(isIncluded), leavings: leavings.filter(isIncluded))
  }
}
