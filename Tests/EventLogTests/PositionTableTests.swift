import Events
import TestKit
import Testing

@testable import EventLog

@Suite("Positions of events by id")
struct PositionTableTests {
  @Test("Every event is found where it was noted last, and no other, while the table grows")
  func model() throws {
    var maker = try RoomMaker()
    var ids: [EventID] = []
    var table = PositionTable()
    #expect(table.position(of: maker.room) { ids[$0] == maker.room } == nil)
    var positions: [EventID: Int] = [:]
    var random = SeededGenerator(state: 1)
    for number in 0..<1_000 {
      // Now and then an event comes again, as it may in a store that is not verified.
      let again = number > 0 && number % 50 == 0
      let id = again ? ids[Int.random(in: 0..<number, using: &random)] : try maker.write(1).id
      ids.append(id)
      table.set(id, at: number) { ids[$0] == id }
      positions[id] = number
      guard number.isPowerOfTwo || number == 999 else { continue }
      for (id, position) in positions where table.position(of: id, isAt: { ids[$0] == id }) != position {
        Issue.record("\(id.short) is not at \(position) of \(number)")
      }
      let absent = try maker.make(2, sequence: 1, previous: .none, parents: [id]).id
      #expect(table.position(of: absent) { ids[$0] == absent } == nil)
    }
  }

  @Test("Of many feeds each has its number, near or far")
  func feeds() throws {
    var maker = try RoomMaker()
    var log = RoomLog(room: maker.room, capacity: 2)
    try log.append(maker.create)
    for author in 1..<testKeys.count { try log.append(try maker.write(author, parents: [maker.room])) }
    for author in testKeys.indices {
      let event = try maker.write(author)
      try log.append(event)
      #expect(log.number(of: testKeys[author].peer) == author)
      #expect(log.head(of: testKeys[author].peer).event == event)
      #expect(log.position(of: event.id) == log.events.count - 1)
    }
    #expect(log.number(of: SigningKey(seed: .init(repeating: 99, count: 32)).peer) == nil)
  }
}

extension Int {
  fileprivate var isPowerOfTwo: Bool { nonzeroBitCount == 1 }
}
