import BotKit
import EventLog
import Events
import Games
import Peer
import PrisonersDilemmaBots
import Rules
import SearchBots

let clock = ContinuousClock()
let begin = clock.now
let home = Household(
  owner: SigningKey(seed: [UInt8](repeating: 1, count: 32)), log: MemoryEventLog(network: .standard),
  games: Games.catalog, bots: BotCatalog(SearchBots.families + PrisonersDilemmaBots.families),
  now: { 0 }, elapsed: { UInt64((clock.now - begin) / .milliseconds(1)) })
guard let definition = Games.catalog.newest("tic-tac-toe") else { fatalError() }
let plan = Household.MatchPlan(
  rules: try definition.rules(), players: ["random", "random"],
  games: Int(CommandLine.arguments.dropFirst().first ?? "2560") ?? 2560, seed: 1)
let start = clock.now
for room in 0..<(plan.games + 255) / 256 {
  _ = try await home.playMatchRoom(room, of: plan, isCancelled: { false })
}
let took = (clock.now - start) / .seconds(1)
print("games a second:", Double(plan.games) / took, "seconds", took)
