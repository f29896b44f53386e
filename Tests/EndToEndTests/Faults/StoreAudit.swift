import Foundation
import Testing

/// What a data folder was ever seen to hold: nothing of it may be gone, or be something else, later.
///
/// Readers see only what was committed. So a peer that says one thing, is killed, and then says another at the
/// same place of its feed is caught even where the store keeps only the later one.
struct StoreAudit {
  private struct Seen {
    var events = 0
    var digest = ""
    /// The id at each place of each feed.
    var ids: [String: String] = [:]
  }

  private let home: TemporaryFolder
  private var rooms: [String: Seen] = [:]

  /// Events whose ids are known, over all rooms.
  var events: Int { rooms.values.reduce(0) { $0 + $1.ids.count } }

  init(_ home: TemporaryFolder) { self.home = home }

  /// The objects of a command that reads.
  func read(_ words: String...) throws -> [[String: Any]] {
    let run = try Program.start(words + ["--json", "--data", "data"], home: home).finish()
    #expect(run.status == 0, "\(words): \(run.errors)")
    return try run.objects()
  }

  /// Looks at the store: it verifies, nothing seen before has changed.
  ///
  /// - Parameter everything: whether all events are read again, not only those of rooms that changed and go on.
  mutating func look(everything: Bool) throws {
    let listed = try read("log", "list", "--all")
    let ids = Set(listed.compactMap { $0["id"] as? String })
    #expect(ids.count == listed.count)
    for room in rooms.keys.sorted() { #expect(ids.contains(room), "room \(room) is gone") }
    for room in listed {
      let id = try #require(room["id"] as? String)
      let events = try #require(room["events"] as? Int)
      let digest = try #require(room["digest"] as? String)
      let known = rooms[id, default: Seen()]
      #expect(events >= known.events, "room \(id) has lost events")
      if events == known.events { #expect(digest == known.digest, "room \(id) is another one") }
      rooms[id, default: Seen()].events = events
      rooms[id, default: Seen()].digest = digest
      let isOpen = ["playing", "waiting"].contains(room["status"] as? String)
      if everything || (isOpen && events != known.ids.count) { try lookAtFeeds(of: id) }
    }
    try verify(rooms: listed.count)
  }

  private mutating func lookAtFeeds(of room: String) throws {
    var ids: [String: String] = [:]
    for event in try read("log", "show", room) {
      let place = "\(event["author"] ?? "") \(event["sequence"] ?? "")"
      let id = try #require(event["id"] as? String)
      #expect(ids.updateValue(id, forKey: place) == nil, "\(room): two events are number \(place)")
      #expect(event["verdict"] as? String == "effective", "\(room): \(event["reason"] ?? "")")
    }
    for (place, id) in rooms[room, default: Seen()].ids {
      #expect(ids[place] == id, "\(room): number \(place) was \(id)")
    }
    rooms[room, default: Seen()].ids = ids
  }

  private func verify(rooms count: Int) throws {
    // Killed before there was a store.
    guard count > 0 else { return }
    let verified = try read("log", "verify")
    #expect(verified.count == count)
    for room in verified {
      #expect(room["valid"] as? Bool == true, "\(room)")
      #expect((room["forks"] as? [Any])?.isEmpty == true, "\(room)")
    }
  }

  /// The moves of a room's games and the scores of those that are over, as replaying them gives.
  func games(of room: String) throws -> [PlayedGame] {
    var games: [PlayedGame] = []
    for object in try read("replay", room) {
      let number = try #require(object["game"] as? Int)
      while games.count < number { games.append(PlayedGame()) }
      if object["type"] as? String == "ending" {
        games[number - 1].scores = object["scores"] as? [Int]
      } else {
        games[number - 1].moves += try #require(object["moves"] as? [String])
      }
    }
    return games
  }
}

/// One game: its moves as texts, choices made together one after the other, and its scores once it is over.
struct PlayedGame: Equatable {
  var moves: [String] = []
  var scores: [Int]?
}
