package import Platform

/// What a line bot does wrong, or why it gives no move. Each has one rule (Docs/LINE-PROTOCOL.md).
package enum LineBotFault: Error, Hashable, Sendable {
  /// The system does not start it.
  case notStarted(SystemError)
  /// It said no hello in this time, in milliseconds.
  case silent(Int)
  /// It took longer than this for a move, in milliseconds.
  case slow(Int)
  /// A line is not what the protocol has there: why, and the line's beginning.
  case rubbish(String, line: String)
  /// A line is longer than this, in bytes.
  case flood(Int)
  /// It wrote more than this without an answer, in bytes.
  case chatter(Int)
  /// An engine refuses what its protocol has: what it was told, and its words.
  case refused(String, answer: String)
  /// It said something that it was not asked: the beginning.
  case unasked(line: String)
  /// The move that it named is not legal.
  case illegal(String)
  /// It ended, or closed its standard output.
  case ended(ProcessEnd?)
  /// It does not play the game of this name, or not with such settings.
  case wrongGame(String)
  /// It was started so often without an answer that it is not started any more.
  case givenUp(Int)
  /// It did not end when it was to, in this time, in milliseconds.
  case endless(Int)
  /// It resigned, which it may.
  case resigned
  /// Whoever asked wants no answer any more.
  case cancelled

  /// The fault in one word, for counts.
  package var name: String {
    switch self {
    case .notStarted: "not started"
    case .silent: "silent"
    case .slow: "too slow"
    case .rubbish: "rubbish"
    case .flood, .chatter: "flood"
    case .refused: "refused"
    case .unasked: "unasked"
    case .illegal: "illegal"
    case .ended: "ended"
    case .wrongGame: "another game"
    case .givenUp: "not started any more"
    case .endless: "did not quit"
    case .resigned: "resigned"
    case .cancelled: "cancelled"
    }
  }

  /// What happened, after “it”.
  package var words: String {
    switch self {
    case .notStarted(let error): "cannot be started: \(error.reason)"
    case .silent(let limit): "did not say hello within \(Self.time(limit))"
    case .slow(let limit): "did not move within \(Self.time(limit))"
    case .rubbish(let reason, let line): "wrote a line that is not in the protocol, \(reason): \(line)"
    case .flood(let limit): "wrote a line of more than \(limit) bytes"
    case .chatter(let limit): "wrote more than \(limit) bytes without an answer"
    case .refused(let line, let answer): "refused “\(line)”: \(answer)"
    case .unasked(let line): "wrote something that it was not asked: \(line)"
    case .illegal(let move): "played \(move), which is not legal"
    case .ended(.exited(let status)?): "ended with status \(status)"
    case .ended(.crashed(let signal)?), .ended(.killed(let signal)?): "was ended by signal \(signal)"
    case .ended(nil): "closed its standard output"
    case .wrongGame(let game): "does not play \(game)"
    case .givenUp(let count):
      "was started \(count) times in a row without an answer, and is not started any more"
    case .endless(let limit): "did not end within \(Self.time(limit))"
    case .resigned: "resigned"
    case .cancelled: "was asked to stop thinking"
    }
  }

  /// Whether it answered the question, if wrongly.
  var isAnAnswer: Bool {
    switch self {
    case .rubbish, .illegal, .refused, .resigned: true
    default: false
    }
  }

  private static func time(_ milliseconds: Int) -> String {
    milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
  }

  /// The beginning of a line, for words.
  static func beginning(of line: some Collection<UInt8>) -> String {
    let text = String(decoding: line.prefix(80), as: UTF8.self)
    return line.count > 80 ? text + "…" : text
  }
}
