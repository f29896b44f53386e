extension RandomAccessCollection where Index == Int {
  /// The first place from which on a condition holds that does not hold before; the end where it holds nowhere.
  @inlinable
  package func partitioningIndex(_ holds: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
