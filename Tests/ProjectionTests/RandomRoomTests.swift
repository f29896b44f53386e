import BotKit
import Events
import Foundation
import Games
import Projection
import Rules
import TestKit
import Testing

/// What holds of any room, honest or not, whatever its events and the order in which they come.
@Suite("Random rooms")
struct RandomRoomTests {
  /// How many rooms are tried; PARLOR_SEEDS=100000 for a campaign.
  static let seeds = UInt64(Effort.size(1_500, quick: 60, variable: "PARLOR_SEEDS"))

  @Test("Any order, with doubles, read at any time, copied or stored in the middle: one digest")
  func converges() throws {
    for seed in 0..<Self.seeds { try check(try RandomRoom(seed: seed)) }
  }

  @Test("The same of rooms of three seats, in which those drop out who leave, cheat or are silent")
  func manySeatsConverge() throws {
    let seeds = UInt64(Effort.size(400, quick: 30, variable: "PARLOR_SEEDS"))
    for seed in 0..<seeds { try check(try RandomRoom(seed: seed, seats: 3)) }
  }

  private func check(_ room: RandomRoom) throws {
    let place: Comment = "seed \(room.seed)"
    var once = room.script.projection()
    let digest = once.digest()
    var random = RandomStream(seed: room.seed ^ 0xFEED)
    let deliveries = Deliveries(room.script.events)

    // Another order, read after every event; copied in the middle.
    let order = deliveries.order(&random)
    let middle = Int(random.below(UInt64(order.count)))
    var reading = room.script.projection([])
    for event in order[..<middle] {
      reading.apply(event)
      _ = reading.state
    }
    var copy = reading
    for event in order[middle...] {
      reading.apply(event)
      _ = reading.state
    }
    #expect(reading.digest() == digest, place)

    // The copy goes on in an order of its own, and is read at the end.
    for event in deliveries.order(&random) { copy.apply(event) }
    #expect(copy.digest() == digest, place)

    // A graph that is lent now and then, with more events each time.
    let causal = room.script.events
    var graph = CausalGraph(Array(causal[..<1]))
    var borrower = try #require(RoomProjection(create: causal[0], catalog: OddOneOut.catalog), place)
    for event in causal {
      _ = graph.add(event)
      if random.below(4) == 0 { borrower.read(&graph) { _ = $0.state } }
    }
    var lent: Digest?
    borrower.read(&graph) { lent = $0.digest() }
    #expect(lent == digest, place)
    checkHonest(room, once.state, place)
  }

  /// Who keeps the rules is never found guilty, and what all agreed on stands.
  private func checkHonest(_ room: RandomRoom, _ state: RoomState, _ place: Comment) {
    for peer in room.honest {
      #expect(!state.forked.contains(peer.id), place)
      guard let seat = state.seat(of: peer.id) else { continue }
      for game in state.games {
        switch game.ending?.cause {
        case .offence(seat): Issue.record("an offence of the honest \(peer.name), \(place)")
        case .forked(let loser): #expect(loser != seat, place)
        default: break
        }
        let offence = game.dropOuts.contains { $0.cause == .offence(seat) }
        if offence { Issue.record("the honest \(peer.name) dropped out by an offence, \(place)") }
      }
    }
  }

  @Test("Every seed's digest is the one on file, in this process as in any other")
  func isOnFile() throws {
    let url = PackageFolder.file("Tests/Fixtures/projection-digests.txt")
    let lines = try (0..<UInt64(Effort.size(200, quick: 50))).map { seed -> String in
      let room = try RandomRoom(seed: seed)
      return "\(seed) \(room.script.events.count) \(room.script.digest)"
    }
    if ProcessInfo.processInfo.environment["PARLOR_RECORD"] == "1" {
      try (lines.joined(separator: "\n") + "\n").write(to: url, atomically: true, encoding: .utf8)
    }
    let onFile = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(onFile.count == 500)
    for (ours, theirs) in zip(lines, onFile) where ours != theirs {
      Issue.record("seed, events, digest: now \(ours), on file \(theirs)")
    }
  }
}
