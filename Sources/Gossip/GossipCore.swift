package import EventLog
package import Events

/// Replication of rooms between peers, as a value without input or output: messages in, directives out.
///
/// A peer that wants a room sends the room's clock; the other side answers with what the clock lacks and from
/// then on pushes what is new. Nothing travels that no signature covers.
package struct GossipCore: Sendable {
  private struct Link: Sendable {
    var subscriptions: Set<RoomID> = []
    /// How much of each feed was sent.
    var sent: [RoomID: [PeerID: UInt64]] = [:]
  }

  private let scheme: any SignatureScheme
  /// The rooms held.
  private var logs: [RoomLog] = []
  /// Where each room lies in `logs`: elements of an array are changed where they are.
  private var places: [RoomID: Int] = [:]
  private var links: [Neighbour: Link] = [:]

  /// A core that holds nothing.
  package init(scheme: any SignatureScheme) { self.scheme = scheme }

  private var neighbours: [Neighbour] { links.keys.sorted() }

  /// The events of a room that is held.
  package func log(of room: RoomID) -> RoomLog? { places[room].map { logs[$0] } }

  /// Calls `body` with the events of a room that is held, without copying what describes them.
  package func withLog<Result>(of room: RoomID, _ body: (borrowing RoomLog) -> Result) -> Result? {
    guard let at = places[room] else { return nil }
    return body(logs[at])
  }

  private mutating func place(of room: RoomID) -> Int {
    if let at = places[room] { return at }
    logs.append(RoomLog(room: room))
    places[room] = logs.count - 1
    return logs.count - 1
  }

  /// Starts to hold a room. An empty log asks all neighbours for it.
  package mutating func open(_ log: RoomLog) -> [Directive] {
    logs[place(of: log.room)] = log
    return neighbours.map { .send(.clock(log.room, log.clock), to: $0) }
  }

  /// Stops holding a room; neighbours are no longer served with it, until it is opened again.
  package mutating func close(_ room: RoomID) {
    guard let at = places.removeValue(forKey: room) else { return }
    logs.swapAt(at, logs.count - 1)
    logs.removeLast()
    if at < logs.count { places[logs[at].room] = at }
    for neighbour in neighbours { links[neighbour]?.sent[room] = nil }
  }

  /// A connection stands: asks for every room held.
  package mutating func connect(_ neighbour: Neighbour) -> [Directive] {
    links[neighbour] = Link()
    return places.keys.sorted().compactMap { room in
      log(of: room).map { .send(.clock(room, $0.clock), to: neighbour) }
    }
  }

  /// A connection is gone.
  package mutating func disconnect(_ neighbour: Neighbour) { links[neighbour] = nil }

  /// Takes an event made in this process. It is pushed once a signature covers it.
  package mutating func append(
    _ event: Event, signature: Signature? = nil
  ) throws(LogError) -> [Directive] {
    try logs[place(of: event.room)].append(event, signature: signature)
    return signature == nil ? [] : push(of: event.room, except: nil)
  }

  /// Notes this process's own signature over an event and pushes what it covers.
  package mutating func attach(
    _ signature: Signature, to event: EventID, in room: RoomID
  ) throws(LogError) -> [Directive] {
    guard let at = places[room] else { throw .unknownRoom(room.short) }
    try logs[at].attach(signature, to: event)
    return push(of: room, except: nil)
  }

  /// Takes a message.
  package mutating func receive(_ message: Message, from neighbour: Neighbour) -> [Directive] {
    guard links[neighbour] != nil else { return [] }
    switch message {
    case .clock(let room, let clock): return serve(room, clock, to: neighbour)
    case .entries(let room, let entries):
      return places[room] == nil ? [] : take(entries, of: room, from: neighbour)
    }
  }
}

// MARK: - Serving

extension GossipCore {
  /// Answers a clock with what it lacks, and the first one of a neighbour with our own.
  private mutating func serve(_ room: RoomID, _ clock: VectorClock, to neighbour: Neighbour) -> [Directive] {
    guard let log = log(of: room) else { return [] }
    let isNew = links[neighbour]?.subscriptions.insert(room).inserted ?? false
    var directives: [Directive] = []
    let missing = missing(from: clock, in: log, for: neighbour)
    if !missing.isEmpty { directives.append(.send(.entries(room, missing), to: neighbour)) }
    // The first clock is answered with our own, which subscribes us there.
    if isNew { directives.append(.send(.clock(room, log.clock), to: neighbour)) }
    return directives
  }

  /// Entries that a clock lacks, in causal order. A fork's branches go whole, so that their proof arrives.
  private mutating func missing(
    from clock: VectorClock, in log: RoomLog, for neighbour: Neighbour
  ) -> [RoomLog.Entry] {
    var from: [PeerID: UInt64] = [:]
    var through: [PeerID: UInt64] = [:]
    for feed in log.feeds {
      from[feed.author] = Self.common(clock[feed.author], feed, in: log)
      through[feed.author] = feed.forkSequence == nil ? feed.verifiedThrough : .max
      links[neighbour]?.sent[log.room, default: [:]][feed.author] = feed.verifiedThrough
    }
    return log.entries.filter { entry in
      let author = entry.event.author
      return entry.event.sequence > from[author] ?? 0 && entry.event.sequence <= through[author] ?? 0
    }
  }

  /// Up to where a clock and a feed here surely agree; from there on everything is sent. The receiver passes over
  /// what it knows, and sees a fork that equal lengths would hide.
  private static func common(
    _ theirs: VectorClock.Entry?, _ feed: RoomLog.Feed, in log: RoomLog
  ) -> UInt64 {
    guard let theirs, theirs.sequence > 0 else { return 0 }
    var common = theirs.isForked ? theirs.sequence - 1 : theirs.sequence
    if !theirs.isForked, theirs.sequence <= feed.last,
      log.event(of: feed.author, at: theirs.sequence)?.id != theirs.head
    {
      common = 0
    }
    return feed.forkSequence.map { min(common, $0 - 1) } ?? common
  }

  /// Pushes what signatures cover to everybody who subscribed to the room, and these entries of other branches.
  private mutating func push(
    _ entries: [RoomLog.Entry] = [], of room: RoomID, except source: Neighbour?
  ) -> [Directive] {
    guard !links.isEmpty else { return [] }
    var directives: [Directive] = []
    for neighbour in neighbours where neighbour != source {
      guard links[neighbour]?.subscriptions.contains(room) == true else { continue }
      directives += pushCovered(room, to: neighbour) + pushBranches(entries, of: room, to: neighbour)
    }
    return directives
  }

  /// Sends a neighbour new entries on other branches of forked feeds: with what it holds, the proof. They
  /// come in checked runs, so they end signed.
  private func pushBranches(
    _ entries: [RoomLog.Entry], of room: RoomID, to neighbour: Neighbour
  ) -> [Directive] {
    guard let log = log(of: room) else { return [] }
    let branches = entries.filter { entry in
      guard let feed = log.feed(entry.event.author), feed.forkSequence != nil else { return false }
      return log.event(of: feed.author, at: entry.event.sequence)?.id != entry.event.id
    }
    return branches.isEmpty ? [] : [.send(.entries(room, branches), to: neighbour)]
  }

  /// Sends a neighbour what signatures cover and it was not sent.
  private mutating func pushCovered(_ room: RoomID, to neighbour: Neighbour) -> [Directive] {
    guard let log = log(of: room) else { return [] }
    let sent = links[neighbour]?.sent[room] ?? [:]
    let entries = log.feeds.flatMap { feed -> [Int] in
      let from = Int(min(sent[feed.author] ?? 0, feed.verifiedThrough))
      links[neighbour]?.sent[room, default: [:]][feed.author] = feed.verifiedThrough
      return Array(feed.positions[from..<Int(feed.verifiedThrough)])
    }
    .sorted().map { log.entries[$0] }
    return entries.isEmpty ? [] : [.send(.entries(room, entries), to: neighbour)]
  }
}

// MARK: - Taking in

extension GossipCore {
  /// Takes runs: each is checked as a whole, and the first bad one ends the connection.
  private mutating func take(
    _ entries: [RoomLog.Entry], of room: RoomID, from neighbour: Neighbour
  ) -> [Directive] {
    guard let at = places[room] else { return [] }
    var taken: [Event] = []
    do throws(LogError) {
      for run in try Self.runs(of: entries) {
        taken += try logs[at].receive(run, scheme: scheme)
      }
    } catch {
      return finish(taken, sent: entries, of: room, from: neighbour) + answer(error, in: room, to: neighbour)
    }
    return finish(taken, sent: entries, of: room, from: neighbour)
  }

  /// A gap is nobody's fault: what is missing is asked for again. Everything else ends the connection.
  private func answer(_ error: LogError, in room: RoomID, to neighbour: Neighbour) -> [Directive] {
    guard case .missing = error, let log = log(of: room) else { return [.disconnect(neighbour, error)] }
    return [.send(.clock(room, log.clock), to: neighbour)]
  }

  /// Passes on what was taken: events of this message, and earlier ones of others that had waited for them.
  private mutating func finish(
    _ taken: [Event], sent entries: [RoomLog.Entry], of room: RoomID, from neighbour: Neighbour
  ) -> [Directive] {
    guard !taken.isEmpty, let log = log(of: room) else { return [] }
    let theirs = Set(entries.map(\.event.id))
    for event in taken where theirs.contains(event.id) {
      let sent = links[neighbour]?.sent[room]?[event.author] ?? 0
      links[neighbour]?.sent[room, default: [:]][event.author] = max(sent, event.sequence)
    }
    let news = taken.compactMap { event in log.position(of: event.id).map { log.entries[$0] } }
    let isSubscribed = links[neighbour]?.subscriptions.contains(room) ?? false
    let forSource = isSubscribed ? pushCovered(room, to: neighbour) : []
    return [.taken(room, taken)] + forSource + push(news, of: room, except: neighbour)
  }

  /// Cuts entries into runs: of each feed, in order, up to each signature.
  private static func runs(of entries: [RoomLog.Entry]) throws(LogError) -> [Run] {
    var open: [EventID: [Event]] = [:]
    var runs: [Run] = []
    for entry in entries {
      var events = open.removeValue(forKey: entry.event.previous) ?? []
      events.append(entry.event)
      if let signature = entry.signature {
        runs.append(Run(events: events, signature: signature))
      } else {
        open[entry.event.id] = events
      }
    }
    guard open.isEmpty else { throw .limit("events that no signature covers") }
    return runs
  }
}
