internal import Events
internal import JSON
internal import Projection
internal import Rules
internal import Service

// Earlier positions of a game, for who looks back.

extension RoomState {
  /// The most positions of an answer, and how many bytes they have where there are several.
  private static let (limitPositions, limitPositionBytes) = (16, 128 << 10)

  /// Positions of a game from a ply on, as many as an answer takes, as the viewer's seat saw them.
  /// - Parameter number: the game's, from 1; `nil` for the last one.
  func positions(
    _ number: Int?, from ply: Int, for viewer: PeerID, _ games: GameCatalog
  ) throws(ServiceError) -> [JSONMember] {
    let game = try game(numbered: number)
    let number = game.number + 1
    guard ply <= game.plies.count else {
      throw .refused("game \(number) has no ply \(ply): it has \(game.length)")
    }
    let last = min(game.plies.count, ply + Self.limitPositions - 1)
    let seat = seat(of: viewer)
    guard let steps = TableStep.steps(ply...last, of: game, create, for: seat, games: games) else {
      throw .refused("the rules of that game are not known here")
    }
    return room.members + [
      JSONMember("number", .integer(Int64(number))), JSONMember("plies", .integer(Int64(game.plies.count))),
      JSONMember("positions", .array(Self.json(steps))),
    ]
  }

  /// One of its games.
  /// - Parameter number: the game's, from 1; `nil` for the last one.
  func game(numbered number: Int?) throws(ServiceError) -> GameRecord {
    guard hosted == nil else { throw .refused("hosted rounds have no positions") }
    guard !games.isEmpty else { throw .refused("no game has begun there") }
    let number = number ?? games.count
    guard (1...games.count).contains(number) else {
      throw .refused("there is no game \(number) there: the last one is game \(games.count)")
    }
    return games[number - 1]
  }

  /// The first of some positions, as many as an answer takes.
  private static func json(_ steps: [TableStep]) -> [JSONValue] {
    var (values, bytes): ([JSONValue], Int) = ([], 0)
    for step in steps {
      let text = step.json
      bytes += text.count
      guard values.isEmpty || bytes <= limitPositionBytes else { break }
      do throws(JSONError) { values.append(try JSONValue(parsing: text)) } catch {
        preconditionFailure("the form of a position is no JSON: \(error)")
      }
    }
    return values
  }
}

extension GameRecord {
  /// How many plies it has, in words.
  var length: String { "\(plies.count) \(plies.count == 1 ? "ply" : "plies")" }
}
