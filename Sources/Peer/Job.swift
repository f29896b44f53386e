package import Events

/// One attempt at a pairing for somebody else to play: the room as far as it is, the place of its random numbers, and
/// what signs for the two seats in that room.
///
/// Whoever has a job can sign as its entrants. They are the organizer's own bots, whose word nobody but the organizer
/// takes; and it takes what comes back only after it was checked (`JobCheck`).
package struct Job: Sendable {
  /// What one seat is played with.
  package struct Seat: Sendable {
    /// The part of the entrant's key that signs.
    package let key: LentKey
    /// What the entrant's salts in this room follow from, and in no other.
    package let salts: Bytes32

    package init(key: LentKey, salts: Bytes32) {
      self.key = key
      self.salts = salts
    }
  }

  /// The seats of a pairing.
  package static let seatCount = 2
  /// The most bytes of a job: what a room may be before it is played.
  package static let limitBytes = 1 << 18
  /// The most events of a room that was not begun to be played.
  static let limitEvents: UInt64 = 64

  /// The round and the pairing from which bots' random numbers follow (`Session.Place`).
  package let round: UInt32
  package let pairing: UInt32
  /// By seat.
  package let seats: [Seat]
  /// The room up to its start, as a bundle.
  package let bundle: [UInt8]

  package init(round: UInt32, pairing: UInt32, seats: [Seat], bundle: [UInt8]) {
    self.round = round
    self.pairing = pairing
    self.seats = seats
    self.bundle = bundle
  }
}

/// What comes back for a job.
package struct JobAnswer: Hashable, Sendable {
  /// What was done with the job.
  package enum Outcome: Hashable, Sendable {
    /// It was played: the whole room, as a bundle.
    case played(bundle: [UInt8])
    /// It cannot be played there, and why.
    case declined(reason: String)
  }

  /// The longest name of a worker, and the longest reason, in bytes of UTF-8.
  package static let limitNameBytes = 64
  package static let limitReasonBytes = 255
  /// The most bytes of an answer.
  package static let limitBytes = 8 << 20

  /// The room that it is of, as whoever answers says.
  package let room: RoomID
  /// What whoever answers is called; nothing rests on it.
  package let worker: String
  package let outcome: Outcome

  package init(room: RoomID, worker: String, _ outcome: Outcome) {
    self.room = room
    self.worker = worker.prefix(utf8Bytes: Self.limitNameBytes)
    if case .declined(let reason) = outcome {
      self.outcome = .declined(reason: reason.prefix(utf8Bytes: Self.limitReasonBytes))
    } else {
      self.outcome = outcome
    }
  }
}

// MARK: - In bytes (Docs/SCALING.md)

extension Job {
  private static let magic = Array("PARLORJ1".utf8)

  /// The job in bytes, in its one form.
  package var encoded: [UInt8] {
    var bytes = Self.magic
    bytes.append(bigEndian: round)
    bytes.append(bigEndian: pairing)
    for seat in seats {
      bytes += seat.key.bytes
      bytes += seat.salts.bytes
    }
    return bytes + bundle
  }

  /// Reads a job. The bundle is looked at when it is played.
  package init(encoded bytes: [UInt8]) throws(FormatError) {
    guard bytes.count <= Self.limitBytes else { throw .tooLong(bytes.count, limit: Self.limitBytes) }
    var reader = ByteReader(bytes)
    guard try reader.take(Self.magic.count) == Self.magic else {
      throw .badField("no job of this version", at: 0)
    }
    round = try reader.integer()
    pairing = try reader.integer()
    var seats: [Seat] = []
    for _ in 0..<Self.seatCount {
      let at = reader.offset
      guard let key = LentKey(try reader.take(LentKey.byteCount)) else { throw .badField("no key", at: at) }
      seats.append(Seat(key: key, salts: Bytes32(try reader.take(32), at: 0)))
    }
    self.seats = seats
    bundle = try reader.take(reader.remaining)
  }
}

extension JobAnswer {
  private static let magic = Array("PARLORA1".utf8)

  /// The answer in bytes, in its one form.
  package var encoded: [UInt8] {
    var bytes = Self.magic
    bytes.append(room)
    bytes.append(UInt8(worker.utf8.count))
    bytes += Array(worker.utf8)
    switch outcome {
    case .played(let bundle): return bytes + [0] + bundle
    case .declined(let reason): return bytes + [1, UInt8(reason.utf8.count)] + Array(reason.utf8)
    }
  }

  /// Reads an answer. The bundle is looked at when it is checked.
  package init(encoded bytes: [UInt8]) throws(FormatError) {
    guard bytes.count <= Self.limitBytes else { throw .tooLong(bytes.count, limit: Self.limitBytes) }
    var reader = ByteReader(bytes)
    guard try reader.take(Self.magic.count) == Self.magic else {
      throw .badField("no answer of this version", at: 0)
    }
    room = try reader.identifier()
    worker = try reader.text8(0...Self.limitNameBytes)
    if try reader.flag() {
      outcome = .declined(reason: try reader.text8(0...Self.limitReasonBytes))
    } else {
      outcome = .played(bundle: try reader.take(reader.remaining))
    }
    try reader.end()
  }
}
