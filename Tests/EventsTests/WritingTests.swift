import Events
import TestKit
import Testing

@Suite("Writing events")
struct WritingTests {
  private let hasher = EventHasher(network: .standard)

  private func write(
    _ action: Action, sequence: UInt64 = 2, previous: EventID? = nil, parents: [EventID] = []
  ) throws(FormatError) -> Event {
    var random = SeededGenerator(state: 9)
    let (room, author, before): (EventID, PeerID, EventID) = (
      random.identifier(), random.identifier(), random.identifier()
    )
    return try Event.author(
      action, room: room, author: author, sequence: sequence, previous: previous ?? before, parents: parents,
      wallTime: 7, hasher: hasher)
  }

  private func error(_ body: () throws(FormatError) -> Event) -> FormatError? {
    do throws(FormatError) {
      _ = try body()
      return nil
    } catch { return error }
  }

  @Test("Parents are sorted, read one by one and as a list, and there may be 32")
  func parents() throws {
    var random = SeededGenerator(state: 10)
    let ids: [EventID] = (0..<Event.limitParents).map { _ in random.identifier() }
    let event = try write(.leave(node: .none), parents: ids)
    #expect(event.parents == ids.sorted() && event.parentCount == ids.count)
    #expect((0..<event.parentCount).map(event.parent) == event.parents)
    #expect(try Event(body: event.body, hasher: hasher).parents == event.parents)
    let more: EventID = random.identifier()
    #expect(
      error { () throws(FormatError) in try write(.leave(node: .none), parents: ids + [more]) }
        == .badField("33 parents", at: 114))
  }

  @Test("What may not stand in a header is refused as it is when it is read")
  func headers() {
    var random = SeededGenerator(state: 11)
    let (before, parent): (EventID, EventID) = (random.identifier(), random.identifier())
    let words = "parents must ascend, differ from the previous event and not be zero"
    for (parents, offset) in [([parent, parent], 147), ([before], 115), ([.none], 115)] {
      #expect(
        error { () throws(FormatError) in try write(.leave(node: .none), previous: before, parents: parents) }
          == .badField(words, at: offset))
    }
    let place = FormatError.badField("only the first event of a feed has no previous", at: 74)
    #expect(
      error { () throws(FormatError) in try write(.leave(node: .none), previous: EventID.none) } == place)
    #expect(error { () throws(FormatError) in try write(.leave(node: .none), sequence: 1) } == place)
    #expect(
      error { () throws(FormatError) in try write(.leave(node: .none), sequence: 0) }
        == .badField("sequence 0", at: 66))
  }

  @Test("Too long a text is an error, whether or not its body would fit")
  func lengths() throws {
    let longest = String(repeating: "x", count: Action.limitChatBytes)
    #expect(try write(.chat(longest)).action == .chat(longest))
    #expect(
      error { () throws(FormatError) in try write(.chat(longest + "x")) }
        == .badField("what is to be written is over a limit of the format", at: 117))
    let huge = String(repeating: "x", count: 70_000)
    #expect(
      error { () throws(FormatError) in try write(.chat(huge)) }
        == .tooLong(117 + 2 + 70_000, limit: Event.limitBytes))
  }
}
