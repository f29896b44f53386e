import Events
import TestKit
import Testing

@testable import Network

/// Streams through a relay that loses, repeats and invents messages: a value, told what is written and what comes.
@Suite struct RelayPipeTests {
  private static let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

  /// One direction: what was written, what was read, and what is on its way.
  private struct Direction {
    var writer = RelayPipe(limitBytes: 1_000)
    var reader = RelayPipe(limitBytes: 1_000)
    var written: [UInt8] = []
    var read: [UInt8] = []
    var onTheWay: [RelayPart] = []
    var sentBytes = 0

    mutating func write(_ count: Int) {
      let bytes = Array(RelayPipeTests.content[written.count..<(written.count + count)])
      written += bytes
      writer.write(bytes)
    }

    mutating func send() {
      for part in writer.takeParts() {
        if case .bytes(let bytes, _) = part { sentBytes += bytes.count }
        onTheWay.append(part)
      }
    }

    /// What came is read, and that is told.
    mutating func readAll() {
      read += reader.takeUnread()
      for part in reader.takeParts() { writer.take(part) }
    }
  }

  @Test func allArrivesInOrderAndNoMoreIsOnItsWayThanMay() {
    var direction = Direction()
    let count = 3 * RelayPipe.windowBytes + 77
    direction.write(count)
    direction.send()
    #expect(direction.sentBytes == RelayPipe.windowBytes)
    #expect(direction.writer.unsentBytes == count - RelayPipe.windowBytes)
    for part in direction.onTheWay { direction.reader.take(part) }
    direction.onTheWay = []
    // Nothing was read, so nothing more goes out.
    direction.send()
    #expect(direction.onTheWay.isEmpty)
    direction.writer.finish()
    while !direction.reader.isOver {
      direction.readAll()
      direction.send()
      #expect(direction.sentBytes - direction.read.count <= RelayPipe.windowBytes)
      if direction.onTheWay.isEmpty, direction.reader.isBroken { break }
      for part in direction.onTheWay { direction.reader.take(part) }
      direction.onTheWay = []
    }
    #expect(!direction.reader.isBroken)
    #expect(direction.writer.hasSentAll)
    #expect(direction.read == direction.written)
    // Nothing is written behind the end.
    direction.writer.write([1])
    #expect(direction.writer.takeParts().isEmpty)
  }

  /// Whatever a relay does, what is read is what was written first, or the stream is broken.
  @Test(arguments: 0..<UInt64(Effort.size(2_000, quick: 200)))
  func whatIsReadWasWrittenInThatOrder(_ seed: UInt64) {
    var random = SeededGenerator(state: seed)
    var direction = Direction()
    var old: [RelayPart] = []
    let isHonest = seed % 4 == 0
    for _ in 0..<60 {
      if Bool.random(using: &random) { direction.write(.random(in: 1...20_000, using: &random)) }
      direction.send()
      while !direction.onTheWay.isEmpty {
        let at = isHonest || Int.random(in: 0..<20, using: &random) > 0 ? 0 : direction.onTheWay.count - 1
        let part = direction.onTheWay.remove(at: at)
        old.append(part)
        guard !isHonest, Int.random(in: 0..<12, using: &random) == 0 else {
          direction.reader.take(part)
          continue
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: break
        case 1: for _ in 0..<2 { direction.reader.take(part) }
        case 2:
          direction.reader.take(part)
          if let again = old.randomElement(using: &random) { direction.reader.take(again) }
        default:
          direction.reader.take(invented(&random))
          direction.reader.take(part)
        }
      }
      direction.readAll()
    }
    #expect(direction.read == Array(direction.written.prefix(direction.read.count)), "seed \(seed)")
    guard isHonest else { return }
    #expect(!direction.reader.isBroken && direction.read == direction.written, "seed \(seed)")
  }

  /// Anything but bytes where bytes are to come: those could be told from true ones only by a channel.
  private func invented(_ random: inout SeededGenerator) -> RelayPart {
    let number = UInt64.random(in: .min ... .max, using: &random) >> UInt64.random(in: 0..<64, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return .open(from: RelayID(random: SigningKey.randomSeed()))
    case 1: return .accept
    case 2: return .taken(number)
    case 3: return .end(number)
    case 4: return .bytes([1, 2, 3], at: .max - number % 4)
    default: return .bytes([], at: number)
    }
  }

  @Test func whatIsMissingOrCannotBeBreaksAStream() {
    let cases: [(String, [RelayPart])] = [
      ("a gap", [.bytes([1], at: 0), .bytes([3], at: 2)]),
      ("bytes that are partly new", [.bytes([1, 2], at: 0), .bytes([2, 3], at: 1)]),
      ("more than the window", [.bytes([UInt8](repeating: 0, count: RelayPipe.windowBytes + 1), at: 0)]),
      ("an end too early", [.bytes([1], at: 0), .end(0)]),
      ("an end too late", [.bytes([1], at: 0), .end(2)]),
      ("bytes behind the end", [.end(0), .bytes([1], at: 0)]),
      ("bytes at the end of all numbers", [.bytes([1, 2], at: .max)]),
      ("more taken than was sent", [.taken(1)]),
      ("a cut", [.cut]),
    ]
    for (name, parts) in cases {
      var pipe = RelayPipe(limitBytes: 10)
      for part in parts { pipe.take(part) }
      #expect(pipe.isBroken && pipe.isOver, "\(name)")
    }
    var pipe = RelayPipe(limitBytes: 10)
    for part: RelayPart in [
      .bytes([1, 2], at: 0), .bytes([1, 2], at: 0), .bytes([2], at: 1),
      .open(from: .init(random: .init(repeating: 0, count: 16))),
      .accept, .taken(0), .end(2), .end(2), .bytes([1], at: 0),
    ] { pipe.take(part) }
    #expect(!pipe.isBroken && !pipe.isOver)
    #expect(pipe.takeUnread() == [1, 2])
    #expect(pipe.isOver)
  }

  @Test func messagesHaveOneForm() throws {
    let id = RelayID(random: Array(1...16))
    let messages: [(RelayMessage, String)] = [
      (.here(id), "000102030405060708090a0b0c0d0e0f10"), (.ask(id), "010102030405060708090a0b0c0d0e0f10"),
      (.part(.open(from: id), of: id), "020102030405060708090a0b0c0d0e0f100102030405060708090a0b0c0d0e0f10"),
      (.part(.accept, of: id), "030102030405060708090a0b0c0d0e0f10"),
      (.part(.bytes([0xFE], at: 258), of: id), "040102030405060708090a0b0c0d0e0f100000000000000102fe"),
      (.part(.taken(7), of: id), "050102030405060708090a0b0c0d0e0f100000000000000007"),
      (.part(.end(8), of: id), "060102030405060708090a0b0c0d0e0f100000000000000008"),
      (.part(.cut, of: id), "070102030405060708090a0b0c0d0e0f10"),
    ]
    for (message, hex) in messages {
      #expect(message.encoded.hex == hex)
      #expect(try RelayMessage(decoding: message.encoded) == message)
      for count in 0..<message.encoded.count {
        let isShorter = count >= 26 && message.encoded[0] == 4
        if !isShorter {
          #expect(TestRelay.read(Array(message.encoded.prefix(count))) == nil, "\(hex) \(count)")
        }
      }
      if message.encoded[0] != 4 { #expect(TestRelay.read(message.encoded + [0]) == nil, "\(hex)") }
    }
    #expect(TestRelay.read([8] + id.bytes) == nil)
    let largest = RelayMessage.part(
      .bytes([UInt8](repeating: 1, count: RelayMessage.limitBytes), at: 0), of: id)
    #expect(TestRelay.read(largest.encoded) == largest)
    #expect(TestRelay.read(largest.encoded + [0]) == nil)
  }

  @Test func addressesBehindARelayAreInboxes() throws {
    let inbox = [UInt8](repeating: 0xFD, count: 16)
    let address = Address(relayInbox: inbox)
    #expect(address.relayInbox == inbox && address.isRelayed && !address.isNearby)
    #expect(address.source == Address(relayInbox: Array(1...16)).source)
    #expect(address.sourceElsewhere == "relay")
    #expect(try Address(address.description) == address)
    for host in ["relay", ".relay", "fd.relay", String(repeating: "F", count: 32) + ".relay", "127.0.0.1"] {
      #expect(!Address(host: host, port: 0).isRelayed, "\(host)")
    }
    #expect(!TCPTransport(try EventLoop()).serves(address))
  }
}
