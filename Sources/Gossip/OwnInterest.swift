import EventLog
import Events

/// What this peer wants, besides which it passes on what its neighbours want.
struct OwnInterest: Sendable {
  /// The shortest time between two rounds of telling what is wanted, which changes with every neighbour; longer for
  /// each of them, because each is told of all others.
  static let pauseMilliseconds: UInt64 = 1_000
  private static let pauseMillisecondsEach: UInt64 = 4
  /// The most names of rooms that are remembered as asked for.
  private static let limitAskedFor = 256
  /// The most tournaments whose games are wanted because this peer takes part.
  private static let limitTournaments = 64

  /// The peers whose keys are here.
  var own: [PeerID] = [] {
    didSet { isStale = isStale || own != oldValue }
  }
  /// What is wanted besides own rooms and those that were asked for; `nil` for everything.
  var subscription: Interest?
  /// The rooms that somebody here asked for by their ids.
  private var askedFor: [RoomPrefix] = []
  /// The tournaments in which this peer takes part.
  private(set) var tournaments: [RoomID] = []
  /// Whether what is wanted has changed since the neighbours were told, and when that was.
  private var isStale = false
  private var toldAt: Tick?

  // MARK: - What is wanted

  /// Notes that somebody here asks for the rooms whose ids begin so.
  /// - Returns: whether that is new.
  mutating func ask(for prefix: RoomPrefix) -> Bool {
    guard !askedFor.contains(prefix) else { return false }
    askedFor.append(prefix)
    if askedFor.count > Self.limitAskedFor { askedFor.removeFirst() }
    return true
  }

  /// Notes that a room is not asked for any more.
  mutating func withdraw(_ room: RoomID) { askedFor.removeAll { $0.matches(room) } }

  /// Whether somebody here asked for a room.
  func isAskedFor(_ room: RoomID) -> Bool { askedFor.contains { $0.matches(room) } }

  /// Notes a tournament, where this peer takes part in it.
  /// - Parameter names: whom its room names.
  mutating func noteTournament(_ room: RoomID, _ create: Create, naming names: [UInt64]) {
    guard case .tournament = create.purpose, !tournaments.contains(room),
      own.contains(where: { names.contains($0.bytes.prefix64) })
    else { return }
    tournaments.append(room)
    if tournaments.count > Self.limitTournaments { tournaments.removeFirst() }
    isStale = true
  }

  /// Whether a room is wanted by its id, whatever its edition.
  func isWantedByID(_ room: RoomID) -> Bool {
    subscription?.names(room, of: nil) == true || isAskedFor(room)
  }

  /// What is wanted here and by the neighbours; `nil` for everything.
  func all(with links: [Link]) -> Wants? {
    guard let subscription else { return nil }
    var (peers, rooms) = (Passing<UInt64>(), Passing<RoomPrefix>())
    for wanted in subscription.peers + own.map({ .init($0.bytes.prefix64) }) { peers.add(wanted, from: nil) }
    let asked = askedFor.filter { $0.digits >= Interest.leastDigits } + tournaments.map { RoomPrefix($0) }
    for wanted in subscription.rooms + asked.map({ .init($0) }) { rooms.add(wanted, from: nil) }
    for link in links.indices {
      guard let passed = links[link].said.theirs?.passedOn(shares: links.count) else { continue }
      for wanted in passed.peers { peers.add(wanted, from: link) }
      for wanted in passed.rooms { rooms.add(wanted, from: link) }
    }
    return Wants(openGames: subscription.openGames, peers: peers.sorted, rooms: rooms.sorted)
  }

  // MARK: - Telling

  /// What the neighbours want, and with it what is passed on, has changed.
  mutating func noteNeighbours() { isStale = isStale || subscription != nil }

  /// The neighbours are told.
  mutating func noteTold(at now: Tick) { (isStale, toldAt) = (false, now) }

  /// When the neighbours are told.
  /// - Parameter last: when something was done last.
  func deadline(_ links: [Link], last: Tick) -> Tick? {
    guard isStale, subscription != nil, !links.isEmpty else { return nil }
    return toldAt.map { $0 + Self.pauseMilliseconds + UInt64(links.count) * Self.pauseMillisecondsEach }
      ?? last
  }
}

/// What is wanted here and by the neighbours, and by whom of them.
struct Wants {
  fileprivate let openGames: UInt8
  fileprivate let peers: [Passing<UInt64>.Best]
  fileprivate let rooms: [Passing<RoomPrefix>.Best]

  /// What a neighbour is to be told: what others want is passed on, so that two who are not connected meet here.
  /// - Parameter theirs: what the neighbour itself wants.
  func told(to link: Int, whoWants theirs: Interest?) -> Interest {
    // Rooms that name the neighbour itself are not carried for its own sake, whichever way it is said.
    Interest(
      openGames: openGames,
      peers: peers.compactMap { $0.wanted(but: link) }.filter { theirs?.isOwn($0.value) != true },
      rooms: rooms.compactMap { $0.wanted(but: link) })
  }
}

/// What several neighbours want, each at the fewest hops.
fileprivate struct Passing<Value: Hashable & Comparable & Sendable> {
  struct Best {
    let value: Value
    var hops: UInt8
    /// Who said it; `nil` for this peer itself.
    var link: Int?
    /// The fewest hops of somebody else.
    var others: UInt8?

    /// As it is told to a neighbour, which is not told what it alone has said.
    func wanted(but link: Int) -> Interest.Wanted<Value>? {
      guard link == self.link else { return .init(value, hops: hops) }
      return others.map { .init(value, hops: $0) }
    }
  }

  private var best: [Value: Best] = [:]

  mutating func add(_ wanted: Interest.Wanted<Value>, from link: Int?) {
    guard var known = best[wanted.value] else {
      best[wanted.value] = Best(value: wanted.value, hops: wanted.hops, link: link)
      return
    }
    if wanted.hops < known.hops {
      (known.others, known.hops, known.link) = (known.hops, wanted.hops, link)
    } else {
      known.others = min(known.others ?? wanted.hops, wanted.hops)
    }
    best[wanted.value] = known
  }

  /// All of it, ascending.
  var sorted: [Best] { best.values.sorted { $0.value < $1.value } }
}
