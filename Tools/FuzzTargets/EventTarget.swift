import Events
import Games
import Projection

/// Any bytes as an event's body: refused, or read and written back the same.
enum EventTarget {
  private static let hasher = EventHasher(network: .standard)

  static func run(_ bytes: [UInt8]) {
    let event: Event
    do throws(FormatError) { event = try Event(body: bytes, hasher: hasher) } catch { return }
    checkWrittenAgain(event)
    guard var projection = RoomProjection(create: event, catalog: Games.catalog) else { return }
    RoomTarget.check(&projection)
  }

  /// An event in canonical form is the only one of its fields.
  private static func checkWrittenAgain(_ event: Event) {
    do throws(FormatError) {
      let again = try Event.author(
        event.action, room: event.room, author: event.author, sequence: event.sequence,
        previous: event.previous, parents: event.parents, wallTime: event.wallTime, hasher: hasher)
      Fuzz.promise(again.body == event.body, "written again, the body is another")
      Fuzz.promise(again.id == event.id, "written again, the id is another")
      Fuzz.promise(again.action == event.action, "written again, the action is another")
    } catch { Fuzz.fail("what was read cannot be written: \(error)") }
  }
}
