internal import Events
internal import Peer
internal import Projection

/// Who is here of those whose keys this process has: its owner, at the tables where somebody sits for it, and guests.
final class Presence {
  /// The owner.
  let peer: PeerID
  /// How the owner's peer behaves.
  let policy: Steward.Policy
  /// Who sits at the owner's tables.
  var attendance = HostAttendance()
  /// People and bots behind sockets.
  var guests = Guests()

  init(_ peer: PeerID, _ policy: Steward.Policy) {
    self.peer = peer
    self.policy = policy
  }

  /// Whether somebody sees who comes to a table of the owner's.
  func isAttended(_ room: RoomID) -> Bool { policy.sitsEverywhere || attendance.isAttended(room) }

  /// Whether somebody has a part in a tournament: the owner, or a guest who is a person.
  func hasPart(in tournament: RoomState) -> Bool {
    tournament.creator == peer
      || ([peer] + guests.people).contains(where: { tournament.seat(of: $0) != nil })
  }

  /// Whether somebody has made a tournament, or waits in it.
  func waits(in tournament: RoomState) -> Bool {
    isAttended(tournament.room) || tournament.creator == peer
      || guests.present.contains(where: { tournament.seat(of: $0) != nil })
  }

  /// Those who come to the tables of a tournament now, and whether they come to all at once, as bots do.
  func entrants(of tournament: RoomState) -> [(peer: PeerID, comesToAll: Bool)] {
    let present = guests.present.filter { tournament.seat(of: $0) != nil }.sorted()
    return ((isAttended(tournament.room) ? [peer] : []) + present).map { ($0, $0 == peer && policy.isBot) }
  }
}
