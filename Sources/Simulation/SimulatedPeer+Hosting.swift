import EventLog
import Events
import Games
import Gossip
import Peer
import Projection
import Rules

/// Honest play in hosted rounds: what a host and its players owe, and what they like.
extension SimulatedPeer {
  /// How long a round lasts, in milliseconds.
  private static let roundMilliseconds: ClosedRange<UInt64> = 400...2_500

  /// Whether a round that this life has opened waits for its time.
  var isHosting: Bool { faces.contains { $0.hosting.nextDue != nil } }

  /// Does what a host or a player owes, and asks to be taken in.
  mutating func keepRounds(in table: Table, face: Int, time: UInt64) throws(PeerError) {
    _ = try faces[face].host(table.room, at: clock.tick(time).milliseconds)
    _ = try faces[face].proveEntries(in: table.room)
    guard table.conduct.wantedSeat != nil, let state = faces[face].state(of: table.room),
      let hosted = state.hosted, state.isUnderWay, state.mayRequest(id), hosted.player(id) == nil,
      hosted.refusals[id] == nil, !hosted.requests.contains(where: { $0.peer == id })
    else { return }
    try faces[face].perform(
      .join(code: nil, table.conduct.profile), in: table.room, by: 0, at: clock.tick(time).milliseconds)
  }

  /// Opens a round, enters something, leaves or comes back, or does nothing.
  mutating func amuse(
    in table: Table, face: Int, _ state: RoomState, _ hosted: HostedState, time: UInt64, isClosing: Bool
  ) throws(PeerError) {
    guard state.isUnderWay else { return }
    let now = clock.tick(time).milliseconds
    if !isClosing, random.perMille(3) {
      // Whoever has asked for nothing leaves nothing.
      _ = try faces[face].write(.leave(node: .none), in: table.room)
    } else if state.creator == id {
      guard !isClosing else { return }
      try moderate(table.room, face: face, state, hosted, now)
    } else if let player = hosted.player(id), player.hasLeft {
      guard !isClosing, random.oneIn(4) else { return }
      try faces[face].perform(.join(code: nil, table.conduct.profile), in: table.room, by: 0, at: now)
    } else if let round = hosted.round, let choice = choice(in: round, hosted, state, face: face) {
      try faces[face].perform(
        .enter(opening: round.opening, choice: choice), in: table.room, by: 0, at: now)
    }
  }

  /// Opens the next round, or closes the one that is on before its time.
  private mutating func moderate(
    _ room: RoomID, face: Int, _ state: RoomState, _ hosted: HostedState, _ now: UInt64
  ) throws(PeerError) {
    if let round = hosted.round, round.phase == .open || round.phase == .closed,
      faces[face].hosting.elapsed(in: room, round.opening, at: now) != nil
    {
      if round.phase == .open, random.perMille(30) {
        try faces[face].perform(.close, in: room, by: 0, at: now)
      }
      return
    }
    guard hosted.settledRounds < state.create.games, random.oneIn(hosted.players.isEmpty ? 12 : 3) else {
      return
    }
    // Somebody has to draw.
    if hosted.rules?.tellsOne == true, hosted.players.allSatisfy(\.hasLeft) { return }
    let limit = UInt32(random.time(Self.roundMilliseconds))
    let (content, solution) = question(hosted)
    try faces[face].perform(
      .open(content: content, solution: solution, limitMilliseconds: limit), in: room, by: 0, at: now)
  }

  private mutating func question(_ hosted: HostedState) -> (content: [UInt8], solution: [UInt8]) {
    guard let rules = hosted.rules, rules.isSealed else { return ([], []) }
    guard !rules.tellsOne else { return ([], random.pick(DrawnWords.all) ?? []) }
    let question = QuizQuestion(text: "question \(hosted.rounds.count)", choices: ["a", "b", "c"])
    return (question?.content ?? [], [UInt8(random.below(3))])
  }

  /// What this peer enters in a round; `nil` for nothing.
  private mutating func choice(
    in round: HostedState.Round, _ hosted: HostedState, _ state: RoomState, face: Int
  ) -> [UInt8]? {
    guard round.phase == .open, let player = hosted.player(id), let rules = hosted.rules, random.oneIn(2),
      ownEntries(in: round.opening, of: state.room, face: face).count < state.create.entriesInRound
    else { return nil }
    return DrawnWords.entry(of: player.number, in: round.content, rules, &random)
  }

  /// The own entries of a round, in the order of their writing.
  func ownEntries(in opening: EventID, of room: RoomID, face: Int) -> [Event] {
    faces[face].withLog(of: room) { $0.entries(of: id, in: opening) } ?? []
  }
}

extension RoomLog {
  /// Somebody's entries in a round, in the order of their writing.
  func entries(of author: PeerID, in opening: EventID) -> [Event] {
    (feed(author)?.positions ?? []).map { graph.events[$0] }.filter { event in
      if case .hosted(.entry(opening, _)) = event.action { true } else { false }
    }
  }
}

extension RoomState {
  /// Whether something may still happen in it.
  var isUnderWay: Bool { phase == .waiting || phase == .playing }
}

extension Create {
  /// How many entries of a player count in a round.
  var entriesInRound: Int { if case .hosted(let entries, _, _) = purpose { Int(entries) } else { 0 } }
}
