import Events
import Games
import Projection
import Rules
import Testing

/// Rooms and events that programs of another age write (Docs/PROTOCOL.md §3).
@Suite struct EditionTests {
  private static let hasher = EventHasher(network: .standard)

  private static func event(
    _ action: Action, by peer: TestPeer, in room: RoomID, after previous: Event? = nil,
    naming parents: [Event] = []
  ) throws -> Event {
    try Event.author(
      action, room: room, author: peer.id, sequence: (previous?.sequence ?? 0) + 1,
      previous: previous?.id ?? .none, parents: parents.map(\.id), wallTime: 0, hasher: hasher)
  }

  private static func opening(_ create: Create) throws -> Event {
    try event(.create(create), by: .alice, in: .none)
  }

  private static var create: Create {
    Create(
      rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
      nonce: [UInt8](repeating: 1, count: 16),
      profile: TestPeer.alice.profile, creatorSeat: 0, scope: .invited)
  }

  @Test func aRoomOfALaterEditionKeepsWhatAllEditionsShare() throws {
    let opening = try Self.opening(Self.create.reading(edition: 2, content: [1, 2, 3]))
    let room = opening.id
    let invite = try Self.event(.invite(TestPeer.bob.id), by: .alice, in: room, after: opening)
    let asked = try Self.event(.request(seat: 1, TestPeer.bob.profile), by: .bob, in: room, naming: [opening])
    let grant = try Self.event(
      .grant(request: asked.id, seat: 1), by: .alice, in: room, after: invite, naming: [asked])
    let chat = try Self.event(.chat("hello"), by: .bob, in: room, after: asked, naming: [grant])
    var projection = try #require(RoomProjection(create: opening, catalog: Games.catalog))
    for event in [invite, asked, grant, chat] { projection.apply(event) }
    let state = projection.state
    #expect(state.phase == .unknownEdition(2) && !state.phase.isKnown)
    #expect(state.members == [TestPeer.alice.id, TestPeer.bob.id].sorted())
    #expect(state.seats.map { $0?.peer } == [TestPeer.alice.id, TestPeer.bob.id])
    #expect(state.chat.isEmpty)
    #expect(
      projection.verdicts().map(\.verdict) == [.effective, .effective, .effective, .effective, .unreadable])
  }

  @Test(arguments: 1...Create.limitPlayers)
  func aRoomOfAnyNumberOfSeatsIsReadWhateverItsRulesSay(seats: UInt16) throws {
    for players in [nil, 0, 1, 2, seats, seats + 1] {
      var parameters = Parameters()
      if let players { parameters["players"] = "\(players)" }
      for creatorSeat in [0, seats - 1, Create.noSeat] {
        let opening = try Self.opening(
          Create(
            rules: "tic-tac-toe", rulesVersion: 1, parameters: parameters.encoded, seats: seats,
            nonce: [UInt8](repeating: 1, count: 16), profile: TestPeer.alice.profile, creatorSeat: creatorSeat
          ))
        var projection = try #require(RoomProjection(create: opening, catalog: Games.catalog))
        #expect(projection.state.seats.count == Int(seats))
      }
    }
  }

  @Test func whatNobodyCanReadHasNoEffectWherever() throws {
    let opening = try Self.opening(Self.create)
    let invite = try Self.event(.invite(TestPeer.bob.id), by: .alice, in: opening.id, after: opening)
    var projection = try #require(RoomProjection(create: opening, catalog: Games.catalog))
    projection.apply(invite)
    let before = projection.state.encoded
    var last = invite
    for action in [
      Action.unreadable(code: 77, payload: [1, 2]), .unreadable(code: Kind.grant.rawValue, payload: [1]),
      .unreadable(code: Kind.invite.rawValue, payload: []),
    ] {
      last = try Self.event(action, by: .alice, in: opening.id, after: last)
      #expect(last.kind == nil)
      projection.apply(last)
    }
    #expect(projection.state.encoded == before)
    #expect(projection.verdicts().suffix(3).map(\.verdict) == [.unreadable, .unreadable, .unreadable])
  }

  @Test func botsSitWhereThePolicyLetsThem() throws {
    let bot = Profile(
      name: "bot", bot: BotEntry(specification: "random", version: 1, nodeBudget: 50, seed: 1))
    let endless = Profile(
      name: "bot", bot: BotEntry(specification: "random", version: 1, nodeBudget: 0, seed: 1))
    let person = Profile(name: "person")
    let policies: [(Create.BotPolicy, [Bool])] = [
      (.init(), [true, true, true]), (.init(admission: .excluded), [true, false, false]),
      (.init(admission: .required), [false, true, true]),
      (.init(isRecomputableOnly: true), [true, true, false]),
      (.init(nodeLimit: 50), [true, true, false]), (.init(nodeLimit: 49), [true, false, false]),
    ]
    for (policy, admitted) in policies {
      for (profile, isAdmitted) in zip([person, bot, endless], admitted) {
        var create = Self.create
        create.scope = .open
        create.bots = policy
        let opening = try Self.opening(create)
        let asked = try Self.event(.request(seat: 1, profile), by: .bob, in: opening.id, naming: [opening])
        let grant = try Self.event(
          .grant(request: asked.id, seat: 1), by: .alice, in: opening.id, after: opening, naming: [asked])
        var projection = try #require(RoomProjection(create: opening, catalog: Games.catalog))
        projection.apply(asked)
        #expect(projection.state.openRequests.isEmpty != isAdmitted, "\(policy), \(profile)")
        projection.apply(grant)
        #expect((projection.state.seats[1] != nil) == isAdmitted, "\(policy), \(profile)")
        let expected: [Verdict] =
          isAdmitted ? [.effective, .effective] : [.notAdmitted, .lobbyWithoutEffect]
        #expect(projection.verdicts().dropFirst().map(\.verdict) == expected)
      }
    }
  }

  @Test func aSeriesEndsAtItsTarget() throws {
    var (script, place) = try RoomScript.started(RoomScript.Room(games: 3, target: 1))
    let end = try script.play([0, 3, 1, 4, 2], from: place)
    #expect(script.state.phase == .finished && script.state.games.count == 1)
    #expect(script.state.games[0].ending?.node == end.node)
    (script, place) = try RoomScript.started(RoomScript.Room(games: 3, target: 2))
    _ = try script.play([0, 3, 1, 4, 2], from: place)
    #expect(script.state.phase == .playing && script.state.games.count == 2)
  }

  /// The winner of a dilemma has one game more, whatever its score; nobody has one of a draw.
  @Test func aTargetCountsWonGamesAndNotScores() throws {
    var room = RoomScript.Room.dilemma(rounds: 1, games: 9)
    room.target = 2
    var (script, place) = try RoomScript.started(room)
    let games: [(UInt32, UInt32)] = [(1, 0), (0, 0), (0, 1), (1, 1), (0, 1)]
    for (number, choices) in games.enumerated() {
      #expect(script.state.phase == .playing && script.state.games.count == number + 1)
      place = Place(node: try script.round(choices, at: place).node, game: number + 1)
    }
    #expect(script.state.phase == .finished && script.state.games.count == games.count)
    #expect(script.state.games.map { $0.ending?.outcome?.winner } == [Seat(0), nil, Seat(1), nil, Seat(1)])
  }
}
