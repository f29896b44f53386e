import Events
import Peer
import Testing

@testable import Network

/// What waits for the disk: one commit at a time, of all that came before it began.
@Suite struct CommitQueueTests {
  private let rooms = (0..<3 as Range<UInt8>).map { RoomID(.numbered($0)) }

  @Test func oneCommitAtATime() {
    var queue = CommitQueue(.standard)
    #expect(queue.begin(limitClocks: 1) == nil)
    for room in [rooms[1], rooms[0], rooms[1]] { queue.add(room) }
    #expect(queue.begin(limitClocks: 1)?.rooms == [rooms[1], rooms[0]])
    #expect(queue.isCommitting && !queue.hasMore)
    queue.add(rooms[1])
    #expect(queue.begin(limitClocks: 1) == nil)
    queue.end(stored: 0)
    #expect(queue.begin(limitClocks: 1)?.rooms == [rooms[1]])
  }

  /// Nothing more is read as soon as too much came that is not durable, and only while the disk has something to do.
  @Test func itIsBehindWhileTheDiskIs() {
    var settings = NetworkSettings()
    settings.limitUncommittedBytes = 100
    var queue = CommitQueue(settings)
    queue.noteReceived(101)
    #expect(!queue.isBehind)
    queue.add(rooms[0])
    #expect(queue.isBehind)
    _ = queue.begin(limitClocks: 1)
    queue.noteReceived(100)
    #expect(!queue.isBehind)
    queue.noteReceived(1)
    #expect(queue.isBehind)
    queue.end(stored: 0)
    #expect(!queue.isBehind)
  }

  /// Who waits for the next commit is not told of the one that is under way.
  @Test func whoWritesDuringACommitWaitsForTheNext() async throws {
    let result = await withCheckedContinuation { writer in
      var queue = CommitQueue(.standard)
      queue.add(rooms[0])
      #expect(queue.begin(limitClocks: 1)?.writers.isEmpty == true)
      queue.add(writer)
      queue.end(stored: 0)
      let batch = queue.begin(limitClocks: 1)
      #expect(batch?.rooms.isEmpty == true && batch?.writers.count == 1)
      #expect(queue.giveUp().isEmpty)
      for writer in batch?.writers ?? [] { writer.resume(returning: .success(())) }
    }
    try result.get()
  }
}
