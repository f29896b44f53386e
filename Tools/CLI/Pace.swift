/// How long things take that are done elsewhere, from when they are looked at.
struct Pace {
  private var begin: (done: Int, milliseconds: Int64)?

  /// How many milliseconds the rest takes at the pace so far; `nil` before one thing was done since the first call, and
  /// when nothing is left.
  mutating func left(_ done: Int, of total: Int, atMilliseconds now: Int64) -> Int64? {
    let begin = begin ?? (done, now)
    self.begin = begin
    guard done > begin.done, total > done else { return nil }
    return (now - begin.milliseconds) / Int64(done - begin.done) * Int64(total - done)
  }
}
