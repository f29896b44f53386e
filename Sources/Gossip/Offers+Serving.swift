import EventLog
package import Events

// Sending what neighbours ask for, and what is pushed to them.

extension Offers {
  /// Prepares to send what was wanted, or is news.
  mutating func serve(_ wants: [Want], to link: Int, isNews: Bool = false) {
    var asked: [(room: RoomID, wanted: [(feed: Int, after: UInt64)])] = []
    for want in wants {
      for number in find(want.key, link) {
        let room = directory.room(of: number)
        guard let at = rooms.place(of: room) else {
          links[link].serving.put(off: want, of: room, limit: settings.budget.requests)
          linkTable.out.append(.load(room))
          continue
        }
        guard let inLog = rooms.open[at].number(of: number) else { continue }
        if let at = asked.firstIndex(where: { $0.room == room }) {
          asked[at].wanted.append((inLog, want.after))
        } else {
          asked.append((room, [(inLog, want.after)]))
        }
      }
    }
    for (room, wanted) in asked {
      guard let at = rooms.place(of: room), !links[link].serving.isFull else { continue }
      links[link].serving.append(Serving(wanted, of: rooms.open.span[at].log, isNews: isNews))
    }
  }

  /// Sends the proof of a fork before anything else.
  mutating func serveFirst(_ feeds: [UInt32], of link: Int) {
    for number in feeds {
      let feed = directory.feeds[Int(number)]
      guard feed.isForked, let at = rooms.place(of: directory.room(of: number)),
        let inLog = rooms.open[at].number(of: number)
      else { continue }
      let known = links[link].baseline.known[feed.key] ?? 0
      links[link].serving.prepend(
        Serving([(inLog, min(known, feed.sequence - 1))], of: rooms.open.span[at].log))
    }
  }

  /// A room was read from the store: those who waited for it get what they wanted.
  mutating func serveDeferred(_ room: RoomID, at now: Tick) {
    for link in links.indices {
      serve(links[link].serving.takeDeferred(of: room), to: link)
      let questions = links[link].serving.takeDeferredFetches(of: room)
      for ids in questions { serve(ids, in: room, to: link) }
      if !questions.isEmpty { rooms.noteUnneeded(room) }
    }
  }

  /// The next message of what a neighbour wanted; `nil` when there is none, or not yet.
  package mutating func nextServed(to neighbour: Neighbour, at now: Tick) -> Message? {
    guard let link = linkTable.place(of: neighbour) else { return nil }
    guard let served = linkTable.links[link].serving.next(from: &rooms, at: now) else { return nil }
    let next = served.isNews ? next(served.message, for: link, in: rooms.open.span[served.place].log) : nil
    for run in served.message.runs {
      guard let last = run.events.last else { continue }
      links[link].baseline.note(Feed.key(room: served.message.room, author: last.author), has: last.sequence)
    }
    return next.map { .next($0) } ?? .runs(served.message)
  }

  /// The short form of a message, where it goes on from what the neighbour is believed to hold.
  @_effects(readonly)
  private func next(_ message: RunsMessage, for link: Int, in log: borrowing RoomLog) -> NextEvents? {
    guard message.runs.count == 1, let first = message.runs[0].events.first,
      let known = links[link].baseline.known[Feed.key(room: message.room, author: first.author)],
      known >= first.sequence - 1
    else { return nil }
    return NextEvents(message.runs[0], in: log)
  }

  /// The neighbours to whom something is left to be sent, in order.
  package var servedNeighbours: [Neighbour] {
    links.compactMap { $0.serving.isEmpty ? nil : $0.neighbour }
  }

  /// Whether something of a room is left to be sent to anybody.
  @_effects(readonly)
  package func isServing(_ room: RoomID) -> Bool {
    links.contains { $0.serving.contains(room) }
  }

  /// What was asked for did not come: its room waits for nothing.
  mutating func noteGivenUp(_ key: UInt64) {
    for number in directory.find(key) {
      let room = directory.room(of: number)
      if rooms.place(of: room) != nil { rooms.noteUnneeded(room) }
    }
  }

  /// Whether something is left to be sent to a neighbour.
  package func isServing(_ neighbour: Neighbour) -> Bool {
    linkTable.place(of: neighbour).map { !links[$0].serving.isEmpty } ?? false
  }

  /// Sends the runs of events that branches and gaps hide from numbers.
  mutating func serve(_ ids: [EventID], in room: RoomID, to link: Int) {
    guard let number = directory.number(of: room), directory.isShown(number, to: links[link].circles) else {
      return
    }
    let ids = ids.prefix(Event.limitParents)
    guard let at = rooms.place(of: room) else {
      links[link].serving.put(off: Array(ids), of: room)
      return linkTable.out.append(.load(room))
    }
    var runs: [Run] = []
    for id in ids {
      guard let position = rooms.open.span[at].log.position(of: id),
        let run = rooms.open.span[at].log.run(covering: position, durable: rooms.open.span[at].durable)
      else { continue }
      runs.append(run)
    }
    for run in runs { linkTable.send(.runs(RunsMessage(room: room, runs: [run])), to: link) }
  }
}

extension Run {
  /// The bytes of its bodies.
  var bytes: Int { events.reduce(0) { $0 + $1.bodyBytes } }
}
