/// Where in a text that is JSON its items begin, for whoever says what is wrong with one.
package struct JSONPlaces: Hashable, Sendable {
  /// A place in a text.
  package struct Place: Hashable, Sendable {
    /// The line, from 1.
    package let line: Int
    /// The character in it, from 1.
    package let column: Int
  }

  /// A value of a list, or a member of an object, which begins with its name.
  package struct Item: Hashable, Sendable {
    /// Where it begins.
    package let place: Place
    /// Where its own items begin, if it is a list or an object, or a member that is one.
    package fileprivate(set) var inner: [Place] = []
  }

  /// The items of the outermost list or object, in order.
  package private(set) var items: [Item] = []

  /// Finds the items.
  /// - Parameter text: a text that `JSONValue` has read.
  package init(_ text: [UInt8]) {
    var (depth, line, column) = (0, 1, 0)
    var (isInText, isEscaped, isItemNext) = (false, false, false)
    for byte in text {
      // The bytes of a character behind its first one.
      if byte & 0xC0 != 0x80 { column += 1 }
      if byte == UInt8(ascii: "\n") { (line, column) = (line + 1, 0) }
      if isInText {
        isInText = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      if [0x09, 0x0A, 0x0D, 0x20].contains(byte) { continue }
      let isEnd = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
      if isItemNext, !isEnd { note(Place(line: line, column: column), depth) }
      isItemNext = false
      switch byte {
      case UInt8(ascii: "\""): isInText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): (depth, isItemNext) = (depth + 1, true)
      case UInt8(ascii: ","): isItemNext = true
      default: depth -= isEnd ? 1 : 0
      }
    }
  }

  private mutating func note(_ place: Place, _ depth: Int) {
    if depth == 1 {
      items.append(Item(place: place))
    } else if depth == 2, let last = items.indices.last {
      items[last].inner.append(place)
    }
  }

  /// Where an item begins; `nil` where there is none.
  package func place(_ index: Int) -> Place? { items.indices.contains(index) ? items[index].place : nil }

  /// Where an item of an item begins; `nil` where there is none.
  package func place(_ index: Int, _ inner: Int) -> Place? {
    guard items.indices.contains(index), items[index].inner.indices.contains(inner) else { return nil }
    return items[index].inner[inner]
  }
}
