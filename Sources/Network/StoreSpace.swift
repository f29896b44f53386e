/// Whether the store has space. While it has none, nothing is written and nothing of others is taken in; after a while
/// it is tried again. A value that is told the time.
struct StoreSpace {
  /// How long it is not tried after a write for which there was no space.
  static let pauseMilliseconds: UInt64 = 2_000

  /// What the store said when it had no space last; `nil` once it has taken something again.
  private(set) var shortage: String?
  /// When it is tried again; `nil` while that may be done at any time.
  private(set) var deadline: UInt64?

  /// Why nothing is to be written now; `nil` when it can be tried.
  var refusal: String? { deadline == nil ? nil : shortage }

  /// The store had no space.
  mutating func noteShortage(_ words: String, at now: UInt64) {
    shortage = words
    deadline = now + Self.pauseMilliseconds
  }

  /// The store has taken something.
  mutating func noteStored() { (shortage, deadline) = (nil, nil) }

  /// Time has passed.
  /// - Returns: whether the store is to be tried again from now on.
  mutating func advance(to now: UInt64) -> Bool {
    guard let due = deadline, due <= now else { return false }
    deadline = nil
    return true
  }
}
