import EventLog
import Events
import TestKit
import Testing

@Suite("Appending to a room's log")
struct RoomLogTests {
  private func appendError(_ log: RoomLog, _ event: Event) -> LogError? {
    var copy = log
    return logError { () throws(LogError) in try copy.append(event) }
  }

  @Test("An event is appended when it follows its feed and all it names is here")
  func appending() throws {
    var maker = try RoomMaker()
    var log = RoomLog(room: maker.room)
    let first = try maker.write(1)
    #expect(appendError(log, first) == .missing(maker.room))
    try log.append(maker.create)
    try log.append(first)
    try log.append(first)
    #expect(log.events.count == 2 && log.contains(first.id) && log.position(of: first.id) == 1)
    let second = try maker.write(1)
    let third = try maker.write(1)
    #expect(appendError(log, third) == .brokenChain(third.id, sequence: 3))
    let absent = try maker.make(2, sequence: 1, previous: .none, parents: [second.id])
    #expect(appendError(log, absent) == .missing(second.id))
    let own = try maker.make(1, sequence: 2, previous: first.id, parents: [maker.room])
    #expect(appendError(log, own) == nil)
    let other = try maker.make(1, sequence: 1, previous: .none)
    #expect(appendError(log, other) == .brokenChain(other.id, sequence: 1))
    let foreign = try RoomMaker(nonce: 9).create
    #expect(appendError(log, foreign) == .wrongRoom(foreign.id))
    try log.append(second)
    let cited = try maker.make(1, sequence: 3, previous: second.id, parents: [first.id])
    #expect(appendError(log, cited) == .brokenChain(cited.id, sequence: 3))
    let crossed = try maker.make(2, sequence: 3, previous: second.id)
    #expect(appendError(log, crossed) == .brokenChain(crossed.id, sequence: 3))
  }

  @Test("A stored event far beyond its feed's end, as damage leaves it, is a branch, and ends nothing")
  func gaps() throws {
    var maker = try RoomMaker()
    var log = RoomLog(room: maker.room)
    log.restore(maker.create, signature: nil)
    let first = try maker.write(1)
    log.restore(first, signature: nil)
    for sequence in [9, UInt64(Int64.max)] {
      log.restore(try maker.make(1, sequence: sequence, previous: first.id), signature: nil)
      let feed = try #require(log.feed(testKeys[1].peer))
      #expect(feed.lastBeforeFork(after: 0)?.sequence == 1)
      #expect(feed.lastBeforeFork(after: 1) == nil)
    }
  }

  @Test("What links to nothing in a damaged store is loose, with all that rests on it, and takes nothing in")
  func looseEvents() throws {
    var (maker, other) = (try RoomMaker(), try RoomMaker(nonce: 9))
    let (first, stranger) = (try maker.write(1), try other.write(2))
    let second = try maker.write(1)
    // Without its create; with an event of another room; with one that is gone.
    for (stored, linked) in [
      ([first, second], [false, false]), ([maker.create, stranger], [true, false]),
      ([maker.create, second], [true, false]), ([maker.create, first, second], [true, true, true]),
    ] {
      var log = RoomLog(room: maker.room)
      for event in stored { log.restore(event, signature: nil) }
      #expect(stored.indices.map(log.graph.isLinked) == linked)
      #expect(log.graph.isWhole == !linked.contains(false))
    }
    var headless = RoomLog(room: maker.room)
    headless.restore(first, signature: nil)
    #expect(appendError(headless, second) == .missing(maker.room))
  }

  @Test("Signatures move the mark up to which a feed is verified")
  func verifiedMark() throws {
    var maker = try RoomMaker()
    var log = RoomLog(room: maker.room)
    try log.append(maker.create)
    let events = try (0..<3).map { _ in try maker.write(1) }
    for event in events { try log.append(event) }
    #expect(log.verifiedThrough(of: events[0].author) == 0)
    try log.attach(maker.sign(events[1]), to: events[1].id)
    #expect(log.verifiedThrough(of: events[0].author) == 2)
    try log.attach(maker.sign(events[0]), to: events[0].id)
    #expect(log.verifiedThrough(of: events[0].author) == 2)
    // A run of events that are here adds its signature.
    #expect(try log.receive(try maker.run(1, 2...3)).isEmpty)
    #expect(log.verifiedThrough(of: events[0].author) == 3)
    let absent = try maker.write(2)
    #expect(
      logError { () throws(LogError) in try log.attach(maker.sign(absent), to: absent.id) }
        == .missing(absent.id))
    let forged = Run(events: [maker.create], signature: maker.sign(events[0]))
    #expect(logError { () throws(LogError) in _ = try log.receive(forged) } == .badSignature(maker.room))
  }

  @Test("A run is taken whole, again with no effect, and longer ones by what is new")
  func runs() throws {
    var maker = try RoomMaker()
    for _ in 0..<9 { _ = try maker.write(1) }
    var log = RoomLog(room: maker.room)
    #expect(try log.receive(try maker.run(0, 1...1)) == [maker.create])
    #expect(try log.receive(try maker.run(1, 1...3)).map(\.sequence) == [1, 2, 3])
    #expect(try log.receive(try maker.run(1, 1...3)).isEmpty)
    #expect(try log.receive(try maker.run(1, 2...2)).isEmpty)
    #expect(try log.receive(try maker.run(1, 1...5)).map(\.sequence) == [4, 5])
    #expect(try log.receive(try maker.run(1, 4...7)).map(\.sequence) == [6, 7])
    let gap = try maker.run(1, 9...9)
    #expect(logError { () throws(LogError) in _ = try log.receive(gap) } == .missing(maker.feeds[1][7].id))
    #expect(log.verifiedThrough(of: maker.feeds[1][0].author) == 7)
    #expect(log.events.count == 8 && log.waitingRoom.isEmpty)
  }

  @Test("Runs that are not what they should be are refused, and change nothing")
  func hostileRuns() throws {
    var maker = try RoomMaker()
    var log = RoomLog(room: maker.room)
    _ = try log.receive(try maker.run(0, 1...1))
    let events = try (0..<300).map { _ in try maker.write(1) }
    let before = log.clock
    func refusal(_ run: Run) -> LogError? { logError { () throws(LogError) in _ = try log.receive(run) } }
    #expect(refusal(Run(events: events.dropLast(43), signature: maker.sign(events[256]))) != nil)
    #expect(
      refusal(Run(events: [events[0], events[2]], signature: maker.sign(events[2])))
        == .brokenChain(events[2].id, sequence: 3))
    #expect(
      refusal(Run(events: [events[0], events[0]], signature: maker.sign(events[0])))
        == .brokenChain(events[0].id, sequence: 1))
    let other = try maker.make(2, sequence: 1, previous: .none)
    #expect(
      refusal(Run(events: [events[0], other], signature: maker.sign(other)))
        == .brokenChain(other.id, sequence: 1))
    let strange = try maker.make(1, sequence: 2, previous: other.id)
    #expect(
      refusal(Run(events: [events[0], strange], signature: maker.sign(strange)))
        == .brokenChain(strange.id, sequence: 2))
    let foreign = try RoomMaker(nonce: 3).create
    #expect(
      refusal(Run(events: [foreign], signature: testKeys[0].sign(foreign.id))) == .wrongRoom(foreign.id))
    for key in testKeys where key.peer != events[0].author {
      #expect(
        refusal(Run(events: [events[0]], signature: key.sign(events[0].id))) == .badSignature(events[0].id))
    }
    #expect(
      refusal(Run(events: [events[0]], signature: maker.sign(events[1]))) == .badSignature(events[0].id))
    let crossed = try maker.make(2, sequence: 2, previous: maker.room)
    #expect(refusal(try maker.run([crossed])) == .brokenChain(crossed.id, sequence: 2))
    let skipping = try maker.make(0, sequence: 3, previous: maker.room)
    #expect(refusal(try maker.run([skipping])) == .brokenChain(skipping.id, sequence: 3))
    _ = try log.receive(try maker.run(1, 1...2))
    let selfish = try maker.make(1, sequence: 3, previous: events[1].id, parents: [events[0].id])
    #expect(refusal(try maker.run([selfish])) == .brokenChain(selfish.id, sequence: 3))
    #expect(refusal(Run(events: [], signature: maker.sign(events[0]))) == nil)
    #expect(log.events.count == 3 && log.waitingRoom.isEmpty && log.clock != before)
  }

  @Test("A creator's grants without end are refused however they are cut into runs, and whatever came before")
  func grantsWithoutEnd() throws {
    var maker = try RoomMaker()
    let limit = 2 + Membership.limitSpareGrants
    for _ in 0...limit { _ = try maker.write(0, .grant(request: maker.room, seat: 0)) }
    let last = try #require(maker.feeds[0].last)
    for first in [1, 2, 3, limit + 1] {
      // The rest in one run, before and after what is in front of it.
      for isEarly in [false, true] {
        var log = RoomLog(room: maker.room)
        let front = first == 1 ? [] : [try maker.run(0, 1...(first - 1))]
        let rest = [try maker.run(0, first...(limit + 2))]
        let error = logError { () throws(LogError) in
          for run in isEarly ? rest + front : front + rest { _ = try log.receive(run) }
        }
        if first > 1, !isEarly { #expect(error == .misnamed(last.id)) }
        #expect(!log.contains(last.id))
      }
    }
    // As many as there may be are taken, at once or one by one.
    var log = RoomLog(room: maker.room)
    #expect(try log.receive(try maker.run(0, 1...(limit + 1))).count == limit + 1)
    #expect(logError { () throws(LogError) in try log.append(last) } == .misnamed(last.id))
  }

  @Test("Two feeds that cite each other event by event are taken in, whichever comes first")
  func mutual() throws {
    var maker = try RoomMaker()
    _ = try maker.seat(2)
    for step in 0..<250 {
      let cited = step == 0 ? [] : [maker.feeds[2][step].id]
      let event = try maker.write(1, .chat("\(step)"), parents: cited)
      _ = try maker.write(2, .chat("\(step)"), parents: [event.id])
    }
    var clocks: Set<VectorClock> = []
    for order in [[0, 1, 2], [0, 2, 1], [1, 2, 0], [2, 1, 0], [2, 0, 1]] {
      var log = RoomLog(room: maker.room)
      for author in order {
        let new = try log.receive(try maker.run(author, 1...maker.feeds[author].count))
        let isLast = author == order[2]
        if author != 0, !isLast { #expect(new.isEmpty) }
      }
      #expect(log.events.count == 503 && log.waitingRoom.isEmpty)
      clocks.insert(log.clock)
    }
    #expect(clocks.count == 1)
  }

  @Test("A waiting run that turns out to cite its own feed is dropped, and never taken in")
  func waitingSelfCitation() throws {
    var maker = try RoomMaker()
    let late = try maker.write(0)
    let first = try maker.write(1, parents: [late.id])
    let second = try maker.write(1)
    let selfish = try maker.make(1, sequence: 3, previous: second.id, parents: [first.id])
    var log = RoomLog(room: maker.room)
    _ = try log.receive(try maker.run(0, 1...1))
    _ = try log.receive(try maker.run(1, 1...2))
    #expect(log.waitingRoom.count == 2)
    _ = try log.receive(try maker.run([selfish]))
    #expect(try log.receive(try maker.run([late])).count == 3)
    #expect(!log.contains(selfish.id) && log.waitingRoom.isEmpty)
    #expect(log.report(hasher: hasher, scheme: scheme).isValid)
  }

  @Test("Of a waiting run only what a signature covers is taken in")
  func coveredOnly() throws {
    var maker = try RoomMaker()
    var log = RoomLog(room: maker.room)
    _ = try log.receive(try maker.run(0, 1...1))
    let late = try maker.write(0)
    _ = try maker.write(1)
    let second = try maker.write(1)
    _ = try maker.write(1, parents: [late.id])
    #expect(try log.receive(try maker.run(1, 1...3)).isEmpty)
    #expect(log.waitingRoom.count == 3)
    // The first two do not wait for anything, but nothing here covers them; then their own signature does.
    #expect(try log.receive(try maker.run(1, 1...2)).map(\.sequence) == [1, 2])
    #expect(log.verifiedThrough(of: second.author) == 2 && log.waitingRoom.count == 1)
    #expect(try log.receive(try maker.run([late])).count == 2)
    #expect(log.waitingRoom.isEmpty)
  }

  @Test("Any order of delivery, with repetitions, leads to the same clock and the same set")
  func deliveryOrder() throws {
    for seed in 0..<UInt64(40) {
      let room = try RandomRoom(seed: seed, authors: 2 + Int(seed % 4), events: 80)
      let straight = try room.log(room.runs)
      #expect(straight.entries.count == room.maker.feeds.joined().count)
      var random = SeededGenerator(state: seed)
      for _ in 0..<5 {
        let repeated = room.runs + room.runs.shuffled(using: &random).prefix(5)
        let log = try room.log(repeated.shuffled(using: &random))
        #expect(log.clock.digest(room: log.room) == straight.clock.digest(room: log.room))
        #expect(Set(log.entries.map(\.event.id)) == Set(straight.entries.map(\.event.id)))
        #expect(log.waitingRoom.isEmpty)
        #expect(log.report(hasher: hasher, scheme: scheme).isValid)
      }
    }
  }

  @Test("Who gives what names what never comes takes no place of another's, nor what is asked for")
  func crowding() throws {
    var maker = try RoomMaker()
    var log = try maker.log(seating: 3)
    let never = (0..<32).map { EventID(Bytes32(repeating: UInt8(100 + $0))) }
    let text = String(repeating: "x", count: 4_000)
    var refused = 0
    for number in 0..<400 {
      let author = [4, 2, 5, 6][number % 4]
      let event = try maker.make(
        author, .chat("\(number) \(text)"), sequence: 1, previous: .none,
        parents: number < 4 ? never : [never[0]])
      let run = try maker.run([event])
      if let error = logError({ () throws(LogError) in _ = try log.receive(run, from: 2, scheme: scheme) }) {
        guard case .crowded = error else { throw error }
        refused += 1
      }
    }
    #expect(refused > 0 && log.waitingRoom.mostBytes <= WaitingRoom.limitBytes)
    // What links is taken however full it is, and what another gives finds a place.
    let late = try maker.write(0)
    let early = try maker.write(3, parents: [late.id])
    #expect(try log.receive(try maker.run([early]), from: 1, scheme: scheme).isEmpty)
    #expect(log.missing(of: 1, limit: 2) == [late.id])
    #expect(try log.receive(try maker.run([late]), from: 1, scheme: scheme) == [late, early])
    // What it gave that is gone is kept, as nobody's.
    log.forget(giver: 2)
    #expect(
      log.waitingRoom.bytes(of: 2) == 0 && log.waitingRoom.bytes(of: nil) > 0
        && log.missing(limit: 64).count == 32)
  }

  @Test("What a run needs by way of what another gave is asked of its own giver too")
  func needsOfOthersRuns() throws {
    var maker = try RoomMaker()
    var log = try maker.log(seating: 3, 4)
    let late = try maker.write(0)
    let early = try maker.write(3, parents: [late.id])
    let later = try maker.write(4, parents: [early.id])
    _ = try log.receive(try maker.run([early]), from: 2, scheme: scheme)
    _ = try log.receive(try maker.run([later]), from: 1, scheme: scheme)
    #expect(log.missing(of: 1, limit: 8) == [late.id])
    // Who gives what waits already has given it too.
    log.forget(giver: 2)
    _ = try log.receive(try maker.run([early]), from: 3, scheme: scheme)
    #expect(log.missing(of: 3, limit: 8) == [late.id])
    #expect(try log.receive(try maker.run([late]), from: 1, scheme: scheme) == [late, early, later])
  }
}

@Suite("Forks in a room's log")
struct RoomLogForkTests {
  @Test("A fork is proven only when both branches end in verified signatures")
  func proof() throws {
    var maker = try RoomMaker()
    var log = RoomLog(room: maker.room)
    _ = try log.receive(try maker.run(0, 1...1))
    let first = try maker.write(1)
    let mine = try maker.write(1)
    let other = try maker.make(1, .chat("another"), sequence: 2, previous: first.id)
    try log.append(first, signature: maker.sign(first))
    try log.append(mine)
    let run = try maker.run([other])
    #expect(logError { () throws(LogError) in _ = try log.receive(run) } == .unprovenFork(other.id))
    #expect(log.forkProofs.isEmpty && log.events.count == 3)
    let forged = Run(events: [other], signature: testKeys[2].sign(other.id))
    #expect(logError { () throws(LogError) in _ = try log.receive(forged) } == .badSignature(other.id))
    try log.attach(maker.sign(mine), to: mine.id)
    #expect(logError { () throws(LogError) in _ = try log.receive(forged) } == .badSignature(other.id))
    #expect(log.clock[first.author]?.isForked == false)
    #expect(try log.receive(run) == [other])
    #expect(
      ForkProofFields(log.forkProofs)
        == ForkProofFields(author: first.author, sequence: 2, events: [mine.id, other.id].sorted()))
    #expect(log.clock[first.author] == .init(author: first.author, sequence: 2, head: .none, isForked: true))
  }

  @Test("Any order of three branches gives the same clock")
  func orders() throws {
    var maker = try RoomMaker()
    for _ in 0..<4 { _ = try maker.write(1) }
    let second = maker.feeds[1][1]
    func branch(_ name: String, after event: Event, _ count: Int) throws -> [Event] {
      var events: [Event] = []
      for _ in 0..<count {
        let last = events.last ?? event
        events.append(try maker.make(1, .chat(name), sequence: last.sequence + 1, previous: last.id))
      }
      return events
    }
    let b = try branch("b", after: second, 3)
    let c = try branch("c", after: b[0], 2)
    let d = try branch("d", after: b[2], 2)
    let runs = [
      try maker.run(0, 1...1), try maker.run(1, 1...2), try maker.run(1, 3...4), try maker.run(b),
      try maker.run(c), try maker.run(d),
    ]
    var random = SeededGenerator(state: 2)
    let room = RandomRoom(maker: maker, runs: runs)
    var clocks: Set<VectorClock> = []
    for _ in 0..<60 {
      let log = try room.log(runs.shuffled(using: &random))
      // Of the branches those that came while the fork, or a lower one, was not known.
      #expect((8...12).contains(log.events.count))
      #expect(log.forkProofs.map(\.sequence) == [3])
      #expect(log.report(hasher: hasher, scheme: scheme).isValid)
      clocks.insert(log.clock)
    }
    #expect(clocks.count == 1)
  }

  @Test("A part of a branch that waits is not taken in on the other branch's signature")
  func waitingBranches() throws {
    var maker = try RoomMaker()
    let late = try maker.write(0)
    let first = try maker.write(1)
    let main = try (0..<4).map { _ in try maker.write(1) }
    let b2 = try maker.make(1, .chat("b2"), sequence: 2, previous: first.id)
    let b3 = try maker.make(1, .chat("b3"), sequence: 3, previous: b2.id, parents: [late.id])
    var log = RoomLog(room: maker.room)
    // All wait for the room's create.
    _ = try log.receive(try maker.run([first] + main))
    _ = try log.receive(try maker.run([b2, b3]))
    #expect(log.events.isEmpty && log.missing(limit: 8) == [maker.room])
    _ = try log.receive(try maker.run(0, 1...1))
    #expect(log.contains(main[3].id) && !log.contains(b2.id))
    #expect(log.forkProofs.isEmpty)
    _ = try log.receive(try maker.run([late]))
    #expect(log.contains(b3.id) && log.forkProofs.count == 1)
    #expect(log.report(hasher: hasher, scheme: scheme).isValid)
  }

  @Test(
    "Of a forked feed nothing more is kept but what a waiting event needs, however many branches there are")
  func furtherBranches() throws {
    var maker = try RoomMaker()
    let seated = try maker.seat(3)
    var log = RoomLog(room: maker.room)
    for run in seated { _ = try log.receive(run) }
    let first = try maker.write(1)
    _ = try maker.write(1)
    _ = try log.receive(try maker.run(1, 1...2))
    let branches = try (0..<40).map { try maker.make(1, .chat("\($0)"), sequence: 2, previous: first.id) }
    #expect(try log.receive(try maker.run([branches[0]])).count == 1)
    for branch in branches.dropFirst() {
      let run = try maker.run([branch])
      #expect(logError { () throws(LogError) in _ = try log.receive(run) } == .notNeeded(branch.id))
    }
    // A branch of two runs, which another branch's event hides: needed ones come from the end.
    let more = try maker.make(1, .chat("more"), sequence: 3, previous: branches[30].id)
    let citing = try maker.write(3, parents: [more.id])
    #expect(try log.receive(try maker.run([citing])).isEmpty)
    #expect(log.missing(limit: 8) == [more.id])
    #expect(try log.receive(try maker.run([more])).isEmpty)
    #expect(log.missing(limit: 8) == [branches[30].id])
    #expect(try log.receive(try maker.run([branches[30]])) == [branches[30], more, citing])
    #expect(log.report(hasher: hasher, scheme: scheme).isValid)
    for number in 1..<40 where number != 30 {
      let next = try maker.write(3, parents: [branches[number].id])
      _ = try log.receive(try maker.run([next]))
      #expect(try log.receive(try maker.run([branches[number]])) == [branches[number], next])
    }
  }

  @Test("A branch that began in what waits for ever is taken in all the same")
  func branchBehindWhatWaits() throws {
    var maker = try RoomMaker()
    let seated = try maker.seat(3)
    var log = RoomLog(room: maker.room)
    for run in seated { _ = try log.receive(run) }
    let never = EventID(Bytes32(repeating: 100))
    let first = try maker.write(1)
    _ = try maker.write(1)
    _ = try log.receive(try maker.run(1, 1...2))
    _ = try log.receive(try maker.run([try maker.make(1, .chat("proof"), sequence: 2, previous: first.id)]))
    // Another first event, with a signature only behind what never links: it lies before the known fork.
    let other = try maker.make(1, .chat("other"), sequence: 1, previous: .none)
    let junk = try maker.make(1, .chat("junk"), sequence: 2, previous: other.id, parents: [never])
    #expect(try log.receive(try maker.run([other, junk]), from: 2, scheme: scheme).isEmpty)
    let next = try maker.make(1, .chat("next"), sequence: 2, previous: other.id)
    #expect(try log.receive(try maker.run([other, next]), from: 1, scheme: scheme) == [other, next])
    #expect(log.feed(testKeys[1].peer)?.forkSequence == 1)
  }

  @Test("What waits with no signature but one that never counts is asked for again")
  func waitingUnsigned() throws {
    var maker = try RoomMaker()
    let seated = try maker.seat(3)
    var log = RoomLog(room: maker.room)
    for run in seated { _ = try log.receive(run) }
    let never = EventID(Bytes32(repeating: 100))
    let said = try maker.write(1)
    let junk = try maker.make(
      1, .chat("junk"), sequence: said.sequence + 1, previous: said.id, parents: [never])
    #expect(try log.receive(try maker.run([said, junk]), from: 2, scheme: scheme).isEmpty)
    let citing = try maker.write(3, parents: [said.id])
    #expect(try log.receive(try maker.run([citing]), from: 1, scheme: scheme).isEmpty)
    #expect(log.missing(of: 1, limit: 8) == [said.id])
    #expect(try log.receive(try maker.run([said]), from: 1, scheme: scheme) == [said, citing])
  }

  @Test("However long a branch is that a member's event needs, it is taken in, with bounded places")
  func longBranch() throws {
    var maker = try RoomMaker()
    let seated = try maker.seat(3)
    var log = RoomLog(room: maker.room)
    for run in seated { _ = try log.receive(run) }
    let first = try maker.write(1)
    _ = try maker.write(1)
    _ = try log.receive(try maker.run(1, 1...2))
    var branch = [try maker.make(1, .chat("other"), sequence: 2, previous: first.id)]
    _ = try log.receive(try maker.run([try maker.make(1, .chat("proof"), sequence: 2, previous: first.id)]))
    let text = String(repeating: "x", count: 4_000)
    for _ in 0..<300 {
      let last = branch[branch.count - 1]
      branch.append(try maker.make(1, .chat(text), sequence: last.sequence + 1, previous: last.id))
    }
    let citing = try maker.write(3, parents: [branch[branch.count - 1].id])
    _ = try log.receive(try maker.run([citing]))
    var rounds = 0
    while !log.contains(citing.id), rounds < 1_000 {
      rounds += 1
      let missing = log.missing(limit: 8)
      for event in branch.reversed() where missing.contains(event.id) {
        let run = try maker.run([event])
        _ = logError { () throws(LogError) in _ = try log.receive(run) }
      }
      #expect(log.waitingRoom.mostBytes <= WaitingRoom.limitBytes)
    }
    #expect(log.contains(citing.id) && log.waitingRoom.mostBytes == 0, "\(rounds) rounds")
  }
}
