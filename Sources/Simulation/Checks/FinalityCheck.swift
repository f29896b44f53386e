import EventLog
import Events
import Peer
import Projection
import Rules

/// Seats, agreed games, sealed results and settled rounds: what is final somewhere stays, and is the same everywhere.
struct FinalityCheck: Sendable {
  /// What of a room is final, as far as a peer has seen.
  private struct Seen: Sendable {
    var life = 0
    var seats: [PeerID?] = []
    var agreed: [Agreed?] = []
    var sealed: [Action.PairingResult] = []
    var settled: [Settled] = []
    var table: EventID?
    var start: UInt64?
  }

  /// A round that its host has settled: which one, and what each answer is worth.
  private struct Settled: Hashable, Sendable {
    let opening: EventID
    let points: [UInt32]
  }

  private struct Agreed: Hashable, Sendable {
    let ending: EventID
    let scores: [Int32]
  }

  /// What may be relied on in a room.
  struct Trust {
    /// From which number on the creator's feed has branches. A creator that keeps to one feed makes seats and sealed
    /// results final, and one without a fork before the start the start.
    var fork: UInt64?
    /// The number of the start in the creator's feed.
    var start: UInt64?
    /// For each game that the state has whether its agreement is for good. A seat that forks its feed takes its
    /// signature back, unless somebody at the table has cited it (Docs/PROTOCOL.md §1.4).
    var isKept: [Bool]
    /// The start at which the peer plays, once it has made a step.
    var table: EventID?
  }

  // By room and peer.
  private var seen: [[Seen]] = []
  // By room and game: what is agreed, as the first peer saw it.
  private var first: [[Agreed?]] = []
  // By room: what is settled, as the peer saw it that had seen most.
  private var settled: [[Settled]] = []
  private let peers: Int

  init(peers: Int) { self.peers = peers }

  /// Takes in what a peer sees of a room in one of its lives.
  /// - Returns: what has changed that was final, in words.
  mutating func observe(
    _ state: RoomState, room: Int, peer: Int, life: Int, trust: Trust
  ) -> [String] {
    while seen.count <= room {
      seen.append([Seen](repeating: Seen(), count: peers))
      first.append([])
      settled.append([])
    }
    var words: [String] = []
    let isSameLife = seen[room][peer].life == life
    if trust.fork == nil {
      words += seats(state, room: room, peer: peer, isSameLife: isSameLife)
      words += sealed(state, room: room, peer: peer, isSameLife: isSameLife)
      words += settled(state, room: room, peer: peer, isSameLife: isSameLife)
    }
    let start = trust.start ?? (isSameLife ? seen[room][peer].start : nil)
    seen[room][peer].start = start
    if trust.fork ?? .max > start ?? 0 {
      words += agreed(state, room: room, peer: peer, isSameLife: isSameLife, trust)
    }
    if isSameLife, let table = seen[room][peer].table, trust.table != table {
      words.append("it played at the table of \(table.short), and the room is not that table's any more")
    }
    seen[room][peer].table = trust.table
    seen[room][peer].life = life
    return words
  }

  private mutating func seats(_ state: RoomState, room: Int, peer: Int, isSameLife: Bool) -> [String] {
    let now = state.seats.map { $0?.peer }
    defer { seen[room][peer].seats = now }
    return zip(seen[room][peer].seats, now).enumerated().compactMap { seat, pair in
      guard let before = pair.0, pair.1 != before, pair.1 != nil || isSameLife else { return nil }
      return "seat \(seat) was \(before.short)'s and is \(pair.1?.short ?? "nobody")'s"
    }
  }

  private mutating func sealed(_ state: RoomState, room: Int, peer: Int, isSameLife: Bool) -> [String] {
    let now = state.tournamentWords.compactMap { word in
      if case .result(let result, _) = word { result } else { nil }
    }
    let before = seen[room][peer].sealed
    defer { seen[room][peer].sealed = now }
    let common = min(now.count, before.count)
    guard now.prefix(common) == before.prefix(common), now.count >= before.count || !isSameLife else {
      return ["sealed results have changed: \(before.count) before, \(now.count) now"]
    }
    return []
  }

  private mutating func settled(_ state: RoomState, room: Int, peer: Int, isSameLife: Bool) -> [String] {
    guard let hosted = state.hosted else { return [] }
    let now = hosted.rounds.filter { $0.phase == .settled }
      .map { Settled(opening: $0.opening, points: $0.entries.map(\.points)) }
    defer {
      seen[room][peer].settled = now
      if now.count > settled[room].count { settled[room] = now }
    }
    if isSameLife, !now.starts(with: seen[room][peer].settled) { return ["a settled round has changed"] }
    let isAlike = now.starts(with: settled[room]) || settled[room].starts(with: now)
    return isAlike ? [] : ["a round is settled otherwise here than elsewhere"]
  }

  private mutating func agreed(
    _ state: RoomState, room: Int, peer: Int, isSameLife: Bool, _ trust: Trust
  ) -> [String] {
    let now = state.games.map { game -> Agreed? in
      guard game.isAgreed, let ending = game.ending, trust.isKept[game.number] else {
        return nil
      }
      return Agreed(ending: ending.node, scores: ending.outcome?.scores ?? [])
    }
    var words: [String] = []
    let before = seen[room][peer].agreed
    for (game, old) in before.enumerated() where isSameLife {
      guard let old, !now.indices.contains(game) || now[game] != old else { continue }
      words.append("game \(game) was agreed on \(old.scores) and is not any more")
    }
    for (game, new) in now.enumerated() {
      guard let new else { continue }
      while first[room].count <= game { first[room].append(nil) }
      if let known = first[room][game], known != new {
        words.append("game \(game) is agreed on \(new.scores) here and on \(known.scores) elsewhere")
      }
      first[room][game] = first[room][game] ?? new
    }
    seen[room][peer].agreed = now
    return words
  }
}

extension FinalityCheck.Trust {
  /// What may be relied on in a room as a peer sees it.
  /// - Parameters:
  ///   - fork: from which number on the creator has branches there.
  ///   - strangers: further keys of dishonest peers.
  init(_ state: RoomState, at peer: Int, among peers: [SimulatedPeer], fork: UInt64?, strangers: [PeerID]) {
    self.fork = fork
    let start = state.start.flatMap { start in
      peers[peer].faces[0].withLog(of: state.room) { log in
        log.position(of: start).map { log.graph.events[$0].sequence }
      }
    }
    self.start = start ?? nil
    table = peers[peer].ownStart(in: state)
    isKept = Self.keptGames(state, at: peer, among: peers, strangers: strangers)
  }

  /// Which of the games that a peer sees agreed no seat can undo (Docs/PROTOCOL.md §1.3, §1.4).
  private static func keptGames(
    _ state: RoomState, at peer: Int, among peers: [SimulatedPeer], strangers: [PeerID]
  ) -> [Bool] {
    let members = state.seats.compactMap { $0?.peer } + [state.create.referee]
    let forking = peers.filter { !$0.mischief.isDisjoint(with: [.forks, .frauds]) }.map(\.id)
    let forkers = (forking + strangers).filter(members.contains)
    guard !forkers.isEmpty, let log = peers[peer].faces[0].log(of: state.room) else {
      return state.games.map { _ in true }
    }
    let honest = members.filter { member in peers.contains { $0.id == member && $0.isHonest } }
    return Anchoring.keptGames(of: state, forkers: forkers, honest: honest, in: log)
  }
}
