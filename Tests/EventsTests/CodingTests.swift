import Events
import TestKit
import Testing

private let hasher = EventHasher(network: .standard)

private func formatError(_ body: [UInt8]) -> FormatError? {
  do throws(FormatError) {
    _ = try Event(body: body, hasher: hasher)
    return nil
  } catch { return error }
}

@Suite("The canonical form of events")
struct CodingTests {
  @Test("What is written is read, and written again gives the same bytes", arguments: Kind.allCases)
  func roundTrip(kind: Kind) throws {
    var random = SeededGenerator(state: UInt64(kind.rawValue))
    for _ in 0..<Effort.size(150, quick: 30) {
      let event = try random.event(kind, hasher: hasher)
      let read = try Event(body: event.body, hasher: hasher)
      #expect(read.id == event.id && read.kind == kind && read.action == event.action)
      #expect(read.body == event.body && read.body.count <= Event.limitBytes)
      let again = try Event.author(
        read.action, room: read.room, author: read.author, sequence: read.sequence, previous: read.previous,
        parents: read.parents, wallTime: read.wallTime, hasher: hasher)
      #expect(again.body == event.body && again.id == event.id)
    }
  }

  @Test("The header stands where the page draws it")
  func layout() throws {
    var random = SeededGenerator(state: 1)
    let event = try random.event(.draw, hasher: hasher)
    let body = event.body
    #expect(body[0] == 2 && body[1] == Kind.draw.rawValue)
    #expect(Array(body[2..<34]) == event.room.bytes.bytes && Array(body[34..<66]) == event.author.bytes.bytes)
    #expect(Array(body[74..<106]) == event.previous.bytes.bytes)
    #expect(Int(body[114]) == event.parents.count)
    for (number, parent) in event.parents.enumerated() {
      #expect(Array(body[(115 + 32 * number)..<(147 + 32 * number)]) == parent.bytes.bytes)
    }
    #expect(body.count == 115 + 32 * event.parents.count + 2 + 32)
  }

  /// Why a view refuses a body; `nil` when it takes it, and then says what the event says.
  private func viewError(_ body: [UInt8]) throws -> FormatError? {
    let id = hasher.id(ofBody: body)
    let bytes = id.bytes.bytes + body
    do throws(FormatError) {
      let (view, event) = (try EventView(idAndBody: bytes), try Event(body: body, id: id))
      #expect(view.id == id && view.event.body == body && view.action == event.action)
      #expect(view.author == event.author && view.previous == event.previous && view.room == event.room)
      guard case .move(let step, let code, let note) = event.action else { return nil }
      let (game, ply) = (Int(step.game), Int(step.ply))
      let move = view.move(on: step.node, game: game, ply: ply)
      #expect(move?.code == code && move?.note == note)
      #expect(view.move(on: id, game: game, ply: ply) == nil)
      #expect(view.move(on: step.node, game: game + 1, ply: ply) == nil)
      #expect(view.move(on: step.node, game: game, ply: ply + 1) == nil)
      return nil
    } catch { return error }
  }

  @Test("A view takes what an event takes and refuses the rest for the same reason", arguments: Kind.allCases)
  func views(kind: Kind) throws {
    var random = SeededGenerator(state: UInt64(kind.rawValue) + 200)
    for _ in 0..<Effort.size(2, quick: 1) {
      let body = try random.event(kind, hasher: hasher).body
      #expect(try viewError(body) == nil)
      for count in body.indices {
        let cut = Array(body[..<count])
        #expect(try viewError(cut) == formatError(cut) && formatError(cut) != nil, "\(count) bytes")
      }
      #expect(try viewError(body + [0]) == formatError(body + [0]))
      for at in body.indices {
        var changed = body
        changed[at] ^= 1 << UInt8(at % 8)
        #expect(try viewError(changed) == formatError(changed), "byte \(at)")
      }
    }
    for example in InvalidBodies.all {
      #expect(try viewError(example.body) == formatError(example.body), "\(example.rule)")
    }
  }

  @Test("A flipped bit is refused or makes another event", arguments: Kind.allCases)
  func flips(kind: Kind) throws {
    var random = SeededGenerator(state: UInt64(kind.rawValue) + 100)
    let event = try random.event(kind, hasher: hasher)
    for at in event.body.indices {
      for bit in stride(from: 0, to: 8, by: Effort.isQuick ? 5 : 1) {
        var body = event.body
        body[at] ^= 1 << bit
        do throws(FormatError) {
          let other = try Event(body: body, hasher: hasher)
          if other.id == event.id || other.body != body { Issue.record("bit \(bit) of byte \(at)") }
        } catch {}
      }
    }
  }

  @Test("Every shorter and every longer form is refused", arguments: Kind.allCases)
  func lengths(kind: Kind) throws {
    var random = SeededGenerator(state: UInt64(kind.rawValue) + 200)
    for _ in 0..<5 {
      let body = try random.event(kind, hasher: hasher).body
      for count in 0..<body.count where formatError(Array(body.prefix(count))) == nil {
        Issue.record("\(count) of \(body.count) bytes were taken")
      }
      for byte in [UInt8(0), 1, 255] { #expect(formatError(body + [byte]) != nil) }
    }
  }

  @Test("Random bytes and random changes never trap, and what is taken is canonical")
  func noise() throws {
    var random = SeededGenerator(state: 3)
    var taken = 0
    let valid = try Kind.allCases.map { try random.event($0, hasher: hasher).body }
    let count = Effort.size(20_000, quick: 4_000)
    for number in 0..<count {
      var body: [UInt8]
      if number % 2 == 0 {
        body = random.bytes(Int.random(in: 0...400, using: &random))
        if body.count > 1 { (body[0], body[1]) = (2, UInt8(random.next() % 24)) }
      } else {
        body = valid[number % valid.count]
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          body[Int.random(in: 0..<body.count, using: &random)] = UInt8(truncatingIfNeeded: random.next())
        }
      }
      do throws(FormatError) {
        let event = try Event(body: body, hasher: hasher)
        taken += 1
        if event.body != body { Issue.record("\(number) was changed") }
      } catch {}
    }
    #expect(taken > count / 100)
  }

  @Test("Ids differ by network, and by every byte of the body")
  func ids() throws {
    var random = SeededGenerator(state: 4)
    let event = try random.event(.chat, hasher: hasher)
    let other = EventHasher(network: random.identifier())
    #expect(other.id(ofBody: event.body) != event.id)
    var hash = Blake2b(domain: "parlor-event-2")
    hash.update(NetworkID.standard)
    hash.update(event.body)
    #expect(EventID(hash.digest()) == event.id)
    var running = RunningHash(domain: "parlor-event-2")
    running.update(NetworkID.standard.bytes.bytes)
    for byte in event.body { running.update([byte]) }
    #expect(EventID(running.digest()) == event.id)
  }

  @Test("Texts are cut at whole scalars")
  func texts() {
    #expect("ab🙂".prefix(utf8Bytes: 6) == "ab🙂")
    #expect("ab🙂".prefix(utf8Bytes: 5) == "ab")
    #expect("e\u{301}".prefix(utf8Bytes: 2) == "e")
    #expect(Profile(name: String(repeating: "é", count: 40)).name.utf8.count == 64)
  }

  @Test("Hexadecimal digits are read in both cases, in pairs, and nothing else is")
  func hexadecimal() {
    #expect([UInt8](hex: "00fFaB") == [0, 255, 171] && [0, 255, 171].hex == "00ffab")
    for wrong in ["0", "0g", "é0", " 00", "0x00"] { #expect([UInt8](hex: wrong) == nil) }
    #expect(Bytes32(hex: String(repeating: "0", count: 62)) == nil)
  }

  @Test("Ids are ordered as their bytes are")
  func order() {
    var random = SeededGenerator(state: 5)
    for _ in 0..<2_000 {
      var (a, b) = (random.bytes(32), random.bytes(32))
      let same = Int.random(in: 0...32, using: &random)
      b.replaceSubrange(0..<same, with: a[0..<same])
      if random.flag() { swap(&a, &b) }
      #expect((Bytes32(a, at: 0) < Bytes32(b, at: 0)) == a.lexicographicallyPrecedes(b))
    }
  }
}
