/// Reads the tree of free pages of a file that is shorter than its count of pages.
///
///     node of a leaf page                      node of a branch page
///     0  data size, low and high half   4      0  child page, 48 bits: low, high, highest (bytes 0, 2, 4)
///     4  flags, 1 = data on own pages   2      6  key size          2
///     6  key size                       2      8  key
///     8  key, then data or page number
///
/// A value is a count and that many page numbers, 8 bytes each.
extension DataFile {
  /// Whether every page beyond the file's end is one that the newest meta page lists as free.
  borrowing func lacksOnlyFreePages(_ meta: Meta, size: UInt64) throws(StoreError) -> Bool {
    let present = size / pageSize
    let lacking = meta.lastPage + 1 - present
    // Each page number takes 8 bytes of the file, so that a short file cannot list more than this.
    guard lacking <= size / 8, meta.freeDepth > 0, meta.freeDepth <= 32 else { return false }
    var found: Set<UInt64> = []
    var pages = present
    try collect(meta.freeRoot, depth: meta.freeDepth, above: present, pages: &pages, into: &found)
    return (present...meta.lastPage).allSatisfy(found.contains)
  }

  /// Adds the free page numbers from `above` on in the subtree; damaged parts add nothing.
  ///
  /// `pages` bounds how many pages are read in all.
  private borrowing func collect(
    _ page: UInt64, depth: UInt16, above: UInt64, pages: inout UInt64, into found: inout Set<UInt64>
  ) throws(StoreError) {
    guard page < above, pages > 0 else { return }
    pages -= 1
    let bytes = try read(Int(pageSize), at: page * pageSize)
    guard let lower = bytes.uint16(12), lower >= 16 else { return }
    for slot in stride(from: 16, to: Int(lower) - 1, by: 2) {
      guard let node = bytes.uint16(slot).map(Int.init), let low = bytes.uint16(node),
        let high = bytes.uint16(node + 2), let flags = bytes.uint16(node + 4),
        let keyBytes = bytes.uint16(node + 6).map(Int.init)
      else { return }
      let number = UInt64(low) | UInt64(high) << 16
      if depth > 1 {
        let child = number | UInt64(flags) << 32
        try collect(child, depth: depth - 1, above: above, pages: &pages, into: &found)
      } else if flags & 1 == 0 {
        Self.add(bytes, at: node + 8 + keyBytes, above: above, to: &found)
      } else if let own = bytes.uint64(node + 8 + keyBytes), own < above,
        number <= (above - own) * pageSize - 16, number / pageSize < pages
      {
        pages -= number / pageSize
        let value = try read(Int(number), at: own * pageSize + 16)
        Self.add(value, at: 0, above: above, to: &found)
      }
    }
  }

  private static func add(
    _ bytes: NativeBytes, at offset: Int, above: UInt64, to found: inout Set<UInt64>
  ) {
    guard let count = bytes.uint64(offset), count <= UInt64(bytes.count / 8) else { return }
    for index in 0..<Int(count) {
      guard let page = bytes.uint64(offset + 8 + index * 8) else { return }
      if page >= above { found.insert(page) }
    }
  }
}
