import EventLog
import Events
import Games
import Projection
import Rules
import Tournaments

/// Bytes as choices of what peers with real keys write in a room: whatever they choose, the room converges,
/// its bundle is taken as it is, and no other bundle that differs in a byte.
enum RoomTarget {
  static func run(_ bytes: [UInt8]) {
    var written = WrittenRoom(ByteChoices(bytes))
    checkOrders(of: written.events)
    let bundle = BundleTarget.export(written.signed())
    guard let room = BundleTarget.take(bundle, scheme: Ed25519()) else {
      Fuzz.fail("the bundle of a signed room is refused")
    }
    BundleTarget.checkExport(of: room, bundle)
    checkTampering(bundle, &written.choices)
  }

  /// A bundle with one byte changed and the digest at its end made anew is refused.
  private static func checkTampering(_ bundle: [UInt8], _ choices: inout ByteChoices) {
    var bytes = bundle
    let place = Int(choices.byte()) << 16 | Int(choices.byte()) << 8 | Int(choices.byte())
    let change = choices.byte()
    bytes[place % (bytes.count - 32)] ^= change == 0 ? 1 : change
    let changed = BundleMutator.withDigest(Array(bytes.dropLast(32)))
    Fuzz.promise(
      BundleTarget.take(changed, scheme: Ed25519()) == nil,
      "a bundle changed at byte \(place % (bytes.count - 32)) was taken")
  }

  /// One digest, whatever the order and whenever the state was read; and nothing traps on the way.
  static func checkOrders(of events: [Event]) {
    guard let first = events.first, var once = RoomProjection(create: first, catalog: Games.catalog) else {
      Fuzz.fail("a room does not begin with its create event")
    }
    for event in events { once.apply(event) }
    let digest = check(&once)
    var other = once
    for event in events { other.apply(event) }
    Fuzz.promise(other.digest() == digest, "events that are here already changed the state")
    guard var reading = RoomProjection(create: first, catalog: Games.catalog) else { return }
    let step = 1 + events.count / 32
    for (count, event) in lastFirst(events).enumerated() {
      reading.apply(event)
      if count % step == 0 { _ = reading.state }
    }
    Fuzz.promise(reading.digest() == digest, "another order gives another state")
  }

  /// Reads everything that a projection tells.
  /// - Returns: its digest.
  @discardableResult
  static func check(_ projection: inout RoomProjection) -> Digest {
    let state = projection.state
    _ = projection.verdicts()
    for game in state.games {
      for seat in [nil] + state.seats.indices.map({ Seat(UInt16(truncatingIfNeeded: $0)) }) {
        let view = game.state.view(for: seat)
        _ = (view.encoded, view.diagram, view.legalMoves)
      }
    }
    do throws(TournamentError) {
      let tournament = try TournamentRoom(state, Games.catalog)
      _ = try tournament?.standingsDigest()
      _ = tournament?.state.schedule
    } catch { _ = error.description }
    return projection.digest()
  }

  /// Another causal order: of the events that are ready, the one that was written last comes next.
  private static func lastFirst(_ events: [Event]) -> [Event] {
    var places: [EventID: Int] = [:]
    for (at, event) in events.enumerated() { places[event.id] = at }
    var missing = [Int](repeating: 0, count: events.count)
    var dependents = [[Int]](repeating: [], count: events.count)
    for (at, event) in events.enumerated() where at > 0 {
      for named in Set([event.room, event.previous] + event.parents) {
        guard let before = places[named] else { continue }
        dependents[before].append(at)
        missing[at] += 1
      }
    }
    var order: [Event] = []
    var ready = [0]
    while let at = ready.popLast() {
      order.append(events[at])
      for next in dependents[at] {
        missing[next] -= 1
        if missing[next] == 0 { ready.append(next) }
      }
    }
    return order
  }
}
