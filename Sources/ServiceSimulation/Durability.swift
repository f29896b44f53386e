import EventLog
import Events
import Simulation

/// What was ever durable at which peer: an event has to be so at its author's before anybody else has it.
struct Durability {
  private let plan: ServicePlan
  /// By host: whose it is.
  private let peers: [PeerID]
  private let record: ServiceRunRecord
  /// By host: what was ever durable there.
  private var durable: [Set<EventID>]
  /// By host: what of that its peer wrote itself.
  private var own: [Set<EventID>]

  init(_ plan: ServicePlan, _ peers: [PeerID], _ record: ServiceRunRecord) {
    self.plan = plan
    self.peers = peers
    self.record = record
    durable = peers.map { _ in [] }
    own = durable
  }

  /// Notes what has become durable, and looks whether its author had it durable before anybody else.
  mutating func note(_ changes: [RoomChange], at number: Int) {
    for entry in changes.flatMap(\.entries) {
      durable[number].insert(entry.event.id)
      record.statistics.events += 1
      let author = entry.event.author
      let owners = peers.indices.filter { peers[$0] == author }
      if peers[number] == author { own[number].insert(entry.event.id) }
      guard let owner = owners.first, peers[number] != author, plan.isHonest(owner) else { continue }
      if !owners.contains(where: { durable[$0].contains(entry.event.id) }) {
        record.violate(
          .durability, peer: number,
          "it has \(entry.event.id.short) of peer \(owner), where that is not durable")
      }
    }
  }

  /// How many events were ever durable at a host.
  func count(at number: Int) -> Int { durable[number].count }

  /// Whether an event was ever durable at a host.
  func holds(_ event: EventID, at number: Int) -> Bool { durable[number].contains(event) }

  /// Whether somebody that takes part has written an event.
  func isOwn(_ event: EventID) -> Bool { own.contains { $0.contains(event) } }

  /// How many events that a host's peer wrote itself are not among these.
  func lost(at number: Int, besides kept: Set<EventID>) -> Int { own[number].subtracting(kept).count }
}
