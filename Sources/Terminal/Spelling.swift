/// Finds what somebody may have meant.
package enum Spelling {
  /// The nearest of the known words: those at the least distance, at most three, in their own order.
  ///
  /// A word is near when a third of its letters at most are wrong, or when it begins with what was typed.
  package static func near(_ typed: String, among known: [String]) -> [String] {
    let typed = Array(typed.utf8.prefix(limitBytes))
    var best: [(word: String, distance: Int)] = []
    for word in known {
      let letters = Array(word.utf8.prefix(limitBytes))
      let isBeginning = typed.count >= 2 && letters.starts(with: typed)
      let distance = isBeginning ? 1 : self.distance(typed, letters)
      if distance <= max(1, max(typed.count, letters.count) / 3) { best.append((word, distance)) }
    }
    let least = best.map(\.distance).min()
    return best.filter { $0.distance == least }.prefix(3).map(\.word)
  }

  /// No name is longer; more letters of a typed word are not compared.
  private static let limitBytes = 48

  /// The fewest insertions, deletions, replacements and swaps of neighbours that turn one text into the
  /// other.
  ///
  /// Optimal string alignment: Damerau 1964, computed row by row as in Wagner and Fischer 1974.
  static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var before: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, before[j - 1] + 1) }
        row.append(cost)
      }
      before = last
      last = row
    }
    return last[b.count]
  }
}
