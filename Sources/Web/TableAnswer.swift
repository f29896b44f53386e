internal import BotKit
internal import Events
internal import JSON
internal import Rules
internal import SearchBots
internal import Service

// What answers say, whoever asks.

extension TableRequest.Refusal {
  /// How a client is told.
  var answer: [JSONMember] {
    [
      JSONMember("type", "error"), JSONMember("id", tag?.json ?? .null), JSONMember("words", .string(words)),
    ]
  }
}

extension TableRequest.Tag {
  var json: JSONValue {
    switch self {
    case .text(let text): .string(text)
    case .number(let number): .integer(number)
    }
  }
}

extension RoomID {
  /// How a room is named to clients.
  var members: [JSONMember] {
    [JSONMember("room", .string(description)), JSONMember("code", .string(GameCode.of(self)))]
  }
}

extension GameCatalog {
  /// The games, for a list of what a client may open.
  func listed(_ bots: BotCatalog) -> JSONValue {
    .array(
      definitions.map { game in
        [
          "name": .string(game.name), "title": .string(game.title), "summary": .string(game.summary),
          "settings": .array(
            game.settings.map { setting in
              [
                "name": .string(setting.name), "summary": .string(setting.summary),
                "standard": .string(setting.standard),
              ]
            }),
          "bots": .array(bots.families(playing: game.name).map { .string($0.name) }),
          "analyzed": .bool(SearchBots.analyzedGames.contains(game.name)),
          "branched": .bool(game.mayBeBranched),
        ]
      })
  }
}
