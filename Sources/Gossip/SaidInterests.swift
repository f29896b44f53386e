import Events

/// What two neighbours have said to each other that they want.
struct SaidInterests: Sendable {
  /// What the neighbour was told that is wanted here; `nil` for everything.
  var mine: Interest? { didSet { known = nil } }
  /// Whether it was told that.
  var isMineTold = false { didSet { known = nil } }
  /// What the neighbour wants; `nil` for everything.
  private(set) var theirs: Interest?
  /// Whether it has said that.
  private(set) var isTheirsHeard = false
  /// What it said that it wants, too soon after it had said so before, and when it is heard.
  private(set) var late: (interest: Interest?, due: Tick)?
  private var allowance: Bucket
  /// A hash over all of that, when it was asked for since it changed.
  private var known: Digest?

  init(allowance: Bucket) { self.allowance = allowance }

  /// Whether either limits itself.
  var isLimited: Bool { mine != nil || theirs != nil }

  /// Whether what the neighbour says now is heard; who says so again and again is heard later, because to find what is
  /// wanted may be much work.
  mutating func hears(_ interest: Interest?, at now: Tick) -> Bool {
    guard late == nil, allowance.take(1, at: now) else {
      late = (interest, late?.due ?? now + OwnInterest.pauseMilliseconds)
      return false
    }
    return true
  }

  /// Takes what was put off and is due; the outer `nil` where nothing is.
  mutating func takeLate(at now: Tick) -> Interest?? {
    guard let late, late.due <= now else { return nil }
    self.late = nil
    return .some(late.interest)
  }

  /// Notes what the neighbour wants.
  /// - Returns: what it wanted before, the outer `nil` when it had not said so; and whether this is news.
  mutating func hear(_ interest: Interest?) -> (before: Interest??, isNews: Bool) {
    let before: Interest?? = isTheirsHeard ? .some(theirs) : nil
    guard before != .some(interest) else { return (before, false) }
    (theirs, isTheirsHeard, known) = (interest, true, nil)
    return (before, true)
  }

  /// A hash over what both have said that they want, in the order in which both see it.
  /// - Parameter isMineFirst: whether this end began to compare.
  mutating func hash(isMineFirst: Bool) -> Digest {
    if let known { return known }
    var (mine, theirs): ([UInt8], [UInt8]) = ([], [])
    if isMineTold { Interest.append(self.mine, to: &mine) }
    if isTheirsHeard { Interest.append(self.theirs, to: &theirs) }
    var hash = Blake2b(domain: "parlor-interest-2")
    for bytes in isMineFirst ? [mine, theirs] : [theirs, mine] {
      hash.update(bigEndian: UInt32(bytes.count))
      hash.update(bytes)
    }
    let digest = Digest(hash.digest())
    known = digest
    return digest
  }
}
