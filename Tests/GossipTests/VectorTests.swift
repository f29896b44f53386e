import BotKit
import Events
import TestKit
import Testing

@testable import Gossip

/// Examples of everything in Docs/PROTOCOL.md §7 that another implementation must make alike.
@Suite struct VectorTests {
  private struct Maker {
    var random: RandomStream

    mutating func bytes() -> Bytes32 {
      Bytes32((0..<32).map { _ in UInt8(truncatingIfNeeded: random.next()) }) ?? .zero
    }

    mutating func entry() -> VectorClock.Entry {
      let isForked = random.next() % 4 == 0
      return .init(
        author: PeerID(bytes()), sequence: 1 + random.next() % 5_000,
        head: isForked ? .none : EventID(bytes()),
        isForked: isForked)
    }
  }

  @Test func feedsAndDirectories() throws {
    var file = VectorFile(
      "directory",
      [
        "Keys, states, tags and roots of Docs/PROTOCOL.md sections 7.1 and 7.2.",
        "A directory's feeds are room/author/sequence/fork mark/head, all of rooms of local scope.",
      ])
    var maker = Maker(random: RandomStream(seed: 71))
    for _ in 0..<6 { appendFeed(&maker, to: &file) }
    for rooms in [0, 1, 2, 5, 30] { appendDirectory(rooms, &maker, to: &file) }
    try file.check()
  }

  private func appendFeed(_ maker: inout Maker, to file: inout VectorFile) {
    let room = RoomID(maker.bytes())
    let entry = maker.entry()
    let salt = maker.random.next()
    var feed = Feed(key: Feed.key(room: room, author: entry.author), room: 0)
    feed.set(entry)
    file.records.append([
      ("type", "feed"), ("room", room.description), ("author", entry.author.description),
      ("sequence", "\(entry.sequence)"), ("fork", entry.isForked ? "1" : "0"),
      ("head", entry.head.description),
      ("key", hex(feed.key)), ("state", hex(feed.state)), ("salt", hex(salt)),
      ("tag", String(hex(UInt64(feed.state.tag(salt: salt))).suffix(6))),
    ])
  }

  private func appendDirectory(_ rooms: Int, _ maker: inout Maker, to file: inout VectorFile) {
    var core = GossipCore(scheme: Ed25519(), hasher: EventHasher(network: .standard))
    var feeds: [String] = []
    for _ in 0..<rooms {
      let room = RoomID(maker.bytes())
      let clock = VectorClock((0..<1 + maker.random.next() % 6).map { _ in maker.entry() })
      core.know(room, .local, clock)
      for entry in clock.entries {
        feeds.append("\(room)/\(entry.author)/\(entry.sequence)/\(entry.isForked ? 1 : 0)/\(entry.head)")
      }
    }
    var directory = core.directory
    let root = directory.root(.init(peer: .none, isNearby: true))
    file.records.append([
      ("type", "directory"), ("feeds", feeds.joined(separator: " ")), ("root", hex(root)),
    ])
  }

  @Test func messages() throws {
    var file = VectorFile("messages", ["One message of each kind, as Docs/PROTOCOL.md section 7.3 has it."])
    for message in try MessageTests.examples(7) {
      let name = "\(message)".prefix { $0.isLetter }
      file.records.append([("type", String(name)), ("bytes", message.encoded().hex)])
    }
    try file.check()
    for record in try file.stored() {
      let bytes = try #require([UInt8](hex: record["bytes"] ?? ""))
      #expect(try Message(decoding: bytes, hasher: MessageTests.hasher).encoded() == bytes)
    }
  }

  private func hex(_ number: UInt64) -> String {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: number)
    return bytes.hex
  }

  private func hex(_ hash: ShortHash) -> String { hex(hash.high) + hex(hash.low) }
}
