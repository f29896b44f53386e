import EventLog
import Events
import Peer
import Projection
import Rules
import Terminal
import Tournaments

/// A room as commands show it: its events, what they amount to, and its peers' names.
struct Room {
  /// The events.
  let log: RoomLog
  /// What they amount to.
  let standing: RoomStanding
  /// The rules with their settings; `nil` when they are not known here.
  let rules: (any GameRules)?
  private var projection: RoomProjection
  private let names: [PeerID: String]

  /// A room of these events.
  /// - Parameter store: the log that it lies in; `nil` for a file.
  /// - Throws: when the log is empty or does not begin with a `create`, or the store cannot be read.
  init(_ log: RoomLog, in store: (any EventLog)?, games: GameCatalog) throws {
    guard var projection = RoomProjection(log.graph, catalog: games) else {
      throw Failure(.dataError, "room \(log.room.short) does not begin with its create event")
    }
    self.log = log
    standing = try RoomStanding(projection.state, in: store, games)
    self.projection = projection
    rules = Self.rules(of: standing.state, games)
    names = Self.names(in: log)
  }

  /// A room of a log.
  init(_ id: RoomID, in log: any EventLog, games: GameCatalog) throws {
    try self.init(try log.load(id, verify: false), in: log, games: games)
  }

  var state: RoomState { standing.state }
  var isTournament: Bool { standing.isTournament }
  var status: String { standing.status }

  /// Since when the game that is on waits, by the clock of who wrote the step before; `nil` when none is on.
  var waitsSince: UInt64? {
    guard state.turn != nil, let tip = log.position(of: state.tip) else { return nil }
    return log.graph.events[tip].wallTime
  }

  /// The hash of everything that the events amount to.
  mutating func digest() -> Digest { projection.digest() }

  /// Whether each event has its effect, in the log's order, and if not, why.
  mutating func verdicts() -> [(event: EventID, verdict: Verdict)] { projection.verdicts() }

  private static func rules(of state: RoomState, _ games: GameCatalog) -> (any GameRules)? {
    state.phase.isKnown ? games.rules(of: state.create) : nil
  }

  /// The name that each peer gave itself last in this room.
  private static func names(in log: RoomLog) -> [PeerID: String] {
    var names: [PeerID: String] = [:]
    for entry in log.entries {
      switch entry.event.action {
      case .create(let create): names[entry.event.author] = create.profile.name
      case .request(_, let profile): names[entry.event.author] = profile.name
      default: break
      }
    }
    return names
  }
}

// MARK: - Words

extension Room {
  /// The game's name for people.
  var title: String {
    rules?.definition.title ?? hostedTitle ?? SafeText(state.create.rules, limitColumns: 40).text
  }

  private var hostedTitle: String? { state.hosted?.rules.map { type(of: $0).title } }

  /// A peer as people know it: the name it gave itself, safe to print, and the beginning of its key.
  func name(of peer: PeerID) -> String {
    let digits = peer.description.prefix(6)
    let name = SafeText(names[peer] ?? "", limitColumns: 32).text
    return name.isEmpty ? String(digits) : "\(name) (\(digits))"
  }

  /// Who has a seat.
  func name(of seat: Seat) -> String {
    guard state.seats.indices.contains(seat.index), let occupant = state.seats[seat.index] else {
      return "\(seat)"
    }
    return name(of: occupant.peer)
  }

  /// The name that a peer gave itself, as it stands in the log.
  func rawName(of peer: PeerID) -> String { names[peer] ?? "" }

  /// A move as it is typed.
  func text(of code: MoveCode) -> String {
    SafeText(rules?.start(first: Seat(0)).text(of: code) ?? "code \(code.rawValue)", limitColumns: 40).text
  }

  /// What stands for each seat on a board.
  func pieces(in diagram: Diagram) -> [String] {
    Pieces.of(state.create.rules, diagram, wanted: state.seats.map { $0?.profile.emoji ?? "" })
  }
}
