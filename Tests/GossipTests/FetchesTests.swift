import Events
import TestKit
import Testing

@testable import Gossip

/// What runs wait for is asked for at the moments of a list that is gone through each time.
struct FetchesTests {
  private struct Model {
    struct Fetch: Equatable {
      let room: RoomID
      let giver: Neighbour?
      var due: UInt64
      var tries = 0
    }

    var fetches: [Fetch] = []

    mutating func note(_ room: RoomID, by giver: Neighbour?, due: UInt64) {
      guard let at = fetches.firstIndex(where: { $0.room == room && $0.giver == giver }) else {
        return fetches.append(Fetch(room: room, giver: giver, due: due))
      }
      guard giver != nil else { return }
      (fetches[at].tries, fetches[at].due) = (0, min(fetches[at].due, due))
    }

    mutating func hurry(_ room: RoomID, due: UInt64) {
      for at in fetches.indices where fetches[at].room == room && fetches[at].tries > 0 {
        (fetches[at].tries, fetches[at].due) = (0, min(fetches[at].due, due))
      }
    }

    mutating func takeDue(_ pause: UInt64, _ now: UInt64) -> [Fetch] {
      var taken: [Fetch] = []
      for at in fetches.indices where fetches[at].due <= now {
        taken.append(fetches[at])
        fetches[at].due = now + pause << UInt64(min(fetches[at].tries, 6))
        fetches[at].tries += 1
      }
      return taken
    }
  }

  private static func order(_ fetches: [Model.Fetch]) -> [Model.Fetch] {
    fetches.sorted { ($0.room, $0.giver?.number ?? .max) < ($1.room, $1.giver?.number ?? .max) }
  }

  @Test(arguments: 0..<Effort.size(200, quick: 20)) func isTheSlowModel(_ seed: Int) {
    var random = SeededGenerator(state: UInt64(seed))
    var (fetches, model, now) = (Fetches(), Model(), UInt64(0))
    let rooms = (0..<6).map { RoomID(Bytes32([UInt8](repeating: UInt8($0), count: 32), at: 0)) }
    let givers: [Neighbour?] = [nil, Neighbour(1), Neighbour(2), Neighbour(3)]
    for _ in 0..<400 {
      let (room, giver) = (
        rooms.randomElement(using: &random) ?? .none, givers.randomElement(using: &random) ?? nil
      )
      let due = now + .random(in: 0..<500, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        fetches.note(room, by: giver, due: Tick(milliseconds: due))
        model.note(room, by: giver, due: due)
      case 4:
        fetches.hurry(room, due: Tick(milliseconds: due))
        model.hurry(room, due: due)
      case 5:
        fetches.remove(room, of: giver)
        model.fetches.removeAll { $0.room == room && $0.giver == giver }
      case 6:
        fetches.keep(of: room) { $0 == giver }
        model.fetches.removeAll { $0.room == room && $0.giver != giver }
      default:
        now += .random(in: 0..<3_000, using: &random)
        let taken = fetches.takeDue(pause: 50, at: Tick(milliseconds: now)).map {
          Model.Fetch(room: $0.room, giver: $0.giver, due: $0.due.milliseconds, tries: $0.tries)
        }
        #expect(taken.map(\.due) == taken.map(\.due).sorted(), "what was due first comes first")
        #expect(Self.order(taken) == Self.order(model.takeDue(50, now)))
      }
      #expect(fetches.deadline?.milliseconds == model.fetches.map(\.due).min())
      for room in rooms {
        #expect(fetches.isAwaiting(room) == model.fetches.contains { $0.room == room && $0.tries < 4 })
      }
      for case let giver? in givers {
        let rooms = Set(model.fetches.filter { $0.giver == giver }.map(\.room))
        #expect(fetches.rooms(of: giver) == rooms.sorted())
      }
    }
  }
}
