import Events
import Projection
import Rules

/// Moments in the life of a room at which every kind of event is tried.
enum Scenes {
  static func all() throws -> [Scene] {
    try [
      asking(), inviting(), seated(), readied(), drawn(), inTurn(plies: 1), inTurn(plies: 2), betweenGames(),
      committing(), revealing(), early(), bothEarly(), tournament(),
    ]
  }

  private static let lobby = RoomScript.Room(starter: .jointDraw, allowsUndo: true, referee: TestPeer.rita.id)

  private static func chat(_ peer: TestPeer) -> Piece {
    Piece("chat", peer) { try $0.write(peer, .chat("hello")) }
  }

  private static func invite(_ peer: TestPeer, by author: TestPeer) -> Piece {
    Piece("invite", author) { try $0.invite(peer, by: author) }
  }

  private static func leave(_ peer: TestPeer, _ node: EventID) -> Piece {
    Piece("leave", peer) { try $0.write(peer, .leave(node: node)) }
  }

  // MARK: - Waiting room

  private static func asking() throws -> Scene {
    var script = try RoomScript(lobby)
    let request = try script.request(.bob)
    return Scene(
      description: "Bob has asked for a seat", script: script,
      pieces: [
        Piece("grant", .alice) { try $0.grant(request, seat: 1) },
        Piece("request", .carol) { try $0.request(.carol) },
        Piece("request", .dave) { try $0.request(.dave) },
        Piece("request", .bob) { try $0.request(.bob) },
        leave(.alice, .none), leave(.bob, .none), leave(.carol, .none), chat(.alice), chat(.sybil),
        invite(.carol, by: .alice), invite(.carol, by: .bob),
      ])
  }

  /// Everybody has asked; it counts for Bob, whose invite came before.
  private static func inviting() throws -> Scene {
    var room = lobby
    room.scope = .invited
    var script = try RoomScript(room)
    try script.invite(.bob)
    let asked = try script.request(.bob)
    let uninvited = try script.request(.carol, seeing: .only([script.create]))
    return Scene(
      description: "a room for invited peers", script: script,
      pieces: [
        invite(.bob, by: .alice), invite(.carol, by: .alice), invite(.dave, by: .bob),
        invite(.dave, by: .alice),
        Piece("grant", .alice) { try $0.grant(asked, seat: 1) },
        Piece("grant", .alice) { try $0.grant(uninvited, seat: 1) },
        Piece("request", .bob) { try $0.request(.bob) },
        Piece("request", .carol) { try $0.request(.carol) },
        Piece("request", .rita) { try $0.request(.rita) },
        leave(.alice, .none), leave(.bob, .none), leave(.carol, .none), chat(.alice), chat(.sybil),
      ])
  }

  private static func seated() throws -> Scene {
    var script = try RoomScript.seated(lobby)
    let request = try script.request(.carol)
    return Scene(
      description: "both seats are taken", script: script,
      pieces: [
        Piece("ready", .alice) { try $0.ready(.alice, seat: 0) },
        Piece("ready", .bob) { try $0.ready(.bob, seat: 1) },
        Piece("grant", .alice) { try $0.grant(request, seat: 1) },
        Piece("request", .dave) { try $0.request(.dave) },
        leave(.alice, .none), leave(.bob, .none), leave(.carol, .none), chat(.alice), chat(.bob),
        chat(.sybil), invite(.dave, by: .alice), invite(.dave, by: .bob),
      ])
  }

  private static func readied() throws -> Scene {
    var script = try RoomScript.seated(lobby)
    let first = try script.ready(.alice, seat: 0)
    let second = try script.ready(.bob, seat: 1)
    let claim = try script.write(.bob, .claim(node: first.id, seat: 0))
    return Scene(
      description: "both seats are ready to draw", script: script,
      pieces: [
        Piece("draw", .alice) { try $0.draw(.alice) }, Piece("draw", .bob) { try $0.draw(.bob) },
        Piece("ready", .alice) { try $0.ready(.alice, seat: 0) },
        Piece("claim", .alice) { try $0.write(.alice, .claim(node: second.id, seat: 1)) },
        Piece("ruling", .rita) { try $0.write(.rita, .ruling(claim: claim.id)) },
        Piece("start", .alice) { try $0.write(.alice, .start(roster: $0.roster())) },
        leave(.alice, .none), leave(.bob, .none), chat(.alice), chat(.bob), chat(.rita),
        invite(.dave, by: .alice), invite(.dave, by: .rita),
      ])
  }

  private static func drawn() throws -> Scene {
    let script = try RoomScript.readied(lobby)
    return Scene(
      description: "all is ready for the start", script: script,
      pieces: [
        Piece("start", .alice) { try $0.write(.alice, .start(roster: $0.roster())) },
        Piece("request", .carol) { try $0.request(.carol) },
        Piece("ready", .bob) { try $0.ready(.bob, seat: 1) }, Piece("draw", .bob) { try $0.draw(.bob) },
        leave(.alice, .none), leave(.bob, .none), chat(.alice), chat(.bob), chat(.sybil),
        invite(.dave, by: .alice), invite(.dave, by: .sybil),
      ])
  }

  // MARK: - Seats that move in turn

  private static let series = RoomScript.Room(games: 3, allowsUndo: true, referee: TestPeer.rita.id)

  /// The second game of a series after one ply (Alice, seat 0, to move) or two (Bob to move): the first game
  /// is over and not agreed, both ask for a take-back and offer a draw, both claim that the other is silent.
  private static func inTurn(plies: Int) throws -> Scene {
    var (script, start) = try RoomScript.started(series)
    let end = try script.play([0, 3, 1, 4, 2], from: start)
    var place = Place(node: end.node, game: 1)
    place = try script.play(Array([8, 0].prefix(plies)), from: place, first: 1)
    let node = place.node
    let mover = TestPeer.players[plies == 1 ? 0 : 1]
    let other = TestPeer.players[plies == 1 ? 1 : 0]
    let asked = try TestPeer.players.map { try script.write($0, .undoRequest(node: node, ply: 0)) }
    let offered = try TestPeer.players.map { try script.write($0, .drawOffer(node: node)) }
    let claim = try script.write(other, .claim(node: node, seat: mover == .alice ? 0 : 1))
    // Everybody has seen all of this.
    for peer in TestPeer.players + [.rita] { try script.write(peer, .chat("go on")) }
    var pieces = [
      Piece("move", mover) { try $0.move(mover, 5, at: place) },
      Piece("offence", mover) { script in
        try script.move(mover, 5, at: place)
        return try script.move(mover, 6, at: place)
      },
      Piece("ruling", .rita) { try $0.write(.rita, .ruling(claim: claim.id)) }, chat(.rita), chat(.sybil),
      Piece("request", .carol) { try $0.request(.carol) }, invite(.carol, by: .alice),
      invite(.carol, by: .bob),
    ]
    for (seat, peer) in TestPeer.players.enumerated() {
      pieces += [
        Piece("resign", peer) { try $0.write(peer, .resign(node: node)) }, leave(peer, node), chat(peer),
        Piece("undo-request", peer) { try $0.write(peer, .undoRequest(node: node, ply: 0)) },
        Piece("accept", peer) { try $0.write(peer, .undoAccept(request: asked[1 - seat].id)) },
        Piece("draw-offer", peer) { try $0.write(peer, .drawOffer(node: node)) },
        Piece("drawn", peer) { try $0.write(peer, .drawAccept(node: node, offer: offered[1 - seat].id)) },
        Piece("draw-decline", peer) { try $0.write(peer, .drawDecline(offer: offered[1 - seat].id)) },
        Piece("claim", peer) { try $0.write(peer, .claim(node: node, seat: UInt16(1 - seat))) },
        Piece("result", peer) { try $0.result(peer, game: 0, end.node, [1, 0]) },
      ]
    }
    return Scene(description: "in turn, \(plies) plies played", script: script, pieces: pieces)
  }

  /// The first game is over, the second has no move yet.
  private static func betweenGames() throws -> Scene {
    var (script, start) = try RoomScript.started(series)
    let end = try script.play([0, 3, 1, 4, 2], from: start)
    let place = Place(node: end.node, game: 1)
    var pieces = [
      Piece("move", .bob) { try $0.move(.bob, 5, at: place) }, chat(.sybil),
      Piece("request", .carol) { try $0.request(.carol) }, invite(.carol, by: .alice),
    ]
    for peer in TestPeer.players {
      pieces += [
        Piece("resign", peer) { try $0.write(peer, .resign(node: place.node)) }, leave(peer, place.node),
        Piece("result", peer) { try $0.result(peer, game: 0, end.node, [1, 0]) }, chat(peer),
        Piece("claim", peer) { try $0.write(peer, .claim(node: place.node, seat: 1)) },
      ]
    }
    return Scene(description: "between two games", script: script, pieces: pieces)
  }

  // MARK: - Simultaneous choices

  private static func round(
    _ description: String, _ script: RoomScript, _ place: Place, _ claims: [Event], _ choices: [Piece]
  ) -> Scene {
    var pieces =
      choices + [
        chat(.rita), chat(.sybil), invite(.carol, by: .alice),
        Piece("request", .carol) { try $0.request(.carol) },
      ]
    for claim in claims {
      pieces.append(Piece("ruling", .rita) { try $0.write(.rita, .ruling(claim: claim.id)) })
    }
    for (seat, peer) in TestPeer.players.enumerated() {
      pieces += [
        Piece("resign", peer) { try $0.write(peer, .resign(node: place.node)) }, leave(peer, place.node),
        Piece("claim", peer) { try $0.write(peer, .claim(node: place.node, seat: UInt16(1 - seat))) },
        chat(peer),
      ]
    }
    return Scene(description: description, script: script, pieces: pieces)
  }

  private static func dilemma() throws -> (RoomScript, Place, [Event]) {
    var (script, place) = try RoomScript.started(.dilemma(rounds: 3, games: 2, referee: TestPeer.rita.id))
    place = try script.round((0, 1), at: place)
    let claims = try [1, 0].map { seat in
      try script.write(TestPeer.players[1 - seat], .claim(node: place.node, seat: UInt16(seat)))
    }
    return (script, place, claims)
  }

  private static func committing() throws -> Scene {
    let (script, place, claims) = try dilemma()
    return round(
      "nobody has committed", script, place, claims,
      TestPeer.players.enumerated().flatMap { seat, peer in
        [
          Piece("commit", peer) { try $0.commit(peer, seat: seat, 0, at: place) },
          Piece("offence", peer) { script in
            try script.commit(peer, seat: seat, 0, at: place)
            return try script.commit(peer, seat: seat, 1, at: place)
          },
        ]
      })
  }

  private static func revealing() throws -> Scene {
    var (script, place, claims) = try dilemma()
    let commits = try TestPeer.players.enumerated().map { seat, peer in
      try script.commit(peer, seat: seat, 0, at: place)
    }
    for peer in TestPeer.players + [.rita] { try script.write(peer, .chat("both have committed")) }
    return round(
      "both have committed", script, place, claims,
      TestPeer.players.enumerated().flatMap { seat, peer in
        [
          Piece("reveal", peer) { try $0.reveal(peer, seat: seat, 0, of: commits[seat], at: place) },
          Piece("offence", peer) { try $0.commit(peer, seat: seat, 1, at: place) },
        ]
      })
  }

  /// Alice has committed; opening before Bob's commit is an offence.
  private static func early() throws -> Scene {
    var (script, place, claims) = try dilemma()
    let commit = try script.commit(.alice, seat: 0, 0, at: place)
    return round(
      "one has committed", script, place, [claims[0]],
      [
        Piece("offence", .alice) { try $0.reveal(.alice, seat: 0, 0, of: commit, at: place) },
        Piece("commit", .bob) { try $0.commit(.bob, seat: 1, 0, at: place) },
      ])
  }

  /// Both have committed an illegal choice, and both can open it.
  private static func bothEarly() throws -> Scene {
    var (script, place, claims) = try dilemma()
    let commits = try TestPeer.players.enumerated().map { seat, peer in
      try script.commit(peer, seat: seat, 7, at: place)
    }
    return round(
      "both have committed an illegal choice", script, place, claims,
      TestPeer.players.enumerated().map { seat, peer in
        Piece("offence", peer) { try $0.reveal(peer, seat: seat, 7, of: commits[seat], at: place) }
      })
  }

  // MARK: - Tournaments

  private static func tournament() throws -> Scene {
    var script = try RoomScript(
      RoomScript.Room(
        creatorSeat: Int(Create.noSeat), purpose: .tournament(format: 2, options: 0, seed: 1, title: "cup")))
    for (seat, peer) in [TestPeer.bob, .carol].enumerated() {
      try script.grant(try script.request(peer), seat: seat)
    }
    try script.write(.alice, .start(roster: script.roster()))
    let ruled = try script.write(.alice, .disqualify(seat: 0, reason: "why"))
    let result = Action.PairingResult(
      pairing: 0, attempt: 0, room: script.room, heads: [], walkover: .played, games: [[1, 0]])
    return Scene(
      description: "a tournament is on", script: script,
      pieces: [
        Piece("pairing-result", .alice) { try $0.write(.alice, .pairingResult(result)) },
        Piece("pairing-result", .sybil) { try $0.write(.sybil, .pairingResult(result)) },
        Piece("disqualify", .alice) { try $0.write(.alice, .disqualify(seat: 1, reason: "why")) },
        Piece("disqualify", .sybil) { try $0.write(.sybil, .disqualify(seat: 1, reason: "why")) },
        Piece("revoke", .alice) { try $0.write(.alice, .revoke(word: ruled.id)) },
        Piece("revoke", .sybil) { try $0.write(.sybil, .revoke(word: ruled.id)) },
        leave(.bob, script.room), leave(.carol, .none), chat(.alice), chat(.bob), chat(.sybil),
        Piece("request", .dave) { try $0.request(.dave) }, invite(.dave, by: .alice),
        invite(.dave, by: .sybil),
        Piece("move", .bob) { try $0.move(.bob, 0, at: Place(node: $0.room)) },
      ])
  }
}
