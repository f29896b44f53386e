package import BotKit
package import EventLog
package import Events
import Gossip
package import Projection
package import Rules
import Transport

/// A room that is played inside this process by several peers: the host, whose copy the store keeps, and
/// guests.
///
/// A value: peers replicate over the in-process transport when the owner pumps it, so nothing here depends on
/// timing. The host is connected to every guest; guests hear of each other through it.
package struct Session: Sendable {
  /// One peer at the table.
  package struct Player: Sendable {
    package var core: PeerCore
    package let conduct: PeerCore.Conduct
    /// Chooses for the peer's seat; `nil` for a person, or an organizer without a seat.
    package let bot: (any Bot)?

    package init(core: PeerCore, conduct: PeerCore.Conduct, bot: (any Bot)? = nil) {
      self.core = core
      self.conduct = conduct
      self.bot = bot
    }
  }

  /// Where the bots' random numbers come from, apart from game, seat and ply.
  package struct Place: Sendable {
    package var seed: UInt64
    package var round: UInt32
    package var pairing: UInt32

    package init(seed: UInt64, round: UInt32 = 0, pairing: UInt32 = 0) {
      self.seed = seed
      self.round = round
      self.pairing = pairing
    }
  }

  /// What the room waits for.
  package enum Wait: Sendable {
    /// A bot's choice: the player's index and the decision.
    case bot(Int, BotTurn)
    /// A person's choice: the player's index and seat.
    case person(Int, Seat)
    /// Nothing: the series is over, or was abandoned.
    case over
    /// Something from outside this session.
    case others
  }

  package let room: RoomID
  package let place: Place
  /// The peers; the host is the first.
  package private(set) var players: [Player]
  private var network = InProcessNetwork()

  /// A session of a room that the host holds.
  package init(room: RoomID, players: [Player], place: Place) throws(PeerError) {
    self.room = room
    self.players = players
    self.place = place
    guard !players.isEmpty, players[0].core.log(of: room) != nil else { throw .unknownRoom(room) }
    for guest in players.indices.dropFirst() {
      self.players[guest].core.open(RoomLog(room: room), isDurable: false)
      self.players[0].core.connect(InProcessNetwork.neighbour(guest), kind: .sameProcess)
      self.players[guest].core.connect(InProcessNetwork.neighbour(0), kind: .sameProcess)
    }
    try settle()
  }

  /// The room as the host sees it.
  package var state: RoomState {
    mutating get {
      guard let state = players[0].core.state(of: room) else {
        preconditionFailure("the host of a session lost its room \(room)")
      }
      return state
    }
  }

  /// Delivers messages and lets every peer do its duties until nothing more happens.
  package mutating func settle() throws(PeerError) {
    var isQuiet = false
    while !isQuiet {
      try pump()
      isQuiet = true
      for index in players.indices {
        if try players[index].core.doDuties(in: room, players[index].conduct) {
          isQuiet = false
          try pump()
        }
      }
    }
  }

  /// Delivers messages until none is on its way.
  private mutating func pump() throws(PeerError) {
    repeat {
      for index in players.indices {
        for message in players[index].core.takeOutbox() {
          network.send(message.message, from: index, to: message.to)
        }
      }
      while let delivery = network.next() {
        players[delivery.to].core.receive(
          delivery.message, from: InProcessNetwork.neighbour(delivery.from))
        for message in players[delivery.to].core.takeOutbox() {
          network.send(message.message, from: delivery.to, to: message.to)
        }
      }
    } while players.contains { !$0.core.outbox.isEmpty }
    if let refused = players.compactMap({ $0.core.refused.first }).first {
      throw .log("a peer of this process was refused: \(refused.error)")
    }
  }

  /// What the room waits for now. Of several seats that must choose, bots come first.
  package mutating func wait() -> Wait {
    let state = state
    guard state.turn != nil else { return state.phase == .waiting ? .others : .over }
    var person: Wait?
    for index in players.indices {
      guard let seat = players[index].core.mustChoose(in: room) else { continue }
      if players[index].bot != nil { return .bot(index, turn(of: seat, state)) }
      person = person ?? .person(index, seat)
    }
    return person ?? .others
  }

  private func turn(of seat: Seat, _ state: RoomState) -> BotTurn {
    guard let game = state.currentGame else { preconditionFailure("a turn without a game in \(room)") }
    let source = RandomSource(
      seed: place.seed, round: place.round, pairing: place.pairing,
      game: UInt32(truncatingIfNeeded: game.number), seat: seat,
      ply: UInt32(truncatingIfNeeded: game.plies.count))
    return BotTurn(game: game.state.view(for: seat), seat: seat, randomness: source)
  }

  /// Plays a choice of one player, and lets the others hear of it.
  package mutating func play(_ choice: BotChoice, by player: Int) throws(PeerError) {
    try players[player].core.choose(choice.code, note: choice.note, in: room)
    try settle()
  }

  /// Lets one player write something, and the others hear of it.
  package mutating func act(
    _ player: Int, _ body: (inout PeerCore, RoomID) throws(PeerError) -> Void
  ) throws(PeerError) {
    try body(&players[player].core, room)
    try settle()
  }

  /// The most events of one feed here that no signature covers yet.
  package var unsignedEvents: Int { players.map { $0.core.unsignedEvents(in: room) }.max() ?? 0 }

  /// Signs every feed, all at one moment: runs that end at different places would wait for each other
  /// (Docs/PROTOCOL.md §3.1).
  /// - Returns: what the store is to make durable; `nil` when everything is.
  package mutating func sign() throws(PeerError) -> RoomChange? {
    for index in players.indices { try players[index].core.sign(room) }
    try pump()
    return players[0].core.pending(room)
  }

  /// Notes that a change is durable.
  package mutating func markDurable(_ change: RoomChange) {
    players[0].core.markDurable(room, count: change.base + change.entries.count)
  }
}
