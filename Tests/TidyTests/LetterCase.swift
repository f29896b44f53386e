extension Check {
  /// Apple's file systems, as they come, hold one of two such names.
  static let letterCase = Check(
    "names that differ in more than their case",
    inAll: { tree in
      let alike = Dictionary(grouping: tree.paths.sorted()) { $0.lowercased() }
      return alike.values.filter { $0.count > 1 }.map { $0[0] }.sorted().compactMap { path in
        tree.files.first { $0.path == path || $0.path.hasPrefix(path + "/") }.map {
          Violation($0, 1, "another name differs from \(path) in case alone", do: "Give it another name")
        }
      }
    })
}
