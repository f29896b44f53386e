import BotKit
import Events
import Games
import Projection
import TestKit
import Testing

/// Rooms in which strangers ask for seats, fork their feeds, and are named by those whose word anchors.
@Suite struct ForkedLobbyTests {
  static let seeds = UInt64(Effort.size(2_000, quick: 150, variable: "PARLOR_SEEDS"))

  /// Read after every event or seldom, in this order or in another: what is shown is what all events together give.
  @Test func readAtAnyTimeItIsTheSame() throws {
    var (told, taken) = (0, 0)
    for seed in 0..<Self.seeds {
      var writer = try Writer(seed: seed)
      for _ in 0..<40 { try writer.turn() }
      let events = writer.script.events
      var reading = writer.script.projection([])
      var seldom = writer.script.projection([])
      for (number, event) in events.enumerated() {
        reading.apply(event)
        seldom.apply(event)
        let state = reading.state
        var once = writer.script.projection(Array(events[...number]))
        #expect(reading.digest() == once.digest(), "seed \(seed), event \(number)")
        #expect(state.openRequests == once.state.openRequests, "seed \(seed), event \(number)")
        if writer.random.below(5) == 0 {
          #expect(seldom.digest() == once.digest(), "seed \(seed), event \(number)")
        }
      }
      let deliveries = Deliveries(events)
      var other = writer.script.projection([])
      for event in deliveries.order(&writer.random) {
        other.apply(event)
        if writer.random.below(3) == 0 { _ = other.state }
      }
      #expect(other.digest() == reading.digest(), "seed \(seed)")
      told += reading.state.openRequests.count
      taken += reading.state.start == nil ? 0 : 1
    }
    #expect(told > Int(Self.seeds) && taken > Int(Self.seeds) / 8)
  }

  /// Writes what it draws.
  private struct Writer {
    var script: RoomScript
    var random: RandomStream
    private var place: Place?
    private let strangers = [TestPeer.carol, .dave, .rita, .sybil]

    init(seed: UInt64) throws {
      random = RandomStream(seed: seed)
      let isInvited = random.below(4) == 0
      script = try RoomScript(RoomScript.Room(games: 2, scope: isInvited ? .invited : .local))
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element? {
      elements.isEmpty ? nil : elements[Int(random.below(UInt64(elements.count)))]
    }

    mutating func turn() throws {
      switch random.below(10) {
      case 0..<6: try stranger()
      case 6, 7: try host()
      default: try guest()
      }
    }

    /// A stranger asks, leaves, or talks, now and then on a branch.
    private mutating func stranger() throws {
      guard let peer = pick(strangers) else { return }
      let own = script.events.filter { $0.author == peer.id }
      let actions: [Action] = [
        .request(seat: random.below(2) == 0 ? 1 : Create.noSeat, peer.profile), .leave(node: .none),
        .chat("x"),
      ]
      guard let action = pick(actions) else { return }
      let isFork = random.below(6) == 0
      try write(peer, action, after: isFork ? pick(own) : nil)
    }

    /// The host talks, invites, grants, or starts, and has seen some of what there is.
    private mutating func host() throws {
      let requests = script.events.filter { $0.kind == .request }
      switch random.below(6) {
      case 0:
        if let peer = pick(strangers + [.bob]) { try write(.alice, .invite(peer.id)) }
      case 1, 2:
        if random.below(3) == 0, let request = pick(requests) {
          try script.write(.alice, .grant(request: request.id, seat: 1))
        }
      case 3 where random.below(12) == 0:
        try write(
          .alice, .chat("other"), after: pick(script.events.filter { $0.author == TestPeer.alice.id }))
      default: try write(.alice, .chat("x"))
      }
    }

    /// Bob comes to play, and then does.
    private mutating func guest() throws {
      let state = script.state
      if let place, state.start != nil {
        return try play(place, state)
      }
      guard state.start == nil, state.seats.contains(where: { $0 == nil }) else {
        return try begin(state)
      }
      try script.write(.alice, .invite(TestPeer.bob.id))
      let request = try script.request(.bob, seat: 1)
      try script.grant(request, seat: 1)
    }

    private mutating func begin(_ state: RoomState) throws {
      guard state.start == nil, state.seats[1]?.peer == TestPeer.bob.id else { return }
      for (seat, peer) in [TestPeer.alice, .bob].enumerated() { try script.ready(peer, seat: seat) }
      let start = try script.write(.alice, .start(roster: script.roster()))
      place = Place(node: start.id)
    }

    private mutating func play(_ place: Place, _ state: RoomState) throws {
      if random.below(8) == 0 {
        return try write(
          .bob, .chat("other"), after: pick(script.events.filter { $0.author == TestPeer.bob.id }))
      }
      let free = (0..<9).filter { cell in
        !script.events.contains {
          if case .move(_, let code, _) = $0.action { code == UInt32(cell) } else { false }
        }
      }
      guard place.game == 0, place.ply < 4, let cell = pick(free) else { return try write(.bob, .chat("x")) }
      let move = try script.move(place.ply % 2 == 0 ? .alice : .bob, UInt32(cell), at: place)
      self.place = place.after(move)
    }

    /// Writes an event that names some of what its author has not seen.
    private mutating func write(_ peer: TestPeer, _ action: Action, after previous: Event? = nil) throws {
      var seen = script.head(of: peer) == nil ? [script.create] : []
      for _ in 0..<random.below(3) {
        if let event = pick(script.events), event.author != peer.id, !seen.contains(event) {
          seen.append(event)
        }
      }
      try script.write(peer, action, seeing: .only(seen), after: previous)
    }
  }
}
