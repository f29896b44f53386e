import Events
import Projection
import Rules
import Terminal

/// Seats as a game in progress shows them, by name and piece; safe to print.
extension RoomState {
  /// What stands for each seat on a board; none where letters do.
  var pieces: [String] { Pieces.of(create.rules, wanted: seats.map { $0?.profile.emoji ?? "" }) }

  /// The name that whoever sits there gave itself.
  func name(of seat: Seat) -> String {
    let name = seats.indices.contains(seat.index) ? seats[seat.index]?.profile.name : nil
    let safe = SafeText(name ?? "", limitColumns: 24).text
    return safe.isEmpty ? "\(seat)" : safe
  }

  /// The name that a peer at the table gave itself; else the beginning of its key.
  func name(of peer: PeerID) -> String {
    if let seat = seat(of: peer) { return name(of: seat) }
    let name = peer == creator ? SafeText(create.profile.name, limitColumns: 24).text : ""
    return name.isEmpty ? String(peer.description.prefix(6)) : name
  }

  /// All seats' names.
  var names: [String] { seats.indices.map { name(of: Seat(UInt16(truncatingIfNeeded: $0))) } }

  /// The name after the seat's piece, as in “🐱 You”.
  func label(of seat: Seat, _ drawing: Drawing) -> String {
    guard drawing.hasUnicode, pieces.indices.contains(seat.index) else { return name(of: seat) }
    return "\(pieces[seat.index]) \(name(of: seat))"
  }
}
