package import EventLog
package import Events

/// Replication of rooms between peers, as a value without input or output: messages in, directives out.
///
/// A peer that wants a room sends the room's clock; the other side answers with what the clock lacks and from
/// then on pushes what is new. Within one process events travel as they are made and their signatures follow;
/// between processes nothing travels that no signature covers.
package struct GossipCore: Sendable {
  /// Whether two ends of a connection trust each other's memory.
  package enum Kind: Sendable {
    /// Both peers' keys live in this process.
    case sameProcess
    /// Anything else: everything is checked.
    case remote
  }

  /// The most events of a room that wait for others, from peers of this process.
  package static let limitEarly = 4_096

  private struct Link: Sendable {
    let kind: Kind
    var subscriptions: Set<RoomID> = []
    /// For remote links, how much of each feed was sent.
    var sent: [RoomID: [PeerID: UInt64]] = [:]
  }

  private let scheme: any SignatureScheme
  /// The rooms held, by id.
  package private(set) var logs: [RoomID: RoomLog] = [:]
  private var links: [Neighbour: Link] = [:]
  private var early: [RoomID: [RoomLog.Entry]] = [:]

  /// A core that holds nothing.
  package init(scheme: any SignatureScheme) { self.scheme = scheme }

  private var neighbours: [Neighbour] { links.keys.sorted() }

  /// Starts to hold a room. An empty log asks all neighbours for it.
  package mutating func open(_ log: RoomLog) -> [Directive] {
    logs[log.room] = log
    return neighbours.map { .send(.clock(log.room, log.clock), to: $0) }
  }

  /// Stops holding a room; neighbours are no longer served with it, until it is opened again.
  package mutating func close(_ room: RoomID) {
    logs[room] = nil
    early[room] = nil
    for neighbour in neighbours { links[neighbour]?.sent[room] = nil }
  }

  /// A connection stands: asks for every room held.
  package mutating func connect(_ neighbour: Neighbour, kind: Kind) -> [Directive] {
    links[neighbour] = Link(kind: kind)
    return logs.keys.sorted().compactMap { room in
      logs[room].map { .send(.clock(room, $0.clock), to: neighbour) }
    }
  }

  /// A connection is gone.
  package mutating func disconnect(_ neighbour: Neighbour) { links[neighbour] = nil }

  /// Takes an event made in this process and pushes it.
  package mutating func append(
    _ event: Event, signature: Signature? = nil
  ) throws(LogError) -> [Directive] {
    try logs[event.room, default: RoomLog(room: event.room)].append(event, signature: signature)
    return push([.init(event: event, signature: signature)], of: event.room, except: nil)
  }

  /// Notes this process's own signature over an event and pushes it.
  package mutating func attach(
    _ signature: Signature, to event: EventID, in room: RoomID
  ) throws(LogError) -> [Directive] {
    guard logs[room] != nil else { throw .unknownRoom(room.short) }
    try logs[room]?.attach(signature, to: event)
    return pushSignature(signature, over: event, in: room, except: nil)
  }

  /// Takes a message.
  package mutating func receive(_ message: Message, from neighbour: Neighbour) -> [Directive] {
    guard let link = links[neighbour] else { return [] }
    switch message {
    case .clock(let room, let clock): return serve(room, clock, to: neighbour)
    case .entries(let room, let entries):
      guard logs[room] != nil else { return [] }
      switch link.kind {
      case .sameProcess: return takeTrusted(entries, of: room, from: neighbour)
      case .remote: return takeChecked(entries, of: room, from: neighbour)
      }
    case .signature(let room, let event, let signature):
      guard link.kind == .sameProcess else {
        return [.disconnect(neighbour, .limit("a bare signature from another process"))]
      }
      return takeSignature(signature, over: event, in: room, from: neighbour)
    }
  }
}

// MARK: - Serving

extension GossipCore {
  /// Answers a clock with what it lacks, and the first one of a neighbour with our own.
  private mutating func serve(_ room: RoomID, _ clock: VectorClock, to neighbour: Neighbour) -> [Directive] {
    guard let log = logs[room] else { return [] }
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
    let isRemote = links[neighbour]?.kind == .remote
    var from: [PeerID: UInt64] = [:]
    var through: [PeerID: UInt64] = [:]
    for feed in log.feeds {
      from[feed.author] = Self.common(clock[feed.author], feed, in: log)
      through[feed.author] = isRemote && feed.forkSequence == nil ? feed.verifiedThrough : .max
      if isRemote { links[neighbour]?.sent[log.room, default: [:]][feed.author] = feed.verifiedThrough }
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

  /// Pushes new entries to everybody who subscribed to the room.
  private mutating func push(
    _ entries: [RoomLog.Entry], of room: RoomID, except source: Neighbour?
  ) -> [Directive] {
    var directives: [Directive] = []
    for neighbour in neighbours where neighbour != source {
      guard let link = links[neighbour], link.subscriptions.contains(room) else { continue }
      switch link.kind {
      case .sameProcess: directives.append(.send(.entries(room, entries), to: neighbour))
      case .remote:
        directives += pushCovered(room, to: neighbour) + pushBranches(entries, of: room, to: neighbour)
      }
    }
    return directives
  }

  /// Sends a remote neighbour new entries on other branches of forked feeds: with what it holds, the proof. They
  /// come in checked runs, so they end signed.
  private func pushBranches(
    _ entries: [RoomLog.Entry], of room: RoomID, to neighbour: Neighbour
  ) -> [Directive] {
    guard let log = logs[room] else { return [] }
    let branches = entries.filter { entry in
      guard let feed = log.feed(entry.event.author), feed.forkSequence != nil else { return false }
      return log.event(of: feed.author, at: entry.event.sequence)?.id != entry.event.id
    }
    return branches.isEmpty ? [] : [.send(.entries(room, branches), to: neighbour)]
  }

  /// Sends a remote neighbour what signatures cover and it was not sent.
  private mutating func pushCovered(_ room: RoomID, to neighbour: Neighbour) -> [Directive] {
    guard let log = logs[room] else { return [] }
    let sent = links[neighbour]?.sent[room] ?? [:]
    let entries = log.feeds.flatMap { feed -> [Int] in
      let from = Int(min(sent[feed.author] ?? 0, feed.verifiedThrough))
      links[neighbour]?.sent[room, default: [:]][feed.author] = feed.verifiedThrough
      return Array(feed.positions[from..<Int(feed.verifiedThrough)])
    }
    .sorted().map { log.entries[$0] }
    return entries.isEmpty ? [] : [.send(.entries(room, entries), to: neighbour)]
  }

  private mutating func pushSignature(
    _ signature: Signature, over event: EventID, in room: RoomID, except source: Neighbour?
  ) -> [Directive] {
    var directives: [Directive] = []
    for neighbour in neighbours where neighbour != source {
      guard let link = links[neighbour], link.subscriptions.contains(room) else { continue }
      switch link.kind {
      case .sameProcess: directives.append(.send(.signature(room, event, signature), to: neighbour))
      case .remote: directives += pushCovered(room, to: neighbour)
      }
    }
    return directives
  }
}

// MARK: - Taking in

extension GossipCore {
  /// Takes entries of peers of this process; those whose parents are not here wait.
  private mutating func takeTrusted(
    _ entries: [RoomLog.Entry], of room: RoomID, from neighbour: Neighbour
  ) -> [Directive] {
    var waiting = (early[room] ?? []) + entries
    var taken: [RoomLog.Entry] = []
    var progressed = true
    while progressed {
      progressed = false
      var still: [RoomLog.Entry] = []
      for entry in waiting {
        if logs[room]?.contains(entry.event.id) == true { continue }
        do throws(LogError) {
          try logs[room]?.adopt(entry)
          taken.append(entry)
          progressed = true
        } catch {
          still.append(entry)
        }
      }
      waiting = still
    }
    guard waiting.count <= Self.limitEarly else {
      return [.disconnect(neighbour, .limit("\(waiting.count) events that wait for others"))]
    }
    early[room] = waiting.isEmpty ? nil : waiting
    guard !taken.isEmpty else { return [] }
    return [.taken(room, taken.map(\.event))] + push(taken, of: room, except: neighbour)
  }

  /// Takes runs from another process: checked as a whole, and the first bad one ends the connection.
  private mutating func takeChecked(
    _ entries: [RoomLog.Entry], of room: RoomID, from neighbour: Neighbour
  ) -> [Directive] {
    var taken: [Event] = []
    do throws(LogError) {
      for run in try Self.runs(of: entries) {
        taken += try logs[room]?.receive(run, scheme: scheme) ?? []
      }
    } catch {
      return finish(taken, sent: entries, of: room, from: neighbour) + answer(error, in: room, to: neighbour)
    }
    return finish(taken, sent: entries, of: room, from: neighbour)
  }

  /// A gap is nobody's fault: what is missing is asked for again. Everything else ends the connection.
  private func answer(_ error: LogError, in room: RoomID, to neighbour: Neighbour) -> [Directive] {
    guard case .missing = error, let log = logs[room] else { return [.disconnect(neighbour, error)] }
    return [.send(.clock(room, log.clock), to: neighbour)]
  }

  /// Passes on what was taken: events of this message, and earlier ones of others that had waited for them.
  private mutating func finish(
    _ taken: [Event], sent entries: [RoomLog.Entry], of room: RoomID, from neighbour: Neighbour
  ) -> [Directive] {
    guard !taken.isEmpty, let log = logs[room] else { return [] }
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

  private mutating func takeSignature(
    _ signature: Signature, over event: EventID, in room: RoomID, from neighbour: Neighbour
  ) -> [Directive] {
    guard logs[room] != nil else { return [] }
    do throws(LogError) {
      try logs[room]?.attach(signature, to: event)
      return pushSignature(signature, over: event, in: room, except: neighbour)
    } catch {
      return [.disconnect(neighbour, error)]
    }
  }
}
