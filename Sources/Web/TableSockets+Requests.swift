internal import BotKit
internal import Events
internal import JSON
internal import Network
internal import Peer
internal import Projection
internal import Rules
internal import SearchBots
internal import Service

// What clients want, and what they are answered.

extension TableSockets {
  /// The answer to a request.
  func answer(
    _ want: Result<TableRequest, TableRequest.Refusal>, _ client: Client
  ) async -> [JSONMember] {
    switch want {
    case .failure(let refusal): return Self.error(refusal.tag, refusal.words)
    case .success(let request):
      do throws(ServiceError) {
        let members = try await perform(request.wish, client)
        return [JSONMember("type", "done"), JSONMember("id", Self.json(request.tag))] + members
      } catch { return Self.error(request.tag, error.description) }
    }
  }

  private static func error(_ tag: TableRequest.Tag?, _ words: String) -> [JSONMember] {
    [
      JSONMember("type", "error"), JSONMember("id", tag.map(json) ?? .null),
      JSONMember("words", .string(words)),
    ]
  }

  private static func json(_ tag: TableRequest.Tag) -> JSONValue {
    switch tag {
    case .text(let text): .string(text)
    case .number(let number): .integer(number)
    }
  }

  private func perform(
    _ wish: TableRequest.Wish, _ client: Client
  ) async throws(ServiceError) -> [JSONMember] {
    switch wish {
    case .hello(let credential, let name, let emoji): return try hello(credential, name, emoji, client)
    case .games: return [JSONMember("games", listedGames)]
    case .list(let follows):
      let lists = try await lists(await service.rooms.underWay(), client)
      client.toldList = follows ? Self.message(lists) : nil
      return lists
    case .host(let new): return try await host(new, client)
    case .join(let name, let code, let terms): return try await join(name, code, terms, client)
    case .watch(let name):
      return try watch(try await room(name, client), client)
    case .unwatch(let name):
      let room = try await room(name, client).room
      client.watches[room] = nil
      return Self.named(room)
    case .positions(let name, let number, let ply):
      return try positions(of: try await room(name, client), number, ply, client)
    case .analyze(let name, let number):
      return try await analyze(try await room(name, client), number, client)
    case .code(let text): return [JSONMember("rows", .array(QRCode(text).rows.map { .string($0) }))]
    case .export(let name, let start):
      return try await export(try await room(name, client), from: start, client)
    case .rematch(let name): return try await rematch(try await room(name, client), client)
    case .challenge: return challenge(client)
    case .prove(let peer, let signature): return try await prove(peer, signature, client)
    case .follow(let name): return try follow(try await room(name, client), client)
    case .write(let name, let event, let signature):
      return try await write(event, signature, in: try await room(name, client), client)
    case .create(let event, let signature, let bot):
      return try await create(event, signature, bot: bot, client)
    default: return Self.named(try await act(wish, client))
    }
  }

  static func named(_ room: RoomID) -> [JSONMember] {
    [
      JSONMember("room", .string(room.description)), JSONMember("code", .string(GameCode.of(room))),
    ]
  }

  // MARK: - Who it is

  private func hello(
    _ credential: TableRequest.Credential, _ name: String, _ emoji: String, _ client: Client
  ) throws(ServiceError) -> [JSONMember] {
    guard case .onlooker = client.person else { throw .refused("this socket has said hello") }
    var secret: String?
    switch credential {
    case .token(let text):
      guard token.isEqual(to: text) else { throw .refused("that is not the owner's token") }
      client.person = .owner
    case .secret(let text):
      guard let guest = Guest(given: text, owner: service.ownerKey) else {
        throw .refused("this server has given no such secret; say hello without one for a new seat")
      }
      client.person = .guest(guest)
    case .none:
      let guest = Guest.new(owner: service.ownerKey)
      secret = guest.secret(owner: service.ownerKey)
      client.person = .guest(guest)
    }
    (client.name, client.emoji) = (name, emoji)
    // It looks with other eyes now.
    for room in client.watches.keys.sorted() where client.watches[room]?.followed == nil {
      client.watches[room] = Told()
    }
    noteComingOrGoing(client)
    let profile = profile(client)
    let isOwner = if case .owner = client.person { true } else { false }
    return [
      JSONMember("peer", .string(viewer(client).description)), JSONMember("name", .string(profile.name)),
      JSONMember("owner", .bool(isOwner)), JSONMember("secret", .optional(secret)),
    ]
  }

  /// How a client is shown.
  func profile(_ client: Client) -> Profile {
    guard case .guest(let guest) = client.person else {
      return Profile(name: client.name.isEmpty ? "Owner" : client.name, emoji: client.emoji)
    }
    return guest.profile(name: client.name, emoji: client.emoji)
  }

  // MARK: - Games

  private var listedGames: JSONValue {
    .array(
      games.definitions.map { game in
        [
          "name": .string(game.name), "title": .string(game.title), "summary": .string(game.summary),
          "settings": .array(
            game.settings.map { setting in
              [
                "name": .string(setting.name), "summary": .string(setting.summary),
                "standard": .string(setting.standard),
              ]
            }),
          "bots": .array(bots.families(playing: game.name).map { .string($0.name) }),
          "analyzed": .bool(SearchBots.analyzedGames.contains(game.name)),
          "branched": .bool(Self.mayBeBranched(game)),
        ]
      })
  }

  private func host(
    _ new: TableRequest.NewTable, _ client: Client
  ) async throws(ServiceError) -> [JSONMember] {
    let author = try await actor(client)
    let start = try await start(of: new, client)
    let rules = start.rules
    var table = Intent.NewRoom(
      rules: rules, seat: start.order == .second ? 1 : 0,
      starter: start.order == .random ? .jointDraw : .firstSeat, scope: new.scope ?? start.scope,
      profile: profile(client), allowsUndo: new.allowsUndo)
    if let point = start.point { (table.openings, table.branchOf) = (point.openings, point.branch) }
    try table.setSeries(games: new.games, wins: new.target)
    let bot = try new.bot.map { specification throws(ServiceError) in
      try self.bot(specification, rules, client)
    }
    // Only who is invited comes to such a table.
    if let bot, table.scope == .invited { table.invited = [players.peer(of: bot)] }
    try checkWatches(client)
    try takeOpening(client)
    let room = try await service.perform(.create(table), as: author)
    if let bot { try await players.sit(bot, in: room) }
    try watch(room, client)
    return Self.named(room)
  }

  /// Counts a game that a client opens.
  func takeOpening(_ client: Client) throws(ServiceError) {
    guard client.games.take(at: loop.now), openings.take(at: loop.now) else {
      throw .refused("many games were opened; try again in a minute")
    }
  }

  /// A bot that a client may have. What stands behind a bot's name may make it think for long, and is the owner's.
  func bot(
    _ specification: String, _ rules: any GameRules, _ client: Client
  ) throws(ServiceError) -> any Bot {
    let isOwner = if case .owner = client.person { true } else { false }
    if !isOwner, specification.contains(":"), !specification.hasPrefix("level:") {
      throw .refused("a guest names a bot alone, without a colon, or a level such as level:3")
    }
    do throws(BotError) { return try bots.bot(specification, for: rules) } catch {
      throw .refused(error.description)
    }
  }

  private func join(
    _ name: String, _ code: String?, _ terms: Terms, _ client: Client
  ) async throws(ServiceError) -> [JSONMember] {
    let author = try await actor(client)
    let state = try await room(name, client)
    try checkWatches(client, state.room)
    if state.seat(of: author) == nil {
      let intent: Intent
      if state.hosted != nil {
        let code = code.map { JoinCode.read($0) ?? $0 }
        intent = .rounds(state.room, .join(code: code, profile(client)))
      } else {
        guard code == nil else { throw .refused("that game has no join code") }
        guard !state.isTournament || state.create.bots.admission != .required else {
          throw .refused("that tournament is for bots")
        }
        intent = .join(state.room, seat: Create.noSeat, profile(client), terms: terms)
      }
      _ = try await service.perform(intent, as: author)
    }
    return try watch(state, client)
  }

  // MARK: - Watching

  /// Refuses one table more than a socket may watch.
  func checkWatches(_ client: Client, _ room: RoomID = .none) throws(ServiceError) {
    guard client.watches[room] == nil, client.watches.count >= settings.limitWatches else { return }
    throw .refused("a socket watches at most \(settings.limitWatches) tables: unwatch one first")
  }

  private func watch(_ state: RoomState, _ client: Client) throws(ServiceError) -> [JSONMember] {
    if state.isTournament { try watchTournament(state.room, client) } else { try watch(state.room, client) }
    return Self.named(state.room)
  }

  func watch(_ room: RoomID, _ client: Client) throws(ServiceError) {
    try checkWatches(client, room)
    // Who follows it goes on to.
    guard client.watches[room]?.followed == nil else { return }
    client.watches[room] = Told()
  }

  // MARK: - Play

  private func act(_ wish: TableRequest.Wish, _ client: Client) async throws(ServiceError) -> RoomID {
    let author = try await actor(client)
    let intent: Intent
    switch wish {
    case .choose(let name, let choice, let number, let plies):
      let state = try await room(name, client)
      intent = .act(state.room, try Self.choose(state, choice, number, plies, author))
    case .act(let name, let act):
      let state = try await room(name, client)
      let isOwner = author == service.peer
      guard isOwner || state.concerns(author) else { throw .refused("who does not play there only looks on") }
      intent = .act(state.room, act)
    case .enter(let name, let text):
      let state = try await room(name, client)
      guard let hosted = state.hosted, let round = hosted.round, let rules = hosted.rules else {
        throw .refused("nothing is asked there now")
      }
      let form = hosted.player(author).map { rules.form(of: $0.number, in: round.content) } ?? .sealed
      guard let choice = rules.entry(text: text, form, in: round.content) else {
        throw .refused("that is none of the answers")
      }
      intent = .rounds(state.room, .enter(opening: round.opening, choice: choice))
    case .invite(let name, let peer): intent = .invite(try await room(name, client).room, peer)
    case .decline(let name): intent = .decline(try await room(name, client).room)
    default: preconditionFailure("what is no act was taken for one: \(wish)")
    }
    return try await service.perform(intent, as: author)
  }

  /// So many plies, in words.
  static func plies(_ count: Int) -> String { "\(count) \(count == 1 ? "ply" : "plies")" }

  private static func choose(
    _ state: RoomState, _ choice: TableRequest.Choice, _ number: UInt16?, _ plies: UInt16?, _ author: PeerID
  ) throws(ServiceError) -> TableAct {
    if let words = state.refusal(of: .choose, by: author) { throw .refused(words) }
    guard let game = state.currentGame, let position = state.position else {
      throw .refused("no game is on there")
    }
    guard number == nil || number.map(Int.init) == game.number + 1,
      plies == nil || plies.map(Int.init) == game.plies.count
    else {
      throw .refused(
        "the game has gone on: it is game \(game.number + 1), after \(Self.plies(game.plies.count))")
    }
    let code: MoveCode
    switch choice {
    case .code(let value): code = MoveCode(value)
    case .text(let text):
      guard let read = position.code(text: text) else { throw .refused("that is no move of this game") }
      code = read
    }
    return .choose(
      BotChoice(code), game: UInt16(clamping: game.number), ply: UInt16(clamping: game.plies.count))
  }
}
