import Rules

// How people write cells: the column's letter and the row's number, as in `h8`.

extension LineGrid {
  /// The cell as people write it; row 1 is the bottom one.
  func text(of cell: Cell) -> String { Self.letter(Int(cell.column)) + "\(cell.row + 1)" }

  /// Reads `h8` and `H8`.
  func cell(text: String) -> Cell? {
    let bytes = text.utf8.prefix(4)
    guard let letter = bytes.first, let row = Self.number(bytes.dropFirst()) else { return nil }
    return cell(column: Int(letter | 0x20) - 0x61, row: row - 1)
  }

  /// A number from 1 to 99 in its only spelling.
  static func number(_ digits: some Collection<UInt8>) -> Int? {
    guard (1...2).contains(digits.count), digits.first != 0x30,
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return digits.reduce(0) { 10 * $0 + Int($1 - 0x30) }
  }

  /// The letters of the columns.
  var columnLetters: [String] { (0..<width).map(Self.letter) }

  private static func letter(_ column: Int) -> String {
    String(UnicodeScalar(UInt8(truncatingIfNeeded: 0x61 + column)))
  }
}
