package import BotKit
import EventLog
package import Events
package import Projection
package import Rules

extension Household {
  /// What a person's game against bots is made from.
  package struct PlayPlan: Sendable {
    /// Who has the first seat, which in the first game moves first unless a draw decides.
    package enum Order: String, Sendable, CaseIterable {
      case first
      case second
      /// The person is the first seat, and a joint draw names who starts.
      case random
    }

    package var rules: any GameRules
    /// The bots, as on the command line, by seat: one for each that is not the person's.
    package var bots: [String]
    /// How many games the series has, and how many of them somebody must win for it to be over before that; `nil` to
    /// play all.
    package var games: Int
    package var wins: Int?
    package var order: Order
    /// How the person is shown.
    package var profile: Profile
    package var seed: UInt64
    /// The room that this one is a rematch of.
    package var rematchOf: RoomID
    /// The moves from which its games begin, one list or none.
    package var openings: [[UInt16]] = []
    /// The position from which it goes on; `nil` for a game of its own.
    package var branchOf: Create.Branch?

    package init(
      rules: any GameRules, bots: [String], games: Int = 1, wins: Int? = nil, order: Order,
      profile: Profile = Profile(name: ""), seed: UInt64,
      rematchOf: RoomID = .none
    ) {
      self.rules = rules
      self.bots = bots
      self.games = games
      self.wins = wins
      self.order = order
      self.profile = profile
      self.seed = seed
      self.rematchOf = rematchOf
    }
  }

  /// Creates a room for a person, who is its host, and bots, and seats all; when it returns, that is durable.
  package func startPlay(_ plan: PlayPlan) async throws(PeerError) -> Session {
    let definition = plan.rules.definition
    var host = core(owner)
    let seat: UInt16 = plan.order == .second ? 1 : 0
    let room = try host.create(
      Create(
        rules: definition.name, rulesVersion: definition.version, parameters: plan.rules.parameters.encoded,
        seats: UInt16(plan.rules.seats), games: UInt16(plan.games),
        target: plan.wins.map { UInt32(clamping: $0) } ?? 0,
        nonce: nonce("play \(now()) \(elapsed()) \(plan.seed)"),
        profile: plan.profile, creatorSeat: seat,
        starter: plan.order == .random ? .jointDraw : .firstSeat, allowsUndo: true, rematchOf: plan.rematchOf,
        openings: plan.openings, branchOf: plan.branchOf)
    )
    let seats = (0..<UInt16(plan.rules.seats)).filter { $0 != seat }
    precondition(seats.count == plan.bots.count, "\(seats.count) seats are free for \(plan.bots.count) bots")
    var guests: [Guest] = []
    for (index, name) in Organizer.labels(of: plan.bots).enumerated() {
      let bot = try bot(plan.bots[index], for: plan.rules)
      guests.append(Guest(bot: bot, name: name, seat: seats[index], seed: plan.seed))
    }
    var session = try playSession(room, host: host, guests)
    try await commit(&session)
    return session
  }

  /// A bot at a person's table.
  private struct Guest {
    let bot: any Bot
    let name: String
    let seat: UInt16
    let seed: UInt64
  }

  /// Whether a room is a game of the owner against bots whose keys are derived from the owner's, and not one with
  /// somebody elsewhere.
  package func isAgainstOwnBot(_ state: RoomState) -> Bool {
    guard let seat = state.seat(of: owner.peer) else { return false }
    return state.seats.enumerated().allSatisfy { index, other in
      guard index != seat.index else { return true }
      guard let other, other.profile.bot != nil else { return false }
      return botKey(other.profile.name).peer == other.peer
    }
  }

  /// Takes up a person's game against a bot where its log ends.
  /// - Throws: when the room is no such game, or not this identity's.
  package func resumePlay(_ room: RoomID) async throws(PeerError) -> Session {
    var host = core(owner)
    host.open(try await load(room), isDurable: true)
    guard let state = host.state(of: room) else { throw .unknownRoom(room) }
    guard let seat = state.seat(of: host.id), state.creator == host.id else {
      throw .notAllowed("the room \(room.short) is not a game that this identity plays")
    }
    let others = state.seats.indices.filter { $0 != seat.index }
    guard others.allSatisfy({ state.seats[$0]?.profile.bot != nil }),
      case .games(let tournament, _, _) = state.create.purpose, !tournament.isSome
    else {
      throw .notAllowed(
        "the room \(room.short) is not a game against a bot; `parlor join \(room.short)` goes on with it")
    }
    guard isAgainstOwnBot(state) else {
      throw .notAllowed(
        "a seat of \(room.short) is not a bot of this identity; `parlor join \(room.short)` goes on with it"
      )
    }
    guard state.phase == .playing || state.phase == .waiting else {
      throw .notAllowed("the game \(room.short) is over; `parlor replay \(room.short)` shows it")
    }
    let rules = try rules(of: state.create)
    var guests: [Guest] = []
    for index in others {
      guard let profile = state.seats[index]?.profile, let entry = profile.bot else { continue }
      let bot = try bot(entry, for: rules)
      guests.append(Guest(bot: bot, name: profile.name, seat: UInt16(index), seed: entry.seed))
    }
    var session = try playSession(room, host: host, guests)
    try await commit(&session)
    return session
  }

  private func playSession(
    _ room: RoomID, host: PeerCore, _ guests: [Guest]
  ) throws(PeerError) -> Session {
    var seats: [PeerID: UInt16] = [:]
    var players: [Session.Player] = []
    for guest in guests {
      let key = botKey(guest.name)
      seats[key.peer] = guest.seat
      players.append(
        player(
          bot: guest.bot, key: key, name: guest.name, seat: guest.seat, seed: guest.seed, signsEachGame: true)
      )
    }
    let conduct = PeerCore.Conduct(profile: Profile(name: ""), guests: seats)
    return try Session(
      room: room, core: host, conduct: conduct, guests: players,
      place: Session.Occasion.table.place(seed: guests.first?.seed ?? 0))
  }

  /// The rules of a room, with its parameters.
  package func rules(of create: Create) throws(PeerError) -> any GameRules {
    guard let definition = games.definition(create.rules, version: create.rulesVersion),
      let parameters = Parameters(encoded: create.parameters)
    else { throw .unplayable("the rules \(create.rules) version \(create.rulesVersion) are not known here") }
    do throws(RulesError) { return try definition.rules(parameters) } catch {
      throw .unplayable(error.description)
    }
  }

  /// What a bot answers, thought out where the caller is.
  package func think(_ bot: any Bot, _ turn: BotTurn) throws(PeerError) -> BotAnswer {
    do throws(BotError) { return .choice(try bot.choose(turn)) } catch {
      switch error {
      case .cancelled: return .stopped
      case .resigns: return .resigns
      default: throw .unplayable(error.description)
      }
    }
  }
}

/// What a bot answers that has to choose.
package enum BotAnswer: Sendable {
  /// Its choice.
  case choice(BotChoice)
  /// It gives up the game.
  case resigns
  /// It was asked to stop.
  case stopped
}
