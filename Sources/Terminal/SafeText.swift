/// Text from somebody else, made safe to stand on one line of a terminal.
///
/// What becomes of each character:
///
/// | character | becomes |
/// |---|---|
/// | control characters (C0, DEL, C1, so every escape sequence), line and paragraph separators | U+FFFD |
/// | marks, embeddings, overrides and isolates that steer bidirectional text | U+FFFD |
/// | private use, unassigned, noncharacters, visible format characters, bytes that are not UTF-8 | U+FFFD |
/// | other invisible (default-ignorable) characters: joiners, variation selectors, tags, fillers | dropped |
/// | emoji skin tones, because terminals disagree about their width | dropped |
/// | regional indicators (halves of flags) | the letter they stand for |
/// | every kind of space | one ordinary space |
/// | combining marks and joining Hangul letters | at most two after a base, dropped at the start |
///
/// The result is a fixed point: made safe once more, with the same limit or a larger one, it stays as it is.
/// Which code points are assigned grows with the Swift release, so this is for display and never for
/// comparing.
package struct SafeText: Hashable, Sendable, CustomStringConvertible {
  /// How many marks a base character may carry.
  package static let limitMarks = 2

  /// The safe text.
  package let text: String
  /// The columns it takes up on a terminal.
  package let columns: Int

  /// Makes foreign text safe, and cuts it to a width; what is cut off shows as “…”.
  package init(_ foreign: some StringProtocol, limitColumns: Int = .max) {
    self.init(scalars: foreign.unicodeScalars, limitColumns: limitColumns)
  }

  /// Makes foreign bytes safe; what is not UTF-8 becomes U+FFFD.
  package init(bytes: some Collection<UInt8>, limitColumns: Int = .max) {
    self.init(String(decoding: bytes, as: UTF8.self), limitColumns: limitColumns)
  }

  /// The safe text.
  package var description: String { text }

  private init(scalars: some Sequence<Unicode.Scalar>, limitColumns: Int) {
    var line = Line(limitColumns: max(0, limitColumns))
    for scalar in scalars {
      guard !line.isOverfull else { break }
      line.append(scalar)
    }
    (text, columns) = line.finished()
  }
}

extension SafeText {
  /// A line under construction, which remembers where it could still be cut.
  private struct Line {
    let limitColumns: Int
    private var kept: [Unicode.Scalar] = []
    private var columns = 0
    private var marks = 0
    /// How many characters to keep so that “…” still fits, and the columns that they take.
    private var cut = (count: 0, columns: 0)
    private(set) var isOverfull = false

    init(limitColumns: Int) { self.limitColumns = limitColumns }

    mutating func append(_ scalar: Unicode.Scalar) {
      switch SafeText.treatment(of: scalar) {
      case .drop: return
      case .keepMark:
        guard !kept.isEmpty, marks < SafeText.limitMarks else { return }
        marks += 1
        push(scalar, startsCluster: false)
      case .keep(let shown):
        marks = 0
        push(shown, startsCluster: true)
      }
    }

    private mutating func push(_ scalar: Unicode.Scalar, startsCluster: Bool) {
      // A cluster may end the cut text when one column is left for “…”.
      if startsCluster, columns < limitColumns { cut = (kept.count, columns) }
      kept.append(scalar)
      columns += DisplayWidth.columns(of: scalar)
      isOverfull = columns > limitColumns
    }

    func finished() -> (String, Int) {
      guard isOverfull else { return (text(of: kept[...]), columns) }
      guard limitColumns > 0 else { return ("", 0) }
      return (text(of: kept[..<cut.count]) + "…", cut.columns + 1)
    }

    private func text(of scalars: ArraySlice<Unicode.Scalar>) -> String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars)
      return String(view)
    }
  }

  private enum Treatment {
    case keep(Unicode.Scalar)
    case keepMark
    case drop
  }

  private static func treatment(of scalar: Unicode.Scalar) -> Treatment {
    if (0x20...0x7E).contains(scalar.value) { return .keep(scalar) }
    if isBidirectionalControl(scalar) { return .keep(replacement) }
    if let letter = regionalLetter(scalar) { return .keep(letter) }
    if isSkinTone(scalar) || scalar.properties.isDefaultIgnorableCodePoint { return .drop }
    if DisplayWidth.isJoiningJamo(scalar) { return .keepMark }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
      return .keep(replacement)
    case .nonspacingMark, .enclosingMark, .spacingMark: return .keepMark
    case .spaceSeparator: return .keep(" ")
    default: return .keep(scalar)
    }
  }

  /// Whether this character is one of the twelve that steer bidirectional text (Unicode Standard Annex 9).
  static func isBidirectionalControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private static let replacement: Unicode.Scalar = "\u{FFFD}"

  private static func isSkinTone(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F3FB...0x1F3FF).contains(scalar.value)
  }

  private static func regionalLetter(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    guard (0x1F1E6...0x1F1FF).contains(scalar.value) else { return nil }
    return Unicode.Scalar(scalar.value - 0x1F1E6 + 0x41)
  }
}
