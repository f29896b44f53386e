import Events
import Games
import Projection
import Rules
import Terminal

/// The races of a tap race, which are all alike.
struct RacePlan: HostedPlan {
  static let options: [OptionDefinition] = [
    .value("taps", "N", "tap-race: who has so many taps first wins, 1 to 1000; 50 where nothing is said."),
    .value("seconds", "T", "tap-race: instead, who has most taps after so many seconds wins, 3 to 60."),
    .value("races", "N", "tap-race: how many races there are, 1 to 256; 3 where nothing is said."),
  ]

  static let bots = ["guess", "level"]

  private let race: TapRace
  let rounds: Int

  private init(_ race: TapRace, rounds: Int) { (self.race, self.rounds) = (race, rounds) }

  static func shows(_ parsed: ParsedCommand, _ context: Context) throws -> ExitStatus? { nil }

  init(_ definition: HostedDefinition, _ parsed: ParsedCommand, _ context: Context) throws {
    for option in Self.options.map(\.name) where parsed.has("resume") && parsed.has(option) {
      throw parsed.badValue(option, "a tap race that is resumed goes on as it was opened")
    }
    rounds = Int(try parsed.integer("races", in: 1...Create.limitGames) ?? 3)
    let rules = try definition.rules(
      parsed,
      also: ["taps", "seconds"].compactMap { name in parsed.text(name).map { (name, $0) } })
    race = rules as? TapRace ?? TapRace()
  }

  var title: String { "" }
  var rules: any HostedRules { race }
  var entries: UInt16 { race.limitBatches }
  var resumeHint: String { "" }

  func round(_ number: Int) -> HostedAsking {
    HostedAsking(content: [], solution: [], limitMilliseconds: race.limitMilliseconds)
  }

  func resumed(in state: RoomState) throws -> RacePlan {
    guard let race = state.hosted?.rules as? TapRace else {
      throw Failure(.usage, "the room \(state.room.short) is no tap race that this program knows")
    }
    return RacePlan(race, rounds: Int(state.create.games))
  }
}
