import Events

/// What has been asked for, or will be unless it comes by itself: one request for a feed at a time.
struct Requests: Sendable {
  /// One feed that somebody has more of.
  struct Request: Sendable {
    /// Whom it is asked of.
    var neighbour: Neighbour
    /// Others who said that they have it.
    var others: [Neighbour] = []
    /// Whether it was asked; before, it is waited for.
    var isAsked: Bool
    /// What is held.
    var after: UInt64
    /// What there is to have.
    var target: UInt64
    /// Whether a fork is to be shown.
    var isOfFork: Bool
    /// When it is asked, or given up.
    var deadline: Tick
  }

  private static let limitOthers = 3

  /// How many wants go into one message.
  private static let wantsAtOnce = 512

  private var requests: [UInt64: Request] = [:]
  /// What is asked of whom when the message at hand was looked through.
  private var wants: [(neighbour: Neighbour, want: Want)] = []
  /// Not later than the first deadline.
  private(set) var deadline: Tick?

  var count: Int { requests.count }
  var isEmpty: Bool { requests.isEmpty }

  subscript(key: UInt64) -> Request? { requests[key] }

  /// Whether something asked of a neighbour has not come.
  func isWaiting(for neighbour: Neighbour) -> Bool {
    requests.values.contains { $0.isAsked && $0.neighbour == neighbour }
  }

  /// Whether a neighbour said that it has something which has not come, asked for or not.
  func isOwed(by neighbour: Neighbour) -> Bool {
    requests.values.contains { $0.neighbour == neighbour || $0.others.contains(neighbour) }
  }

  /// Whether something of a room was asked for.
  func isAsked(of room: RoomID) -> Bool {
    let prefix = room.bytes.prefix64 >> 32
    return requests.contains { $0.key >> 32 == prefix && $0.value.isAsked }
  }

  /// What was asked for of a room, by key: the first half of a key is the room's.
  func asked(of room: RoomID) -> [(key: UInt64, request: Request)] {
    let prefix = room.bytes.prefix64 >> 32
    return requests.filter { $0.key >> 32 == prefix && $0.value.isAsked }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }

  // MARK: - Asking

  /// Asks a neighbour for something, with all that comes together.
  mutating func ask(_ neighbour: Neighbour, for want: Want) { wants.append((neighbour, want)) }

  /// Takes what is asked of each neighbour, as much at once as goes into one message.
  mutating func takeWants() -> [(neighbour: Neighbour, wants: [Want])] {
    var messages: [(neighbour: Neighbour, wants: [Want])] = []
    while let first = wants.first {
      let same = wants.filter { $0.neighbour == first.neighbour }.map(\.want)
      wants.removeAll { $0.neighbour == first.neighbour }
      for start in stride(from: 0, to: same.count, by: Self.wantsAtOnce) {
        messages.append(
          (first.neighbour, Array(same[start..<min(start + Self.wantsAtOnce, same.count)])))
      }
    }
    return messages
  }

  // MARK: - Requests

  /// Gives a request more time.
  mutating func postpone(_ key: UInt64, to deadline: Tick) { requests[key]?.deadline = deadline }

  /// What became of a request.
  enum Addition {
    /// It is to be asked of this neighbour now.
    case toBeAsked
    /// It is noted that this neighbour has the feed.
    case noted
    /// So many others have said that they have the feed that this neighbour is not remembered.
    case tooMany
  }

  /// Adds a request, or notes one more who has the feed.
  mutating func add(_ key: UInt64, _ request: Request) -> Addition {
    guard var known = requests[key] else {
      set(key, request)
      return request.isAsked ? .toBeAsked : .noted
    }
    var addition = Addition.noted
    known.target = max(known.target, request.target)
    known.isOfFork = known.isOfFork || request.isOfFork
    if known.neighbour != request.neighbour, !known.others.contains(request.neighbour) {
      if known.others.count < Self.limitOthers {
        known.others.append(request.neighbour)
      } else {
        addition = .tooMany
      }
    }
    if request.isAsked, !known.isAsked {
      addition = .toBeAsked
      known.neighbour = request.neighbour
      known.isAsked = true
      known.deadline = request.deadline
    }
    set(key, known)
    return addition
  }

  mutating func set(_ key: UInt64, _ request: Request) {
    requests[key] = request
    deadline = min(deadline ?? request.deadline, request.deadline)
  }

  mutating func remove(_ key: UInt64) { requests[key] = nil }

  /// Takes out what is due, by key.
  mutating func takeDue(at now: Tick) -> [(key: UInt64, request: Request)] {
    guard let deadline, deadline <= now else { return [] }
    let due = requests.filter { $0.value.deadline <= now }.sorted { $0.key < $1.key }
    for (key, _) in due { requests[key] = nil }
    // tidy: order does not matter because the least is taken
    self.deadline = requests.values.map(\.deadline).min()
    return due.map { ($0.key, $0.value) }
  }

  /// A neighbour is gone: what was asked of it is asked of another at once.
  /// - Returns: the keys of what nobody else has, in no order.
  mutating func forget(_ neighbour: Neighbour, at now: Tick) -> [UInt64] {
    var givenUp: [UInt64] = []
    // tidy: order does not matter because each is changed by itself
    for (key, request) in requests {
      var request = request
      request.others.removeAll { $0 == neighbour }
      if request.neighbour == neighbour {
        guard !request.others.isEmpty else {
          requests[key] = nil
          givenUp.append(key)
          continue
        }
        request.neighbour = request.others.removeFirst()
        request.isAsked = false
        request.deadline = now
      }
      set(key, request)
    }
    return givenUp
  }

  // MARK: - What comes

  /// What a message costs to look at. Runs that were asked for cost nothing: who asks decides how many come.
  func work(of message: Message) -> Int {
    guard case .runs(let message) = message else { return message.work }
    if isEmpty { return 1 + message.runs.count }
    return 1
      + message.runs.count { run in
        guard let author = run.events.first?.author else { return true }
        return requests[Feed.key(room: message.room, author: author)]?.isAsked != true
      }
  }
}

extension Message {
  /// What it costs to look at.
  fileprivate var work: Int {
    switch self {
    case .digest, .push: 1
    case .ask(_, let parts): 1 + parts.count / 4
    case .parts(_, let parts): 1 + parts.count / 8
    case .have(let announcement): 1 + announcement.entries.count / 8
    case .want(let wants): 1 + wants.count / 8
    case .runs(let message): 1 + message.runs.count
    case .next: 2
    case .fetch(_, let ids): 4 + ids.count
    case .interest(let interest): 8 + (interest.map { $0.peers.count / 8 + $0.rooms.count } ?? 0)
    }
  }
}
