import BotKit
import EventLog
import Events
import Testing

@testable import Gossip

/// The binary form of messages: one for each, read back as it was, and nothing else is read.
@Suite struct MessageTests {
  static let hasher = EventHasher(network: .standard)

  static func examples(_ seed: UInt64) throws -> [Message] {
    var random = RandomStream(seed: seed)
    func hash() -> ShortHash { ShortHash(high: random.next(), low: random.next()) }
    func id() -> EventID {
      EventID(Bytes32((0..<32).map { _ in UInt8(truncatingIfNeeded: random.next()) }) ?? .zero)
    }
    func part() -> PartName {
      let depth = UInt8(random.next() % 33)
      let unused = 64 - 2 * UInt64(depth)
      let bits = depth == 0 ? 0 : (random.next() >> unused) << unused
      return PartName(trie: UInt8(random.next() % 3), bits: bits, depth: depth)
    }
    func entry() -> FeedEntry {
      FeedEntry(
        key: random.next(), sequence: 1 + (random.next() >> (2 + random.next() % 61)),
        isForked: random.next() & 1 == 1,
        tag: UInt32(truncatingIfNeeded: random.next() >> 40))
    }
    func interest() throws -> Interest {
      let digits = try (0..<5).map { _ in
        try #require(RoomPrefix(String(id().description.prefix(Int(6 + random.next() % 59)))))
      }
      return Interest(
        openGames: 3, peers: (0..<5).map { _ in .init(random.next(), hops: UInt8(random.next() % 5)) },
        rooms: digits.map { .init($0, hops: UInt8(random.next() % 5)) })
    }
    let key = SigningKey(seed: [UInt8](repeating: 3, count: 32))
    let event = try Event.author(
      .chat("hello"), room: id(), author: key.peer, sequence: 2, previous: id(), parents: [id()],
      wallTime: random.next(), hasher: hasher)
    return [
      .digest(.init(root: hash(), asksForAnswer: true)),
      .digest(.init(root: hash(), agreed: random.next(), asksForAnswer: false)),
      .ask(salt: random.next(), (0..<9).map { _ in part() }),
      .parts(
        salt: random.next(),
        [
          .feeds((0..<5).map { _ in entry() }), .quarters(of: nil, [0, 1, 1 << 23, 7]),
          .quarters(of: part(), [0, 0, 0, 0xFF_FFFF]), .feeds([]),
        ]),
      .have(.init(reason: .news, salt: random.next(), entries: (0..<7).map { _ in entry() })),
      .have(.init(reason: .exchange, salt: random.next(), entries: [])),
      .want((0..<4).map { _ in Want(key: random.next(), after: (random.next() >> (random.next() % 64))) }),
      .runs(
        .init(
          room: event.room, remaining: random.next(),
          runs: [Run(events: [event], signature: key.sign(event.id))])),
      .next(
        .init(
          key: random.next(), after: 7, records: [[7, 6, 0], [17, 0, 0, 0, 1, 97]],
          signature: key.sign(event.id))),
      .fetch(id(), [id(), id()]), .push(true), .push(false),
      .interest(nil), .interest(Interest()), .interest(try interest()),
    ]
  }

  @Test(arguments: 0..<50) func readsBackWhatItWrites(_ seed: UInt64) throws {
    for message in try Self.examples(seed) {
      #expect(try Message(decoding: message.encoded(), hasher: Self.hasher) == message)
    }
  }

  /// Whatever is changed in a message: it is refused, or it is another message in its one form.
  @Test(arguments: 0..<20) func noiseIsRefusedOrCanonical(_ seed: UInt64) throws {
    var random = RandomStream(seed: seed)
    for message in try Self.examples(seed) {
      let bytes = message.encoded()
      for _ in 0..<60 {
        var noisy = bytes
        switch random.next() % 3 {
        case 0: noisy[Int(random.next() % UInt64(noisy.count))] = UInt8(truncatingIfNeeded: random.next())
        case 1: noisy.removeLast(1 + Int(random.next() % UInt64(noisy.count)))
        default: noisy.append(UInt8(truncatingIfNeeded: random.next()))
        }
        do throws(FormatError) {
          #expect(try Message(decoding: noisy, hasher: Self.hasher).encoded() == noisy)
        } catch { continue }
      }
    }
  }

  /// Lists ascend, name everything once, and have limits; numbers of hops have one too.
  @Test func anInterestHasOneForm() throws {
    func message(_ openGames: UInt8 = 0, peers: [UInt64], hops: UInt8 = 0) -> [UInt8] {
      var bytes: [UInt8] = [9, 1, openGames]
      bytes.append(number: UInt64(peers.count))
      for peer in peers {
        bytes.append(bigEndian: peer)
        bytes.append(hops)
      }
      return bytes + [0]
    }
    func isRead(_ bytes: [UInt8]) -> Bool {
      do throws(FormatError) {
        return try Message(decoding: bytes, hasher: Self.hasher).encoded() == bytes
      } catch {
        return false
      }
    }
    #expect(isRead(message(peers: [1, 2, 9])))
    #expect(!isRead(message(peers: [1, 1])) && !isRead(message(peers: [2, 1])))
    #expect(isRead(message(peers: [7], hops: 4)) && !isRead(message(peers: [7], hops: 5)))
    #expect(isRead(message(64, peers: [])) && !isRead(message(65, peers: [])))
    let most = Array(0..<UInt64(Interest.limitPeers))
    #expect(isRead(message(peers: most)) && !isRead(message(peers: most + [.max])))
    // A room by seven digits: the eighth is zero. Fewer than six are none.
    #expect(isRead([9, 1, 0, 0, 1, 7, 1, 2, 3, 0x40, 0]) && !isRead([9, 1, 0, 0, 1, 7, 1, 2, 3, 0x45, 0]))
    #expect(isRead([9, 1, 0, 0, 1, 6, 1, 2, 3, 0]) && !isRead([9, 1, 0, 0, 1, 5, 1, 2, 0x30, 0]))
    #expect(!isRead([9, 2]) && !isRead([9, 1, 0, 0, 1, 65] + [UInt8](repeating: 0, count: 34)))
  }

  @Test func numbersHaveOneForm() throws {
    // A list of one want, its count written as 1 and, longer than needed, as 0x81 0x00.
    let want: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1, 5]
    #expect(try Message(decoding: [5, 1] + want, hasher: Self.hasher) == .want([Want(key: 1, after: 5)]))
    #expect(throws: FormatError.self) {
      try Message(decoding: [5, 0x81, 0] + want, hasher: Self.hasher)
    }
    #expect(throws: FormatError.self) {
      try Message(
        decoding: [5, 1] + want.dropLast() + [UInt8](repeating: 0xFF, count: 9) + [2], hasher: Self.hasher)
    }
  }
}
