import Foundation
import Parlor

/// Three peers with folders of their own, which play a game of Dare over TCP; one of them leaves.
@main
struct ThreePeers {
  static func main() async throws {
    let folders = CommandLine.arguments.dropFirst()
    guard folders.count == 3 else {
      FileHandle.standardError.write(Data("usage: dare FOLDER FOLDER FOLDER\n".utf8))
      exit(64)
    }
    let games = GameCatalog(Games.catalog.definitions + [GameDefinition(Dare.self)])
    let ada = try await RunningPeer.start(in: folders[1], games: games, listen: "127.0.0.1:0")
    let bob = try await RunningPeer.start(in: folders[2], games: games)
    let cy = try await RunningPeer.start(in: folders[3], games: games)
    for peer in [bob, cy] { try await peer.connect(to: ada.address ?? "") }

    let bot = RandomBot()
    let profiles = ["Ada", "Bob"].enumerated().map { index, name in
      Profile(name: name, bot: BotEntry(bot.declaration, seed: UInt64(index)))
    }
    let room = try await ada.create(try GameDefinition(Dare.self).rules(), as: profiles[0])
    try await bob.state(of: room) { $0.phase == .waiting }
    try await bob.join(room, as: profiles[1])
    // Of two who ask at once either may come first: Cy asks when Bob has a seat, and so gets the last one.
    try await cy.state(of: room) { $0.seat(of: bob.id) != nil }
    try await cy.join(room, as: Profile(name: "Cy"))

    // Cy dares once, sees what came of it, and leaves.
    async let one = ada.play(bot, in: room)
    async let two = bob.play(bot, in: room)
    try await cy.state(of: room) { $0.seatToChoose(of: cy.id) != nil }
    try await cy.play(MoveCode(Dare.Move.roll.rawValue), in: room)
    try await cy.state(of: room) { $0.plyCount == 1 }
    try await cy.perform(.leave, in: room)

    // Without Cy the others draw on.
    let (here, there) = try await (one, two)
    print("dropped out: \(here.games[0].dropOuts.map { "\($0.seat)" })")
    print("rounds with three: \(here.games[0].plies.count { !$0.choices.contains(nil) })")
    print("same game: \(here.games[0].ending == there.games[0].ending)")
    print("verified: \(try ada.verify(room).isValid && bob.verify(room).isValid)")
    for peer in [cy, bob, ada] { try await peer.close() }
  }
}
