import BotKit
import Games
import LineBots
import Rules

/// Any bytes as the line that a bot which is a program answers, or as all that an engine writes: refused in words, or a
/// choice that may be made.
enum ReplyTarget {
  /// Games of turns, of rounds, and of chance; a quiz and a tap race ask no bots.
  private static let games = Games.catalog.definitions

  static func run(_ bytes: [UInt8]) {
    var choices = ByteChoices(bytes)
    switch choices.below(4) {
    case 3: return greet(choices.rest())
    case 2: return EngineTalk.run(&choices)
    default: break
    }
    guard let (start, turn) = asked(&choices) else { return }
    let line = choices.rest()
    do throws(LineBotFault) {
      let move = try LineMove(line: line)
      let choice = try move.choice(in: turn)
      var game = start
      let isTaken =
        game.turn.isRound
        ? game.mayOpen(choice.code, by: turn.seat) : game.play(choice.code, by: turn.seat) != nil
      Fuzz.promise(isTaken, "the game does not take the choice \(choice.code)")
      Fuzz.promise(try LineMove(line: line) == move, "read again, an answer is another")
    } catch { check(error) }
  }

  /// A turn of a game that some moves were made of.
  private static func asked(_ choices: inout ByteChoices) -> (any GameState, BotTurn)? {
    guard let definition = choices.pick(games) else { return nil }
    do throws(RulesError) {
      var game = try definition.rules().start(first: Seat(0))
      for _ in 0..<choices.below(8) { goOn(&game, &choices) }
      let seat: Seat
      switch game.turn {
      case .seat(let mover): seat = mover
      case .round(let choosing): seat = choices.pick(Array(choosing)) ?? Seat(0)
      case .over: return nil
      }
      return (game, BotTurn(game: game, seat: seat, randomness: RandomSource(seed: 1, seat: seat, ply: 0)))
    } catch { Fuzz.fail("the standard settings of \(definition.name) are refused: \(error)") }
  }

  /// One ply.
  private static func goOn(_ game: inout any GameState, _ choices: inout ByteChoices) {
    switch game.turn {
    case .seat(let seat):
      if let code = choices.pick(game.legalMoves(of: seat)) { _ = game.play(code) }
    case .round(let choosing):
      var codes: [MoveCode] = []
      for index in 0..<game.seats {
        let seat = Seat(UInt16(truncatingIfNeeded: index))
        let mayChoose = choosing.contains(seat) ? game.legalMoves(of: seat) : []
        codes.append(choices.pick(mayChoose) ?? .none)
      }
      _ = game.resolve(codes, by: game.usesChance ? Chance(seed: UInt64(choices.byte())) : .none)
    case .over: break
    }
  }

  /// The answer to `hello`.
  private static func greet(_ line: [UInt8]) {
    do throws(LineBotFault) {
      let hello = try LineHello(line: line)
      Fuzz.promise(try LineHello(line: line) == hello, "read again, a hello is another")
    } catch { check(error) }
  }

  /// Checks why a line was refused.
  static func check(_ fault: LineBotFault) {
    switch fault {
    case .rubbish, .illegal, .resigned, .refused, .unasked:
      Fuzz.promise(!fault.words.isEmpty, "a line is refused without a word")
    default: Fuzz.fail("a line alone is \(fault.name)")
    }
  }
}
