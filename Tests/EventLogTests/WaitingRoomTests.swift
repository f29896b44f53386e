import Events
import TestKit
import Testing

@testable import EventLog

/// Runs that wait, against a slow model that finds out everything anew each time.
@Suite struct WaitingRoomTests {
  private static let limitBytes = 6_000

  /// What waits, in order of arrival.
  private struct Model {
    struct Place {
      var givers: [UInt32?]
      let isNeeded: Bool
      var entries: [RoomLog.Entry]
      var bytes: Int { entries.reduce(0) { $0 + $1.event.bodyBytes } }
    }

    var places: [Place] = []
    var held: Set<EventID> = []

    func bytes(of giver: UInt32?) -> Int {
      places.reduce(0) { $0 + ($1.givers.contains(giver) ? $1.bytes : 0) }
    }

    /// What waits, by id.
    var waiting: [EventID: RoomLog.Entry] {
      Dictionary(places.flatMap(\.entries).map { ($0.event.id, $0) }) { first, _ in first }
    }

    /// The last place that needs each event that is needed.
    var needing: [EventID: Int] {
      let waiting = waiting
      var last: [EventID: Int] = [:]
      for (number, place) in places.enumerated() {
        for event in place.entries.map(\.event) {
          let isBehind = event.sequence > 1 && waiting[event.previous] == nil
          let parents = (0..<event.parentCount).map { event.parent($0) }
          for id in parents + (isBehind ? [event.previous] : [])
          where !held.contains(id) && waiting[id]?.signature == nil { last[id] = number }
        }
      }
      return last
    }

    func missing(of giver: UInt32?, newest: Int) -> [EventID] {
      let own = places.filter { $0.givers.contains(giver) }
      var next = own.reversed().prefix(newest).flatMap(\.entries).map(\.event)
      let most = next.count + max(0, newest - own.count)
      let ownEvents = Set(own.flatMap(\.entries).map(\.event.id))
      let (waiting, needing) = (waiting, needing)
      var missing: [EventID] = []
      var at = 0
      while at < next.count, at < most {
        let event = next[at]
        at += 1
        for id in [event.previous] + (0..<event.parentCount).map({ event.parent($0) }) {
          if needing[id] != nil, !missing.contains(id) { missing.append(id) }
          guard !ownEvents.contains(id), !next.contains(where: { $0.id == id }) else { continue }
          if let waiting = waiting[id]?.event { next.append(waiting) }
        }
      }
      return missing
    }

    mutating func makeRoom(for bytes: Int, of giver: UInt32?, neededBy need: Int?) -> Bool {
      var used = bytes + self.bytes(of: giver)
      guard used > WaitingRoomTests.limitBytes else { return true }
      guard let need else { return false }
      let own = places.indices.filter { places[$0].givers.contains(giver) }.dropFirst()
      let spare =
        own.filter { !places[$0].isNeeded }.reversed() + own.filter { places[$0].isNeeded && $0 < need }
      var given: [Int] = []
      for place in spare where used > WaitingRoomTests.limitBytes && place != need {
        used -= places[place].bytes
        given.append(place)
      }
      guard used <= WaitingRoomTests.limitBytes else { return false }
      for place in given { places[place].givers.removeAll { $0 == giver } }
      places.removeAll(where: \.givers.isEmpty)
      return true
    }

    mutating func forget(_ giver: UInt32?) {
      for place in places.indices.reversed() {
        guard let number = places[place].givers.firstIndex(of: giver) else { continue }
        places[place].givers.remove(at: number)
        if places[place].givers.isEmpty, bytes(of: nil) + places[place].bytes <= WaitingRoomTests.limitBytes {
          places[place].givers = [nil]
        }
      }
      places.removeAll(where: \.givers.isEmpty)
    }

    mutating func remove(_ gone: Set<EventID>) {
      for place in places.indices { places[place].entries.removeAll { gone.contains($0.event.id) } }
      places.removeAll(where: \.entries.isEmpty)
    }
  }

  /// Feeds of events, each of which names some earlier ones.
  private static func feeds(_ random: inout SeededGenerator) throws -> [[Event]] {
    let maker = try RoomMaker()
    var feeds: [[Event]] = Array(repeating: [], count: 5)
    for number in 0..<150 {
      let author = number % feeds.count
      let earlier = feeds.indices.filter { $0 != author && !feeds[$0].isEmpty }
      let parents = earlier.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random)).map {
        feeds[$0][Int.random(in: max(0, feeds[$0].count - 5)..<feeds[$0].count, using: &random)].id
      }
      feeds[author].append(
        try maker.make(
          author + 1, .chat("\(number)"), sequence: UInt64(feeds[author].count + 1),
          previous: feeds[author].last?.id ?? .none, parents: parents))
    }
    return feeds
  }

  // tidy: each case is one thing that happens, to the room and to its model alike
  @Test(arguments: 0..<Effort.size(4, quick: 2)) func isTheSlowModel(_ seed: Int) throws {
    var random = SeededGenerator(state: UInt64(seed))
    let feeds = try Self.feeds(&random)
    let signature = try #require(Signature([UInt8](repeating: 7, count: 64)))
    var (room, model) = (WaitingRoom(limitBytes: Self.limitBytes), Model())
    var (crowded, made) = (0, 0)
    for step in 0..<400 {
      let giver: UInt32? = [nil, 1, 2].randomElement(using: &random) ?? nil
      let feed = feeds[Int.random(in: feeds.indices, using: &random)]
      let run = Array(feed[Int.random(in: feed.indices, using: &random)...].prefix(3))
      let waiting = model.places.flatMap(\.entries).map(\.event)
      switch Int.random(in: 0..<100, using: &random) {
      case 0:
        let gone = giver ?? 1
        room.forget(gone)
        model.forget(gone)
      case 1..<10:
        room.note(giver, gave: run)
        for event in run {
          guard
            let at = model.places.firstIndex(where: { $0.entries.contains { $0.event.id == event.id } }),
            !model.places[at].givers.contains(giver),
            model.bytes(of: giver) + model.places[at].bytes <= WaitingRoomTests.limitBytes
          else { continue }
          model.places[at].givers.append(giver)
        }
      case 10..<13:
        let gone = Set(waiting.shuffled(using: &random).prefix(3).map(\.id))
        // Half of them are in the log now, the others were false.
        if step.isMultiple(of: 2) { model.held.formUnion(gone) }
        model.remove(gone)
        room.remove(gone) { model.held.contains($0) }
      case 13..<16:
        let fresh = run.filter { model.waiting[$0.id] == nil && !model.held.contains($0.id) }
        let isAwaited = fresh.contains { event in waiting.contains { Self.names($0, event.id) } }
        model.held.formUnion(fresh.map(\.id))
        #expect(room.noteHeld(fresh) == isAwaited)
      case 16..<26:
        guard let id = waiting.randomElement(using: &random)?.id else { continue }
        room.sign(id, signature)
        for place in model.places.indices {
          for at in model.places[place].entries.indices where model.places[place].entries[at].event.id == id {
            model.places[place].entries[at].signature = signature
          }
        }
      default:
        let fresh = run.filter { model.waiting[$0.id] == nil && !model.held.contains($0.id) }
        guard let first = fresh.first else { continue }
        let entries = fresh.map { RoomLog.Entry(event: $0, signature: $0 == fresh.last ? signature : nil) }
        let bytes = fresh.reduce(0) { $0 + $1.bodyBytes }
        let needing = model.needing
        let need = run.compactMap { needing[$0.id] }.max()
        let number = room.place(needing: run)
        #expect((need == nil) == (number == nil))
        let hasRoom = room.makeRoom(for: bytes, of: giver, neededBy: number)
        #expect(hasRoom == model.makeRoom(for: bytes, of: giver, neededBy: need))
        guard hasRoom else {
          crowded += 1
          continue
        }
        made += 1
        model.places.append(.init(givers: [giver], isNeeded: need != nil, entries: entries))
        room.add(entries, of: giver, isNeeded: need != nil, start: first) { model.held.contains($0) }
      }
      check(room, model, feeds)
    }
    #expect(crowded > 0 && made > 100, "\(crowded) without room, \(made) added")
  }

  /// What waits is looked through for nothing so often; what links meanwhile is taken in later.
  @Test func looksForNothingAreCounted() throws {
    var maker = try RoomMaker()
    var log = try maker.log(seating: 3, 4)
    let late = try maker.write(0)
    let early = try maker.write(3, parents: [late.id])
    // Each of them waits for one that never comes, and for one that does.
    let awaited = try (0..<600).map { try maker.make(2, .chat("\($0)"), sequence: 1, previous: .none) }
    let never = EventID(Bytes32(repeating: 9))
    for (number, event) in awaited.enumerated() {
      let waiting = try maker.make(
        4, .chat("\(number)"), sequence: UInt64(maker.feeds[4].count + 1),
        previous: try #require(maker.feeds[4].last?.id), parents: [event.id, never])
      _ = try log.receive(try maker.run([waiting]), from: 2, scheme: scheme)
    }
    _ = try log.receive(try maker.run([early]), from: 1, scheme: scheme)
    var isPutOff = false
    for event in awaited where !isPutOff {
      _ = try log.receive(try maker.run([event]), from: 2, scheme: scheme)
      isPutOff = log.release.isDue
    }
    #expect(isPutOff)
    #expect(try log.receive(try maker.run([late]), from: 1, scheme: scheme) == [late])
    #expect(log.releaseWhatWasPutOff() == [early])
    #expect(log.releaseWhatWasPutOff().isEmpty)
  }

  private static func names(_ event: Event, _ id: EventID) -> Bool {
    (event.sequence > 1 && event.previous == id)
      || (0..<event.parentCount).contains { event.parent($0) == id }
  }

  private func check(_ room: WaitingRoom, _ model: Model, _ feeds: [[Event]]) {
    #expect(room.isEmpty == model.places.isEmpty)
    #expect(room.entries.map(\.event.id) == model.places.flatMap(\.entries).map(\.event.id))
    #expect(room.count == room.entries.count)
    for giver in [nil, 1, 2] as [UInt32?] {
      #expect(room.bytes(of: giver) == model.bytes(of: giver))
      for (newest, limits) in [(1_000, [1, 4, 200]), (3, [200]), (10, [4])] {
        let missing = model.missing(of: giver, newest: newest)
        for limit in limits {
          #expect(room.missing(of: giver, limit: limit, newest: newest) == Array(missing.prefix(limit)))
        }
      }
    }
    let needing = model.needing
    for event in feeds.joined() {
      let isNeeded = needing[event.id] != nil
      guard isNeeded == (room.place(needing: [event]) != nil) else {
        Issue.record("\(event.id.short) is \(isNeeded ? "" : "not ")needed")
        return
      }
    }
  }
}
