import EventLog
import Events

/// What is being sent of one room: events after a sequence of each wanted feed, in runs, in causal order.
///
/// Runs are cut where signatures are; of several whose events are mixed, the one that begins first goes first.
struct Serving: Sendable {
  /// About how many bytes of events go into one message.
  static let messageBytes = 60_000

  let room: RoomID
  /// Whether it is news that nobody asked for; what was asked for is sent in whole.
  let isNews: Bool
  /// Of each wanted feed, by its number in the log: what comes after this.
  private var after: [Int: UInt64] = [:]
  /// The position in the log to go on at.
  private var next: Int
  /// Runs that are not closed yet, by their last event.
  private var open: [EventID: (first: Int, events: [Event])] = [:]
  /// Runs that are closed and not sent.
  private var closed: [(first: Int, run: Run)] = []
  private var closedBytes = 0
  private var remaining: UInt64 = 0

  /// Prepares to send what comes after these sequences; of a forked feed, from before the fork.
  init(_ wanted: [(feed: Int, after: UInt64)], of log: borrowing RoomLog, isNews: Bool = false) {
    room = log.room
    self.isNews = isNews
    next = log.graph.events.count
    for (number, wantedAfter) in wanted where number < log.graph.feeds.count {
      let fork = log.graph.feeds[number].forkSequence
      let last = log.graph.feeds[number].last
      let from = min(wantedAfter, fork.map { $0 - 1 } ?? .max)
      guard from < last else { continue }
      after[number] = min(after[number] ?? .max, from)
      next = min(next, log.graph.feeds[number].positions[Int(from)])
      remaining += last - from
    }
  }

  /// The next message; `nil` when everything was sent.
  /// - Parameter durable: how many of the log's events may leave this process.
  mutating func message(from log: borrowing RoomLog, durable: Int) -> RunsMessage? {
    while next < durable {
      take(next, from: log)
      next += 1
      if closedBytes >= Self.messageBytes || (open.isEmpty && closedBytes >= Self.messageBytes / 2) { break }
    }
    guard !closed.isEmpty else { return nil }
    closed.sort { $0.first < $1.first }
    var runs: [Run] = []
    var bytes = 0
    while let first = closed.first {
      let size = first.run.events.reduce(0) { $0 + $1.bodyBytes }
      guard runs.isEmpty || bytes + size <= Run.limitBytes else { break }
      bytes += size
      runs.append(first.run)
      closed.removeFirst()
    }
    closedBytes -= bytes
    remaining -= min(remaining, UInt64(runs.reduce(0) { $0 + $1.events.count }))
    return RunsMessage(room: room, remaining: remaining, runs: runs)
  }

  private mutating func take(_ position: Int, from log: borrowing RoomLog) {
    let entry = log.entries[position]
    let event = entry.event
    guard let number = log.number(of: event.author), let from = after[number], event.sequence > from else {
      return
    }
    var run = open.removeValue(forKey: event.previous) ?? (first: position, events: [])
    run.events.append(event)
    guard let signature = entry.signature else {
      open[event.id] = run
      return
    }
    closed.append((run.first, Run(events: run.events, signature: signature)))
    closedBytes += run.events.reduce(0) { $0 + $1.bodyBytes }
  }
}

extension RoomLog {
  /// The run in which an event was signed: from behind the signature before it to the one that covers it.
  /// - Parameter durable: how many events may leave this process.
  func run(covering position: Int, durable: Int) -> Run? {
    var events: [Event] = []
    var at = position
    while true {
      let event = entries[at].event
      events.append(event)
      guard events.count <= Run.limitEvents, event.sequence > 1 else { break }
      guard let before = self.position(of: event.previous), entries[before].signature == nil else { break }
      at = before
    }
    events.reverse()
    at = position
    while entries[at].signature == nil {
      guard let next = successor(of: at), events.count < Run.limitEvents else { return nil }
      events.append(entries[next].event)
      at = next
    }
    guard at < durable, events.count <= Run.limitEvents, let signature = entries[at].signature else {
      return nil
    }
    return Run(events: events, signature: signature)
  }

  /// The position of the event that follows another one on its branch.
  private func successor(of position: Int) -> Int? {
    let event = entries[position].event
    guard let feed = feed(event.author) else { return nil }
    let main = Int(event.sequence)
    if main < feed.positions.count, entries[feed.positions[main]].event.previous == event.id {
      return feed.positions[main]
    }
    for branch in feed.branches {
      if let next = branch.first(where: { entries[$0].event.previous == event.id }) { return next }
    }
    return nil
  }
}
