/// A Swiss tournament or a round robin as a tournament report file (TRF) tells it: who played whom in every round.
///
/// The form is FIDE's, TRF16 with the additions of pairing programs (`XXR`, `XXC`, `BBW` and the like) and of
/// TRF-2026 (`142`, `152`, `192`). What would change the pairings and is not known here is refused in words.
package struct SwissReport: Sendable {
  /// The tournament's name; empty if the file has none.
  package var name: String
  /// Everybody, by pairing number, each with all rounds.
  package var players: [SwissPlayer]
  /// How many rounds the file has.
  package var roundCount: Int
  /// What all rounds have in common.
  package var rules: SwissRules
  /// Whose pairings its rounds have.
  package var system = System.dutch

  /// What pairs the rounds of a report.
  package enum System: Hashable, Sendable {
    /// FIDE's Dutch system.
    case dutch
    /// The Berger tables, with colours swapped in every second cycle.
    case roundRobin
  }

  /// Longer files are refused, in bytes.
  package static let mostBytes = 8 << 20
  /// More rounds are refused.
  package static let mostRounds = 200
}

/// Why a tournament report cannot be checked.
package enum SwissReportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no player in it.
  case noReport
  /// It is longer than any tournament's.
  case tooLong
  /// A line is not in the form that it should have.
  case fault(line: Int, String)
  /// A line asks for what is not done here.
  case unsupported(line: Int, String)

  /// What happened.
  package var description: String {
    switch self {
    case .noReport: "this is no tournament report: no line begins with 001 and a player"
    case .tooLong: "this is no tournament report: it is longer than \(SwissReport.mostBytes >> 20) MiB"
    case .fault(let line, let words): "line \(line): \(words)"
    case .unsupported(let line, let words): "line \(line): \(words) cannot be checked here"
    }
  }

  /// What to do.
  package var hint: String {
    switch self {
    case .noReport, .tooLong:
      "give the file that a pairing program writes for FIDE, mostly named .trf or .trfx"
    case .fault: "correct the line, or have the pairing program write the file again"
    case .unsupported: "check this tournament with the program that paired it"
    }
  }
}
