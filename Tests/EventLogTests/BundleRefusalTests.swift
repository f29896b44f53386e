import EventLog
import Events
import TestKit
import Testing

@Suite("Bundles that are refused")
struct BundleRefusalTests {
  @Test("Every flipped bit is noticed")
  func flips() throws {
    let bytes = try bundle(try smallRoom(1, events: 2))
    for at in bytes.indices {
      for bit in stride(from: 0, to: 8, by: Effort.isQuick ? 5 : 1) {
        var flipped = bytes
        flipped[at] ^= 1 << bit
        if refusal(flipped) == nil { Issue.record("bit \(bit) of byte \(at) was not noticed") }
      }
    }
  }

  @Test("Every byte's loss at the end is noticed, and every byte after the end")
  func truncation() throws {
    let bytes = try bundle(try forkedRoom())
    for count in 0..<bytes.count {
      let error = refusal(Array(bytes.prefix(count)))
      guard case .truncated = error else {
        Issue.record("\(count) bytes: \(String(describing: error))")
        continue
      }
    }
    #expect(refusal(bytes + [0]) == .trailing(at: UInt64(bytes.count)))
  }

  @Test("A dropped, doubled or swapped record is noticed though counts, heads and digest fit it")
  func records() throws {
    let random = try RandomRoom(seed: 4, authors: 3, events: Effort.size(20, quick: 8), longestRun: 3)
    for log in [try smallRoom(1), try forkedRoom(), try random.log(random.runs)] {
      let parts = try BundleParts(log)
      #expect(refusal(parts.bytes) == nil)
      for at in parts.records.indices {
        for recounted in [false, true] {
          var dropped = parts
          dropped.records.remove(at: at)
          expectRefused(dropped, recounted, original: parts, "dropped \(at)")
          var doubled = parts
          doubled.records.insert(parts.records[at], at: at)
          expectRefused(doubled, recounted, original: parts, "doubled \(at)")
          if parts.records[at].signature != nil {
            var unsigned = parts
            unsigned.records[at].signature = nil
            expectRefused(unsigned, recounted, original: parts, "signature \(at) dropped")
          }
          for other in parts.records.indices where other > at {
            var swapped = parts
            swapped.records.swapAt(at, other)
            expectRefused(swapped, recounted, original: parts, "swapped \(at) and \(other)")
          }
        }
      }
    }
  }

  /// Expects that a changed bundle is refused, unless the change left a set of events that is whole and
  /// signed, which with fitting counts and heads is another, true bundle.
  private func expectRefused(
    _ changed: BundleParts, _ recounted: Bool, original: BundleParts, _ what: String
  ) {
    var parts = changed
    if recounted {
      // What cannot be counted again cannot be read either.
      do { try parts.recount() } catch { return }
    }
    guard parts.bytes != original.bytes, case .success(let entries) = read(parts.bytes) else { return }
    let isTrueSubset =
      recounted && (parts.records.count < original.records.count || parts.signatures < original.signatures)
    #expect(isTrueSubset, "\(what) was not noticed")
    #expect(entries.count <= original.events)
  }

  @Test("A record that writes out the id of an event that has a place is refused")
  func forms() throws {
    var maker = try RoomMaker()
    var log = RoomLog(room: maker.room)
    for run in try maker.seat(2) { _ = try log.receive(run) }
    var parts = try BundleParts(log)
    #expect(refusal(parts.bytes) == nil)
    // The request opens feed 1: number, key, kind, one parent, which is the event before.
    #expect(parts.records[1].bytes[33...35] == [2, 4, 1])
    parts.records[1].bytes.replaceSubrange(35...35, with: [0] + maker.room.bytes.bytes)
    let error = refusal(parts.bytes)
    if case .badEvent(_, number: 2) = error { return }
    Issue.record("the other form gives \(String(describing: error))")
  }

  @Test("A dropped tail is noticed when the header was not changed with it")
  func tail() throws {
    let parts = try BundleParts(try smallRoom(1))
    var short = parts
    short.records.removeLast(2)
    #expect(refusal(short.bytes) != nil)
    short.events -= 1
    #expect(refusal(short.bytes) != nil)
    short.signatures -= 1
    #expect(refusal(short.bytes) != nil)
  }

  @Test("Each false header is refused for what it is")
  func headers() throws {
    let log = try smallRoom(1)
    func refused(_ change: (inout BundleParts) -> Void) throws -> BundleError? {
      var parts = try BundleParts(log)
      change(&parts)
      return refusal(parts.bytes)
    }
    let other = NetworkID(NetworkID.standard.bytes.changed)
    #expect(try refused { $0.magic[7] = 0x31 } == .otherVersion(1))
    #expect(try refused { $0.magic[6] = 0x31 } == .notABundle)
    #expect(try refused { $0.network = other } == .otherNetwork(other))
    #expect(try refused { $0.room = EventID($0.room.bytes.changed) }?.event == log.room)
    #expect(try refused { $0.events = 0 } == .wrongSignatureCount)
    #expect(
      try refused {
        $0.events = 0
        $0.signatures = 0
      } == .badHeads)
    #expect(try refused { $0.headCount = 0 } == .badHeads)
    #expect(try refused { $0.headCount = 65_537 } == .limit("65537 heads"))
    #expect(try refused { $0.events = .max } == .limit("\(UInt64.max) events"))
    #expect(try refused { $0.signatures = .max } == .wrongSignatureCount)
    #expect(try refused { $0.signatures += 1 } == .wrongSignatureCount)
    #expect(try refused { $0.signatures -= 1 } == .wrongSignatureCount)
    #expect(try refused { $0.heads.reverse() } == .badHeads)
    #expect(try refused { $0.heads.append($0.heads[1]) } == .badHeads)
    #expect(try refused { $0.heads.removeLast() } == .wrongHeads)
    #expect(try refused { $0.heads[0].sequence += 1 } == .wrongHeads)
    #expect(try refused { $0.heads[1].id = EventID(Bytes32(repeating: 0xFF)) } == .wrongHeads)
    let length = try bundle(log).count
    #expect(try refused { $0.tail = [0] } == .trailing(at: UInt64(length)))
  }

  @Test("Limits hold before anything is set aside")
  func limits() throws {
    let bytes = try bundle(try smallRoom(1))
    #expect(refusal(bytes, limits: .init(events: 4)) == nil)
    #expect(refusal(bytes, limits: .init(events: 3)) == .limit("4 events"))
    #expect(refusal(bytes, limits: .init(bytes: 100)) == .limit("100 bytes"))
    // Short records stand for long bodies, which count too.
    let log = try smallRoom(1, events: 20)
    let (long, bodies) = (try bundle(log), UInt64(log.events.reduce(0) { $0 + $1.bodyBytes }))
    #expect(bodies > long.count)
    #expect(refusal(long, limits: .init(bytes: bodies)) == nil)
    #expect(refusal(long, limits: .init(bytes: bodies - 1)) == .limit("\(bodies - 1) bytes of events"))
    // An endless source behind a true header is not read further than the limit.
    var pieces = 0
    let header = Array(bytes.prefix(92 + 72 * 2))
    var error: BundleError?
    do throws(BundleError) {
      var reader = try BundleReader(network: .standard, limits: .init(bytes: 1 << 20)) {
        () throws(BundleError) in
        pieces += 1
        return pieces == 1 ? header : [UInt8](repeating: 1, count: 65_536)
      }
      while try reader.next() != nil {}
    } catch let refused { error = refused }
    #expect(error != nil && pieces < 20)
  }

  @Test("An event of another room, another signer's signature and a foreign network are refused")
  func splices() throws {
    let log = try smallRoom(1)
    let foreign = try BundleParts(try smallRoom(2))
    var parts = try BundleParts(log)
    for at in parts.records.indices {
      var spliced = parts
      spliced.records[at] = foreign.records[at]
      // The second events of the two rooms say the same, and an event belongs to the room that it is read in.
      if spliced.bytes != parts.bytes { #expect(refusal(spliced.bytes)?.event != nil) }
    }
    #expect(parts.records.last?.signature != foreign.records.last?.signature)
    let last = try #require(log.entries.last?.event)
    for key in testKeys where key.peer != last.author {
      parts.records[parts.records.count - 1].signature = key.sign(last.id).bytes
      #expect(refusal(parts.bytes) == .event(last.id, .badSignature))
    }
    #expect(refusal(try bundle(log, network: NetworkID(log.room.bytes)), network: nil) != nil)
  }

  @Test("A run longer than one signature may cover is refused")
  func longRuns() throws {
    var maker = try RoomMaker()
    for _ in 0..<257 { _ = try maker.write(1) }
    for (signedAt, isTaken) in [([256, 257], true), ([1, 257], true), ([257], false)] {
      var log = RoomLog(room: maker.room)
      log.restore(maker.create, signature: maker.sign(maker.create))
      for event in maker.feeds[1] {
        let signature = signedAt.contains(Int(event.sequence)) ? maker.sign(event) : nil
        log.restore(event, signature: signature)
      }
      if isTaken {
        #expect(refusal(try bundle(log)) == nil)
      } else {
        #expect(throws: BundleError.self) { try bundle(log) }
        let parts = try BundleParts(room: maker.room, log.entries.map { ($0.event, $0.signature) })
        #expect(refusal(parts.bytes) == .event(maker.feeds[1][256].id, .longRun))
      }
    }
  }

  @Test("An event that cites its own feed, or follows another author's, is refused")
  func falseLinks() throws {
    var maker = try RoomMaker()
    let first = try maker.write(1)
    let second = try maker.write(1)
    let wrong = [
      try maker.make(1, sequence: 3, previous: second.id, parents: [first.id]),
      try maker.make(2, sequence: 3, previous: second.id),
      try maker.make(1, sequence: 4, previous: second.id),
    ]
    for event in wrong {
      let events = [maker.create, first, second, event].sorted {
        // The create is first; the rest are in the order of their authors, and so of the bundle.
        $1.id != maker.room && ($0.id == maker.room || ($0.author, $0.sequence) < ($1.author, $1.sequence))
      }
      let parts = try BundleParts(room: maker.room, events.map { ($0, maker.sign($0)) })
      let error = refusal(parts.bytes)
      let reasons: [BundleError] = [.event(event.id, .brokenChain), .event(event.id, .missingPrevious)]
      #expect(error.map(reasons.contains) == true, "\(String(describing: error))")
    }
  }

  @Test("A run is counted from where branches part")
  func longBranches() throws {
    var maker = try RoomMaker()
    for _ in 0..<256 { _ = try maker.write(1) }
    var branch: [Event] = []
    for _ in 0..<256 {
      let last = branch.last ?? maker.feeds[1][99]
      branch.append(try maker.make(1, .chat("branch"), sequence: last.sequence + 1, previous: last.id))
    }
    var log = RoomLog(room: maker.room)
    _ = try log.receive(try maker.run(0, 1...1))
    _ = try log.receive(try maker.run(1, 1...256))
    _ = try log.receive(try maker.run(branch))
    #expect(log.events.count == 513 && log.forkProofs.count == 1)
    #expect(refusal(try bundle(log)) == nil)
    let store = MemoryEventLog(network: .standard)
    try store.write([log.change])
    #expect(try store.verify(log.room).isValid)
  }

  @Test("Random bytes and random changes never trap")
  func noise() throws {
    var random = SeededGenerator(state: 11)
    let bytes = try bundle(try smallRoom(1))
    for _ in 0..<Effort.size(6_000, quick: 1_000) {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        changed[Int.random(in: 0..<changed.count, using: &random)] = .random(
          in: .min ... .max, using: &random)
      }
      if changed != bytes { #expect(refusal(changed) != nil) }
    }
    for count in 0..<300 {
      #expect(refusal((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }) != nil)
    }
  }
}

extension Bytes32 {
  init(repeating byte: UInt8) { self.init([UInt8](repeating: byte, count: 32), at: 0) }
}
