/// Puts pieces of known lengths together from a stream that comes in any portions. What comes whole is read where
/// it lies, the rest is copied once; no more is kept than the piece that is wanted.
struct StreamPieces: Sendable {
  /// Above this a buffer is given back when its piece is done.
  private static let limitKeptBytes = 4_096

  /// How long the next piece is.
  private(set) var wanted: Int
  /// The beginning of the next piece.
  private(set) var held: [UInt8] = []

  init(first: Int) { wanted = first }

  /// A piece: where it lies.
  struct Piece {
    let bytes: [UInt8]
    let range: Range<Int>
  }

  /// Wants a piece of another length next.
  mutating func want(_ count: Int) {
    precondition(held.isEmpty && count > 0, "a piece of \(count) bytes is wanted inside another")
    wanted = count
  }

  /// Takes the next piece from `bytes` at `offset`, and moves `offset` on; `nil`, and everything is taken, when it
  /// is not whole yet.
  mutating func next(_ bytes: [UInt8], at offset: inout Int) -> Piece? {
    let there = bytes.count - offset
    if held.isEmpty, there >= wanted {
      defer { offset += wanted }
      return Piece(bytes: bytes, range: offset..<offset + wanted)
    }
    let taken = min(wanted - held.count, there)
    held += bytes[offset..<offset + taken]
    offset += taken
    guard held.count == wanted else { return nil }
    defer { held.removeAll(keepingCapacity: held.capacity <= Self.limitKeptBytes) }
    return Piece(bytes: held, range: 0..<wanted)
  }
}
