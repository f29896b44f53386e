import Glibc

/// What the program tells its caller when it ends, after the names of sysexits.h.
package enum ExitStatus: Int32, Hashable, Sendable, CaseIterable {
  /// Done; for a question: yes.
  case ok = 0
  /// Done, and the answer is no: a log that does not verify, a comparison that differs.
  case negative = 1
  /// The command was used wrongly.
  case usage = 64
  /// What was read is not in the form it should have.
  case dataError = 65
  /// A file or other input is not there or cannot be read.
  case noInput = 66
  /// Something that is needed cannot be had.
  case unavailable = 69
  /// A mistake in this program.
  case software = 70
  /// The operating system refused something basic.
  case systemError = 71
  /// An output file cannot be created.
  case cannotCreate = 73
  /// Reading or writing failed half-way: a full disk, a broken device.
  case inputOutput = 74
  /// Cannot be done now and may be later, such as a log that another process holds.
  case temporary = 75
  /// This user may not do that.
  case noPermission = 77
  /// Settings are wrong.
  case configuration = 78
  /// Interrupted by Ctrl-C or a request to end.
  case interrupted = 130
}

extension ExitStatus {
  /// What it tells people, in one line; a command may say more of its own.
  package var meaning: String {
    switch self {
    case .ok: "done; to a question: yes"
    case .negative: "done, and the answer is no"
    case .usage: "the command was used wrongly"
    case .dataError: "what was read is not in the form it should have"
    case .noInput: "there is no such room or file"
    case .unavailable: "something that is needed cannot be had"
    case .software: "a mistake in the program"
    case .systemError: "the operating system refused something basic"
    case .cannotCreate: "a file cannot be created"
    case .inputOutput: "reading or writing failed half-way"
    case .temporary: "not now, perhaps later: another process writes the log"
    case .noPermission: "this user may not do that"
    case .configuration: "settings are wrong"
    case .interrupted: "interrupted"
    }
  }

  /// What stands for it in the errors of `--json`, the same from release to release.
  package var code: String {
    switch self {
    case .ok: "ok"
    case .negative: "refused"
    case .usage: "usage"
    case .dataError: "bad-data"
    case .noInput: "not-found"
    case .unavailable: "unavailable"
    case .software: "internal"
    case .systemError: "system"
    case .cannotCreate: "cannot-create"
    case .inputOutput: "input-output"
    case .temporary: "try-later"
    case .noPermission: "no-permission"
    case .configuration: "configuration"
    case .interrupted: "interrupted"
    }
  }

  /// Ends the process with this status, at once. What libraries in C tear down at an ordinary end, other threads may be
  /// using then: the cryptography of one that connects to a server crashed so.
  package func endProcess() -> Never { _exit(rawValue) }
}
