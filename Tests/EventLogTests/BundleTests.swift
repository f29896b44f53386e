import EventLog
import Events
import TestKit
import Testing

/// The bundle of a room.
func bundle(_ log: RoomLog, network: NetworkID = .standard) throws -> [UInt8] {
  var bytes: [UInt8] = []
  let writer = try BundleWriter(log, network: network)
  try writer.write { (piece) throws(BundleError) in bytes += piece }
  return bytes
}

/// A source that gives bytes in pieces of a size.
func source(_ bytes: [UInt8], pieces: Int = 4_096) -> () throws(BundleError) -> [UInt8] {
  var rest = bytes[...]
  return { () throws(BundleError) in
    let piece = Array(rest.prefix(pieces))
    rest = rest.dropFirst(pieces)
    return piece
  }
}

/// The entries of a bundle, or why it is refused.
func read(
  _ bytes: [UInt8], network: NetworkID? = .standard, pieces: Int = 4_096, limits: Bundle.Limits = .init()
) -> Result<[RoomLog.Entry], BundleError> {
  do throws(BundleError) {
    var reader = try BundleReader(
      network: network, limits: limits, scheme: scheme, source: source(bytes, pieces: pieces))
    var entries: [RoomLog.Entry] = []
    while let entry = try reader.next() { entries.append(entry) }
    return .success(entries)
  } catch { return .failure(error) }
}

func refusal(_ bytes: [UInt8], network: NetworkID? = .standard, limits: Bundle.Limits = .init())
  -> BundleError?
{
  if case .failure(let error) = read(bytes, network: network, limits: limits) { error } else { nil }
}

@Suite("Bundles")
struct BundleTests {
  @Test("What is written is read: the same events and signatures, in pieces of any size")
  func roundTrip() throws {
    for seed in 0..<UInt64(12) {
      let random = try RandomRoom(seed: seed, authors: 1 + Int(seed % 5), events: 40)
      let log = try random.log(random.runs)
      let bytes = try bundle(log)
      for pieces in [1, 7, 4_096, bytes.count] {
        let entries = try read(bytes, pieces: pieces).get()
        #expect(Set(entries.map(\.event.id)) == Set(log.entries.map(\.event.id)))
        #expect(entries.count == log.events.count)
        for entry in entries {
          let at = try #require(log.position(of: entry.event.id))
          #expect(log.entries[at].signature == entry.signature)
        }
      }
    }
  }

  @Test("One set of events has one bundle, whatever order it came in")
  func oneOrder() throws {
    for seed in 0..<UInt64(10) {
      let random = try RandomRoom(seed: seed, authors: 4)
      var generator = SeededGenerator(state: seed)
      let first = try bundle(try random.log(random.runs))
      for _ in 0..<5 {
        #expect(try bundle(try random.log(random.runs.shuffled(using: &generator))) == first)
      }
    }
  }

  @Test("The order is the one that the page states, by a slow reading of it")
  func definition() throws {
    let log = try { try $0.log($0.runs) }(try RandomRoom(seed: 3, authors: 4))
    var left = log.events
    var written: Set<EventID> = []
    var order: [EventID] = []
    while !left.isEmpty {
      let ready = left.filter { event in
        (event.sequence == 1 || written.contains(event.previous))
          && event.parents.allSatisfy(written.contains)
          && (event.id == log.room || written.contains(log.room))
      }
      let next = try #require(ready.min { ($0.author, $0.sequence, $0.id) < ($1.author, $1.sequence, $1.id) })
      order.append(next.id)
      written.insert(next.id)
      left.removeAll { $0.id == next.id }
    }
    #expect(try read(try bundle(log)).get().map(\.event.id) == order)
  }

  @Test("Exporting an import gives the same bytes; a second import changes nothing")
  func importing() throws {
    for log in [try smallRoom(1), try forkedRoom(), try { try $0.log($0.runs) }(try RandomRoom(seed: 9))] {
      let bytes = try bundle(log)
      let store = MemoryEventLog(network: .standard)
      let first = try store.take(try BundleReader(network: .standard, source: source(bytes)))
      #expect(first.change?.entries.count == log.events.count)
      #expect(first.forks == log.forkProofs)
      #expect(try store.verify(log.room).isValid)
      #expect(try bundle(try store.load(log.room, verify: true)) == bytes)
      let again = try store.take(try BundleReader(network: .standard, source: source(bytes)))
      #expect(again.change == nil && again.events == log.events.count)
      #expect(try store.rooms(limit: nil).map(\.events) == [log.events.count])
    }
  }

  @Test("A longer and a shorter bundle of one room merge, in both orders")
  func merging() throws {
    let random = try RandomRoom(seed: 21, authors: 2, events: 80)
    let whole = try random.log(random.runs)
    var part = RoomLog(room: random.maker.room)
    for run in random.runs where run.events[0].sequence < 20 {
      // Some follow what is among the others.
      do throws(LogError) { _ = try part.receive(run) } catch {
        guard case .missing = error else { throw error }
      }
    }
    #expect(part.entries.count > 1 && part.entries.count < whole.entries.count)
    for order in [[part, whole], [whole, part]] {
      let store = MemoryEventLog(network: .standard)
      for log in order {
        _ = try store.take(try BundleReader(network: .standard, source: source(try bundle(log))))
      }
      let merged = try store.load(whole.room, verify: true)
      #expect(merged.clock == whole.clock && merged.entries.count == whole.entries.count)
    }
  }

  @Test("Two bundles that contradict each other are merged into a proven fork")
  func mergingForks() throws {
    var maker = try RoomMaker()
    _ = try maker.write(1)
    let mine = try maker.write(1, .chat("mine"))
    let other = try maker.make(1, .chat("other"), sequence: 2, previous: maker.feeds[1][0].id)
    func log(_ second: Event) throws -> RoomLog {
      var log = RoomLog(room: maker.room)
      _ = try log.receive(try maker.run(0, 1...1))
      _ = try log.receive(try maker.run([maker.feeds[1][0], second]))
      return log
    }
    let (a, b) = (try bundle(try log(mine)), try bundle(try log(other)))
    var clocks: [VectorClock] = []
    for order in [[a, b], [b, a]] {
      let store = MemoryEventLog(network: .standard)
      for bytes in order {
        _ = try store.take(try BundleReader(network: .standard, source: source(bytes)))
      }
      let merged = try store.load(maker.room, verify: true)
      let proof = ForkProofFields(merged.forkProofs)
      #expect(
        proof == ForkProofFields(author: mine.author, sequence: 2, events: [mine.id, other.id].sorted()))
      #expect(refusal(try bundle(merged)) == nil)
      clocks.append(merged.clock)
    }
    #expect(clocks[0] == clocks[1])
  }

  @Test("A bundle of a long match takes at most 40 bytes a move, with what a search says of each")
  func size() throws {
    var maker = try RoomMaker()
    var log = RoomLog(room: maker.room)
    try log.append(maker.create, signature: maker.sign(maker.create))
    var last = maker.create
    let moves = 5_120
    for number in 0..<moves {
      let step = Action.Step(game: UInt16(number / 20), ply: UInt16(number % 20), node: last.id)
      let note = Action.Note(value: -1, isProven: true, nodes: 123_456)
      let author = number % 2
      let parents = last.author == testKeys[author].peer ? [] : [last.id]
      last = try maker.write(author, .move(step, code: UInt32(number % 7), note), parents: parents)
      // Each feed's runs are as long as may be.
      try log.append(last, signature: number % 512 >= 510 ? maker.sign(last) : nil)
    }
    let bytes = try bundle(log)
    #expect(bytes.count <= 40 * moves, "\(bytes.count / moves) bytes a move")
    #expect(try read(bytes).get().count == moves + 1)
  }

  @Test("Nothing is taken of a bundle that is refused at its end")
  func nothingTaken() throws {
    var bytes = try bundle(try smallRoom(1))
    bytes[bytes.count - 1] ^= 1
    let store = MemoryEventLog(network: .standard)
    do throws(BundleError) {
      _ = try store.take(try BundleReader(network: .standard, source: source(bytes)))
      Issue.record("a false digest was taken")
    } catch { #expect(error == .wrongDigest) }
    #expect(try store.rooms(limit: nil).isEmpty)
  }

  @Test("An unsigned tail is not exported")
  func unsignedTail() throws {
    var maker = try RoomMaker()
    var log = RoomLog(room: maker.room)
    try log.append(maker.create, signature: maker.sign(maker.create))
    let tail = try maker.write(1)
    try log.append(tail)
    #expect(throws: BundleError.self) { _ = try BundleWriter(log, network: .standard) }
    #expect(throws: BundleError.self) { _ = try BundleWriter(RoomLog(room: maker.room), network: .standard) }
  }
}

/// A fork proof's fields, to compare with.
struct ForkProofFields: Equatable {
  var author: PeerID
  var sequence: UInt64
  var events: [EventID]

  init(author: PeerID, sequence: UInt64, events: [EventID]) {
    self.author = author
    self.sequence = sequence
    self.events = events
  }

  init?(_ proofs: [ForkProof]) {
    guard proofs.count == 1, let proof = proofs.first else { return nil }
    self.init(author: proof.author, sequence: proof.sequence, events: proof.events)
  }
}
