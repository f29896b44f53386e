import EventLog
import Events

// What this peer wants, and tells its neighbours.

extension Replica {
  /// Limits what this peer wants, besides the rooms that name its own keys or were asked for; `nil` lifts the limit.
  mutating func subscribe(to wanted: Interest?, at now: Tick) {
    interest.subscription = wanted
    wantAgain()
    tellInterests(at: now)
  }

  /// Somebody here asks for the rooms whose ids begin so.
  /// - Returns: whether that is new.
  mutating func ask(for prefix: RoomPrefix, at now: Tick) -> Bool {
    guard interest.ask(for: prefix) else { return false }
    // Those that were not taken are compared again.
    if unwanted.release(prefix.matches) { linkTable.compareAllAgain(at: now) }
    if interest.subscription != nil { tellInterests(at: now) }
    return true
  }

  /// Tells the neighbours what is wanted, as far as that is news to them.
  mutating func tellInterests(at now: Tick) {
    interest.noteTold(at: now)
    let wants = interest.all(with: links)
    for link in links.indices {
      say(wants?.told(to: link, whoWants: links[link].said.theirs), to: link, at: now)
    }
  }

  /// Tells a new neighbour.
  mutating func tellInterest(to link: Int, at now: Tick) {
    guard let wants = interest.all(with: links) else { return }
    say(wants.told(to: link, whoWants: links[link].said.theirs), to: link, at: now)
  }

  private mutating func say(_ interest: Interest?, to link: Int, at now: Tick) {
    let before = links[link].said.mine
    guard interest != before else { return }
    links[link].said.mine = interest
    linkTable.sendInterest(to: link)
    if let before, interest.map({ !$0.beyond(before).isEmpty }) ?? true { wantAgain() }
    offers.limit(link)
    links[link].compareAt = now
  }

  /// More is wanted than before: what was not taken may be wanted now.
  private mutating func wantAgain() {
    guard unwanted.releaseNotTaken() else { return }
    for link in links.indices { links[link].baseline.alike = nil }
  }

  /// Whether a room that is not here is wanted of a neighbour, by its `create` and what comes with it.
  @_effects(readonly)
  func isWanted(_ message: RunsMessage, _ create: Create, of link: Int) -> Bool {
    guard let wanted = links[link].said.mine, interest.subscription != nil else { return true }
    if interest.isAskedFor(message.room) { return true }
    if wanted.names(message.room, of: create.tournament) || wanted.names(someoneOf: message) { return true }
    if create.referee.isSome, wanted.names(create.referee.bytes.prefix64) { return true }
    guard let creator = message.creator, create.isForStrangers, !message.hasStarted else { return false }
    return offers.openGames(by: creator).count < Int(wanted.openGames)
  }

  /// Whether an open room is wanted of a neighbour because it is a game that can be joined, and for nothing else.
  func isWantedAsOpenGame(_ at: Int, of link: Int) -> Bool {
    guard interest.subscription != nil, let wanted = links[link].said.mine,
      let create = rooms.open.span[at].create
    else { return false }
    // tidy: order does not matter because one that is wanted is enough
    return !wanted.names(rooms.open.span[at].id, of: create.tournament)
      && !rooms.open.span[at].names.contains(where: wanted.names)
  }
}

extension Create {
  /// The tournament of which the room has games.
  var tournament: RoomID? {
    guard case .games(let tournament, _, _) = purpose, tournament.isSome else { return nil }
    return tournament
  }

  /// Whether somebody who is not invited may join.
  var isForStrangers: Bool { scope != .invited && tournament == nil }
}

extension RunsMessage {
  /// Whether the game is on, or the host has left: nobody joins any more.
  fileprivate var hasStarted: Bool {
    let creator = creator
    return runs.contains { run in
      run.events.contains { event in
        switch event.action {
        case .start: true
        case .leave: event.author == creator
        default: false
        }
      }
    }
  }
}
