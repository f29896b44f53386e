import Events
import Projection
import Rules
import Service
import Terminal

/// Seats and peers at a table by name; safe to print.
enum SeatNames {
  /// The name that whoever sits there gave itself.
  static func name(_ name: String?, of seat: Seat) -> String {
    let safe = SafeText(name ?? "", limitColumns: 24).text
    return safe.isEmpty ? "\(seat)" : safe
  }

  /// The name that a peer gave itself; else the beginning of its key.
  static func name(_ name: String, of peer: PeerID) -> String {
    let safe = SafeText(name, limitColumns: 24).text
    return safe.isEmpty ? String(peer.description.prefix(6)) : safe
  }
}

extension RoomState {
  func name(of seat: Seat) -> String {
    SeatNames.name(seats.indices.contains(seat.index) ? seats[seat.index]?.profile.name : nil, of: seat)
  }

  /// The name of a peer at the table.
  func name(of peer: PeerID) -> String {
    seat(of: peer).map { name(of: $0) }
      ?? SeatNames.name(peer == creator ? create.profile.name : "", of: peer)
  }

  /// All seats' names.
  var names: [String] { seats.indices.map { name(of: Seat(UInt16(truncatingIfNeeded: $0))) } }
}

extension TableView {
  func name(of seat: Seat) -> String {
    SeatNames.name(seats.indices.contains(seat.index) ? seats[seat.index].name : nil, of: seat)
  }

  /// The name of a peer at the table.
  func name(of peer: PeerID) -> String {
    if let seat = seat(of: peer) { return name(of: seat) }
    let player = hosted?.players.first { $0.peer == peer }
    return SeatNames.name(player?.name ?? (peer == creator.peer ? creator.name : ""), of: peer)
  }

  /// All seats' names.
  var names: [String] { seats.indices.map { name(of: Seat(UInt16(clamping: $0))) } }

  /// The same for people: one's own is “You”.
  var shownNames: [String] {
    zip(seats.indices, names).map { index, name in index == seat?.index ? "You" : name }
  }

  /// What stands for each seat on a board; none where letters do.
  var pieces: [String] { Pieces.of(game, position.diagram, wanted: seats.map(\.emoji)) }

  /// The name after what stands for the seat on the board, as in “🐱 You”. One's own is “You”; where others play from
  /// elsewhere, beside another's name stands, where it is told who plays, the beginning of the key, because anybody may
  /// take any name.
  func label(of seat: Seat, _ drawing: Drawing, isFull: Bool = false) -> String {
    var name = name(of: seat)
    if seat == self.seat {
      name = "You"
    } else if isShared, isFull, seats.indices.contains(seat.index), let peer = seats[seat.index].peer {
      name += " (\(peer.description.prefix(6)))"
    }
    let pieces = pieces
    guard pieces.indices.contains(seat.index) else { return name }
    return
      "\(BoardDrawing(pieces: pieces, drawing: drawing).piece(of: seat, in: position.diagram).text) \(name)"
  }
}
