package import Events

/// A fraud that a dishonest peer has committed in a round of a game or of a host.
package struct RoundFraud: Sendable {
  /// What was tried, and what must come of it.
  package enum Kind: String, CaseIterable, Sendable {
    // Seats of games.
    /// Commits to what another seat is bound to, to open it when that does.
    case copiedCommitment = "copied-commitment"
    /// Commits twice in a round.
    case secondCommitment = "second-commitment"
    /// Opens before all have committed, so that others could look ahead.
    case earlyOpening = "early-opening"
    /// Opens another choice than it is bound to.
    case otherOpening = "other-opening"
    /// Opens with another salt, to have another chance: a stacked deck, a loaded die.
    case otherSalt = "other-salt"
    /// Opens another share of the draw of who starts.
    case otherDraw = "other-draw"
    // Players of hosted rounds.
    /// Answers more often than counts.
    case secondAnswer = "second-answer"
    /// Answers when it has seen that the round is closed, or the solution.
    case lateAnswer = "late-answer"
    /// Answers with the commitment and the box of somebody else.
    case copiedAnswer = "copied-answer"
    /// Answers with a box that does not hold what it is bound to.
    case unreadableAnswer = "unreadable-answer"
    /// Says that the host could have read such an answer.
    case falseProof = "false-proof"
    /// Says what only the host says.
    case hostsWord = "hosts-word"
    // Hosts.
    /// Opens another solution than it is bound to.
    case otherSolution = "other-solution"
    /// Opens an answer as another one than was sealed.
    case otherAnswer = "other-answer"
    /// Calls an answer unreadable that it can read.
    case deniedAnswer = "denied-answer"
    /// Passes over an answer that it has acknowledged.
    case leftOutAnswer = "left-out-answer"
    /// Acknowledges an answer when the solution is open.
    case answerAfterSolution = "answer-after-solution"
    /// Acknowledges more answers of a player than count.
    case secondAnswerTaken = "second-answer-taken"
    /// Acknowledges an answer when its time is over.
    case lateAnswerTaken = "late-answer-taken"
    /// Says of an answer that it is right where it is wrong, or the reverse.
    case wrongMark = "wrong-mark"
    /// Tells the player whose turn it is another solution than it is bound to.
    case toldAnother = "told-another"
  }

  package let kind: Kind
  /// In which room, and with which event.
  package let room: RoomID
  package let event: EventID
  /// What it is about: the event that opened the round, an entry; none where that does not matter.
  package let about: EventID
}
