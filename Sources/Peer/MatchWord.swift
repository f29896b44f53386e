import EventLog
import Events

/// What the host of a room says first in it, as a chat line: which match the room is of, and what of that stands in no
/// other event. So a match can be gone on with from the log alone.
struct MatchWord: Hashable, Sendable {
  /// What all rooms of a match name, and no others do: 32 hexadecimal digits.
  let match: String
  /// How many games the match has; at the most, where something ends it before.
  let games: Int
  /// The room's number in the match, from 0; in the text from 1.
  let room: Int
  /// The words of the test that ends the match; empty for none.
  let test: String

  init(match: String, games: Int, room: Int, test: String) {
    self.match = match
    self.games = games
    self.room = room
    self.test = test
  }

  /// Such as “room 3 of match 00112233445566778899aabbccddeeff of 1000 games, sprt elo0=0,elo1=20”.
  var text: String {
    "room \(room + 1) of match \(match) of \(games) games" + (test.isEmpty ? "" : ", sprt \(test)")
  }

  /// What a chat line says; `nil` when it is none of these.
  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 8 || words.count == 10, let room = Int(words[1]), let games = Int(words[6]),
      room > 0, games > 0
    else { return nil }
    self.init(
      match: String(words[4]), games: games, room: room - 1, test: words.count == 10 ? String(words[9]) : "")
    guard self.text == text, match.utf8.count == 32 else { return nil }
  }

  /// What the creator of a room says of the match that it is of, as the first thing after its creation. A bundle may
  /// have other peers' events before that.
  init?(firstIn log: RoomLog) {
    let events = log.graph.events
    guard let create = events.first,
      let next = events.dropFirst().first(where: { $0.author == create.author }),
      case .chat(let text) = next.action
    else { return nil }
    self.init(text)
  }
}

extension EventLog {
  /// The rooms of games that a peer created for its bots to play matches in, newest first.
  func matchRooms(of owner: PeerID) throws(LogError) -> [(room: RoomID, word: MatchWord)] {
    var found: [(room: RoomID, word: MatchWord)] = []
    for listing in try rooms(limit: nil) where listing.create.author == owner {
      guard case .create(let create) = listing.create.action, create.isGames, create.referee == owner,
        create.creatorSeat == Create.noSeat, let word = try matchWord(of: listing.room, by: owner)
      else { continue }
      found.append((listing.room, word))
    }
    return found
  }

  /// What the creator of a room says of the match that it is of, as the first thing after its creation.
  private func matchWord(of room: RoomID, by owner: PeerID) throws(LogError) -> MatchWord? {
    var word: MatchWord?
    var isFirst = true
    try read(room, verify: false) { (view, _) throws(LogError) in
      guard !isFirst else {
        isFirst = false
        return .goOn
      }
      if view.author == owner, case .chat(let text) = view.event.action { word = MatchWord(text) }
      return .stop
    }
    return word
  }
}
