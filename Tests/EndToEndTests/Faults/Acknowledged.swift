import Foundation
import Testing

/// What runs of the program have printed, each of which says that it is stored.
struct Acknowledged {
  private struct MatchGame {
    let room: String
    /// Its number in the room, from 1.
    let number: Int
    let game: PlayedGame
  }

  /// The beginning of the key of the folder's identity, once one was named.
  private(set) var peer: String?
  /// The moves shown last of each room that a person plays.
  private var positions: [String: [String]] = [:]
  private var results: [String: [Int]] = [:]
  private var matchGames: [MatchGame] = []
  private var decided: [TournamentCampaign.Decided] = []
  /// How many lines were taken.
  private(set) var lines = 0

  /// Takes what a run has printed.
  /// - Returns: the acknowledgements of this run alone.
  mutating func take(_ run: Dialogue) throws -> Acknowledged {
    var new = Acknowledged()
    if let named = try run.errors().firstMatch(of: #/identity was created in \S+: peer ([0-9a-f]+)/#) {
      new.peer = String(named.output.1)
    }
    for object in try run.objects() { try new.take(object) }
    #expect(new.peer == nil || peer == nil, "a second identity was made")
    peer = peer ?? new.peer
    for (room, moves) in new.positions {
      let known = positions[room] ?? []
      #expect(moves.starts(with: known), "\(room): \(known) was shown, then \(moves)")
    }
    positions.merge(new.positions) { $1 }
    results.merge(new.results) { $1 }
    matchGames += new.matchGames
    decided += new.decided
    lines += new.lines
    return new
  }

  private mutating func take(_ object: [String: Any]) throws {
    lines += 1
    switch object["type"] as? String {
    case "position":
      let room = try #require(object["room"] as? String)
      positions[room] = try #require(object["moves"] as? [String])
    case "result":
      let room = try #require(object["room"] as? String)
      results[room] = try #require(object["scores"] as? [Int])
    // Numbered over the whole match, whose rooms have 256 games each; but for the last, which may have less.
    case "game" where object["moves"] != nil:
      let moves = try #require(object["moves"] as? [Any]).flatMap { move in
        if let together = move as? [String] { return together }
        return [try #require(move as? String)]
      }
      let number = try #require(object["game"] as? Int)
      matchGames.append(
        MatchGame(
          room: try #require(object["room"] as? String), number: (number - 1) % 256 + 1,
          game: PlayedGame(moves: moves, scores: object["scores"] as? [Int])))
    case "decided": decided.append(try TournamentCampaign.Decided(object))
    default: lines -= 1
    }
  }

  /// All of it is in the store.
  func check(_ audit: StoreAudit) throws {
    if let peer {
      let own = try audit.read("identity", "show")[0]["peer"] as? String
      #expect(own?.hasPrefix(peer) == true, "the identity \(peer) is lost")
    }
    for (room, moves) in positions {
      let game = try #require(try audit.games(of: room).first, "room \(room) was shown and is lost")
      #expect(game.moves.starts(with: moves), "\(room): \(moves) was shown and \(game.moves) is stored")
      if let scores = results[room] { #expect(game.scores == scores, "\(room)") }
    }
    for (room, shown) in Dictionary(grouping: matchGames, by: \.room) {
      let games = try audit.games(of: room)
      for one in shown where games.count < one.number || games[one.number - 1] != one.game {
        Issue.record("game \(one.number) of \(room) was shown and is not stored so")
      }
    }
    try checkDecided(audit)
  }

  private func checkDecided(_ audit: StoreAudit) throws {
    guard !decided.isEmpty else { return }
    var stored: Set<String> = []
    for tournament in try audit.read("tournament", "list") {
      for pairing in try audit.read("tournament", "show", try #require(tournament["id"] as? String)) {
        for room in pairing["rooms"] as? [String] ?? [] {
          stored.insert("\(pairing["pairing"] ?? "") \(room)")
        }
      }
    }
    for one in decided {
      #expect(stored.contains("\(one.pairing) \(one.room)"), "\(one) was shown and is lost")
    }
  }
}
