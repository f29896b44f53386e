public import Rules

/// What a drawer does on the sheet in one entry: lines, dots, and clearing it.
public struct StrokeBatch: Hashable, Sendable {
  /// One thing that is done.
  public enum Mark: Hashable, Sendable {
    /// The sheet is empty again.
    case clear
    /// A line or a dot.
    case stroke(HostedStroke)
  }

  /// The colours by name, in the order of their numbers from 1.
  public static let colours = ["black", "red", "orange", "yellow", "green", "blue", "brown", "white"]
  /// The widths of lines in units of the sheet, in the order of their numbers from 1.
  public static let widths: [UInt16] = [4, 8, 16, 32]
  /// The most bytes of a batch: its event has at most 4,096.
  public static let limitBytes = 3_840
  /// The most bytes of all batches of a round that show.
  public static let limitRoundBytes = 24_576
  /// How often a drawer's program sends what was drawn, in milliseconds.
  public static let batchMilliseconds: UInt32 = 400
  private static let limitPoints = 255

  /// What is done, in order.
  public let marks: [Mark]

  /// Reads the canonical bytes; `nil` for bytes that are no batch.
  public init?(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, bytes.count <= Self.limitBytes else { return nil }
    var (marks, rest): ([Mark], ArraySlice<UInt8>) = ([], bytes[...])
    while let colour = rest.popFirst() {
      if colour == 0 {
        marks.append(.clear)
        continue
      }
      guard colour <= Self.colours.count, let width = rest.popFirst(),
        (1...Self.widths.count).contains(Int(width)),
        let count = rest.popFirst(), count > 0, rest.count >= 4 * Int(count)
      else { return nil }
      var points: [HostedStroke.Point] = []
      for _ in 0..<count {
        let point = HostedStroke.Point(x: Self.number(&rest), y: Self.number(&rest))
        guard Self.isOnSheet(point) else { return nil }
        points.append(point)
      }
      marks.append(
        .stroke(
          .init(colour: Self.colours[Int(colour) - 1], width: Self.widths[Int(width) - 1], points: points)))
    }
    self.marks = marks
  }

  private static func number(_ rest: inout ArraySlice<UInt8>) -> UInt16 {
    UInt16(rest.removeFirst()) << 8 | UInt16(rest.removeFirst())
  }

  private static func isOnSheet(_ point: HostedStroke.Point) -> Bool {
    Int(point.x) < HostedStroke.sheet.columns && Int(point.y) < HostedStroke.sheet.rows
  }

  /// The canonical bytes: 0 for clearing, or colour, width, number of points, and each point with two bytes a
  /// coordinate.
  public var bytes: [UInt8] {
    marks.flatMap { mark -> [UInt8] in
      guard case .stroke(let stroke) = mark else { return [0] }
      let colour = (Self.colours.firstIndex(of: stroke.colour) ?? 0) + 1
      let width = (Self.widths.firstIndex(of: stroke.width) ?? 0) + 1
      return [UInt8(colour), UInt8(width), UInt8(truncatingIfNeeded: stroke.points.count)]
        + stroke.points.flatMap {
          [
            UInt8($0.x >> 8), UInt8(truncatingIfNeeded: $0.x), UInt8($0.y >> 8),
            UInt8(truncatingIfNeeded: $0.y),
          ]
        }
    }
  }

  // MARK: - As people type it

  /// Reads what is typed: `clear`, or `line X Y X Y …` with a colour and a width in front of the points where they are
  /// not black and 8; several behind semicolons. `nil` for what is no batch.
  public init?(text: String) {
    var bytes: [UInt8] = []
    for part in text.split(separator: ";", omittingEmptySubsequences: false) {
      let words = part.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "," })
      guard let line = Self.line(words) else { return nil }
      bytes += line
      guard bytes.count <= Self.limitBytes else { return nil }
    }
    self.init(bytes)
  }

  private static func line(_ words: [Substring]) -> [UInt8]? {
    guard let verb = words.first?.lowercased() else { return nil }
    if verb == "clear" { return words.count == 1 ? [0] : nil }
    guard verb == "line" else { return nil }
    var (rest, colour, width) = (words.dropFirst(), 1, 2)
    if let named = rest.first.flatMap({ colours.firstIndex(of: $0.lowercased()) }) {
      guard let number = rest.dropFirst().first.flatMap({ UInt16($0) }),
        let at = widths.firstIndex(of: number)
      else { return nil }
      (rest, colour, width) = (rest.dropFirst(2), named + 1, at + 1)
    }
    let numbers = rest.map { UInt16($0) }
    guard numbers.count.isMultiple(of: 2), (2...2 * limitPoints).contains(numbers.count) else { return nil }
    var bytes = [UInt8(colour), UInt8(width), UInt8(numbers.count / 2)]
    for number in numbers {
      guard let number else { return nil }
      bytes += [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
    }
    return bytes
  }

  /// The batch as it is typed.
  public var text: String {
    marks.map { mark in
      guard case .stroke(let stroke) = mark else { return "clear" }
      return "line \(stroke.colour) \(stroke.width) \(stroke.coordinates)"
    }.joined(separator: "; ")
  }
}
