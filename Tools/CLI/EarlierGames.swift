import Events
import Peer
import Platform
import Projection
import Service
import Terminal

/// Games that this peer opened before, where nobody sits any more: their host was killed, or left without closing them.
/// Nobody is seated there; somebody has to say what becomes of them.
struct EarlierGames {
  let sitting: Sitting

  /// What becomes of such a game.
  enum Choice: String, CaseIterable {
    case close
    /// Go on with it instead of what the command is for.
    case goOn = "go-on"
    /// Leave it as it is.
    case keep
  }

  /// Where a command goes on.
  enum Way {
    case asAsked
    /// At the table of an earlier game.
    case at(RoomID)
    /// Somebody asked to stop.
    case interrupted
  }

  /// - Parameter mayGoOn: whether the command is one that sits down at tables.
  static func option(mayGoOn: Bool) -> OptionDefinition {
    let choices = Choice.allCases.filter { mayGoOn || $0 != .goOn }
    let asks = mayGoOn ? "asked at a terminal, else keep" : "keep when not given"
    return .value(
      "earlier", "ACTION",
      "What becomes of a game that was opened here before, has a free seat, and whose host is gone: "
        + choices.map(\.rawValue).joined(separator: ", ") + "; \(asks).",
      kind: .choice(choices.map(\.rawValue)))
  }

  static let object = ObjectDefinition(
    "earlier", "For each game that was opened here before, has a free seat, and whose host is gone.",
    [
      "room": "the room's id", "code": "the game's code", "game": "the game's name",
      "action": "what becomes of it: `close`, `go-on` or `keep`",
    ])

  /// Settles what becomes of games that were left open: as `--earlier` says, else as somebody at the terminal says
  /// where the command may go on with one; else they are kept, and that is told.
  @discardableResult
  func settle(mayGoOn: Bool = false) async throws -> Way {
    let service = sitting.service
    let said = sitting.parsed.text("earlier").flatMap(Choice.init)
    var way = Way.asAsked
    for room in try await service.leftTables() {
      guard let state = try await service.state(of: room) else { continue }
      var choice = said
      if choice == nil, mayGoOn, Descriptor.input.isTerminal, !sitting.context.isJSON {
        guard let answer = try await ask(about: state) else { return .interrupted }
        choice = answer
      }
      var action = choice ?? .keep
      if action == .goOn, case .at = way { action = .keep }
      switch action {
      case .close: _ = try await service.perform(.act(room, .leave))
      case .goOn: way = .at(room)
      case .keep: break
      }
      try tell(state, action)
    }
    return way
  }

  /// - Returns: `nil` when it was asked to stop.
  private func ask(about state: RoomState) async throws -> Choice? {
    let console = sitting.context.console
    while true {
      try console.prompt("\(words(of: state)) Close it, go on with it, or keep it? [close/go/keep] ")
      guard case .line(let text) = try await sitting.input.line() else {
        console.note("")
        return nil
      }
      switch text.trimmingBlanks.lowercased() {
      case "c", "close": return .close
      case "g", "go", "go on", "go-on": return .goOn
      case "k", "keep", "": return .keep
      default: continue
      }
    }
  }

  private func words(of state: RoomState) -> String {
    let game = SafeText(state.create.rules, limitColumns: 40).text
    return "Your game \(GameCode.of(state.room)) of \(game) from before still waits for players."
  }

  private func tell(_ state: RoomState, _ action: Choice) throws {
    let code = GameCode.of(state.room)
    let console = sitting.context.console
    guard !sitting.context.isJSON else {
      return try sitting.context.object(
        "earlier",
        [
          "room": .string(state.room.description), "code": .string(code), "game": .string(state.create.rules),
          "action": .string(action.rawValue),
        ])
    }
    switch action {
    case .close: console.note("Your game \(code) from before is closed.")
    case .goOn: console.note("Your game \(code) from before goes on.")
    case .keep:
      console.note(
        "\(words(of: state)) Nobody gets a seat there while its host is away: `parlor join \(code)` goes on"
          + " with it, and `--earlier close` closes it.")
    }
  }
}
