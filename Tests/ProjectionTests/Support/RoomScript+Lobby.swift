import Events
import Games
import Platform
import Projection

@testable import EventLog

extension RoomScript {
  @discardableResult
  mutating func request(_ peer: TestPeer, seat: Int = Int(Create.noSeat), seeing: Sight = .everything) throws
    -> Event
  {
    try write(peer, .request(seat: UInt16(seat), peer.profile), seeing: seeing)
  }

  @discardableResult
  mutating func grant(_ request: Event, seat: Int, by creator: TestPeer = .alice) throws -> Event {
    try write(creator, .grant(request: request.id, seat: UInt16(seat)))
  }

  /// The hash of the roster that the events so far give; zero while a seat is free.
  func roster() -> Digest {
    roster(of: state)
  }

  /// The nonce that a peer opens in a joint draw.
  func nonce(_ peer: TestPeer) -> Digest { peer.salt(room, game: 9, round: 9, seat: 9) }

  @discardableResult
  mutating func ready(
    _ peer: TestPeer, seat: Int, seeing: Sight = .everything, after previous: Event? = nil
  ) throws -> Event {
    let roster = roster()
    let commitment = Commitments.draw(
      nonce: nonce(peer), room: room, roster: roster, seat: UInt16(seat), author: peer.id)
    return try write(peer, .ready(roster: roster, commitment: commitment), seeing: seeing, after: previous)
  }

  @discardableResult
  mutating func draw(_ peer: TestPeer, seeing: Sight = .everything) throws -> Event {
    try write(peer, .draw(nonce: nonce(peer)), seeing: seeing)
  }

  @discardableResult
  mutating func invite(
    _ peer: TestPeer, by creator: TestPeer = .alice, seeing: Sight = .everything, after previous: Event? = nil
  ) throws -> Event {
    try write(creator, .invite(peer.id), seeing: seeing, after: previous)
  }

  /// A room in which Bob, and others after him, asked for the free seats and got them, invited before where they must
  /// be.
  static func seated(_ room: Room = Room()) throws -> RoomScript {
    var script = try RoomScript(room)
    for (seat, peer) in TestPeer.table.prefix(room.seats).enumerated().dropFirst() {
      if room.scope == .invited { try script.invite(peer) }
      try script.grant(try script.request(peer), seat: seat)
    }
    return script
  }

  /// A seated room in which both have signed the roster, and drawn where it is asked for.
  static func readied(_ room: Room = Room()) throws -> RoomScript {
    var script = try seated(room)
    let table = TestPeer.table.prefix(room.seats)
    for (seat, peer) in table.enumerated() { try script.ready(peer, seat: seat) }
    if room.starter == .jointDraw {
      for peer in table.reversed() { try script.draw(peer) }
    }
    return script
  }

  /// A room in which play has started, and the place of its first step.
  static func started(_ room: Room = Room()) throws -> (RoomScript, Place) {
    let known = startedRooms.withLock { $0[room] }
    if let known { return known }
    var script = try readied(room)
    let start = try script.write(.alice, .start(roster: script.roster()))
    let started = (script, Place(node: start.id))
    startedRooms.withLock { $0[room] = started }
    return started
  }

  /// Rooms that tests begin with again and again.
  private static let startedRooms = Guarded<[Room: (RoomScript, Place)]>([:])
}

// MARK: - Reading

extension RoomScript {
  /// The projection of events in this order; those written, unless said.
  func projection(_ events: [Event]? = nil, seenBy viewers: [PeerID] = []) -> RoomProjection {
    guard var projection = RoomProjection(create: create, catalog: OddOneOut.catalog, seenBy: viewers) else {
      preconditionFailure("a script begins with a create event")
    }
    for event in events ?? self.events { projection.apply(event) }
    return projection
  }

  var state: RoomState {
    var projection = self.projection()
    return projection.state
  }

  var digest: Digest {
    var projection = self.projection()
    return projection.digest()
  }

  func verdict(_ event: Event) -> Verdict? {
    var projection = self.projection()
    return projection.verdicts().first { $0.event == event.id }?.verdict
  }
}
