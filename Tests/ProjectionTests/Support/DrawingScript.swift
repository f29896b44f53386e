import Events
import Games
import Projection
import Rules

// A drawing game that alice hosts.
extension HostedScript {
  static let word = Array("tree".utf8)

  /// A drawing game with these players, by number.
  static func drawing(_ players: [TestPeer], rounds: Int = 3, entries: UInt16 = 40) throws -> HostedScript {
    var game = try HostedScript(rounds: rounds, entries: entries, rules: "drawing")
    for (number, peer) in players.enumerated() { try game.join(peer, as: UInt16(number)) }
    return game
  }

  /// Opens a round in which a player draws.
  /// - Parameters:
  ///   - told: the word that the player is told; the host is bound to `word`.
  ///   - telling: whose key the box is sealed to; by default the drawer's.
  ///   - named: the key that it has named for that.
  mutating func openDrawing(
    _ round: UInt16, drawer: UInt16, told: [UInt8] = word, salt: Digest = salt(9), telling: TestPeer? = nil,
    naming named: [UInt8]? = nil, seeing: [Event] = []
  ) throws -> Event {
    let players = try state().hosted?.players ?? []
    let key = telling?.id ?? (Int(drawer) < players.count ? players[Int(drawer)].peer : TestPeer.sybil.id)
    let box = ToldSolution.seal(told, salt: salt, room: room, round: round, to: key, named: named) ?? []
    let content = DrawingGame().content(telling: .init(player: drawer, box: box), Self.word) ?? []
    let commitment = Commitments.solution(
      Self.word, salt: Self.salt(9), room: room, round: round, content: content, author: TestPeer.alice.id)
    return try script.write(
      .alice,
      .hosted(
        .open(.init(round: round, limitMilliseconds: 10_000, commitment: commitment, content: content))),
      seeing: .only(seeing))
  }

  mutating func draw(_ peer: TestPeer, _ text: String, in opening: Event, after previous: Event? = nil) throws
    -> Event
  {
    try write(peer, .clear(StrokeBatch(text: text)?.bytes ?? [9]), in: opening, after: previous)
  }

  mutating func guess(
    _ peer: TestPeer, _ text: String, in opening: Event, salt: UInt8 = 1, after previous: Event? = nil
  ) throws -> Event {
    let entry = SealedEntry.seal(
      Array(text.utf8), salt: Self.salt(salt), room: room, opening: opening.id, author: peer.id,
      host: TestPeer.alice.id)
    return try write(peer, entry ?? .clear([]), in: opening, after: previous)
  }

  /// Marks entries by their numbers: `nil` for a right one, else what was guessed.
  @discardableResult
  mutating func mark(_ marks: [(entry: UInt16, wrong: String?)], in opening: Event, salt: UInt8 = 1) throws
    -> Event
  {
    try script.write(
      .alice,
      .hosted(
        .marks(
          opening: opening.id,
          marks.map { mark in
            .init(
              entry: mark.entry,
              wrong: mark.wrong.map { .init(choice: Array($0.utf8), salt: Self.salt(salt)) })
          })), seeing: .only([]))
  }

  /// Closes a round and settles it with the word, and the entries as they were sealed.
  @discardableResult
  mutating func end(_ opening: Event, after milliseconds: UInt32 = 10_000) throws -> Event {
    try close(opening, after: milliseconds)
    let hosted = try state().hosted
    let entries = (hosted?.round?.sealed ?? []).map { at -> HostedAction.OpenedEntry? in
      guard let entry = hosted?.round?.entries[at], let author = hosted?.players[Int(entry.player)].peer
      else {
        return nil
      }
      return SealedEntry.open(
        entry.written, room: room, opening: opening.id, author: author, host: TestPeer.alice.key)
    }
    return try settle(opening, Self.word, entries)
  }
}
