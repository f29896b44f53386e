import EventLog
import Events
import Games
import Peer
import Projection
import Rules
import Tournaments

/// Rooms are created, heard of and played in.
extension World {
  /// A peer looks at what has happened and does something.
  mutating func act(_ peer: Int) {
    peers[peer].showTime(time)
    let pause = peers[peer].random.time(30...400)
    schedule.add(.act(peer: peer, life: peers[peer].life), at: time + pause)
    if peers[peer].isHonest {
      actHonestly(peer)
    } else if phase < .quiet {
      actDishonestly(peer)
    }
    settle(peer)
  }

  private mutating func actHonestly(_ peer: Int) {
    if phase == .safety { createRooms(of: peer) }
    if phase < .quiet { inviteGuests(of: peer) }
    for face in peers[peer].faces.indices {
      stirHosted(by: peer, face: face)
      for number in peers[peer].tables.indices where peers[peer].tables[number]?.isStirred == true {
        wake(number, of: peer)
        look(at: number, by: peer, face: face)
      }
      guard phase < .quiet, let number = peers[peer].random.pick(tableNumbers(of: peer)),
        isWorthOpening(number, of: peer)
      else { continue }
      let (isClosing, time) = (phase == .closing, time)
      attempt(peer, in: number) { (member) throws(PeerError) in
        try member.amuse(in: number, face: face, time: time, isClosing: isClosing)
      }
      if isClosing { sayLastWords(of: peer, face: face) }
    }
  }

  /// Rooms whose rounds have their time are looked at.
  mutating func stirHosted(by peer: Int, face: Int) {
    for room in peers[peer].takeHosted(of: face, at: time) {
      guard let number = peers[peer].tables.firstIndex(where: { $0?.room == room }) else { continue }
      peers[peer].tables[number]?.isStirred = true
    }
  }

  func tableNumbers(of peer: Int) -> [Int] {
    peers[peer].tables.indices.filter { peers[peer].tables[$0] != nil }
  }

  /// Once faults have ended every honest peer can write again in every room that is open to it.
  private mutating func sayLastWords(of peer: Int, face: Int) {
    for number in tableNumbers(of: peer) {
      guard let table = peers[peer].tables[number], !table.hasClosed, peers[peer].isRecovered else {
        continue
      }
      wake(number, of: peer)
      guard
        peers[peer].faces[face].withLog(of: table.room, { $0.contains(table.room) }) == true
      else { continue }
      peers[peer].tables[number]?.hasClosed = true
      attempt(peer, in: number) { (member) throws(PeerError) in
        try member.faces[face].perform(.say("good bye from \(peer)"), in: table.room)
      }
    }
  }

  /// Lets an honest peer do something; that it cannot is a violation.
  mutating func attempt(
    _ peer: Int, in number: Int, _ body: (inout SimulatedPeer) throws(PeerError) -> Void
  ) {
    do throws(PeerError) { try body(&peers[peer]) } catch {
      // Who has forgotten events of its own, which wait here for others, waits with them.
      switch error {
      case .recovering, .unconfirmed: break
      default:
        violate(.ability, peer: peer, room: number, "it cannot do what it wants to: \(error)")
      }
    }
    noteWritten(in: number, by: peer)
  }

  /// What a peer may have written in a room is to be committed.
  mutating func noteWritten(in number: Int, by peer: Int) {
    guard let room = peers[peer].tables[number]?.room else { return }
    for face in peers[peer].faces.indices where peers[peer].faces[face].unsignedEvents(in: room) > 0 {
      noteChange(in: room, of: peer, face: face)
    }
  }

  private mutating func look(at number: Int, by peer: Int, face: Int) {
    var state: RoomState?
    let time = time
    attempt(peer, in: number) { (member) throws(PeerError) in
      state = try member.look(at: number, face: face, time: time)
    }
    guard let state else { return }
    observe(state, number, by: peer)
    stirTournament(of: number, by: peer)
    if state.create.isTournament, rooms[number].plan.creator == peer, state.phase == .playing,
      peers[peer].isRecovered
    {
      organize(state, number, by: peer)
    }
  }

  /// Notes what is final in a room, and who is proven to have forked. What is not durable yet is nothing to rely on.
  private mutating func observe(_ state: RoomState, _ number: Int, by peer: Int) {
    guard peers[peer].faces[0].isDurable(state.room) else { return }
    let creator = rooms[number].plan.creator
    let start = state.start.flatMap { start in
      peers[peer].faces[0].withLog(of: state.room) { log in
        log.position(of: start).map { log.graph.events[$0].sequence }
      }
    }
    let fork = forgers[creator]?.fork(in: state.room)
    let trust = FinalityCheck.Trust(
      fork: fork, start: start ?? nil,
      isKept: agreement(state, of: peer), table: table(of: state, at: peer))
    let words = finality.observe(
      state, room: number, peer: peer, life: peers[peer].life, trust: trust)
    for words in words { violate(.finality, peer: peer, room: number, words) }
    for author in state.forked {
      guard let forker = peers.firstIndex(where: { $0.id == author }), peers[forker].isHonest else {
        continue
      }
      violate(.conviction, peer: peer, room: number, "honest peer \(forker) counts as forked")
    }
  }

  /// Which of the games that a peer sees agreed no seat can undo (Docs/PROTOCOL.md §1.3, §1.4).
  private func agreement(_ state: RoomState, of peer: Int) -> [Bool] {
    let members = state.seats.compactMap { $0?.peer } + [state.create.referee]
    let forking = peers.filter { !$0.mischief.isDisjoint(with: [.forks, .frauds]) }.map(\.id)
    let forkers = (forking + fraudstersKeys).filter(members.contains)
    guard !forkers.isEmpty, let log = peers[peer].faces[0].log(of: state.room) else {
      return state.games.map { _ in true }
    }
    let honest = members.filter { member in peers.contains { $0.id == member && $0.isHonest } }
    return Anchoring.keptGames(of: state, forkers: forkers, honest: honest, in: log)
  }

  /// The start at which an honest peer has made a step: its table from then on, whatever else the creator starts.
  private func table(of state: RoomState, at peer: Int) -> EventID? {
    guard state.seat(of: peers[peer].id) != nil, let start = state.start else { return nil }
    let hasPlayed = peers[peer].faces[0].withLog(of: state.room) { log in
      (log.feed(peers[peer].id)?.positions ?? []).contains { position in
        switch log.graph.events[position].action {
        case .move, .commit: true
        default: false
        }
      }
    }
    return hasPlayed == true ? start : nil
  }

  func hasForked(_ peer: Int, in room: RoomID) -> Bool { forgers[peer]?.fork(in: room) != nil }

  // MARK: - Creating rooms

  /// Creates the rooms that are due, again when a crash took them.
  mutating func createRooms(of peer: Int) {
    for number in rooms.indices {
      let plan = rooms[number].plan
      guard plan.creator == peer, rooms[number].id == nil, plan.opensAt <= time, peers[peer].isRecovered,
        rooms[number].attempt?.life != peers[peer].life
      else { continue }
      create(number, by: peer)
    }
  }

  private mutating func create(_ number: Int, by peer: Int) {
    let plan = rooms[number].plan
    let nonce = peers[peer].random.bytes(16)
    let referee = plan.referee.map { peers[$0].id } ?? .none
    do throws(PeerError) {
      let create = plan.create(nonce: nonce, referee: referee, peer: peer)
      let room = try peers[peer].faces[0].create(create)
      privacy.add(room, create, by: peers[peer].id)
      rooms[number].attempt = (peers[peer].life, room)
      tell("peer \(peer) creates room \(number), \(room.short)")
      seat(peer, in: number, room: room)
      want(room, of: peer)
      noteChange(in: room, of: peer, face: 0)
    } catch { violate(.ability, peer: peer, room: number, "it cannot create: \(error)") }
  }

  /// A creation is safe: the others are told of the room.
  mutating func announce(_ room: RoomID, by peer: Int) {
    guard let number = rooms.firstIndex(where: { $0.plan.creator == peer && $0.attempt?.id == room }),
      rooms[number].id == nil
    else { return }
    rooms[number].id = room
    statistics.rooms += 1
    rooms[number].createdAt = time
    for member in Set(rooms[number].plan.members).sorted() where member != peer {
      schedule.add(.hear(peer: member, room: number), at: time + luck.topology.time(1...1_500))
    }
    for stranger in rooms[number].plan.strangers {
      schedule.add(.hear(peer: stranger, room: number), at: time + 1_000)
    }
  }

  /// A peer hears of a room and wants it.
  mutating func hear(_ peer: Int, of number: Int) {
    guard let room = rooms[number].id else { return }
    seat(peer, in: number, room: room)
    guard peers[peer].isUp else { return }
    peers[peer].showTime(time)
    peers[peer].open(room, at: time)
    want(room, of: peer)
    settle(peer)
  }

  private mutating func seat(_ peer: Int, in number: Int, room: RoomID) {
    let plan = rooms[number].plan
    let wants = plan.joiners.contains(peer) && plan.mayJoin(peers[peer].id)
    var guests: [PeerID: UInt16]?
    if case .pairing(_, _, _, _, let seats) = plan.game {
      guests = [:]
      for (seat, guest) in seats.enumerated() { guests?[guest] = UInt16(seat) }
    }
    let conduct = PeerCore.Conduct(
      profile: Profile(name: "peer \(peer)"), wantedSeat: wants ? Create.noSeat : nil, guests: guests,
      signsEachGame: peers[peer].random.oneIn(2), acceptsUndo: peers[peer].random.oneIn(2))
    while peers[peer].tables.count <= number { peers[peer].tables.append(nil) }
    peers[peer].tables[number] = Table(room: room, conduct: conduct)
  }

  // MARK: - Tournaments

  /// What happens in a pairing's room concerns the tournament's.
  private mutating func stirTournament(of number: Int, by peer: Int) {
    guard case .pairing(let tournament, _, _, _, _) = rooms[number].plan.game,
      rooms[number].plan.creator == peer, let room = self.number(of: tournament)
    else { return }
    peers[peer].tables[room]?.isStirred = true
  }

  /// The organizer creates rooms for pairings that can be played, and writes down what came out.
  private mutating func organize(_ state: RoomState, _ number: Int, by peer: Int) {
    let tournament: TournamentRoom?
    do throws(TournamentError) { tournament = try TournamentRoom(state, Games.catalog) } catch {
      return violate(.ability, peer: peer, room: number, "its tournament has no settings: \(error)")
    }
    guard let tournament else { return }
    for ready in tournament.state.ready {
      let pairing = ready.pairing.number.rawValue
      if let game = rooms.firstIndex(where: { $0.plan.isAttempt(ready.attempt, at: pairing, of: state.room) })
      {
        conclude(game, pairing: pairing, attempt: ready.attempt, in: number, by: peer)
      } else if phase == .safety {
        let seats = ready.entrants.map { tournament.entrants[$0.index].peer }
        let game = RoomPlan.Game.pairing(
          tournament: state.room, pairing: pairing, attempt: ready.attempt, games: ready.games, seats: seats)
        rooms.append(
          SimulatedRoom(
            plan: RoomPlan(
              number: rooms.count, attempt: game, of: rooms[number].plan, games: ready.games, at: time)))
        create(rooms.count - 1, by: peer)
      }
    }
  }

  /// Writes down a pairing's result once its room is finished and agreed.
  private mutating func conclude(
    _ game: Int, pairing: UInt32, attempt: UInt8, in number: Int, by peer: Int
  ) {
    wake(game, of: peer)
    guard let room = rooms[game].id, let table = peers[peer].tables[number],
      let state = peers[peer].faces[0].state(of: room), state.phase == .finished,
      state.games.allSatisfy(\.isAgreed),
      let heads = peers[peer].faces[0].withLog(of: room, { $0.heads(of: state.participants) })
    else { return }
    let result = Action.PairingResult(
      pairing: pairing, attempt: attempt, room: room, heads: heads, walkover: .played,
      games: state.games.map { $0.ending?.outcome?.scores ?? [] })
    self.attempt(peer, in: number) { (member) throws(PeerError) in
      _ = try member.faces[0].write(.pairingResult(result), in: table.room)
    }
    statistics.pairings += 1
    peers[peer].tables[number]?.isStirred = true
  }
}

extension RoomPlan {
  /// How long a seat may take for a move where there is a referee.
  private static let moveLimitMilliseconds: UInt32 = 4_000

  /// The `create` of this room.
  func create(nonce: [UInt8], referee: PeerID, peer: Int) -> Create {
    let profile = Profile(name: "peer \(peer)")
    var create: Create
    switch game {
    case .ticTacToe, .pairing:
      create = Create(
        rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2, nonce: nonce, profile: profile)
    case .dilemma(let rounds):
      create = Create(
        rules: "prisoners-dilemma", rulesVersion: 1, parameters: Self.dilemma(rounds: rounds), seats: 2,
        nonce: nonce,
        profile: profile)
    case .memoryMatch(let seats):
      create = Create(
        rules: "memory-match", rulesVersion: 1, parameters: Self.memoryMatch(seats: seats),
        seats: UInt16(seats), nonce: nonce, profile: profile)
    case .quiz(let players): create = hosted("quiz", [("grace", "400")], players, entries: 1, nonce, profile)
    case .tapRace(let players):
      create = hosted("tap-race", [("taps", "8")], players, entries: 4, nonce, profile)
    case .drawing(let players):
      create = hosted("drawing", [("grace", "400")], players, entries: 5, nonce, profile)
    case .tournament:
      create = Create(
        rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: UInt16(joiners.count), nonce: nonce,
        profile: profile,
        purpose: .tournament(format: TournamentFormat.roundRobin.rawValue, options: 0, seed: 1, title: "cup")
      )
    }
    if case .pairing(let tournament, let pairing, let attempt, _, _) = game {
      create.purpose = .games(tournament: tournament, pairing: pairing, attempt: attempt)
    }
    create.games = UInt16(games)
    create.scope = scope
    create.referee = referee
    if referee.isSome { create.moveLimitMilliseconds = Self.moveLimitMilliseconds }
    create.creatorSeat = creatorPlays ? 0 : Create.noSeat
    if case .ticTacToe = game { create.allowsUndo = allowsUndo }
    if case .tournament = game { return create }
    if isHosted { return create }
    create.starter = drawsStarter ? .jointDraw : .firstSeat
    return create
  }

  private static func dilemma(rounds: Int) -> [UInt8] {
    var parameters = Parameters()
    parameters["rounds"] = "\(rounds)"
    if rounds > 2 { (parameters["noise"], parameters["ending"]) = ("250", "150") }
    guard let definition = Games.catalog.newest("prisoners-dilemma") else {
      preconditionFailure("the catalog has no prisoner's dilemma")
    }
    do throws(RulesError) { return try definition.rules(parameters).parameters.encoded } catch {
      preconditionFailure("the prisoner's dilemma does not take \(rounds) rounds: \(error)")
    }
  }

  private static func memoryMatch(seats: Int) -> [UInt8] {
    guard let definition = Games.catalog.newest("memory-match") else {
      preconditionFailure("the catalog has no memory match")
    }
    var parameters = Parameters()
    (parameters["players"], parameters["cards"]) = ("\(seats)", "8")
    do throws(RulesError) { return try definition.rules(parameters).parameters.encoded } catch {
      preconditionFailure("memory match does not take \(seats) seats: \(error)")
    }
  }

  /// The `create` of a room of hosted rounds.
  private func hosted(
    _ rules: String, _ chosen: [(name: String, value: String)], _ players: Int, entries: UInt16,
    _ nonce: [UInt8],
    _ profile: Profile
  ) -> Create {
    guard let definition = Games.catalog.hosted(rules, version: 1) else {
      preconditionFailure("the catalog has no \(rules)")
    }
    var parameters = Parameters()
    for (name, value) in chosen { parameters[name] = value }
    do throws(RulesError) {
      return Create(
        rules: rules, rulesVersion: 1, parameters: try definition.rules(parameters).parameters.encoded,
        seats: UInt16(players), nonce: nonce, profile: profile,
        purpose: .hosted(entries: entries, needsCode: false, title: rules))
    } catch { preconditionFailure("\(rules) does not take \(chosen): \(error)") }
  }

  /// Whether it is the room of this attempt.
  func isAttempt(_ wanted: UInt8, at number: UInt32, of room: RoomID) -> Bool {
    guard case .pairing(room, number, wanted, _, _) = game else { return false }
    return true
  }

  /// Whether a peer may ask for a seat: in the room of a pairing only those who are paired.
  func mayJoin(_ peer: PeerID) -> Bool {
    guard case .pairing(_, _, _, _, let seats) = game else { return true }
    return seats.contains(peer)
  }
}
