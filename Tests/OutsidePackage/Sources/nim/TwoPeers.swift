import Foundation
import Parlor

/// Two peers with folders of their own, which play a game of Nim against each other over TCP.
@main
struct TwoPeers {
  static func main() async throws {
    guard CommandLine.arguments.count == 3 else {
      FileHandle.standardError.write(Data("usage: nim FOLDER FOLDER\n".utf8))
      exit(64)
    }
    let games = GameCatalog(Games.catalog.definitions + [GameDefinition(Nim.self)])
    let ada = try await RunningPeer.start(in: CommandLine.arguments[1], games: games, listen: "127.0.0.1:0")
    let bob = try await RunningPeer.start(in: CommandLine.arguments[2], games: games)
    try await bob.connect(to: ada.address ?? "")

    // Ada makes a table with a bot that plays perfectly, Bob comes with one that plays at random.
    var settings = Parameters()
    settings["stones"] = "22"
    let rules = try GameDefinition(Nim.self).rules(settings)
    let perfect = NimBot()
    let random = RandomBot()
    let room = try await ada.create(
      rules, as: Profile(name: "Ada", bot: BotEntry(perfect.declaration, seed: 1)), starter: .firstSeat)
    try await bob.state(of: room) { $0.phase == .waiting }
    try await bob.join(room, as: Profile(name: "Bob", bot: BotEntry(random.declaration, seed: 2)))

    // Each side plays in a task of its own, as it would in a process of its own.
    async let one = ada.play(perfect, in: room)
    async let two = bob.play(random, in: room)
    _ = try await (one, two)

    // The game is over on both sides once both have each other's signed result.
    let seenByAda = try await ada.state(of: room) { $0.games.last?.isAgreed == true }
    let seenByBob = try await bob.state(of: room) { $0.games.last?.isAgreed == true }
    let (here, there) = (try await ada.events(of: room), try await bob.events(of: room))
    print("winner: \(seenByAda.games[0].ending?.outcome?.winner.map { "\($0)" } ?? "nobody")")
    print("same state: \(seenByAda.games[0].ending == seenByBob.games[0].ending)")
    print("same events: \(Set(here) == Set(there))")
    print("moves: \(here.count { $0.kind == .move })")
    print("verified: \(try ada.verify(room).isValid && bob.verify(room).isValid)")
    print("room: \(room)")
    try await bob.close()
    try await ada.close()
  }
}
