import Events
import TestKit
import Testing

private let hasher = EventHasher(network: .standard)

/// A room's events of all kinds in a causal order, with forks, and their records.
struct RecordSequence {
  let room: RoomID
  private(set) var events: [Event] = []
  private(set) var records: [[UInt8]] = []
  private(set) var graph = CausalGraph()

  init(seed: UInt64, events count: Int) throws {
    var random = SeededGenerator(state: seed)
    let authors: [PeerID] = (0..<4).map { _ in random.identifier() }
    let create = try Event.author(
      random.action(.create), room: .none, author: authors[0], sequence: 1, previous: .none, parents: [],
      wallTime: random.number(), hasher: hasher)
    room = create.id
    add(create)
    let kinds = Kind.allCases.filter { $0 != .create }
    for number in 0..<count {
      let author = authors[Int.random(in: 0..<4, using: &random)]
      let own = events.filter { $0.author == author }
      // One in eight goes on from somewhere in the middle, which forks the feed.
      let previous = Int.random(in: 0..<8, using: &random) == 0 ? own.randomElement(using: &random) : own.last
      let others = events.suffix(6).filter { $0.author != author && $0.id != previous?.id }
      let parents = others.shuffled(using: &random).prefix(.random(in: 0...3, using: &random)).map(\.id)
      let drawn = try Event.author(
        random.action(kinds[number % kinds.count]), room: room, author: author,
        sequence: (previous?.sequence ?? 0) + 1, previous: previous?.id ?? .none, parents: parents,
        wallTime: random.flag() ? 1_700_000_000_000 + UInt64(number) : random.number(), hasher: hasher)
      add(try naming(events.randomElement(using: &random)?.id ?? room, in: drawn, &random))
    }
  }

  /// The event with what its payload names changed, mostly to an event of the room.
  private func naming(_ id: EventID, in event: Event, _ random: inout SeededGenerator) throws -> Event {
    var body = event.body
    let from = 117 + 32 * event.parents.count
    for offset in [0, 2, 4] where random.flag() && body.count >= from + offset + 32 {
      var changed = body
      changed.replaceSubrange(from + offset..<from + offset + 32, with: id.bytes.bytes)
      let named = try Event(body: changed, hasher: hasher)
      if named.kind == event.kind { body = changed }
    }
    return try Event(body: body, hasher: hasher)
  }

  private mutating func add(_ event: Event) {
    var record: [UInt8] = []
    guard graph.add(event) != nil else { return }
    RecordCoder.append(at: graph.count - 1, of: graph, to: &record)
    events.append(event)
    records.append(record)
  }

  /// A reader that has read all records.
  func reader() throws(FormatError) -> RecordReader {
    var reader = RecordReader(room: room, hasher: hasher)
    for record in records { try reader.read(record) }
    return reader
  }
}

@Suite("Records")
struct RecordCoderTests {
  @Test("Every event of a sequence is made again from its record", arguments: 0..<UInt64(20))
  func roundTrip(seed: UInt64) throws {
    let sequence = try RecordSequence(seed: seed, events: 120)
    #expect(sequence.events.count > 100 && !sequence.graph.forks.isEmpty)
    var reader = RecordReader(room: sequence.room, hasher: hasher)
    var feeds = 0
    for (position, (event, record)) in zip(sequence.events, sequence.records).enumerated() {
      #expect(record.count <= RecordCoder.limitBytes)
      // It is the same when more has come.
      var again: [UInt8] = []
      RecordCoder.append(at: position, of: sequence.graph, to: &again)
      #expect(again == record)
      try reader.read(record)
      #expect(try reader.event.body == event.body)
      #expect(try reader.view.id == event.id)
      #expect(
        reader.writtenOut.allSatisfy { sequence.graph.position(of: $0).map { $0 > position } ?? true })
      let fields = try RecordFields(unsafe record.span.bytes, at: position, feeds: feeds)
      if fields.opensFeed { feeds += 1 }
      #expect(fields.feed == sequence.graph.feed(position) && fields.code == event.code)
      var parents: [Int] = []
      _ = fields.allParents {
        parents.append($0)
        return true
      }
      #expect(parents == event.parents.compactMap { sequence.graph.position(of: $0) })
    }
    #expect(reader.sum == sequence.events.reduce(0) { $0 &+ $1.id.bytes.prefix64 })
  }

  @Test("A payload may name an event that came later, and keeps its name")
  func namesWhatCameLater() throws {
    var random = SeededGenerator(state: 5)
    let peers: [PeerID] = [random.identifier(), random.identifier()]
    let create = try Event.author(
      random.action(.create), room: .none, author: peers[0], sequence: 1, previous: .none, parents: [],
      wallTime: 1, hasher: hasher)
    let later = try Event.author(
      .chat("later"), room: create.id, author: peers[0], sequence: 2, previous: create.id, parents: [],
      wallTime: 2, hasher: hasher)
    let naming = try Event.author(
      .resign(node: later.id), room: create.id, author: peers[1], sequence: 1, previous: .none,
      parents: [create.id], wallTime: 3, hasher: hasher)
    let graph = CausalGraph([create, naming, later])
    var reader = RecordReader(room: create.id, hasher: hasher)
    for (position, event) in [create, naming, later].enumerated() {
      var record: [UInt8] = []
      RecordCoder.append(at: position, of: graph, to: &record)
      try reader.read(record)
      #expect(try reader.view.id == event.id)
    }
  }

  @Test("The record of the example in Docs/PROTOCOL.md §6.1")
  func example() throws {
    var random = SeededGenerator(state: 1)
    let peers: [PeerID] = [random.identifier(), random.identifier()]
    var graph = CausalGraph()
    func write(_ action: Action, _ author: Int, _ parents: [EventID], wallTime: UInt64) throws -> [UInt8] {
      let own = graph.feed(of: peers[author])?.positions.last.map { graph.events[$0] }
      let event = try Event.author(
        action, room: graph.events.first?.id ?? .none, author: peers[author],
        sequence: (own?.sequence ?? 0) + 1, previous: own?.id ?? .none, parents: parents, wallTime: wallTime,
        hasher: hasher)
      var record: [UInt8] = []
      try #require(graph.add(event) != nil)
      RecordCoder.append(at: graph.count - 1, of: graph, to: &record)
      return record
    }
    func last() -> EventID { graph.id(graph.count - 1) }
    _ = try write(random.action(.create), 0, [], wallTime: 1_700_000_000_000)
    _ = try write(.draw(nonce: random.identifier()), 1, [last()], wallTime: 1_700_000_000_000)
    _ = try write(.chat("go"), 0, [last()], wallTime: 1_700_000_000_000)
    let step = Action.Step(game: 0, ply: 4, node: last())
    let record = try write(.move(step, code: 8, nil), 1, [last()], wallTime: 1_700_000_000_842)
    #expect(record.hex == "01070601940d0000000401" + "00000008" + "00")
    #expect(graph.events.last?.bodyBytes == 190)
  }

  @Test("A feed goes on from its last event in the sequence, whichever branch that is on")
  func branches() throws {
    var random = SeededGenerator(state: 8)
    let author: PeerID = random.identifier()
    var graph = CausalGraph()
    func write(_ text: String, after previous: Event?) throws -> (event: Event, record: [UInt8]) {
      let event = try Event.author(
        previous == nil ? random.action(.create) : .chat(text), room: graph.events.first?.id ?? .none,
        author: author, sequence: (previous?.sequence ?? 0) + 1, previous: previous?.id ?? .none, parents: [],
        wallTime: 0, hasher: hasher)
      var record: [UInt8] = []
      var written = graph
      try #require(written.add(event) != nil)
      RecordCoder.append(at: written.count - 1, of: written, to: &record)
      return (event, record)
    }
    func add(_ text: String, after previous: Event?) throws -> Event {
      let event = try write(text, after: previous).event
      try #require(graph.add(event) != nil)
      return event
    }
    let create = try add("", after: nil)
    let first = try add("one", after: create)
    let second = try add("other", after: create)
    // Author, kind, and whether the chain is written out.
    #expect(try write("on", after: second).record.prefix(3) == [0, 17, 0])
    #expect(try write("on", after: first).record.prefix(5) == [0, 17, 1, 3, 2])
    // The same with another author's event in between.
    let other = try Event.author(
      .chat("between"), room: create.id, author: random.identifier(), sequence: 1, previous: .none,
      parents: [],
      wallTime: 0, hasher: hasher)
    try #require(graph.add(other) != nil)
    #expect(try write("on", after: second).record.prefix(3) == [0, 17, 0])
    #expect(try write("on", after: first).record.prefix(5) == [0, 17, 1, 3, 3])
  }

  @Test("A record that is not in its one form is refused")
  func oneForm() throws {
    let sequence = try RecordSequence(seed: 3, events: 40)
    let (graph, reader) = (sequence.graph, try sequence.reader())
    let (author, end) = (graph.feeds[0].author, graph.id(graph.count - 1))
    let before = try #require(sequence.events.last { $0.author == author })
    func refused(_ record: [UInt8]) -> Bool {
      do throws(FormatError) {
        var reader = reader
        try reader.read(record)
        return reader.writtenOut.contains { graph.position(of: $0) != nil }
      } catch { return true }
    }
    // Feed 0 resigns on the last event: author, kind, links, time, node.
    #expect(!refused([0, 10, 2, 0, 1]))
    #expect(refused([0, 10, 2, 0]), "the end is missing")
    #expect(refused([0x80, 0, 10, 2, 0, 1]), "a number with a byte too many")
    #expect(refused([0, 10, 2] + [UInt8](repeating: 0xFF, count: 9) + [2, 1]), "a number of 65 bits")
    #expect(!refused([0, 10, 2] + [UInt8](repeating: 0xFF, count: 9) + [1, 1]), "the greatest number")
    #expect(refused([0, 10, 2, 0, UInt8(graph.count) + 1]), "a place before the first event")
    #expect(refused([0, 10, 2, 0, 0] + end.bytes.bytes), "an id that has a place")
    #expect(refused([0, 10, 0, 0] + end.bytes.bytes), "references that are not used")
    #expect(refused([0, 17, 2, 0, 1]), "references in a chat")
    #expect(refused([UInt8(graph.feeds.count) + 1, 10, 2, 0, 1]), "a feed after the next one")
    #expect(refused([UInt8(graph.feeds.count)] + author.bytes.bytes + [10, 2, 0, 1]), "a feed opened twice")
    #expect(refused([0, 10, 4 * 33, 0] + [UInt8](repeating: 1, count: 33)), "33 parents")
    let place = UInt8(graph.count - (try #require(graph.position(of: before.id))))
    #expect(refused([0, 10, 3, UInt8(before.sequence) + 1, place, 0, 1]), "a chain that goes on")
    #expect(!refused([0, 10, 3, UInt8(before.sequence) + 2, place, 0, 1]), "a chain that does not")
  }

  @Test("Random records never trap, and whatever is read is written the same")
  func noise() throws {
    let sequence = try RecordSequence(seed: 5, events: 60)
    let reader = try sequence.reader()
    var random = SeededGenerator(state: 9)
    var taken = 0
    for number in 0..<Effort.size(60_000, quick: 20_000) {
      var record = sequence.records[number % sequence.records.count]
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let at = Int.random(in: 0..<record.count, using: &random)
        switch random.next() % 4 {
        case 0: record.insert(UInt8(truncatingIfNeeded: random.next()), at: at)
        case 1 where record.count > 1: record.remove(at: at)
        default: record[at] = UInt8(truncatingIfNeeded: random.next() % 12)
        }
      }
      do throws(FormatError) {
        var reader = reader
        try reader.read(record)
        guard reader.writtenOut.allSatisfy({ sequence.graph.position(of: $0) == nil }) else { continue }
        let event = try reader.event
        guard event.room == sequence.room else { continue }
        var again: [UInt8] = []
        var graph = sequence.graph
        _ = graph.restore(event)
        RecordCoder.append(at: graph.count - 1, of: graph, to: &again)
        #expect(again == record)
        taken += 1
      } catch { continue }
    }
    #expect(taken > 1_000)
  }
}
