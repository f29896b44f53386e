import Events
import Peer
import Platform
import Projection
import Service
import Terminal

/// Games that this peer opened before, where nobody sits any more: their host was killed, or left without closing them.
/// Nobody is seated there; somebody has to say what becomes of them.
enum EarlierGames {
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
}

extension Context {
  /// Settles what becomes of games that were left open: as `--earlier` says, else as somebody at the terminal says
  /// where the command may go on with one; else they are kept, and that is told.
  func settleEarlier(
    _ parsed: ParsedCommand, _ service: any Service, _ input: TableInput, mayGoOn: Bool = false
  ) async throws -> EarlierGames.Way {
    let said = parsed.text("earlier").flatMap(EarlierGames.Choice.init)
    var way = EarlierGames.Way.asAsked
    for room in try await service.leftTables() {
      guard let state = try await service.state(of: room) else { continue }
      var choice = said
      if choice == nil, mayGoOn, Descriptor.input.isTerminal, !isJSON {
        guard let answer = try await askAboutEarlier(state, input) else { return .interrupted }
        choice = answer
      }
      var action = choice ?? .keep
      if action == .goOn, case .at = way { action = .keep }
      switch action {
      case .close: _ = try await service.perform(.act(room, .leave))
      case .goOn: way = .at(room)
      case .keep: break
      }
      try tellEarlier(state, action)
    }
    return way
  }

  /// - Returns: `nil` when it was asked to stop.
  private func askAboutEarlier(_ state: RoomState, _ input: TableInput) async throws -> EarlierGames.Choice? {
    while true {
      try console.prompt("\(words(forEarlier: state)) Close it, go on with it, or keep it? [close/go/keep] ")
      guard case .line(let text) = try await input.line() else {
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

  private func words(forEarlier state: RoomState) -> String {
    let game = SafeText(state.create.rules, limitColumns: 40).text
    return "Your game \(GameCode.of(state.room)) of \(game) from before still waits for players."
  }

  private func tellEarlier(_ state: RoomState, _ action: EarlierGames.Choice) throws {
    let code = GameCode.of(state.room)
    guard !isJSON else {
      return try object(
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
        "\(words(forEarlier: state)) Nobody gets a seat there while its host is away: `parlor join \(code)` goes on"
          + " with it, and `--earlier close` closes it.")
    }
  }
}
