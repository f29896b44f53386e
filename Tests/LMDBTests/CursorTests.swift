import LMDB
import TestKit
import Testing

/// A slow reference: the entries as a sorted array.
private struct Model {
  var entries: [(key: [UInt8], value: [UInt8])] = []

  func place(of key: [UInt8]) -> Int {
    entries.firstIndex { !$0.key.lexicographicallyPrecedes(key) } ?? entries.count
  }

  mutating func put(_ key: [UInt8], _ value: [UInt8]) {
    let place = place(of: key)
    if place < entries.count, entries[place].key == key {
      entries[place].value = value
    } else {
      entries.insert((key, value), at: place)
    }
  }

  mutating func delete(_ key: [UInt8]) -> Bool {
    let place = place(of: key)
    guard place < entries.count, entries[place].key == key else { return false }
    entries.remove(at: place)
    return true
  }
}

@Suite("Cursors and iteration")
struct CursorTests {
  @Test("Ten thousand random operations agree with a sorted array", arguments: [1, 2, 3] as [UInt64])
  func model(seed: UInt64) async throws {
    try await withTemporaryFolder { folder in
      let store = try open(folder)
      let first = try store.database("first")
      var generator = SeededGenerator(state: seed)
      var committed = Model()
      var operations = 0
      while operations < Effort.size(10_000, quick: 1_000) {
        let count = Int.random(in: 1...400, using: &generator)
        let aborts = Int.random(in: 0..<8, using: &generator) == 0
        var model = committed
        do throws(StoreError) {
          try store.write { (transaction) throws(StoreError) in
            for _ in 0..<count { try Self.step(&transaction, first, &model, &generator) }
            if aborts { throw .keyExists }
          }
          committed = model
        } catch {
          #expect(aborts && error == .keyExists)
        }
        operations += count
        try Self.compare(store, first, committed, &generator)
      }
      #expect(committed.entries.count > 100)
    }
  }

  private static func key(_ generator: inout SeededGenerator) -> [UInt8] {
    let length = [1, 2, 2, 2, 3, 30, 511].randomElement(using: &generator) ?? 1
    return (0..<length).map { $0 < 2 ? UInt8.random(in: 0...24, using: &generator) &* 11 : 7 }
  }

  private static func step(
    _ transaction: inout WriteTransaction, _ database: Database, _ model: inout Model,
    _ generator: inout SeededGenerator
  ) throws(StoreError) {
    let key = key(&generator)
    switch Int.random(in: 0..<10, using: &generator) {
    case 0..<6:
      let length = [0, 5, 200, 3_000, 9_000].randomElement(using: &generator) ?? 0
      let value = [UInt8](repeating: .random(in: 0...255, using: &generator), count: length)
      try transaction.put(value.rawSpan, at: key.rawSpan, in: database)
      model.put(key, value)
    case 6..<9:
      let deleted = try transaction.delete(key.rawSpan, in: database)
      #expect(deleted == model.delete(key))
    default:
      let found = bytes(try transaction.get(key.rawSpan, in: database))
      let place = model.place(of: key)
      let isThere = place < model.entries.count && model.entries[place].key == key
      #expect(found == (isThere ? model.entries[place].value : nil))
    }
  }

  /// Compares the whole content, a random walk of a cursor, and random ranges.
  private static func compare(
    _ store: Environment, _ database: Database, _ model: Model, _ generator: inout SeededGenerator
  ) throws {
    try store.read { (transaction) throws(StoreError) in
      var index = 0
      try transaction.forEach(in: database) { (key, value) throws(StoreError) in
        guard index < model.entries.count else { return .stop }
        #expect(bytes(key) == model.entries[index].key)
        #expect(bytes(value) == model.entries[index].value)
        index += 1
        return .proceed
      }
      #expect(index == model.entries.count)
      #expect(try transaction.size(of: database).entries == model.entries.count)
      try walk(transaction, database, model, &generator)
      for _ in 0..<5 { try ranges(transaction, database, model, &generator) }
    }
  }

  /// Places run from -1, before the first entry, to the count, behind the last.
  private static func walk(
    _ transaction: borrowing ReadTransaction, _ database: Database, _ model: Model,
    _ generator: inout SeededGenerator
  ) throws(StoreError) {
    var cursor = try transaction.cursor(in: database)
    let count = model.entries.count
    var place = 0
    var found = bytes(try cursor.first()?.key)
    for _ in 0..<60 {
      #expect(found == (0..<count ~= place ? model.entries[place].key : nil))
      switch Int.random(in: 0..<12, using: &generator) {
      case 0:
        found = bytes(try cursor.first()?.key)
        place = 0
      case 1:
        found = bytes(try cursor.last()?.key)
        place = count - 1
      case 2...3:
        let key = key(&generator)
        found = bytes(try cursor.seek(atOrAfter: key.rawSpan)?.key)
        place = model.place(of: key)
      case 4...5:
        let key = key(&generator)
        found = bytes(try cursor.seek(before: key.rawSpan)?.key)
        place = model.place(of: key) - 1
      case 6...8:
        found = bytes(try cursor.next()?.key)
        place = min(place + 1, count)
      default:
        found = bytes(try cursor.previous()?.key)
        place = max(place - 1, -1)
      }
    }
  }

  private static func ranges(
    _ transaction: borrowing ReadTransaction, _ database: Database, _ model: Model,
    _ generator: inout SeededGenerator
  ) throws(StoreError) {
    let (low, high) = (key(&generator), key(&generator))
    let limit = Int.random(in: 1...50, using: &generator)
    let within = model.entries.map(\.key).filter {
      !$0.lexicographicallyPrecedes(low) && $0.lexicographicallyPrecedes(high)
    }
    var up: [[UInt8]] = []
    try transaction.forEach(in: database, from: low.rawSpan, upTo: high.rawSpan) {
      (key, _) throws(StoreError) in
      bytes(key).map { up.append($0) }
      return up.count == limit ? .stop : .proceed
    }
    #expect(up == Array(within.prefix(limit)))
    var down: [[UInt8]] = []
    try transaction.forEachDescending(in: database, before: high.rawSpan, downTo: low.rawSpan) {
      (key, _) throws(StoreError) in
      bytes(key).map { down.append($0) }
      return down.count == limit ? .stop : .proceed
    }
    #expect(down == Array(within.reversed().prefix(limit)))
  }

  @Test("A cursor over nothing finds nothing, whichever way it goes")
  func emptyDatabase() async throws {
    try await withTemporaryFolder { folder in
      let store = try open(folder)
      let first = try store.database("first")
      let key = bytes("a")
      try store.read { (transaction) throws(StoreError) in
        var cursor = try transaction.cursor(in: first)
        #expect(bytes(try cursor.next()?.key) == nil)
        #expect(bytes(try cursor.previous()?.key) == nil)
        #expect(bytes(try cursor.first()?.key) == nil)
        #expect(bytes(try cursor.last()?.key) == nil)
        #expect(bytes(try cursor.seek(atOrAfter: key.rawSpan)?.key) == nil)
        #expect(bytes(try cursor.seek(before: key.rawSpan)?.key) == nil)
      }
    }
  }

  @Test("An iteration passes its closure's error on")
  func throwing() async throws {
    try await withTemporaryFolder { folder in
      let store = try open(folder)
      let first = try store.database("first")
      try store.put("a", "1")
      #expect(throws: StoreError.mapFull) {
        try store.read { (transaction) throws(StoreError) in
          try transaction.forEach(in: first) { (_, _) throws(StoreError) in throw .mapFull }
        }
      }
    }
  }
}
