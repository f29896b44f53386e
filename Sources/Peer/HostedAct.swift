import EventLog
package import Events
import Gossip
package import Projection
import Rules

/// Something that the host of rounds, or one of the players, does.
package enum HostedAct: Hashable, Sendable {
  /// Ask to be taken in, with the join code where one is needed.
  case join(code: String?, Profile)
  /// Open the next round. The solution is known to the host alone, and is not written before the end.
  case open(content: [UInt8], solution: [UInt8], limitMilliseconds: UInt32)
  /// Close the round that is on.
  case close
  /// Enter something in a round.
  case enter(opening: EventID, choice: [UInt8])
}

/// What a room of hosted rounds is created from.
package struct NewHostedRoom: Hashable, Sendable {
  package var rules: String
  package var rulesVersion: UInt16
  /// The rules' settings in their canonical bytes.
  package var parameters: [UInt8]
  package var title: String
  /// How many rounds there will be, and the most players.
  package var rounds: UInt16
  package var players: UInt16
  /// How many entries of a player count in a round.
  package var entries: UInt16
  package var needsCode: Bool
  package var scope: Scope
  package var profile: Profile
  /// A room whose scores go on here, or none.
  package var continues: RoomID

  package init(
    rules: String, rulesVersion: UInt16, parameters: [UInt8], title: String, rounds: UInt16, players: UInt16,
    entries: UInt16, needsCode: Bool, scope: Scope, profile: Profile, continues: RoomID = .none
  ) {
    self.rules = rules
    self.rulesVersion = rulesVersion
    self.parameters = parameters
    self.title = title
    self.rounds = rounds
    self.players = players
    self.entries = entries
    self.needsCode = needsCode
    self.scope = scope
    self.profile = profile
    self.continues = continues
  }

  func create(nonce: [UInt8]) -> Create {
    Create(
      rules: rules, rulesVersion: rulesVersion, parameters: parameters, seats: players, games: rounds,
      nonce: nonce, profile: profile, scope: scope, rematchOf: continues,
      purpose: .hosted(entries: entries, needsCode: needsCode, title: title))
  }
}

extension NewHostedRoom {
  /// Opens the room, with the scores of the room that goes on in it.
  package func create(in core: inout PeerCore, nonce: [UInt8], by member: Int) throws(PeerError) -> RoomID {
    let before = continues.isSome ? try carried(core: &core) : nil
    let room = try core.create(create(nonce: nonce), by: member)
    guard let (head, scores) = before else { return room }
    var rest = scores[...]
    repeat {
      _ = try core.write(
        .hosted(.carry(head: head, Array(rest.prefix(HostedAction.limitList)))), in: room, by: member)
      rest = rest.dropFirst(HostedAction.limitList)
    } while !rest.isEmpty
    return room
  }

  /// The scores of the room that goes on as they stand, by key, and the last event of its host.
  private func carried(core: inout PeerCore) throws(PeerError) -> (EventID, [HostedAction.CarriedScore]) {
    guard let state = core.state(of: continues) else { throw .unknownRoom(continues) }
    guard let hosted = state.hosted else {
      throw .notAllowed("only a room of hosted rounds, such as a quiz, can be continued")
    }
    let host = state.creator
    guard let head = core.withLog(of: continues, { $0.lastBeforeFork(of: host) }) ?? nil else {
      throw .unknownRoom(continues)
    }
    let scores = hosted.players.filter { $0.score > 0 }.sorted { $0.peer < $1.peer }
    return (head, scores.map { .init(peer: $0.peer, score: UInt32(clamping: $0.score)) })
  }
}

extension PeerCore {
  /// Does what the host or a player wants.
  /// - Parameter now: milliseconds of a clock that only goes forward.
  package mutating func perform(
    _ act: HostedAct, in room: RoomID, by member: Int, at now: UInt64
  ) throws(PeerError) {
    switch act {
    case .join(let code, let profile):
      guard let joining = try standing(of: member, in: room)?.joining(code, profile) else {
        throw .unknownRoom(room)
      }
      for action in joining { _ = try write(action, in: room, by: member) }
    case .open(let content, let solution, let limit):
      guard let opened = try standing(of: member, in: room)?.opening(content, solution, limit) else {
        throw .unknownRoom(room)
      }
      let opening = try write(opened.action, in: room, citing: opened.citing, by: member)
      let events = withLog(of: room) { $0.entries.count } ?? 0
      hosting.note(
        opening.id, after: opened.before, in: room, solution: solution, events: events, at: now)
    case .close: _ = try host(room, closes: true, at: now)
    case .enter(let opening, let choice):
      guard let entry = try standing(of: member, in: room)?.entry(choice, opening) else {
        throw .unknownRoom(room)
      }
      _ = try write(entry, in: room, by: member)
    }
  }

  /// Shows of a member's entries which the host called unreadable that they can be read.
  /// - Returns: whether anything was written.
  package mutating func proveEntries(in room: RoomID, by member: Int = 0) throws(PeerError) -> Bool {
    // Nearly always there is nothing to prove, and this is asked at each event.
    guard let state = state(of: room), let hosted = state.hosted,
      hosted.rounds.contains(where: \.hasUnreadable)
    else { return false }
    let proofs = standing(of: member, in: room)?.proofs(of: hosted) ?? []
    for proof in proofs { _ = try write(.hosted(proof), in: room, by: member) }
    return !proofs.isEmpty
  }
}

// MARK: - What is written

extension RoomState {
  /// The solution of the round that is on as a peer was told it; `nil` where it was told none, or its key is not here.
  /// - Returns: the solution, and whether the host is bound to it.
  package func toldSolution(to peer: PeerID, _ keys: Keyring) -> (solution: [UInt8], isBound: Bool)? {
    guard let hosted, let round = hosted.round, let told = hosted.rules?.told(round.content),
      let player = hosted.player(peer), player.number == told.player, let member = keys.number(of: peer)
    else { return nil }
    let signer = keys.signers[member]
    let named = player.named.flatMap { named in
      let secret = RoomSecrets(of: signer, in: room).joinProof(sequence: named.sequence)
      return SealedBox.open(told.box, asSenderTo: creator, secret: secret)
    }
    guard let opened = (named ?? signer.open(told.box)).flatMap(ToldSolution.read) else { return ([], false) }
    let commitment = Commitments.solution(
      opened.choice, salt: opened.salt, room: room, round: UInt16(truncatingIfNeeded: round.number),
      content: round.content, author: creator)
    return (opened.choice, commitment == round.commitment)
  }

  /// Why the answer to what somebody wants in hosted rounds is no, in words; `nil` when it may be tried.
  package func refusal(of act: HostedAct, by peer: PeerID) -> String? {
    guard let hosted else { return "there are no hosted rounds in this room" }
    switch act {
    case .join:
      if creator == peer { return "this peer is the host, and does not play" }
      if hosted.player(peer) != nil { return nil }
      return switch phase {
      case .waiting, .playing:
        mayRequest(peer) ? nil : "only invited peers may play there"
      case .unknownRules: "this program does not know the rules of that game"
      case .unknownEdition: phase.refusalOfEdition
      default: "it is over"
      }
    case .open, .close:
      guard creator == peer else { return "only the host does that" }
      switch phase {
      case .waiting, .playing: break
      default: return "it is over"
      }
      let isOn = hosted.round?.phase == .open
      if case .close = act { return isOn ? nil : "no round is open" }
      return nil
    case .enter(let opening, _):
      guard hosted.player(peer) != nil else { return "the host has not taken this peer in" }
      guard let round = hosted.round, round.opening == opening, round.phase == .open || round.phase == .closed
      else { return "that round is over" }
      return nil
    }
  }
}

extension Standing {
  /// Asks to be taken in, and shows the host the join code before; nothing for a player who is in.
  fileprivate func joining(_ code: String?, _ profile: Profile) throws(PeerError) -> [Action] {
    guard let hosted = state.hosted else { throw .unknownRoom(state.room) }
    guard hosted.player(me).map(\.hasLeft) ?? true else { return [] }
    let request = Action.request(seat: Create.noSeat, profile)
    guard let code, hosted.player(me) == nil else { return [request] }
    let proof = JoinCode.proof(code, room: state.room, author: me)
    let secret = secrets.joinProof(sequence: nextSequence)
    guard let box = SealedBox.seal(proof, to: state.creator, secret: secret) else {
      throw .notAllowed("nothing can be sealed to the host's key")
    }
    return [.hosted(.joinProof(box: box)), request]
  }

  /// Opens the next round.
  /// - Returns: that, what it must cite, and the opening of the round before.
  fileprivate func opening(
    _ content: [UInt8], _ solution: [UInt8], _ limit: UInt32
  ) throws(PeerError) -> (action: Action, citing: [EventID], before: EventID?) {
    guard let hosted = state.hosted, let rules = hosted.rules else { throw .unknownRoom(state.room) }
    let round = UInt16(truncatingIfNeeded: hosted.settledRounds)
    guard round < state.create.games else { throw .notAllowed("all rounds have been played") }
    let salt = secrets.solution(round: round, sequence: nextSequence)
    var (content, left) = (content, [EventID]())
    if rules.tellsOne { (content, left) = try telling(solution, salt: salt, round: round, hosted, rules) }
    guard rules.question(content) != nil, rules.isSolution(solution, of: content) else {
      throw .notAllowed("that is no round of \(state.create.rules)")
    }
    let commitment =
      rules.isSealed
      ? Commitments.solution(
        solution, salt: salt, room: state.room, round: round, content: content, author: me)
      : .none
    let opening = HostedAction.Opening(
      round: round, limitMilliseconds: limit, commitment: commitment, content: content)
    return (.hosted(.open(opening)), left, hosted.rounds.last?.opening)
  }

  /// What a round asks that tells its solution to the player whose turn it is.
  /// - Returns: that, and what shows that the players before it have left.
  private func telling(
    _ solution: [UInt8], salt: Digest, round: UInt16, _ hosted: HostedState, _ rules: any HostedRules
  ) throws(PeerError) -> (content: [UInt8], left: [EventID]) {
    let turns = hosted.playersInTurn.map { hosted.players[Int($0)] }
    let leaves = turns.map { $0.hasLeft ? lastLeave(of: $0.peer) : nil }
    guard turns.contains(where: { !$0.hasLeft }), let next = leaves.firstIndex(of: nil) else {
      throw .notAllowed("nobody is here whose turn it could be")
    }
    let (player, left) = (turns[next], leaves[..<next].compactMap(\.self))
    guard
      let box = ToldSolution.seal(
        solution, salt: salt, room: state.room, round: round, to: player.peer, named: player.named?.key),
      let content = rules.content(telling: HostedTold(player: player.number, box: box), solution)
    else { throw .notAllowed("that is nothing that player \(player.number + 1) could be told") }
    return (content, left)
  }

  /// A peer's last `leave` that the host can name; `nil` where there is none: it left before it knew that it was let
  /// in, or behind a fork of its feed. It has its turns then, like a player who is silent.
  private func lastLeave(of peer: PeerID) -> EventID? {
    withLog { log in
      let fork = log.graph.forks[peer] ?? .max
      return log.feed(peer)?.positions.last {
        log.graph.events[$0].kind == .leave && log.graph.sequence($0) < fork && log.isMembers(at: $0)
      }.map { log.graph.id($0) }
    }
  }

  /// Enters a choice in the round that is on.
  fileprivate func entry(_ choice: [UInt8], _ opening: EventID) throws(PeerError) -> Action {
    guard let hosted = state.hosted, let rules = hosted.rules, let player = hosted.player(me),
      let round = hosted.round, round.opening == opening
    else { throw .notAllowed("that round is over") }
    let form = rules.form(of: player.number, in: round.content)
    guard rules.isEntry(choice, form, in: round.content) else {
      throw .notAllowed("that is nothing to choose")
    }
    if case .hosted(let limit, _, _) = state.create.purpose {
      let most = min(limit, rules.limitEntries(of: player.number, in: round.content))
      guard ownEntries(for: opening) < most else {
        throw .notAllowed(
          most == 1 ? "the answer is given, and stays as it is" : "that was all: no more than \(most) count")
      }
    }
    guard form == .sealed else { return .hosted(.entry(opening: opening, .clear(choice))) }
    let salt = secrets.entry(round: round.number, player: player.number, sequence: nextSequence)
    guard
      let entry = SealedEntry.seal(
        choice, salt: salt, room: state.room, opening: opening, author: me, host: state.creator)
    else { throw .notAllowed("nothing can be sealed to the host's key") }
    return .hosted(.entry(opening: opening, entry))
  }

  /// How many entries this member has written for a round.
  private func ownEntries(for opening: EventID) -> Int {
    withLog { log in
      log.feed(me)?.positions.count {
        if case .hosted(.entry(opening, _)) = log.graph.events[$0].action { true } else { false }
      } ?? 0
    }
  }

  /// Shows of this member's entries which the host called unreadable that they can be read.
  fileprivate func proofs(of hosted: HostedState) -> [HostedAction] {
    guard let player = hosted.player(me) else { return [] }
    var proofs: [HostedAction] = []
    for round in hosted.rounds where round.hasUnreadable {
      for entry in round.entries
      where entry.isUnreadable && entry.player == player.number && entry.fault == nil
        && !hasProven(entry.event)
      {
        guard let opened = opened(entry, of: round, player) else { continue }
        proofs.append(.entryProof(entry: entry.event, opened))
      }
    }
    return proofs
  }

  private func hasProven(_ entry: EventID) -> Bool {
    hasWritten(me) { event in
      if case .hosted(.entryProof(entry, _)) = event.action { true } else { false }
    }
  }

  /// An own entry as it was chosen: its salt follows from its place, and with it the box opens.
  private func opened(
    _ entry: HostedState.Entry, of round: HostedState.Round, _ player: HostedState.Player
  ) -> HostedAction.OpenedEntry? {
    guard let sequence = withLog({ $0.sequence(of: entry.event) }) else { return nil }
    let salt = secrets.entry(round: round.number, player: player.number, sequence: sequence)
    return SealedEntry.reopen(
      entry.written, salt: salt, room: state.room, opening: round.opening, author: player.peer,
      host: state.creator)
  }
}

extension RoomLog {
  /// An author's last event before any fork of its feed.
  fileprivate func lastBeforeFork(of author: PeerID) -> EventID? {
    feed(author)?.lastBeforeFork(after: 0).map { graph.events[$0.position].id }
  }
}
