internal import BotKit
internal import Events
internal import JSON
internal import Network
internal import Peer
internal import Projection
internal import Rules
internal import Service

// What clients want, and what they are answered.

extension TableSockets {
  /// The answer to a request.
  func answer(
    _ want: Result<TableRequest, TableRequest.Refusal>, _ client: TableClient
  ) async -> [JSONMember] {
    switch want {
    case .failure(let refusal): return refusal.answer
    case .success(let request):
      do throws(ServiceError) {
        let members = try await perform(request.wish, client)
        return [JSONMember("type", "done"), JSONMember("id", request.tag.json)] + members
      } catch { return TableRequest.Refusal(tag: request.tag, words: error.description).answer }
    }
  }

  private func perform(
    _ wish: TableRequest.Wish, _ client: TableClient
  ) async throws(ServiceError) -> [JSONMember] {
    switch wish {
    case .hello(let credential, let name, let emoji): return try hello(credential, name, emoji, client)
    case .games: return [JSONMember("games", games.listed(bots))]
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
      return room.members
    case .positions(let name, let number, let ply):
      return try await room(name, client).positions(number, from: ply, for: client.viewer, games)
    case .analyze(let name, let number):
      return try await analyze(try await room(name, client), number, client)
    case .code(let text): return [JSONMember("rows", .array(QRCode(text).rows.map { .string($0) }))]
    case .export(let name, let start):
      return try await export(try await room(name, client), from: start, client)
    case .rematch(let name): return try await rematch(try await room(name, client), client)
    case .challenge: return client.challenged(by: service)
    case .prove(let peer, let signature): return try await prove(peer, signature, client)
    case .follow(let name): return try follow(try await room(name, client), client)
    case .write(let name, let event, let signature):
      return try await write(event, signature, in: try await room(name, client), client)
    case .create(let event, let signature, let bot):
      return try await create(event, signature, bot: bot, client)
    default: return try await act(wish, client).members
    }
  }

  // MARK: - Who it is

  private func hello(
    _ credential: TableRequest.Credential, _ name: String, _ emoji: String, _ client: TableClient
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
      let guest = Guest.new(owner: service.ownerKey, service.shell.random())
      secret = guest.secret(owner: service.ownerKey)
      client.person = .guest(guest)
    }
    (client.name, client.emoji) = (name, emoji)
    // It looks with other eyes now.
    for room in client.watches.keys.sorted() where client.watches[room]?.followed == nil {
      client.watches[room] = TableClient.Told()
    }
    noteComingOrGoing(client)
    let profile = client.profile
    return [
      JSONMember("peer", .string(client.viewer.description)), JSONMember("name", .string(profile.name)),
      JSONMember("owner", .bool(client.isOwner)), JSONMember("secret", .optional(secret)),
    ]
  }

  // MARK: - Games

  private func host(
    _ new: TableRequest.NewTable, _ client: TableClient
  ) async throws(ServiceError) -> [JSONMember] {
    let author = try await actor(client)
    let start = try await start(of: new, client)
    let rules = start.rules
    var table = Intent.NewRoom(
      rules: rules, seat: start.order == .second ? 1 : 0,
      starter: start.order == .random ? .jointDraw : .firstSeat, scope: new.scope ?? start.scope,
      profile: client.profile, allowsUndo: new.allowsUndo)
    if let point = start.point { (table.openings, table.branchOf) = (point.openings, point.branch) }
    try table.setSeries(games: new.games, wins: new.target)
    let bot = try new.bot.map { specification throws(ServiceError) in
      try self.bot(specification, rules, client)
    }
    // Only who is invited comes to such a table.
    if let bot, table.scope == .invited { table.invited = [players.peer(of: bot)] }
    try client.checkWatches()
    try takeOpening(client)
    let room = try await service.perform(.create(table), as: author)
    if let bot { try await players.sit(bot, in: room) }
    try client.watch(room)
    return room.members
  }

  private func start(
    of new: TableRequest.NewTable, _ client: TableClient
  ) async throws(ServiceError) -> TableStart {
    guard let position = new.position else { return try TableStart(new, games) }
    return try TableStart(at: position, in: try await room(position.room, client), new.order, games)
  }

  /// Counts a game that a client opens.
  func takeOpening(_ client: TableClient) throws(ServiceError) {
    guard client.games.take(at: loop.now), openings.take(at: loop.now) else {
      throw .refused("many games were opened; try again in a minute")
    }
  }

  /// A bot that a client may have. What stands behind a bot's name may make it think for long, and is the owner's.
  func bot(
    _ specification: String, _ rules: any GameRules, _ client: TableClient
  ) throws(ServiceError) -> any Bot {
    if !client.isOwner, specification.contains(":"), !specification.hasPrefix("level:") {
      throw .refused("a guest names a bot alone, without a colon, or a level such as level:3")
    }
    do throws(BotError) { return try bots.bot(specification, for: rules) } catch {
      throw .refused(error.description)
    }
  }

  private func join(
    _ name: String, _ code: String?, _ terms: Terms, _ client: TableClient
  ) async throws(ServiceError) -> [JSONMember] {
    let author = try await actor(client)
    let state = try await room(name, client)
    try client.checkWatches(state.room)
    if state.seat(of: author) == nil {
      let intent: Intent
      if state.hosted != nil {
        let code = code.map { JoinCode.read($0) ?? $0 }
        intent = .rounds(state.room, .join(code: code, client.profile))
      } else {
        guard code == nil else { throw .refused("that game has no join code") }
        guard !state.isTournament || state.create.bots.admission != .required else {
          throw .refused("that tournament is for bots")
        }
        intent = .join(state.room, seat: Create.noSeat, client.profile, terms: terms)
      }
      _ = try await service.perform(intent, as: author)
    }
    return try watch(state, client)
  }

  // MARK: - Watching

  private func watch(_ state: RoomState, _ client: TableClient) throws(ServiceError) -> [JSONMember] {
    if state.isTournament { try watchTournament(state.room, client) } else { try client.watch(state.room) }
    return state.room.members
  }

  // MARK: - Play

  private func act(_ wish: TableRequest.Wish, _ client: TableClient) async throws(ServiceError) -> RoomID {
    let author = try await actor(client)
    let intent: Intent
    switch wish {
    case .choose(let name, let choice, let number, let plies):
      let state = try await room(name, client)
      intent = .act(state.room, try choice.act(in: state, number, plies, by: author))
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
}
