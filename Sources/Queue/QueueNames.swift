import Events
package import NATS

/// What the streams of a tournament are called, and what their messages are sent to.
struct QueueNames: Hashable, Sendable {
  /// The consumer from which all workers take jobs.
  static let workers = "workers"
  /// The consumer from which the organizer takes answers.
  static let organizer = "organizer"
  /// What jobs of all tournaments are sent to.
  static let allJobs = "parlor.*.jobs"
  /// How long whoever has a job may say nothing before somebody else gets it.
  static let waitMilliseconds: Int64 = 30_000

  /// The tournament, in hexadecimal digits.
  let tournament: String

  init(_ tournament: RoomID) { self.tournament = tournament.description }

  /// The tournament whose jobs a stream keeps; `nil` for a stream of another name.
  init?(jobs stream: String) {
    guard stream.hasPrefix("parlor-"), stream.hasSuffix("-jobs") else { return nil }
    tournament = String(stream.dropFirst(7).dropLast(5))
    guard tournament.utf8.count == 64, let bytes = [UInt8](hex: tournament), bytes.hex == tournament else {
      return nil
    }
  }

  var jobs: String { "parlor-\(tournament)-jobs" }
  var jobSubject: String { "parlor.\(tournament).jobs" }
  var answers: String { "parlor-\(tournament)-answers" }
  var answerSubject: String { "parlor.\(tournament).answers" }
}

extension NATSSettings {
  /// How many servers keep what is stored: three where there are as many.
  package var replicas: Int { servers.count >= 3 ? 3 : 1 }
}
