internal import Events
internal import JSON
internal import Projection
internal import Service

// Earlier positions of a game, for who looks back.

extension TableSockets {
  /// The most positions of an answer, and how many bytes they have where there are several.
  private static let (limitPositions, limitPositionBytes) = (16, 128 << 10)

  /// Positions of a game from a ply on, as many as an answer takes, as the client's seat saw them.
  /// - Parameter number: the game's, from 1; `nil` for the last one.
  func positions(
    of state: RoomState, _ number: Int?, _ ply: Int, _ client: Client
  ) throws(ServiceError) -> [JSONMember] {
    let game = try game(number, of: state)
    let number = game.number + 1
    guard ply <= game.plies.count else {
      throw .refused("game \(number) has no ply \(ply): it has \(Self.plies(game.plies.count))")
    }
    let last = min(game.plies.count, ply + Self.limitPositions - 1)
    let seat = state.seat(of: viewer(client))
    guard let steps = TableStep.steps(ply...last, of: game, state.create, for: seat, games: games) else {
      throw .refused("the rules of that game are not known here")
    }
    return Self.named(state.room) + [
      JSONMember("number", .integer(Int64(number))), JSONMember("plies", .integer(Int64(game.plies.count))),
      JSONMember("positions", .array(Self.json(steps))),
    ]
  }

  /// A game of a room.
  /// - Parameter number: the game's, from 1; `nil` for the last one.
  func game(_ number: Int?, of state: RoomState) throws(ServiceError) -> GameRecord {
    guard state.hosted == nil else { throw .refused("hosted rounds have no positions") }
    guard !state.games.isEmpty else { throw .refused("no game has begun there") }
    let number = number ?? state.games.count
    guard (1...state.games.count).contains(number) else {
      throw .refused("there is no game \(number) there: the last one is game \(state.games.count)")
    }
    return state.games[number - 1]
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
