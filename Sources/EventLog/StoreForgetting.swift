package import Events
internal import LMDB

// Rooms that are forgotten: what is removed, and what is remembered of them.

extension LMDBEventLog {
  package func forget(_ rooms: [ForgottenRoom]) throws(LogError) {
    let (databases, hasher) = (databases, hasher)
    try change { (transaction) throws(LogError) in
      let before = try transaction.forgottenRooms(in: databases)
      var order = before.last?.order ?? 0
      for room in rooms where try transaction.remove(room.room, hasher, in: databases) {
        order &+= 1
        try transaction.remember(room, order: order, in: databases)
      }
      if before.count + rooms.count > limitForgottenRooms { try transaction.limitForgotten(in: databases) }
    }
  }

  /// What is to be remembered of a room that cannot be read, so that no process opens it; `nil` of one that can.
  /// - Parameter owner: whose key is of this machine, and may have written there where nothing says so any more.
  package func forgottenIfDamaged(_ room: RoomID, owner: PeerID) throws(LogError) -> ForgottenRoom? {
    var events = [(author: owner, count: UInt64(0))]
    do throws(LogError) {
      try read(room, verify: false) { (view, _) throws(LogError) in
        if let at = events.firstIndex(where: { $0.author == view.author }) {
          events[at].count += 1
        } else if events.count < ForgottenRoom.limitOwn {
          events.append((view.author, 1))
        }
        return .goOn
      }
      return nil
    } catch {
      guard case .corrupt = error else { throw error }
      return ForgottenRoom(damaged: room, events: events)
    }
  }

  /// How many events of a room are stored.
  package func events(of room: RoomID) throws(LogError) -> Int {
    let databases = databases
    return try environment.read { (transaction) throws(LogError) in
      guard let number = try transaction.number(of: room, in: databases) else {
        throw .unknownRoom(room.description)
      }
      return Int(try transaction.record(number, in: databases).events)
    }
  }

  /// What the events of each room take as they are stored, pages not included; reads the whole store.
  package func storedBytes() throws(LogError) -> [RoomID: Int] {
    let databases = databases
    return try environment.read { (transaction) throws(LogError) in
      var sizes: [UInt32: Int] = [:]
      try transaction.forEach(in: databases.events) { (key, value) throws(LogError) in
        let number = try StoreFormat.number(Array(copying: key).prefix(4))
        sizes[number, default: 0] += key.byteCount + value.byteCount
        return .proceed
      }
      var found: [RoomID: Int] = [:]
      try transaction.forEach(in: databases.numbers) { (key, value) throws(LogError) in
        found[try RoomRecord(value).room] = sizes[try StoreFormat.number(key)] ?? 0
        return .proceed
      }
      return found
    }
  }

  package func forgottenRoom(_ room: RoomID) throws(LogError) -> ForgottenRoom? {
    let databases = databases
    return try environment.read { (transaction) throws(LogError) in
      guard let value = try transaction.bytes(at: StoreFormat.forgottenKey(room), in: databases.meta) else {
        return nil
      }
      return try ForgottenRoom.decode(value.rawSpan, of: room).room
    }
  }

  package func forgottenRooms() throws(LogError) -> [ForgottenRoom] {
    let databases = databases
    return try environment.read { (transaction) throws(LogError) in
      try transaction.forgottenRooms(in: databases).map(\.room)
    }
  }
}

extension Transaction where Self: ~Copyable {
  /// What is remembered of forgotten rooms, in the order in which they were.
  borrowing func forgottenRooms(
    in databases: Databases
  ) throws(LogError) -> [(order: UInt32, room: ForgottenRoom)] {
    var found: [(order: UInt32, room: ForgottenRoom)] = []
    let (from, upTo) = (StoreFormat.forgottenPrefix, StoreFormat.afterForgotten)
    try forEach(in: databases.meta, from: from.rawSpan, upTo: upTo.rawSpan) { (key, value) throws(LogError) in
      guard let bytes = Bytes32(Array(copying: key).dropFirst(from.count)) else {
        throw .corrupt(event: nil, reason: "the name of a forgotten room is damaged")
      }
      found.append(try ForgottenRoom.decode(value, of: RoomID(bytes)))
      return .proceed
    }
    return found.sorted { $0.order < $1.order }
  }
}

extension WriteTransaction {
  /// Removes all that is stored of a room.
  /// - Returns: whether it was here.
  fileprivate mutating func remove(
    _ room: RoomID, _ hasher: EventHasher, in databases: Databases
  ) throws(LogError) -> Bool {
    guard let number = try number(of: room, in: databases) else { return false }
    let record = try record(number, in: databases)
    guard record.room == room else {
      throw .corrupt(
        event: nil, reason: "the number of room \(room.short) belongs to room \(record.room.short)")
    }
    if let tournament = try listing(number, record, hasher, in: databases).create.tournament {
      try delete(StoreFormat.key(tournament: tournament, number: number), in: databases.children)
    }
    for key in try eventKeys(of: number, in: databases) { try delete(key, in: databases.events) }
    try delete(StoreFormat.clockKey(number: number), in: databases.meta)
    try delete(StoreFormat.useKey(number: number), in: databases.meta)
    try delete(StoreFormat.key(number: number), in: databases.numbers)
    try delete(StoreFormat.key(room), in: databases.rooms)
    return true
  }

  /// Remembers a room that is forgotten, with what is remembered of it from before.
  fileprivate mutating func remember(
    _ room: ForgottenRoom, order: UInt32, in databases: Databases
  ) throws(LogError) {
    let key = StoreFormat.forgottenKey(room.room)
    var room = room
    if let earlier = try bytes(at: key, in: databases.meta) {
      room = room.merged(with: try ForgottenRoom.decode(earlier.rawSpan, of: room.room).room)
    }
    try set(room.value(order: order), at: key, in: databases.meta)
  }

  private func eventKeys(of number: UInt32, in databases: Databases) throws(LogError) -> [[UInt8]] {
    var keys: [[UInt8]] = []
    let first = StoreFormat.key(number: number, arrival: 0)
    try forEach(in: databases.events, from: first.rawSpan) { (key, _) throws(LogError) in
      guard StoreFormat.first(key, number: number) != nil else { return .stop }
      keys.append(Array(copying: key))
      return .proceed
    }
    return keys
  }

  private mutating func delete(_ key: [UInt8], in database: Database) throws(LogError) {
    do throws(StoreError) { try delete(key.rawSpan, in: database) } catch { throw LogError(error) }
  }

  /// A room came back: it is forgotten no more, but for what this machine's keys wrote there.
  mutating func noteReturn(of room: RoomID, in databases: Databases) throws(LogError) {
    let key = StoreFormat.forgottenKey(room)
    guard let value = try bytes(at: key, in: databases.meta) else { return }
    if try ForgottenRoom.decode(value.rawSpan, of: room).room.isOfStrangers {
      try delete(key, in: databases.meta)
    }
  }

  /// Lets go of those that were forgotten first, where they are too many.
  fileprivate mutating func limitForgotten(in databases: Databases) throws(LogError) {
    let strangers = try forgottenRooms(in: databases).filter(\.room.isOfStrangers)
    for forgotten in strangers.dropLast(limitForgottenRooms) {
      try delete(StoreFormat.forgottenKey(forgotten.room.room), in: databases.meta)
    }
  }
}
