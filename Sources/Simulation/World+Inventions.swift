import BotKit
import EventLog
import Events
import Gossip
import Peer

/// A dishonest peer makes things up, and honest ones stay within their limits.
extension World {
  /// The most messages that are made up at one moment.
  private static let limitInventions = 6

  /// Sends somebody messages in which nothing is so.
  mutating func makeThingsUp(_ peer: Int) {
    let count = luck.inventions.draw(1...Self.limitInventions)
    tell("dishonest peer \(peer) makes up \(count) messages")
    for _ in 0..<count {
      guard let neighbour = luck.inventions.pick(openNeighbours(of: peer)) else { return }
      let message = invent(by: peer) { (inventor) throws(FormatError) in try inventor.message() }
      if let message { send(message.encoded(), by: peer, to: neighbour) }
    }
    intrude(peer)
  }

  /// Answers a question as it likes.
  /// - Returns: whether it did, and its program is not asked.
  mutating func answerFalsely(_ packet: Packet, at side: Connection.End) -> Bool {
    guard peers[side.peer].mischief.contains(.inventions), phase < .settled, luck.inventions.oneIn(2),
      let message = Self.question(packet.bytes), case .ask(let salt, let parts) = message
    else { return false }
    let answer = invent(by: side.peer) { (inventor) throws(FormatError) in
      inventor.answer(parts, salt: salt)
    }
    if let answer { send(answer.encoded(), by: side.peer, to: side.neighbour) }
    return answer != nil
  }

  private static func question(_ bytes: [UInt8]) -> Message? {
    let ask: UInt8 = 2
    guard bytes.first == ask else { return nil }
    do throws(FormatError) {
      return try Message(decoding: bytes, hasher: EventHasher(network: .standard))
    } catch { return nil }
  }

  private mutating func invent(
    by peer: Int, _ body: (inout Inventor) throws(FormatError) -> Message
  ) -> Message? {
    let known = peers[peer].tables.compactMap { $0?.room }
    let seen =
      luck.inventions.pick(known).flatMap { room in
        peers[peer].faces.first?.withLog(of: room) { $0.entries.suffix(16).map(\.event) }
      } ?? []
    var inventor = Inventor(
      signer: peers[peer].signer, hasher: EventHasher(network: .standard),
      rooms: rooms.compactMap(\.id), peers: peers.map(\.id), seen: seen, random: luck.inventions)
    defer { luck.inventions = inventor.random }
    do throws(FormatError) { return try body(&inventor) } catch {
      tell("dishonest peer \(peer) cannot make that up: \(error)")
      return nil
    }
  }

  /// Writes into a room that is none of its own. Who says two things there has forked.
  private mutating func intrude(_ peer: Int) {
    let others = rooms.filter { !$0.plan.members.contains(peer) }.compactMap(\.id)
    guard luck.inventions.oneIn(4), let room = luck.inventions.pick(others),
      let neighbour = luck.inventions.pick(openNeighbours(of: peer))
    else { return }
    let signer = peers[peer].signer
    let message = invent(by: peer) { (inventor) throws(FormatError) in try inventor.intrusion(in: room) }
    guard let message else { return }
    tell("dishonest peer \(signer.peer.short) intrudes into room \(room.short)")
    for face in 0..<2 { forgers[peer]?.note(face, wroteIn: room, after: 0) }
    send(message.encoded(), by: peer, to: neighbour)
  }

  // MARK: - Limits

  /// What honest peers keep for others must stay within what the product allows itself.
  mutating func checkLoads() {
    for peer in plan.honest where peers[peer].isUp {
      for words in LoadCheck.excesses(peers[peer].faces[0].gossip.load) {
        violate(.bounds, peer: peer, words)
      }
    }
  }
}
