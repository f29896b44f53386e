import Events

/// What a neighbour has answered to a peer that asks what it holds of the peer's own feeds.
struct Testimony: Sendable {
  /// How often in a row a neighbour may leave a recovering peer without an answer before it is given up: often
  /// enough that a bad network does not look like it.
  private static let limitSilence = 12
  /// How often in a row it may say that it has something and give nothing of it.
  private static let limitFruitless = 16

  /// Whether everything that it has was seen since it was asked.
  var isCompared = false
  /// Whether it has answered once what it has, and given all of it.
  var wasAnswered = false
  /// Whether it was waited for long enough.
  var isNotWaitedFor = false
  /// This peer's own feeds of which it had nothing when it was looked through first.
  var absent: Set<UInt64> = []
  /// Whether something that it said it has was not noted since it was looked through last.
  var isCutShort = false
  /// Questions in a row that it did not answer.
  var silence = 0
  /// Rounds in a row in which nothing came of what it said that it has.
  var fruitless = 0
  /// Whether something that it said it has did not come in time since it was asked.
  private var hasWithheld = false
  /// Since when it is asked.
  private(set) var askedSince: Tick

  init(askedSince: Tick, isCutShort: Bool = false) {
    self.askedSince = askedSince
    self.isCutShort = isCutShort
  }

  /// Who gives some of what it says that it has, and goes on to say more, is given up in the end.
  /// - Parameter patience: milliseconds until then.
  func isGivenUp(after patience: UInt64, at now: Tick) -> Bool {
    silence >= Self.limitSilence || fruitless >= Self.limitFruitless
      || (hasWithheld && now >= askedSince + patience)
  }

  /// Notes that what it was asked for did not come.
  mutating func noteWithheld() {
    fruitless += 1
    hasWithheld = true
    isCompared = false
  }
}
