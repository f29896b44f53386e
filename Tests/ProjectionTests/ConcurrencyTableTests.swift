import Events
import Projection
import Rules
import TestKit
import Testing

@Suite("Every pair of concurrent kinds")
struct ConcurrencyTableTests {
  @Test("The page holds this table")
  func isOnThePage() throws {
    #expect(try ConcurrencyTable.page().contains("\n```\n" + ConcurrencyTable.text + "\n```\n"))
  }

  @Test("The table says the same from both sides")
  func isSymmetric() throws {
    let table = try ConcurrencyTable()
    let mirror: [ConcurrencyTable.Rule: ConcurrencyTable.Rule] = [.row: .column, .column: .row]
    for a in table.labels {
      for b in table.labels where a != b {
        #expect(table[b, a] == mirror[table[a, b]] ?? table[a, b], "\(a) and \(b)")
      }
    }
  }

  @Test("On one node, both orders of arrival")
  func onOneNode() throws {
    let table = try ConcurrencyTable()
    var met: Set<Set<String>> = []
    var kinds: Set<Kind> = []
    for scene in try Scenes.all() {
      for a in scene.pieces {
        var script = scene.script
        if let kind = try a.write(&script).kind { kinds.insert(kind) }
        for b in scene.pieces where a.author != b.author {
          // Each pair meets in several scenes.
          guard met.insert([a.label, b.label]).inserted || !Effort.isQuick else { continue }
          try check(a, b, in: scene, table)
        }
      }
    }
    // Nothing is concurrent with a create, and `HostedConcurrencyTests` has the kinds of hosted rounds.
    #expect(kinds == Set(Kind.allCases).subtracting([.create] + Kind.ofHostedRounds))
    for a in table.labels {
      for b in table.labels where table[a, b] != .never {
        #expect(met.contains([a, b]), "no scene tries \(a) and \(b)")
      }
    }
  }

  private func check(_ a: Piece, _ b: Piece, in scene: Scene, _ table: ConcurrencyTable) throws {
    let place: Comment = "\(a.label) of \(a.author.name), \(b.label) of \(b.author.name): \(scene)"
    let alone = (try scene.alone(a), try scene.alone(b))
    let outcome = try scene.both(a, b)
    #expect(Set(outcome.digests).count == 1, place)
    var rule = scene.script.state.tip.isSome ? table[a.label, b.label] : .both
    #expect(rule != .never, place)
    // What has no effect alone has none in company, and changes nothing.
    if alone.0 != .effective || alone.1 != .effective { rule = .both }
    if rule == .seat { rule = a.seat < b.seat ? .row : .column }
    switch rule {
    case .row:
      #expect(outcome.first == .effective, place)
      #expect(outcome.second != .effective, place)
    case .column:
      #expect(outcome.first != .effective, place)
      #expect(outcome.second == .effective, place)
    case .both:
      #expect(outcome.first == alone.0, place)
      #expect(outcome.second == alone.1, place)
    case .seat, .never: break
    }
    checkLeaving(a, b, outcome, place)
  }

  /// A leaving of a seat or the creator that stands closes what it leaves, whatever else happens.
  private func checkLeaving(_ a: Piece, _ b: Piece, _ outcome: Scene.Outcome, _ place: Comment) {
    for (piece, verdict) in [(a, outcome.first), (b, outcome.second)]
    where piece.label == "leave" && verdict == .effective && piece.seat < 2 {
      switch outcome.state.phase {
      case .closed, .abandoned: break
      case .playing:
        #expect(
          outcome.state.tournamentWords.contains(.withdrawal(Seat(0)))
            || outcome.state.tournamentWords.contains(.withdrawal(Seat(1))), place)
      case .waiting: #expect(outcome.state.seats[1] == nil, place)
      default: Issue.record("\(place): \(outcome.state.phase)")
      }
    }
  }

  /// Bob moves on node P to node N. Alice and the referee act on P without having seen it, Bob on N.
  @Test("On different nodes, both orders of arrival")
  func onDifferentNodes() throws {
    let room = RoomScript.Room(allowsUndo: true, referee: TestPeer.rita.id)
    var (script, start) = try RoomScript.started(room)
    let place = try script.play([0], from: start)
    let asked = try script.write(.bob, .undoRequest(node: place.node, ply: 0))
    let offer = try script.write(.bob, .drawOffer(node: place.node))
    let claim = try script.write(.alice, .claim(node: place.node, seat: 1))
    for peer in TestPeer.players + [.rita] { try script.write(peer, .chat("go on")) }
    let before = script.events
    let move = try script.move(.bob, 4, at: place)
    let scene = Scene(description: "Bob has moved on", script: script, pieces: [])
    func unseen(_ label: String, _ author: TestPeer, takes: Bool, _ action: Action) -> (Piece, Bool) {
      let piece = Piece(label, author) { script in
        script.rewind(to: before.count)
        let event = try script.write(author, action)
        // Bob's move is here too, and was not seen.
        script = scene.script
        script.adopt(event)
        return event
      }
      return (piece, takes)
    }
    let behind = [
      unseen("resign", .alice, takes: true, .resign(node: place.node)),
      unseen("leave", .alice, takes: true, .leave(node: place.node)),
      unseen("accept", .alice, takes: true, .undoAccept(request: asked.id)),
      // Bob has moved after his offer: it stands where Alice accepts it, and there before the move.
      unseen("drawn", .alice, takes: true, .drawAccept(node: place.node, offer: offer.id)),
      unseen("draw-offer", .alice, takes: false, .drawOffer(node: place.node)),
      unseen("draw-decline", .alice, takes: false, .drawDecline(offer: offer.id)),
      unseen("ruling", .rita, takes: true, .ruling(claim: claim.id)),
      unseen("claim", .alice, takes: false, .claim(node: place.node, seat: 1)),
      unseen("undo-request", .alice, takes: false, .undoRequest(node: place.node, ply: 0)),
      unseen("chat", .alice, takes: false, .chat("hello")),
    ]
    let ahead = [
      Piece("resign", .bob) { try $0.write(.bob, .resign(node: move.id)) },
      Piece("leave", .bob) { try $0.write(.bob, .leave(node: move.id)) },
      Piece("claim", .bob) { try $0.write(.bob, .claim(node: move.id, seat: 0)) },
      Piece("undo-request", .bob) { try $0.write(.bob, .undoRequest(node: move.id, ply: 0)) },
      Piece("chat", .bob) { try $0.write(.bob, .chat("hello")) },
    ]
    for (a, takes) in behind {
      for b in ahead {
        let comment: Comment = "\(a.label) behind, \(b.label) ahead"
        let outcome = try scene.both(a, b)
        #expect(Set(outcome.digests).count == 1, comment)
        let isAccept = a.label == "accept"
        #expect(outcome.first == (takes ? .effective : try scene.alone(a)), comment)
        let expected: Verdict? = takes && b.label != "chat" ? .offLine : try scene.alone(b)
        #expect(outcome.second == expected, comment)
        let isMoveKept = outcome.state.games[0].plies.contains { $0.node == move.id }
        #expect(isMoveKept == !takes, comment)
        #expect(!isAccept || outcome.state.games[0].plies.isEmpty, comment)
      }
    }
  }
}
