import BotKit
import EventLog
import Events
import NATS
import Network
import Peer
import Platform
import Rules
import SearchBots
import Service
import Terminal
import Tournaments

/// What a command ends with when it cannot do its work: words for people and a status for programs.
struct Failure: Error {
  /// The status to end with.
  let status: ExitStatus
  /// What happened; `nil` where there is nothing to say, as when the reader of the output has gone.
  let words: String?
  /// What to do about it.
  let hint: String?

  /// A failure that a command found itself.
  init(_ status: ExitStatus, _ words: String?, hint: String? = nil) {
    self.status = status
    self.words = words
    self.hint = hint
  }

  /// Whether this is what a command throws because it was asked to stop.
  var isInterruption: Bool { status == .interrupted }

  /// Words and status of any module's error.
  init(_ error: any Error) {
    switch error {
    case let error as Failure: self = error
    case let error as UsageError: self.init(.usage, error.description, hint: error.hint(program: "parlor"))
    case let error as ConsoleError:
      self.init(error.exitStatus, error == .closed ? nil : error.description)
    case let error as LogError: self.init(error.exitStatus, error.description, hint: error.hint)
    case let error as BundleError: self.init(error.exitStatus, error.description, hint: error.hint)
    case let error as IdentityError: self.init(error.exitStatus, error.description)
    case let error as IdentityExportError: self.init(error.exitStatus, error.description)
    case let error as PeerError: self.init(error.exitStatus, error.description)
    case let error as ServiceError: self.init(error.exitStatus, error.description)
    case let error as NATSError: self.init(error.exitStatus, error.description)
    case let error as NetworkError: self.init(.unavailable, error.description)
    case let error as FileError: self.init(error.exitStatus, error.description)
    case let error as LineReaderError: self.init(.inputOutput, error.description)
    case let error as SystemError: self.init(.systemError, error.words)
    case let error as RulesError: self.init(.usage, error.description, hint: "see `parlor games`")
    case let error as BotError:
      self.init(error == .cancelled ? .interrupted : .usage, error.description, hint: "see `parlor bots`")
    case let error as SolveError: self.init(error.exitStatus, error.description)
    case let error as TournamentError: self.init(.usage, error.description)
    case let error as SwissError: self.init(.dataError, error.description)
    case let error as SwissReportError: self.init(.dataError, error.description, hint: error.hint)
    case let error as FormatError: self.init(.dataError, error.description)
    default:
      self.init(
        .software, "internal error: \(SafeText("\(error)", limitColumns: 200).text)",
        hint: "this is a mistake in parlor; please report it")
    }
  }
}

extension LogError {
  /// The status to end with.
  var exitStatus: ExitStatus {
    switch self {
    case .unknownRoom, .noStore: .noInput
    case .ambiguousRoom: .usage
    case .format, .wrongRoom, .brokenChain, .misnamed, .badSignature, .missing, .unprovenFork, .unsigned,
      .corrupt,
      .otherNetwork, .notNeeded:
      .dataError
    case .locked, .stale, .busy: .temporary
    case .limit, .crowded: .unavailable
    case .noPermission: .noPermission
    case .stopped, .store, .full: .inputOutput
    }
  }

  fileprivate var hint: String? {
    switch self {
    case .otherNetwork:
      "a data folder belongs to one network: `--network NAME` or PARLOR_NETWORK names it, neither means everybody's"
    case .locked: "what only reads, such as log list and replay, works meanwhile"
    case .ambiguousRoom: "`parlor log list --all --json` shows whole ids"
    case .corrupt: "`parlor log forget ROOM` removes a room that does not hold"
    case .unknownRoom: "a room is named by the first digits of its id, or `last` for the newest"
    default: nil
    }
  }
}

extension BundleError {
  fileprivate var hint: String? {
    switch self {
    case .otherNetwork: "`--network NAME` or PARLOR_NETWORK names its network, neither means everybody's"
    default: nil
    }
  }

  fileprivate var exitStatus: ExitStatus {
    switch self {
    case .log(let error): error.exitStatus
    case .inputOutput: .inputOutput
    case .part(_, _, let error): error.exitStatus
    default: .dataError
    }
  }
}

extension IdentityError {
  fileprivate var exitStatus: ExitStatus {
    switch self {
    case .missing: .noInput
    case .exists: .cannotCreate
    case .exposed, .notOurs: .noPermission
    case .damaged: .dataError
    case .busy: .temporary
    case .system: .inputOutput
    }
  }
}

extension IdentityExportError {
  fileprivate var exitStatus: ExitStatus {
    switch self {
    case .notAnExport, .otherVersion, .damaged, .otherCost, .otherKey: .dataError
    case .wrongPassphrase: .negative
    case .noMemory: .unavailable
    }
  }
}

extension PeerError {
  fileprivate var exitStatus: ExitStatus {
    switch self {
    case .unknownRoom: .noInput
    case .notAllowed: .usage
    case .log, .full: .inputOutput
    case .unplayable: .dataError
    case .recovering, .alone, .unconfirmed, .doubled, .busy, .notWhole: .temporary
    }
  }
}

extension ServiceError {
  fileprivate var exitStatus: ExitStatus {
    switch self {
    case .peer(let error): error.exitStatus
    case .refused: .negative
    case .network: .unavailable
    case .system: .systemError
    case .busy, .gone: .temporary
    }
  }
}

extension SolveError {
  fileprivate var exitStatus: ExitStatus {
    switch self {
    case .wrongGame: .usage
    case .badMove, .badConnectFour: .dataError
    case .cancelled: .interrupted
    }
  }
}
