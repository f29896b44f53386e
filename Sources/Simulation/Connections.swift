import BotKit
import Gossip

/// A connection between two peers, as both ends see it.
struct Connection: Sendable {
  /// One end.
  struct End: Sendable {
    let peer: Int
    /// Which start of the peer's program it belongs to.
    let life: Int
    /// The number that the peer's core knows it by.
    let neighbour: Neighbour
    /// Which of a dishonest peer's programs speaks here.
    var face = 0
    var isOpen = true
    /// Whether a message that was changed on the way came in here.
    var isSpoilt = false
    /// When the last message arrives here that keeps its place in the order.
    var arrives: UInt64 = 0
  }

  /// Both ends; a message of one goes to the other.
  var ends: [End]
}

/// A message under way.
struct Packet: Sendable {
  let bytes: [UInt8]
  let connection: Int
  /// The end that it goes to.
  let end: Int
  let isSpoilt: Bool
}

/// What the network does to messages: a value that draws each one's fate.
struct Network: Sendable {
  private var conditions: Plan.Network
  private var random: RandomStream
  private let peers: Int
  /// By sender and receiver: until when nothing goes through.
  private var cutUntil: [UInt64]
  /// By peer: its group; between groups nothing goes through.
  private(set) var groups: [Int]
  private var spared: Int?
  /// How many messages were lost.
  private(set) var lost = 0

  init(_ conditions: Plan.Network, peers: Int, random: RandomStream) {
    self.conditions = conditions
    self.random = random
    self.peers = peers
    cutUntil = [UInt64](repeating: 0, count: peers * peers)
    groups = [Int](repeating: 0, count: peers)
  }

  /// Lets nothing through in one direction for a while.
  mutating func cut(from: Int, to: Int, until time: UInt64) {
    cutUntil[from * peers + to] = max(cutUntil[from * peers + to], time)
  }

  /// Splits the peers into groups; all zero joins them again.
  mutating func split(_ groups: [Int]) { self.groups = groups }

  /// From now on the network is a good one.
  mutating func heal() {
    conditions = Plan.Network()
    groups = groups.map { _ in 0 }
    cutUntil = cutUntil.map { _ in 0 }
  }

  /// Ends the cuts of one peer's links, and spares what it says and hears from being changed on the way; nobody
  /// else is spared any more.
  mutating func heal(for peer: Int?) {
    spared = peer
    guard let peer else { return }
    for other in 0..<peers {
      cutUntil[peer * peers + other] = 0
      cutUntil[other * peers + peer] = 0
    }
  }

  /// Whether anything gets from one peer to another now.
  func isOpen(from: Int, to: Int, at time: UInt64) -> Bool {
    cutUntil[from * peers + to] <= time && groups[from] == groups[to]
  }

  /// What becomes of a message: each copy with the time at which it arrives; none when it is lost.
  /// - Parameter after: when the message before arrives, which this one does not overtake where order is kept.
  mutating func fate(
    of bytes: [UInt8], from: Int, to: Int, at time: UInt64, after: UInt64
  ) -> [(bytes: [UInt8], time: UInt64, isSpoilt: Bool)] {
    guard isOpen(from: from, to: to, at: time), !random.perMille(conditions.lossPerMille) else {
      lost += 1
      return []
    }
    let copies = random.perMille(conditions.duplicationPerMille) ? 2 : 1
    return (0..<copies).map { _ in
      let isSpoilt =
        random.perMille(conditions.corruptionPerMille) && spared.map { $0 != from && $0 != to } ?? true
      let arrival = time + random.time(conditions.delay)
      return (
        isSpoilt ? spoilt(bytes) : bytes, conditions.reorders ? arrival : max(arrival, after), isSpoilt
      )
    }
  }

  /// A message with some bits changed, or its end lost.
  mutating func spoilt(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else { return bytes }
    if random.oneIn(4) { return Array(bytes.prefix(random.below(bytes.count))) }
    var bytes = bytes
    for _ in 0..<random.draw(1...3) { bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8)) }
    return bytes
  }
}
