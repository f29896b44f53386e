import Events
import Peer
import Testing

@testable import Service

/// Duties that could not be done are done later, and not before that can help.
@Suite struct UndoneDutiesTests {
  private let rooms = (0..<3 as Range<UInt8>).map { number in
    RoomID(Bytes32([UInt8](repeating: number, count: 32), at: 0))
  }

  /// While a disk is full something happens all the time in rooms of others, and each time all that wait for space
  /// would be looked at.
  @Test func whatWaitsForSpaceIsNotTriedWithoutIt() {
    var undone = UndoneDuties()
    undone.note(rooms[0], .full("no space"))
    undone.note(rooms[1], .recovering)
    undone.note(rooms[2], .full("no space"))
    undone.note(rooms[0], .full("no space"))
    #expect(undone.takePostponed(hasSpace: false) == [rooms[1]])
    #expect(undone.takePostponed(hasSpace: false).isEmpty)
    #expect(undone.takePostponed(hasSpace: true) == [rooms[0], rooms[2]])
    #expect(undone.takePostponed(hasSpace: true).isEmpty)
    #expect(!rooms.contains(where: undone.isFaulty))
  }
}
