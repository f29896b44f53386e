extension PrisonersDilemma {
  /// What a round pays a seat for its own choice and the other's: temptation, reward, punishment, sucker.
  ///
  /// ```
  ///              other cooperates   other defects
  /// cooperate    R                  S
  /// defect       T                  P
  /// ```
  public struct Payoffs: Hashable, Sendable, CustomStringConvertible {
    /// The least and the most that a round may pay. A thousand rounds stay far inside 32 bits.
    public static let range = -100...100

    /// T, for defecting against a cooperator.
    public let temptation: Int32
    /// R, for cooperating with a cooperator.
    public let reward: Int32
    /// P, for defecting against a defector.
    public let punishment: Int32
    /// S, for cooperating with a defector.
    public let sucker: Int32

    /// Payoffs of a prisoner's dilemma; `nil` outside the range or when they make another game of it.
    ///
    /// T > R > P > S makes defecting the better choice in every round; 2R > T + S makes steady cooperation
    /// better for both than taking turns at exploiting each other (Rapoport & Chammah, Prisoner's Dilemma,
    /// 1965).
    public init?(temptation: Int, reward: Int, punishment: Int, sucker: Int) {
      let all = [temptation, reward, punishment, sucker]
      guard all.allSatisfy({ Self.range.contains($0) }), temptation > reward, reward > punishment,
        punishment > sucker, 2 * reward > temptation + sucker
      else { return nil }
      self.init(Int32(temptation), Int32(reward), Int32(punishment), Int32(sucker))
    }

    private init(_ temptation: Int32, _ reward: Int32, _ punishment: Int32, _ sucker: Int32) {
      self.temptation = temptation
      self.reward = reward
      self.punishment = punishment
      self.sucker = sucker
    }

    /// The standard payoffs, `article`: 3, 2, 0, -1.
    public static let article = Payoffs(3, 2, 0, -1)
    /// The payoffs of the literature, `axelrod`: 5, 3, 1, 0 (Axelrod 1980).
    public static let axelrod = Payoffs(5, 3, 1, 0)

    /// What a seat gets that chose `own` while the other chose `other`.
    public func payoff(_ own: Choice, against other: Choice) -> Int32 {
      switch (own, other) {
      case (.defect, .cooperate): temptation
      case (.cooperate, .cooperate): reward
      case (.defect, .defect): punishment
      case (.cooperate, .defect): sucker
      }
    }

    /// The canonical spelling: `T,R,P,S`.
    public var description: String { "\(temptation),\(reward),\(punishment),\(sucker)" }
  }
}
