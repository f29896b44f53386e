import BotKit
import EventLog
package import Events
package import Projection
package import Rules

extension Household {
  /// What a match of bots is made from.
  package struct MatchPlan: Sendable {
    package var rules: any GameRules
    /// The bots, as on the command line.
    package var players: [String]
    /// What they play under. Their keys follow from it.
    package var labels: [String]
    package var games: Int
    /// How many games one of them must win for the match to be over before that; `nil` to play all. Such a match has
    /// one room: the games of several are played at once, and none of them would know when it is over.
    package var wins: Int?
    package var seed: UInt64
    /// What tells its rooms from those of other matches; `nil` for one that nobody goes on with.
    package var name: String?
    /// The words of a test that ends the match; empty for none. Whoever plays its rooms knows when it has.
    package var test: String
    /// The moves from which games begin, one list for two games.
    package var openings: [[UInt16]]
    /// Whether rounds are played in the open.
    package var hasOpenRounds = false

    package init(
      rules: any GameRules, players: [String], games: Int, wins: Int? = nil, seed: UInt64,
      name: String? = nil, test: String = "", openings: [[UInt16]] = []
    ) {
      precondition(
        wins == nil || games <= Int(Create.limitGames), "a match of \(games) games to \(wins ?? 0) wins")
      self.rules = rules
      self.players = players
      labels = Organizer.labels(of: players)
      self.games = games
      self.wins = wins
      self.seed = seed
      self.name = name
      self.test = test
      self.openings = openings
    }

    /// How many games a room has, and the number of its first one in the match.
    fileprivate func part(_ room: Int) -> (first: Int, games: Int) {
      let first = room * Int(Create.limitGames)
      return (first, min(Int(Create.limitGames), games - first))
    }

    /// The openings in the order in which a room uses them: it goes on where the one before it ends.
    fileprivate func openings(ofRoom room: Int) -> [[UInt16]] {
      guard !openings.isEmpty else { return [] }
      let used = part(room).first / 2 % openings.count
      return Array(openings[used...] + openings[..<used])
    }

    /// The openings of a match of which a room has these.
    fileprivate static func openings(_ openings: [[UInt16]], usedInRoom room: Int) -> [[UInt16]] {
      guard !openings.isEmpty else { return [] }
      let used = room % openings.count * (Int(Create.limitGames) / 2) % openings.count
      return Array(openings[(openings.count - used)...] + openings[..<(openings.count - used)])
    }

    /// How many rooms it has.
    package var rooms: Int { games / Int(Create.limitGames) + (games % Int(Create.limitGames) > 0 ? 1 : 0) }
  }

  /// One room's part of a match: the games that are over.
  package struct MatchRoom: Sendable {
    package let room: RoomID
    /// The number of its first game in the match, from 0.
    package let firstGame: Int
    package let games: [GameRecord]
    /// Whether nothing is left to be played in it.
    package let isOver: Bool
  }

  /// A name for a new match.
  package func newMatchName(seed: UInt64) -> String { nonce("match \(now()) \(elapsed()) \(seed)").hex }

  /// Plays a room of a match of bots: up to 256 games between the same seats, who take turns at moving first.
  /// - Parameters:
  ///   - room: the room's number in the match, from 0; it decides the random numbers.
  ///   - known: the room that the log has already of this part, to go on where it ends.
  ///   - onGame: called as each game ends, which may be before it is durable; not for games that were over before.
  /// - Returns: the games that are over, all of them unless the caller asked to stop. What was played is durable.
  package func playMatchRoom(
    _ room: Int, of plan: MatchPlan, in known: RoomID? = nil, isCancelled: @escaping @Sendable () -> Bool,
    onGame: (@Sendable (GameRecord) -> Void)? = nil
  ) async throws(PeerError) -> MatchRoom {
    var host = core(owner)
    let id: RoomID
    if let known {
      host.open(try await load(known), isDurable: true)
      id = known
    } else {
      id = try createMatchRoom(room, of: plan, host: &host)
    }
    var guests: [PeerID: UInt16] = [:]
    var players: [Session.Player] = []
    for (seat, specification) in plan.players.enumerated() {
      let bot = try bot(specification, for: plan.rules)
      let key = botKey(plan.labels[seat])
      guests[key.peer] = UInt16(seat)
      players.append(
        player(
          bot: bot, key: key, name: plan.labels[seat], seat: UInt16(seat), seed: plan.seed,
          signsEachGame: false))
    }
    let conduct = PeerCore.Conduct(profile: Profile(name: "host"), guests: guests)
    let place = Session.Occasion.match(room: room).place(seed: plan.seed)
    var session = try Session(room: id, core: host, conduct: conduct, guests: players, place: place)
    let played = try await playOut(&session, isCancelled: isCancelled, onGame: onGame)
    return MatchRoom(
      room: id, firstGame: plan.part(room).first, games: session.state.games.filter { $0.ending != nil },
      isOver: played == .finished)
  }

  private func createMatchRoom(
    _ room: Int, of plan: MatchPlan, host: inout PeerCore
  ) throws(PeerError) -> RoomID {
    let definition = plan.rules.definition
    let id = try host.create(
      Create(
        rules: definition.name, rulesVersion: definition.version, parameters: plan.rules.parameters.encoded,
        seats: UInt16(plan.rules.seats), games: UInt16(plan.part(room).games),
        target: plan.wins.map { UInt32(clamping: $0) } ?? 0,
        nonce: nonce("match \(now()) \(elapsed()) \(plan.seed) \(room)"), profile: Profile(name: "host"),
        hasOpenRounds: plan.hasOpenRounds, referee: host.id, openings: plan.openings(ofRoom: room)))
    if let name = plan.name {
      let word = MatchWord(match: name, games: plan.games, room: room, test: plan.test)
      _ = try host.write(.chat(word.text), in: id)
    }
    return id
  }
}

// MARK: - Going on with a match

extension Household {
  /// A match as its rooms in the log tell it.
  package struct StoredMatch: Sendable {
    package let plan: MatchPlan
    /// Its rooms that are stored, by their numbers.
    package let rooms: [Int: RoomID]
  }

  /// The match that a stored room is of.
  /// - Throws: `.notAllowed` when it is of none that this household plays.
  package func match(of room: RoomID) throws(PeerError) -> StoredMatch {
    let rooms = try matchRooms()
    guard let word = rooms.first(where: { $0.room == room })?.word else {
      throw .notAllowed("the room \(room.short) is not of a match of this identity that can be gone on with")
    }
    return try match(word.match, rooms)
  }

  /// The newest match of which this holds.
  package func newestMatch(where isWanted: (StoredMatch) throws -> Bool) throws -> StoredMatch? {
    let rooms = try matchRooms()
    var seen: Set<String> = []
    for (_, word) in rooms where seen.insert(word.match).inserted {
      let match = try match(word.match, rooms)
      if try isWanted(match) { return match }
    }
    return nil
  }

  private func matchRooms() throws(PeerError) -> [(room: RoomID, word: MatchWord)] {
    do throws(LogError) { return try log.matchRooms(of: owner.peer) } catch { throw PeerError(error) }
  }

  private func match(
    _ name: String, _ all: [(room: RoomID, word: MatchWord)]
  ) throws(PeerError) -> StoredMatch {
    guard let (room, word) = all.first(where: { $0.word.match == name }) else {
      preconditionFailure("a match without rooms")
    }
    let state = try outline(of: room)
    let isOurs = state.seats.allSatisfy { occupant in
      occupant.map { $0.profile.bot != nil && botKey($0.profile.name).peer == $0.peer } ?? false
    }
    guard isOurs, state.creator == owner.peer, let seed = state.seats.first??.profile.bot?.seed else {
      throw .notAllowed("the match was begun with another identity; only that one can go on with it")
    }
    let create = state.create
    guard create.target == 0 || word.games <= Int(Create.limitGames) else {
      throw .unplayable("the room \(room.short) is of a match that nobody can have begun")
    }
    let rules = try rules(of: create)
    var plan = MatchPlan(
      rules: rules, players: state.seats.map { words(for: $0?.profile.bot, rules) }, games: word.games,
      wins: create.target > 0 ? Int(create.target) : nil, seed: seed, name: name,
      test: word.test, openings: MatchPlan.openings(create.openings, usedInRoom: word.room))
    plan.labels = state.seats.map { $0?.profile.name ?? "" }
    plan.hasOpenRounds = create.hasOpenRounds
    var rooms: [Int: RoomID] = [:]
    // The oldest of those that say that they are the same part: all are listed newest first.
    for (room, word) in all where word.match == name && word.room < plan.rooms { rooms[word.room] = room }
    return StoredMatch(plan: plan, rooms: rooms)
  }

  /// How a bot that the log has is named on the command line: with its version where another one is newer.
  private func words(for entry: BotEntry?, _ rules: any GameRules) -> String {
    guard let entry else { return "" }
    do { return try bots.name(of: entry.specification, version: entry.version, for: rules) } catch {
      // Whoever plays it is told.
      return entry.specification
    }
  }

  private func outline(of room: RoomID) throws(PeerError) -> RoomState {
    do throws(LogError) { return try log.outline(of: room, games).state } catch { throw PeerError(error) }
  }

  /// What the log has of a room of a match.
  package func storedMatchRoom(
    _ number: Int, of match: StoredMatch
  ) throws(PeerError) -> MatchRoom? {
    guard let room = match.rooms[number] else { return nil }
    let state = try outline(of: room)
    return MatchRoom(
      room: room, firstGame: match.plan.part(number).first, games: state.games.filter { $0.ending != nil },
      isOver: state.phase == .finished && state.games.allSatisfy(\.isAgreed))
  }
}
