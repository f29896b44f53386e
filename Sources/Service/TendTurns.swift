/// Whose turn it is to look at what has changed: one after the other, so that whoever waits for what it wrote finds it
/// in the lists, also when another one had taken the room to look at it.
struct TendTurns {
  typealias Turn = CheckedContinuation<Void, Never>

  private var isTaken = false
  private var waiting: [Turn] = []
  /// Whether somebody looks soon, or again, because something may have changed.
  private var isPlanned = false

  /// Waits for a turn, or has it.
  mutating func wait(_ turn: Turn) {
    guard !isTaken else { return waiting.append(turn) }
    isTaken = true
    turn.resume()
  }

  /// Ends a turn.
  /// - Returns: whether somebody is to look again, for whom no turn was asked yet.
  mutating func end() -> Bool {
    guard waiting.isEmpty else {
      waiting.removeFirst().resume()
      return false
    }
    isTaken = false
    return isPlanned
  }

  /// Something may have changed.
  /// - Returns: whether a turn is to be asked for now; else whoever has one says so at its end.
  mutating func plan() -> Bool {
    guard !isPlanned else { return false }
    isPlanned = true
    return !isTaken
  }

  /// What was planned begins.
  mutating func begin() { isPlanned = false }
}
