import Events

/// What is asked for by id because runs wait for it: in which rooms runs of whom wait, whom it was asked of last, and
/// when it is asked for again.
struct Fetches: Sendable {
  /// The runs of one giver in one room.
  struct Fetch: Sendable {
    let room: RoomID
    /// Nobody, when the giver is gone.
    var giver: Neighbour?
    var asked: Neighbour?
    var due: Tick
    var tries = 0

    /// Through how many runs it is looked for what to ask for. The first question is about what came last: whoever has
    /// much wait and sends more does not have all of it looked through each time. The next ones come after a pause.
    var depth: Int { tries == 0 ? 256 : .max }
  }

  /// After so many questions a room need not stay in memory for what is waited for.
  private static let limitTries = 4

  private var fetches: [Fetch] = []
  /// How many bytes came to wait since it was looked how many wait in all rooms.
  private var waitedBytes = 0

  /// When something is asked for.
  var deadline: Tick? { fetches.lazy.map(\.due).min() }

  /// Whether something of a room was asked for, and may come.
  func isAwaiting(_ room: RoomID) -> Bool {
    fetches.contains { $0.room == room && $0.tries < Self.limitTries }
  }

  /// The rooms in which what a neighbour gave waits.
  func rooms(of giver: Neighbour) -> [RoomID] { fetches.lazy.filter { $0.giver == giver }.map(\.room) }

  /// Notes that runs of a giver wait in a room, and asks for what they need: at once where it gives them again.
  mutating func note(_ room: RoomID, by giver: Neighbour?, due: Tick) {
    guard let index = fetches.firstIndex(where: { $0.room == room && $0.giver == giver }) else {
      return fetches.append(Fetch(room: room, giver: giver, due: due))
    }
    guard giver != nil else { return }
    fetches[index].tries = 0
    fetches[index].due = min(fetches[index].due, due)
  }

  /// Something that was waited for may have come: what is still missing is asked for without a long pause.
  mutating func hurry(_ room: RoomID, due: Tick) {
    for index in fetches.indices where fetches[index].room == room && fetches[index].tries > 0 {
      fetches[index].tries = 0
      fetches[index].due = min(fetches[index].due, due)
    }
  }

  /// Takes what is due, as it was; the next question comes after a longer and longer pause.
  mutating func takeDue(pause: UInt64, at now: Tick) -> [Due] {
    fetches.indices.filter { fetches[$0].due <= now }.map { place in
      let fetch = fetches[place]
      fetches[place].due = now + pause << UInt64(min(fetch.tries, 6))
      fetches[place].tries += 1
      return Due(fetch: fetch, place: place, isLast: fetches[place].tries == Self.limitTries)
    }
  }

  /// A fetch that is due, and whether its room need not stay in memory for it any more.
  struct Due {
    let fetch: Fetch
    fileprivate let place: Int
    let isLast: Bool
  }

  /// Notes whom a fetch was asked of.
  mutating func note(_ due: Due, askedOf neighbour: Neighbour) { fetches[due.place].asked = neighbour }

  /// Forgets what is not waited for.
  mutating func keep(where isWaited: (Fetch) -> Bool) { fetches = fetches.filter(isWaited) }

  // MARK: - How much waits

  /// Notes that so many bytes came to wait.
  mutating func noteWaiting(bytes: Int) { waitedBytes += bytes }

  /// Whether so much came to wait that it is to be looked how much waits in all rooms; counts anew then.
  mutating func takeIsMuch(_ limit: Int) -> Bool {
    guard waitedBytes > limit else { return false }
    waitedBytes = 0
    return true
  }
}
