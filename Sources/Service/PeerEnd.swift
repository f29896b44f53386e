/// The end of a peer: whether it has come, and what ends with it.
struct PeerEnd {
  private(set) var hasCome = false
  private var works: [@Sendable () -> Void] = []

  /// Has something end with the peer, whose end has not come.
  mutating func add(_ work: @escaping @Sendable () -> Void) { works.append(work) }

  /// The end comes, or has come.
  /// - Returns: what is to be done at it; `nil` where it had come before.
  mutating func come() -> [@Sendable () -> Void]? {
    guard !hasCome else { return nil }
    hasCome = true
    defer { works = [] }
    return works
  }
}
