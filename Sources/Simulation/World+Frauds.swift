import BotKit
import EventLog
import Events
import Gossip

/// A dishonest peer writes what the rules on members and names are there for (Docs/PROTOCOL.md §3.2).
extension World {
  /// The most tricks at one moment.
  private static let limitTricks = 3

  /// Plays tricks in some rooms, its own and others'.
  mutating func defraud(_ peer: Int) {
    for _ in 0..<luck.frauds.draw(1...Self.limitTricks) {
      guard let room = luck.frauds.pick(rooms.compactMap(\.id)), let log = peers[peer].log(of: room) else {
        continue
      }
      do throws(FormatError) {
        guard let played = try fraudsters[peer]?.play(in: log, &luck.frauds) else { continue }
        tell("dishonest peer \(peer) plays \(played.trick) in room \(room.short)")
        deliver(played.deliveries, in: room, by: peer)
      } catch { tell("dishonest peer \(peer) cannot write that: \(error)") }
    }
  }

  private mutating func deliver(_ deliveries: [Fraudster.Delivery], in room: RoomID, by peer: Int) {
    let neighbours = openNeighbours(of: peer)
    guard !neighbours.isEmpty else { return }
    if let fork = fraudsters[peer]?.fork(in: room) {
      for face in 0..<2 { forgers[peer]?.note(face, wroteIn: room, after: fork - 1) }
    }
    for delivery in deliveries {
      let message = Message.runs(RunsMessage(room: room, runs: [delivery.run])).encoded()
      let targets = delivery.neighbour.map { [neighbours[$0 % neighbours.count]] } ?? neighbours
      for target in targets { send(message, by: peer, to: target) }
    }
  }

  /// Keys of dishonest peers that are none of their names.
  var fraudstersKeys: [PeerID] { fraudsters.flatMap { $0?.strangers ?? [] } }
}
