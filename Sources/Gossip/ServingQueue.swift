import Events

/// What is being sent to a neighbour, room after room: what it wanted, and news.
struct ServingQueue: Sendable {
  /// The most rooms of which something is being sent; the neighbour asks again for what is beyond.
  private static let limit = 4_096
  /// The most questions for events by their ids that wait for rooms to be read: they are asked again.
  private static let limitFetches = 64

  private var servings: [Serving] = []
  /// Wants for rooms that have to be read from the store first.
  private var deferred = Deferred<Want>()
  /// Ids of events that were asked for in such rooms, by question.
  private var deferredFetches = Deferred<[EventID]>()
  /// How many bytes may be sent.
  private var allowance: Bucket

  init(allowance: Bucket) { self.allowance = allowance }

  var isEmpty: Bool { servings.isEmpty }
  /// Of how many rooms something is being sent.
  var count: Int { servings.count }
  /// How many questions wait for their rooms to be read.
  var deferredCount: Int { deferred.count + deferredFetches.count }
  /// The rooms of which something is being sent.
  var served: [RoomID] { servings.map(\.room) }

  /// Whether something of a room is left to be sent.
  func contains(_ room: RoomID) -> Bool { servings.contains { $0.room == room } }

  /// Whether nothing more is taken.
  var isFull: Bool { servings.count >= Self.limit }

  /// Sends something behind all else.
  mutating func append(_ serving: Serving) { servings.append(serving) }

  /// Sends something before all else.
  mutating func prepend(_ serving: Serving) {
    // What is dropped for it is asked for again.
    if isFull { servings.removeLast() }
    servings.insert(serving, at: 0)
  }

  /// Sends nothing more of a room.
  mutating func remove(_ room: RoomID) { servings.removeAll { $0.room == room } }

  /// What may be sent now.
  struct Next {
    let message: RunsMessage
    /// Whether it is news that nobody asked for.
    let isNews: Bool
    /// Where its room lies.
    let place: Int
  }

  /// Takes the next message; `nil` when there is none, or not yet.
  /// - Parameter rooms: of which those are noted of which all was sent.
  mutating func next(from rooms: inout RoomTable, at now: Tick) -> Next? {
    while !servings.isEmpty {
      guard allowance.take(1, at: now) else { return nil }
      let room = servings[0].room
      guard let place = rooms.place(of: room) else {
        servings.removeFirst()
        continue
      }
      guard
        let message = servings[0].message(
          from: rooms.open.span[place].log, durable: rooms.open.span[place].durable)
      else {
        servings.removeFirst()
        rooms.noteUnneeded(room)
        continue
      }
      allowance.spend(message.runs.reduce(0) { $0 + $1.bytes }, at: now)
      return Next(message: message, isNews: servings[0].isNews, place: place)
    }
    return nil
  }

  // MARK: - Rooms that are not open

  /// Notes what is wanted of a room that has to be read first.
  mutating func put(off want: Want, of room: RoomID, limit: Int) {
    deferred.append(want, room, limit: limit)
  }

  /// Notes which events are asked for in a room that has to be read first.
  mutating func put(off ids: [EventID], of room: RoomID) {
    deferredFetches.append(ids, room, limit: Self.limitFetches)
  }

  /// Takes the events that were asked for in a room before it was read, by question.
  mutating func takeDeferredFetches(of room: RoomID) -> [[EventID]] { deferredFetches.take(room) }

  /// Takes what was wanted of a room before it was read.
  mutating func takeDeferred(of room: RoomID) -> [Want] { deferred.take(room) }

  /// Forgets what is wanted of rooms that are gone.
  mutating func forget(_ gone: Set<RoomID>) {
    deferred.forget(gone)
    deferredFetches.forget(gone)
  }
}

/// Questions that wait for their rooms to be read.
private struct Deferred<Question: Sendable>: Sendable {
  private var waiting: [(room: RoomID, question: Question)] = []

  var count: Int { waiting.count }

  /// Puts one behind the others, of which the oldest make room for it.
  mutating func append(_ question: Question, _ room: RoomID, limit: Int) {
    waiting.append((room, question))
    if waiting.count > limit { waiting.removeFirst(waiting.count - limit) }
  }

  mutating func take(_ room: RoomID) -> [Question] {
    guard waiting.contains(where: { $0.room == room }) else { return [] }
    defer { waiting.removeAll { $0.room == room } }
    return waiting.lazy.filter { $0.room == room }.map(\.question)
  }

  mutating func forget(_ gone: Set<RoomID>) { waiting.removeAll { gone.contains($0.room) } }
}
