import Events
import Games
import Projection
import Rules
import Testing
import Tournaments

/// A tournament of tic-tac-toe, a round robin when nothing is said, whose organizer, Alice, says what a test wants, and
/// the rooms of its games.
struct Cup {
  typealias Head = Action.PairingResult.Head
  typealias Walkover = Action.PairingResult.Walkover

  /// The first player has three in a row on the fifth ply.
  static let firstWins: [UInt32] = [0, 3, 1, 4, 2]
  /// The second player has three in a row on the sixth ply.
  static let secondWins: [UInt32] = [0, 3, 1, 4, 8, 5]

  let entrants: [TestPeer]
  var script: RoomScript
  /// The rooms that are held, by their ids.
  private(set) var held: [RoomScript] = []

  /// A tournament that has begun.
  /// - Parameters:
  ///   - organizerPlays: whether Alice has the first seat.
  ///   - places: how many may enter; as many as do when it is not given.
  init(
    _ entrants: [TestPeer] = [.bob, .carol, .dave], organizerPlays: Bool = false,
    referee: TestPeer = .alice, isNamed: Bool = true, format: TournamentFormat = .roundRobin,
    options: UInt8 = 0, openings: [[UInt16]] = [], places: Int? = nil, scope: Scope = .local
  ) throws {
    self.entrants = entrants
    var room = RoomScript.Room(
      creatorSeat: organizerPlays ? 0 : Int(Create.noSeat), scope: scope, openings: openings,
      purpose: .tournament(format: format.rawValue, options: options, seed: 1, title: "cup"))
    room.seats = places ?? entrants.count
    room.referee = isNamed ? referee.id : .none
    script = try RoomScript(room)
    for (seat, peer) in entrants.enumerated() where peer != .alice {
      if scope == .invited { try script.invite(peer) }
      try script.grant(try script.request(peer), seat: seat)
    }
    let taken = script.state.seats.compactMap { seat in seat.map { (author: $0.peer, grant: $0.grant) } }
    try script.write(.alice, .start(roster: Commitments.roster(room: script.room, seats: taken)))
  }

  /// The tournament before anything is said.
  func unplayed() throws -> TournamentRoom {
    try #require(try TournamentRoom(unplayed: script.state, Games.catalog))
  }

  /// The attempt at a pairing that is to be played first.
  func attempt(_ pairing: UInt32) throws -> PairingAttempt {
    let number = PairingNumber(pairing)
    if let open = try unplayed().state.record(number)?.open { return open }
    return try #require(try read().state.record(number)?.pairing.attempt(0))
  }

  /// Who plays in a pairing, by seat.
  func players(_ pairing: UInt32) throws -> [TestPeer] {
    try attempt(pairing).entrants.map { entrants[Int($0.rawValue)] }
  }

  // MARK: - Rooms

  /// How far a pairing's room went.
  struct Played {
    var moves = Cup.firstWins
    /// How many seats sign what the moves give.
    var signers = 2
    /// Tells apart rooms of one attempt.
    var scope = Scope.local
    var referee = TestPeer.alice
    var creator = TestPeer.alice
    /// The seat that the referee rules against where the moves end.
    var ruledOut: UInt16?
    /// The moves from which the game begins.
    var opening: [UInt16] = []
    /// With what the room is created, and when, in place of all that; `nil` for the standard.
    var create: (Create, at: UInt64)?
  }

  /// A pairing's room, held unless said otherwise.
  @discardableResult
  mutating func play(_ pairing: UInt32, _ played: Played = Played(), isHeld: Bool = true) throws -> RoomScript
  {
    let players = try players(pairing)
    let creator = played.creator
    let creatorSeat = players.firstIndex(of: creator) ?? Int(Create.noSeat)
    var room = try RoomScript(
      RoomScript.Room(
        creatorSeat: creatorSeat, scope: played.scope, referee: played.referee.id,
        openings: played.opening.isEmpty ? [] : [played.opening],
        purpose: .games(tournament: script.room, pairing: pairing, attempt: 0)), by: creator)
    if let (create, time) = played.create { room = try RoomScript(create, by: creator, at: time) }
    for (seat, peer) in players.enumerated() where peer != creator {
      try room.grant(try room.request(peer), seat: seat, by: creator)
    }
    for (seat, peer) in players.enumerated() { try room.ready(peer, seat: seat) }
    let start = try room.write(creator, .start(roster: room.roster()))
    var place = Place(node: start.id, ply: played.opening.count)
    for code in played.moves { place = place.after(try room.move(players[place.ply % 2], code, at: place)) }
    if let seat = played.ruledOut {
      let claim = try room.write(players[Int(1 - seat)], .claim(node: place.node, seat: seat))
      try room.write(played.referee, .ruling(claim: claim.id))
    }
    if let ending = room.state.games.first?.ending, let scores = ending.outcome?.scores {
      for peer in players.prefix(played.signers) {
        try room.write(peer, .result(game: 0, ending: ending.node, scores: scores))
      }
    }
    if isHeld { held.append(room) }
    return room
  }

  /// Holds this of a room, and nothing else.
  mutating func hold(_ room: RoomScript) {
    held.removeAll { $0.room == room.room }
    held.append(room)
  }

  // MARK: - The organizer's words

  /// The organizer says how an attempt ended.
  /// - Parameter heads: what it rests on; all of the room when it is not given.
  @discardableResult
  mutating func say(
    _ pairing: UInt32, _ room: RoomScript?, _ scores: [Int32]? = nil, _ walkover: Walkover = .played,
    heads: [Head]? = nil
  ) throws -> EventID {
    try script.write(
      .alice,
      .pairingResult(
        Action.PairingResult(
          pairing: pairing, attempt: 0, room: room?.room ?? .none, heads: heads ?? room?.ends ?? [],
          walkover: walkover, games: scores.map { [$0] } ?? []))
    ).id
  }

  // MARK: - Reading

  /// The tournament with the rooms that are held.
  func read(rooms order: [RoomScript]? = nil) throws -> TournamentRoom {
    let rooms = order ?? held
    let catalog = Games.catalog
    var fold = TournamentFold<Never>(
      try unplayed(), rooms: rooms.compactMap { room in room.settings.map { (room.room, $0) } }
    ) { (id, heads) -> PairingRoom? in
      guard let room = rooms.first(where: { $0.room == id }) else { return nil }
      return heads == nil
        ? PairingRoom(room.state) : PairingRoom(CausalGraph(room.events), heads: heads ?? [], catalog)
    }
    fold.take(script.state.tournamentWords)
    return fold.tournament
  }

  /// The scores that count, by pairing; empty for a walkover and for what is not decided.
  func counted() throws -> [[[Int32]]] {
    let tournament = try read()
    return (0..<tournament.state.pairingCount).map { number in
      tournament.state.record(PairingNumber(UInt32(number)))?.results.flatMap { $0.games.map(\.scores) } ?? []
    }
  }

  /// What was found of the words, by event.
  func kinds() throws -> [PairingFinding.Kind] { try read().findings.map(\.kind) }
}

extension RoomScript {
  /// What its creator fixed.
  var settings: Create? { if case .create(let create) = create.action { create } else { nil } }

  /// The last event of each feed.
  var ends: [Cup.Head] {
    heads.map { .init(author: $0.author, sequence: $0.event.sequence, event: $0.event.id) }
  }

  /// The room as it was before the first event of a kind.
  func before(_ kind: Kind) -> RoomScript {
    var copy = self
    if let first = events.firstIndex(where: { $0.kind == kind }) { copy.rewind(to: first) }
    return copy
  }

  /// The room as it was after so many moves.
  func after(moves: Int) -> RoomScript {
    var copy = self
    let played = events.indices.filter { events[$0].kind == .move }
    copy.rewind(to: moves < played.count ? played[moves] : events.count)
    return copy
  }
}
