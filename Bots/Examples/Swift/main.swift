// A line bot in Swift with the library's rules: plays the legal move that the seed of its turn names. It wants only
// what was played, and finds the position by itself. Chance is not in that: it takes no game that needs some.
import Foundation
import Parlor

/// What Parlor says, as far as this bot reads it.
private struct Message: Decodable {
  struct Setting: Decodable { var name, value: String }
  struct Ply: Decodable {
    var seat: UInt16?
    var moves: [String]
  }
  var type: String
  var game: String?
  var settings: [Setting]?
  var seat: UInt16?
  var seed: UInt64?
  var plies: [Ply]?
}

private func answer(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// The position after what was played. Whoever did not begin has read a first ply.
private func position(_ rules: any GameRules, _ plies: [Message.Ply], _ seat: Seat) throws -> any GameState {
  var game = rules.start(first: plies.first?.seat.map { Seat(max($0, 1) - 1) } ?? seat)
  for ply in plies {
    let codes = ply.moves.map { game.code(text: $0) ?? .none }
    let isLegal = ply.seat == nil ? game.resolve(codes, by: .none) : game.play(codes.first ?? .none)
    if !isLegal { throw CocoaError(.coderInvalidValue) }
  }
  return game
}

private var rules: (any GameRules)?
private var seat = Seat(0)
while let line = readLine() {
  let message = try JSONDecoder().decode(Message.self, from: Data(line.utf8))
  switch message.type {
  case "hello":
    let games = Games.catalog.definitions.map(\.name).filter { $0 != "memory-match" }.map { "\"\($0)\"" }
    answer(
      #"{"type":"hello","version":1,"wants":["plies"],"nodes":1,"recomputable":true,"#
        + #""games":[\#(games.joined(separator: ","))]}"#)
  case "new-game":
    var parameters = Parameters()
    for setting in message.settings ?? [] { parameters[setting.name] = setting.value }
    rules = try Games.catalog.newest(message.game ?? "")?.rules(parameters)
    seat = Seat(max(message.seat ?? 1, 1) - 1)
  case "go":
    let moves = try rules.map { try position($0, message.plies ?? [], seat).legalMoves(of: seat) } ?? []
    if moves.isEmpty { exit(1) }
    answer(#"{"type":"move","code":\#(moves[Int((message.seed ?? 0) % UInt64(moves.count))].rawValue)}"#)
  default: if message.type == "quit" { exit(0) }
  }
}
