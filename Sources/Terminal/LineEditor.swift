/// A line that somebody types and corrects, with the lines that were typed before.
package struct LineEditor: Hashable, Sendable {
  /// What a key brought about.
  package enum Outcome: Hashable, Sendable {
    /// The line, or the place in it, may be another.
    case edited
    /// The line is complete; the next one is empty.
    case line(String)
    /// There is more than one word that the line may be completed with.
    case choices([String])
    /// Nothing more will be typed.
    case end
    /// The key is none of an editor's, or there is nothing to do with it.
    case ignored
  }

  /// The longest line, in bytes.
  package static let limitBytes = LineReader.standardLimitBytes
  /// How many lines can be called back.
  package static let limitHistory = 100

  private var scalars: [Unicode.Scalar] = []
  /// How many of them are before the cursor.
  private var cursor = 0
  /// What was typed before, the last one last.
  private var history: [String] = []
  /// Which of them is shown; their count for none.
  private var place = 0
  /// What was typed before one of them was called back.
  private var draft = ""

  /// An empty line.
  package init() {}

  /// The line so far.
  package var text: String { Self.string(scalars[...]) }

  /// The part of the line before the cursor.
  package var textBeforeCursor: String { Self.string(scalars[..<cursor]) }

  /// Whether nothing stands in the line.
  package var isEmpty: Bool { scalars.isEmpty }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  /// Takes a key.
  /// - Parameter words: what the first word of a line may be completed to.
  package mutating func take(_ key: Key, completing words: [String] = []) -> Outcome {
    switch key {
    case .character(let character): return insert(character)
    case .enter: return .line(takeLine())
    case .backspace: return remove(from: before(cursor), to: cursor)
    case .delete: return remove(from: cursor, to: after(cursor))
    case .left, .control("b"): return move(to: before(cursor))
    case .right, .control("f"): return move(to: after(cursor))
    case .home, .control("a"): return move(to: 0)
    case .end, .control("e"): return move(to: scalars.count)
    case .up, .control("p"): return recall(place - 1)
    case .down, .control("n"): return recall(place + 1)
    case .control("d"): return isEmpty ? .end : remove(from: cursor, to: after(cursor))
    case .control("u"): return remove(from: 0, to: cursor)
    case .control("k"): return remove(from: cursor, to: scalars.count)
    case .control("w"): return remove(from: startOfWord, to: cursor)
    case .control("i"): return complete(words)
    default: return .ignored
    }
  }

  private mutating func insert(_ character: Character) -> Outcome {
    // What would not show, or would steer the terminal, is no text.
    let text = String(character)
    guard SafeText("a" + text).text == "a" + text else { return .ignored }
    guard self.text.utf8.count + text.utf8.count <= Self.limitBytes else { return .ignored }
    scalars.insert(contentsOf: text.unicodeScalars, at: cursor)
    cursor += text.unicodeScalars.count
    return .edited
  }

  private mutating func takeLine() -> String {
    let line = text
    if !line.isEmpty, line != history.last {
      history.append(line)
      if history.count > Self.limitHistory { history.removeFirst() }
    }
    (scalars, cursor, place, draft) = ([], 0, history.count, "")
    return line
  }

  private mutating func remove(from start: Int, to end: Int) -> Outcome {
    guard start < end else { return .ignored }
    scalars.removeSubrange(start..<end)
    cursor = start
    return .edited
  }

  private mutating func move(to place: Int) -> Outcome {
    guard place != cursor else { return .ignored }
    cursor = place
    return .edited
  }

  /// The place before the character that ends at a place.
  private func before(_ place: Int) -> Int {
    var place = place
    while place > 0 {
      place -= 1
      if DisplayWidth.columns(of: scalars[place]) > 0 { break }
    }
    return place
  }

  /// The place behind the character that begins at a place.
  private func after(_ place: Int) -> Int {
    var place = min(place + 1, scalars.count)
    while place < scalars.count, DisplayWidth.columns(of: scalars[place]) == 0 { place += 1 }
    return place
  }

  private var startOfWord: Int {
    let end = scalars[..<cursor].lastIndex { $0 != " " } ?? 0
    return scalars[..<end].lastIndex { $0 == " " }.map { $0 + 1 } ?? 0
  }

  /// Shows a line that was typed before, or what was typed last.
  private mutating func recall(_ next: Int) -> Outcome {
    guard (0...history.count).contains(next) else { return .ignored }
    if place == history.count { draft = text }
    place = next
    scalars = Array((next == history.count ? draft : history[next]).unicodeScalars)
    cursor = scalars.count
    return .edited
  }

  private mutating func complete(_ words: [String]) -> Outcome {
    guard cursor == scalars.count, !scalars.contains(" ") else { return .ignored }
    let typed = text.lowercased()
    let found = words.filter { $0.lowercased().hasPrefix(typed) }
    guard let first = found.first else { return .ignored }
    let common = found.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    if common.utf8.count > text.utf8.count, common.utf8.count <= Self.limitBytes {
      scalars = Array(common.unicodeScalars)
      cursor = scalars.count
      return .edited
    }
    return found.count > 1 ? .choices(found) : .ignored
  }
}

extension String {
  /// What both begin with.
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
