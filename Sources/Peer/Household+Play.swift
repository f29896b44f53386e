package import BotKit
import EventLog
package import Events
package import Projection
package import Rules

extension Household {
  /// What a person's game against a bot is made from.
  package struct PlayPlan: Sendable {
    /// Who has the first seat, which in the first game moves first unless a draw decides.
    package enum Order: String, Sendable, CaseIterable {
      case first
      case second
      /// The person is the first seat, and a joint draw names who starts.
      case random
    }

    package var rules: any GameRules
    /// The bot, as on the command line.
    package var bot: String
    package var order: Order
    /// How the person is shown.
    package var profile: Profile
    package var seed: UInt64
    /// The room that this one is a rematch of.
    package var rematchOf: RoomID

    package init(
      rules: any GameRules, bot: String, order: Order, profile: Profile = Profile(name: ""), seed: UInt64,
      rematchOf: RoomID = .none
    ) {
      self.rules = rules
      self.bot = bot
      self.order = order
      self.profile = profile
      self.seed = seed
      self.rematchOf = rematchOf
    }
  }

  /// Creates a room for a person, who is its host, and a bot, and seats both; when it returns, that is
  /// durable.
  package func startPlay(_ plan: PlayPlan) async throws(PeerError) -> Session {
    let definition = plan.rules.definition
    var host = core(owner)
    let seat: UInt16 = plan.order == .second ? 1 : 0
    let room = try host.create(
      Create(
        rules: definition.name, rulesVersion: definition.version, parameters: plan.rules.parameters.encoded,
        seats: UInt16(plan.rules.seats), nonce: nonce("play \(now()) \(elapsed()) \(plan.seed)"),
        profile: plan.profile, creatorSeat: seat,
        starter: plan.order == .random ? .jointDraw : .firstSeat, allowsUndo: true, rematchOf: plan.rematchOf)
    )
    let bot = try bot(plan.bot, for: plan.rules)
    var session = try playSession(
      room, host: host, bot: bot, name: plan.bot.prefix(utf8Bytes: Profile.limitNameBytes), seat: seat ^ 1,
      seed: plan.seed)
    try await commit(&session)
    return session
  }

  /// Whether a room is a game of the owner against a bot whose key is derived from the owner's, and not one with
  /// somebody elsewhere.
  package func isAgainstOwnBot(_ state: RoomState) -> Bool {
    guard let seat = state.seat(of: owner.peer), state.seats.count == 2,
      let other = state.seats[seat.opponent.index], other.profile.bot != nil
    else { return false }
    return botKey(other.profile.name).peer == other.peer
  }

  /// Takes up a person's game against a bot where its log ends.
  /// - Throws: when the room is no such game, or not this identity's.
  package func resumePlay(_ room: RoomID) async throws(PeerError) -> Session {
    var host = core(owner)
    host.open(try await load(room), isDurable: true)
    guard let state = host.state(of: room) else { throw .unknownRoom(room) }
    guard let seat = state.seat(of: host.id), state.creator == host.id, state.seats.count == 2 else {
      throw .notAllowed("the room \(room.short) is not a game that this identity plays")
    }
    guard let other = state.seats[seat.opponent.index], let entry = other.profile.bot,
      case .games(let tournament, _, _) = state.create.purpose, !tournament.isSome
    else {
      throw .notAllowed(
        "the room \(room.short) is not a game against a bot; `parlor join \(room.short)` goes on with it")
    }
    guard isAgainstOwnBot(state) else {
      throw .notAllowed(
        "the other seat of \(room.short) is not a bot of this identity; `parlor join \(room.short)` goes on with it"
      )
    }
    guard state.phase == .playing || state.phase == .waiting else {
      throw .notAllowed("the game \(room.short) is over; `parlor replay \(room.short)` shows it")
    }
    let rules = try rules(of: state.create)
    let bot = try bot(entry.specification, for: rules)
    var session = try playSession(
      room, host: host, bot: bot, name: other.profile.name, seat: seat.opponent.rawValue, seed: entry.seed)
    try await commit(&session)
    return session
  }

  private func playSession(
    _ room: RoomID, host: PeerCore, bot: any Bot, name: String, seat: UInt16, seed: UInt64
  ) throws(PeerError) -> Session {
    let key = botKey(name)
    let conduct = PeerCore.Conduct(profile: Profile(name: ""), guests: [key.peer: seat])
    let guest = player(bot: bot, key: key, name: name, seat: seat, seed: seed, signsEachGame: true)
    return try Session(room: room, core: host, conduct: conduct, guests: [guest], place: .init(seed: seed))
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

  /// A bot's choice, thought out where the caller is; `nil` when it was asked to stop.
  package func think(_ bot: (any Bot)?, _ turn: BotTurn) throws(PeerError) -> BotChoice? {
    guard let bot else { return nil }
    do throws(BotError) { return try bot.choose(turn) } catch {
      if error == .cancelled { return nil }
      throw .unplayable(error.description)
    }
  }
}
