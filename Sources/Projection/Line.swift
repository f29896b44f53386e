import Events
import Rules

/// The line of a game room: the path through the tree of steps that Docs/PROTOCOL.md §1.1 defines.
///
/// A line can be walked on from where it stands, as long as nothing new stands on a node behind its tip.
struct Line: Sendable {
  /// The room's fixed facts that the line depends on; one reference, so that a line is cheap to copy.
  final class Table: Sendable {
    let room: RoomID
    let create: Create
    let rules: any GameRules
    let peers: [PeerID]
    /// The position of each seat's granted request; `nil` for the creator's own seat.
    let requests: [Int?]
    let first: Seat
    let start: EventID
    /// Where the start node lies.
    let startPosition: Int
    /// Which events are anchored; `nil` when all that can matter to the line are.
    let anchors: Anchors?
    /// Seats whose feeds are forked, ascending.
    let forked: [Seat]
    /// Whether the referee's feed is forked.
    let isRefereeForked: Bool

    init(
      room: RoomID, create: Create, rules: any GameRules, peers: [PeerID], requests: [Int?], first: Seat,
      start: EventID, startPosition: Int, anchors: Anchors?, forked: [Seat], isRefereeForked: Bool
    ) {
      self.room = room
      self.create = create
      self.rules = rules
      self.peers = peers
      self.requests = requests
      self.first = first
      self.start = start
      self.startPosition = startPosition
      self.anchors = anchors
      self.forked = forked
      self.isRefereeForked = isRefereeForked
    }

    func seat(of peer: PeerID) -> Seat? {
      peers.firstIndex(of: peer).map { Seat(UInt16(truncatingIfNeeded: $0)) }
    }

    /// The referee that `create` names, unless it holds a seat.
    var referee: PeerID? {
      create.referee.isSome && seat(of: create.referee) == nil ? create.referee : nil
    }

    /// The seat that moves first in a game.
    func first(game: Int) -> Seat { Seat(UInt16((first.index + game) % peers.count)) }

    func isAnchored(_ position: Int, _ facts: Facts) -> Bool {
      anchors?.isAnchored(position, facts.graph) ?? true
    }
  }

  let table: Table
  /// The games so far; the last one is on, unless the series is over.
  private(set) var games: [GameRecord]
  /// The node that the next step stands on.
  private(set) var tip: EventID
  /// Where that node lies.
  private(set) var tipPosition: Int
  /// Whether no step can follow.
  private(set) var isOver = false
  /// The seat whose leaving ended the series.
  private(set) var leaver: Seat?
  /// The seats on their way out of the game that is on, or already out of it: only in games of more than two.
  private(set) var exits: [Seat: Exit] = [:]
  /// Where the line stands on the root of a game and the game before ended there because a seat dropped out: the event
  /// that says so. What names this node and does not have it in its past is about the game before.
  private(set) var gate: Int?
  /// What the events are to the line.
  private var effects = LineEffects()
  /// Whether that is noted: nobody asks when only the end of the line is wanted.
  var keepsEffects = true
  /// Commits and reveals of the round at the tip.
  private(set) var round = Round()

  /// A line that has only its start.
  init(table: Table) {
    self.table = table
    tip = table.start
    tipPosition = table.startPosition
    games = []
    begin(game: 0)
  }

  var game: GameRecord { games[games.count - 1] }
  var number: Int { games.count - 1 }
  var ply: Int { games[games.count - 1].plies.count }
  /// Whether nothing of the game that is on was played but its opening.
  var isAtRoot: Bool { !games[games.count - 1].hasMoves }
  var root: EventID { games[games.count - 1].root }
  var turn: Turn { games[games.count - 1].turn }

  var playing: SeatSet { games[games.count - 1].playing }
  /// Whether rounds draw random numbers.
  var usesChance: Bool { games[games.count - 1].state.usesChance }

  /// Whether a game is on, something of it was played, and nobody owes anything but a choice.
  var isMidGame: Bool {
    guard !isOver, !isAtRoot else { return false }
    switch turn {
    case .seat: return true
    case .round(let choosing): return choosing == playing && round.waitsForCommits
    case .over: return false
    }
  }

  func isLegal(_ code: MoveCode, by seat: Seat) -> Bool {
    games[games.count - 1].state.isLegal(code, by: seat)
  }

  /// Whether a seat may open a choice in the round at the tip.
  func mayOpen(_ code: MoveCode, by seat: Seat) -> Bool {
    games[games.count - 1].state.mayOpen(code, by: seat)
  }

  /// Which game and ply an event is the node of, where it is one of the line.
  func place(of position: Int) -> (game: Int, ply: Int)? { effects.place(of: position) }

  /// Whether an event is a node, or has an effect besides: it is a commit or reveal of a round that was played, an
  /// accepted request or offer, or an upheld claim.
  func isUsed(_ position: Int) -> Bool { effects.contain(position) }

  /// Whether a step says that it belongs to the game and ply at the tip.
  func isAt(_ step: Action.Step) -> Bool { Int(step.game) == number && Int(step.ply) == ply }

  /// Whether a seat dropped out where the line stands: who else does there, and in which order, depends on all that
  /// stands there.
  var hasDropOutAtTip: Bool {
    // Of two seats nobody drops out: the game ends.
    guard table.peers.count > 2 else { return false }
    let ended = number > 0 && isAtRoot ? games[number - 1] : nil
    return game.dropOuts.last?.ply == ply || ended.map { $0.dropOuts.last?.ply == $0.plies.count } == true
  }

  /// Whether anything was played, or decided without play.
  var wasPlayed: Bool { games.contains(where: \.wasBegun) }

  /// Where a room stands whose line is over.
  var lastPhase: RoomState.Phase {
    guard let quitter = leaver ?? table.forked.first else { return .finished }
    if !wasPlayed { return .closed(table.peers[quitter.index]) }
    return leaver.map { .abandoned($0) } ?? .finished
  }

  /// Goes on with an event that has come to stand on the tip.
  /// - Returns: `false`, and nothing changed, where all must be derived again.
  mutating func goOn(with position: Int, _ facts: Facts) -> Bool {
    if hasDropOutAtTip { return false }
    // Where results of this game or a later one are signed, what all agreed on is looked for first.
    let isSigned = isAtRoot && facts.signedGames.last.map { $0 >= number } ?? false
    if table.peers.count == 2, round.isPlain, !isSigned {
      goOnInRound(with: position, facts)
    } else {
      advance(facts)
    }
    return true
  }

  private mutating func goOnInRound(with position: Int, _ facts: Facts) {
    var round = Round()
    swap(&round, &self.round)
    let isTaken = round.take(position, at: self, facts)
    let step = isTaken ? round.completed(at: self, facts) : nil
    swap(&round, &self.round)
    if let step { take(step, facts) }
    if step != nil || !isTaken { advance(facts) }
  }

  /// Goes on as far as the events lead.
  mutating func advance(_ facts: Facts) {
    while !isOver {
      // Asked here and not in the call, for which the line would be copied.
      if isAtRoot, !facts.signedGames.isEmpty, let agreed = Agreement.next(from: self, facts) {
        self = agreed
        continue
      }
      if table.peers.count > 2 {
        guard goOn(facts) else { return }
        continue
      }
      if isBare(facts) { return beginRound() }
      if let move = onlyMove(facts) {
        take(move, facts)
        continue
      }
      let candidates = candidates(facts)
      if candidates.count == 1, let move = legalMove(candidates[0], facts) {
        take(move, facts)
        continue
      }
      guard !candidates.isEmpty else { return beginRound() }
      let contest = Contest(at: self, candidates, facts)
      guard let step = contest.step(at: self, facts) else {
        round = contest.round
        return
      }
      take(step, facts)
    }
    round = .init()
  }

  /// Whether nothing stands on the tip.
  @inline(__always)
  private func isBare(_ facts: borrowing Facts) -> Bool {
    tipPosition != table.startPosition && facts.steps(on: tipPosition).isEmpty
  }

  private mutating func beginRound() {
    guard turn.isRound || !round.isEmpty else { return }
    var round = Round()
    swap(&round, &self.round)
    round.begin(at: self)
    self.round = round
  }

  /// Goes one step on in a game of more than two seats: somebody drops out, or plays.
  /// - Returns: `false` when the game waits.
  private mutating func goOn(_ facts: Facts) -> Bool {
    let attendance = Attendance(at: self, facts)
    if dropOut(attendance, facts) { return true }
    guard let step = attendance.step else {
      round = attendance.round
      return false
    }
    take(step, facts)
    return true
  }

  /// Notes who is on the way out, and lets the lowest seat drop out of which the game waits.
  /// - Returns: whether somebody did.
  mutating func dropOut(_ attendance: Attendance, _ facts: Facts) -> Bool {
    exits = attendance.exits
    // tidy: order does not matter because each is noted for itself
    for exit in exits.values { noteEffect(exit.position) }
    // tidy: order does not matter because a set is filled
    games[games.count - 1].leaving = SeatSet(Array(exits.keys))
    guard let (seat, exit, claim) = attendance.dropOut else { return false }
    let event = exit.position.map { facts.id($0) }
    noteEffect(exit.position)
    noteEffect(claim.flatMap { facts.graph.position(of: $0) })
    exits[seat] = exit
    games[games.count - 1].dropOut(seat, exit.cause, by: event)
    if case .over(let outcome) = turn { end(by: exit, of: seat, outcome) }
    return true
  }

  /// Ends a game of more than two seats because nobody is left to go on with.
  private mutating func end(by exit: Exit, of seat: Seat, _ outcome: Outcome) {
    if staying.count < 2 { leaver = seat }
    let neverWas = if case .left = exit.cause { isAtRoot } else { false }
    gate = exit.position
    finish(neverWas ? nil : outcome, exit.cause)
  }

  /// The seats that play on after the game that is on: all that neither left nor forked.
  private var staying: SeatSet {
    var staying = SeatSet.all(table.peers.count)
    // tidy: order does not matter because a set is emptied
    for (seat, exit) in exits {
      switch exit.cause {
      case .left, .forked: staying.remove(seat)
      default: break
      }
    }
    return staying
  }

  /// Goes one step on, which the caller knows to be legal.
  mutating func take(_ step: Step, _ facts: Facts) {
    switch step {
    case .move(let position, let code, let note):
      guard let seat = table.seat(of: facts.author(position)),
        take(code, by: seat, note, as: facts.id(position), at: position)
      else { preconditionFailure("the line took an illegal move \(code) at \(tip)") }
    case .round(let events, let codes, let chance, let node):
      guard games[games.count - 1].resolve(codes, by: chance, as: facts.id(node)) else {
        preconditionFailure("the line took an illegal round \(codes) at \(tip)")
      }
      for event in events { noteEffect(event) }
      goOn(from: facts.id(node), at: node)
    case .undo(let accept, let request, let ply):
      noteEffect(facts.graph.position(of: request))
      rewind(to: ply)
      move(to: facts.id(accept), at: accept)
    case .ending(let node, let cause, let evidence):
      noteEffect(evidence.flatMap { facts.graph.position(of: $0) })
      move(to: facts.id(node), at: node)
      end(cause)
    }
  }

  /// Goes one move on.
  /// - Returns: `false`, and nothing changed, when the rules do not allow it.
  mutating func take(
    _ code: MoveCode, by seat: Seat, _ note: Action.Note?, as node: EventID, at position: Int
  ) -> Bool {
    guard games[games.count - 1].play(code, by: seat, note, as: node) else { return false }
    goOn(from: node, at: position)
    return true
  }

  /// Notes that an event has an effect besides the nodes.
  private mutating func noteEffect(_ position: Int?) {
    if keepsEffects, let position { effects.insert(position) }
  }

  /// Notes that the tip is the node of where the line is now.
  private mutating func noteTip() {
    if keepsEffects { effects.setNode(tipPosition, game: number, ply: ply) }
  }

  private mutating func move(to node: EventID, at position: Int) {
    (tip, tipPosition) = (node, position)
    noteTip()
  }

  /// Goes on from the node of a ply that was played.
  private mutating func goOn(from node: EventID, at position: Int) {
    gate = nil
    move(to: node, at: position)
    if case .over(let outcome) = games[games.count - 1].turn { finish(outcome, .rules) }
  }

  private mutating func end(_ cause: GameRecord.Cause) {
    switch cause {
    case .rules: preconditionFailure("a game ends by its rules with a move")
    case .left(let seat):
      leaver = seat
      isOver = true
      games[games.count - 1].ending = .init(
        node: tip, outcome: isAtRoot ? nil : game.state.forfeit(by: seat), cause: cause)
    case .drawAgreed: finish(.drawn(of: table.peers.count), cause)
    case .resigned(let seat), .ruled(let seat), .offence(let seat):
      finish(game.state.forfeit(by: seat), cause)
    case .forked: preconditionFailure("forks are settled when the line is complete")
    }
  }

  /// Ends the game that is on at the tip, and begins the next one of the series.
  private mutating func finish(_ outcome: Outcome?, _ cause: GameRecord.Cause) {
    games[games.count - 1].ending = .init(node: tip, outcome: outcome, cause: cause)
    guard games.count < Int(table.create.games), !isTargetReached, staying.count > 1 else {
      isOver = true
      return
    }
    begin(game: games.count)
  }

  /// Whether the seat that won the last game has won as many as end the series. Draws and void games count for nobody.
  private var isTargetReached: Bool {
    let target = Int(table.create.target)
    guard target > 0, let winner = games.last?.ending?.outcome?.winner else { return false }
    return games.count { $0.ending?.outcome?.winner == winner } >= target
  }

  private mutating func begin(game number: Int) {
    let first = table.first(game: number)
    games.append(
      GameRecord(
        number: number, first: first, root: tip, state: table.rules.start(first: first),
        wantsOpenRounds: table.create.hasOpenRounds))
    if !table.create.openings.isEmpty, !games[number].open(with: table.create.opening(ofGame: number)) {
      preconditionFailure("the opening of game \(number) of \(table.room) was not checked")
    }
    noteTip()
    guard table.peers.count > 2 else { return }
    // Who resigned or was ruled out is back for the next game; who left is not.
    let staying = staying
    exits = exits.filter { !staying.contains($0.key) }
  }

  private mutating func rewind(to ply: Int) {
    let last = games.count - 1
    games[last].plies.removeSubrange(ply...)
    games[last].set(replayed(games[last], plies: ply))
  }

  /// The position of a game after its first plies.
  func replayed(_ game: GameRecord, plies: Int) -> any GameState {
    guard let state = game.positions(from: table.rules.start(first: game.first), plies: plies)?.last else {
      preconditionFailure("the line does not replay in game \(game.number) of \(table.room)")
    }
    return state
  }

  /// Marks the games up to this one as agreed.
  mutating func agree(through number: Int) {
    var index = number
    while index >= 0, !games[index].isAgreed {
      games[index].isAgreed = true
      index -= 1
    }
  }

  /// Settles forked seats: they lose what was begun and is not agreed (Docs/PROTOCOL.md §1.4).
  mutating func settleForks() {
    guard table.peers.count == 2, let first = table.forked.first else { return }
    let loser = table.forked.count == 1 ? first : nil
    isOver = true
    round = .init()
    for index in games.indices where !games[index].isAgreed {
      let record = games[index]
      guard record.wasBegun else {
        if record.ending == nil {
          games[index].ending = .init(node: tip, outcome: nil, cause: .forked(loser))
        }
        continue
      }
      games[index].ending = .init(
        node: record.ending?.node ?? tip, outcome: loser.map { record.state.forfeit(by: $0) },
        cause: .forked(loser))
    }
  }
}

extension GameRecord {
  /// Whether anything was played of it, or it was decided without play.
  fileprivate var wasBegun: Bool { hasMoves || ending?.outcome != nil }
}
