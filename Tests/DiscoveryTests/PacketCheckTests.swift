import Testing

@testable import Discovery

/// What reaches the library: whole packets of wanted kinds of records.
@Suite struct PacketCheckTests {
  private static let owner: [UInt8] =
    [7] + Array("_parlor".utf8) + [4] + Array("_tcp".utf8) + [5] + Array("local".utf8) + [0]

  private func record(
    _ kind: UInt8, _ data: [UInt8], owner: [UInt8] = Self.owner, group: UInt8 = 1,
    seconds: [UInt8] = [0, 0, 0, 120]
  ) -> [UInt8] {
    owner + [0, kind, 0x80, group] + seconds + [UInt8(data.count >> 8), UInt8(data.count & 0xFF)] + data
  }

  private func packet(questions: [[UInt8]] = [], _ records: [[UInt8]]) -> [UInt8] {
    let head: [UInt8] = [0, 0, 0x84, 0, 0, UInt8(questions.count), 0, UInt8(records.count), 0, 0, 0, 0]
    return head + questions.joined() + records.joined()
  }

  private func accepts(_ packet: [UInt8]) -> Bool { PacketCheck.accepts(packet[...]) }

  private var good: [[UInt8]] {
    [
      record(12, [1, 0x61, 0xC0, 12]), record(33, [0, 0, 0, 0, 0, 9, 1, 0x68, 0xC0, 25]),
      record(16, [3, 1, 2, 3, 0]),
      record(1, [10, 0, 0, 1]), record(28, [UInt8](repeating: 1, count: 16)), record(13, [1, 0x61, 1, 0x62]),
      record(47, [1, 2, 3]), record(41, [], owner: [0], group: 0, seconds: [0xFF, 0xFF, 0, 0]),
    ]
  }

  @Test func goodPackets() {
    #expect(accepts(packet([])))
    #expect(accepts(packet(good)))
    #expect(accepts(packet(questions: [Self.owner + [0, 255, 0x80, 1]], good)))
    for record in good { #expect(accepts(packet([Self.padding] + [record]))) }
  }

  /// A first record whose name those of the others may point to.
  private static let padding: [UInt8] = owner + [0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 10, 0, 0, 1]

  @Test func unwantedKinds() {
    let wanted: Set<UInt8> = [1, 12, 13, 16, 28, 33, 41, 47]
    for kind in UInt8.min...UInt8.max where !wanted.contains(kind) {
      #expect(!accepts(packet([record(kind, [0])])), "\(kind)")
      #expect(!accepts(packet(good + [record(kind, [0])])), "\(kind) among others")
    }
    #expect(!accepts(packet([record(1, [10, 0, 0, 1], group: 3)])), "another class")
    #expect(
      !accepts(packet([record(1, [10, 0, 0, 1], seconds: [0, 0, 0x11, 0x95])])), "longer than 75 minutes")
    #expect(accepts(packet([record(1, [10, 0, 0, 1], seconds: [0, 0, 0x11, 0x94])])))
  }

  @Test func packetsThatAreNotWhole() {
    let whole = packet(questions: [Self.owner + [0, 12, 0, 1]], good)
    #expect(accepts(whole))
    for count in 0..<whole.count { #expect(!accepts(Array(whole.prefix(count))), "\(count) bytes") }
    #expect(!accepts(whole + [0]))
    for at in 4..<12 {
      var changed = whole
      changed[at] &+= 1
      #expect(!accepts(changed), "the count at \(at)")
    }
  }

  @Test func dataThatIsNotWhole() {
    for (kind, data) in [
      (1, [1, 2, 3]), (1, [1, 2, 3, 4, 5]), (28, [1]), (12, []), (12, [1, 0x61, 0, 0]), (12, [5, 0x61, 0]),
      (12, [1, 0x61]),
      (33, [0, 0, 0, 0, 0, 9]), (33, [0, 0, 0, 0, 0, 9, 0, 0]), (16, [3, 1, 2]), (13, [9]),
    ] as [(UInt8, [UInt8])] {
      #expect(!accepts(packet([record(kind, data)])), "\(kind): \(data)")
      #expect(!accepts(packet([record(kind, data)] + good)), "\(kind): \(data) before others")
    }
    #expect(!accepts(packet([record(47, [UInt8](repeating: 0, count: PacketCheck.limitRecordBytes + 1))])))
  }

  @Test func names() {
    func named(_ name: [UInt8]) -> Bool {
      accepts(packet([Self.padding, record(1, [1, 2, 3, 4], owner: name)]))
    }
    let next = UInt8(12 + Self.padding.count)
    #expect(named([0]))
    #expect(named([0xC0, 12]))
    #expect(named([1, 0x61, 0xC0, 20]))
    #expect(!named([0xC0, next]), "itself")
    #expect(!named([0xC0, next + 2]), "further on")
    #expect(!named([1, 0x61, 0xC0, next]), "a loop")
    #expect(!named([0xC0, 4]), "into the header")
    #expect(!named([0x40, 0x61, 0]))
    #expect(!named([0x80, 0x61, 0]))
    let label = [63] + [UInt8](repeating: 0x61, count: 63)
    #expect(named(label + label + label + [61] + [UInt8](repeating: 0x61, count: 61) + [0]))
    #expect(!named(label + label + label + [62] + [UInt8](repeating: 0x61, count: 62) + [0]), "256 bytes")
    func strange(_ count: UInt8) -> [UInt8] { [count] + [UInt8](repeating: 0xE9, count: Int(count)) }
    #expect(named(strange(63) + strange(63) + strange(63) + strange(60) + [0]))
    #expect(!named(strange(63) + strange(63) + strange(63) + strange(61) + [0]), "long as text")
  }

  @Test func sizes() {
    let record = record(47, [UInt8](repeating: 0, count: 1_000))
    let records = [[UInt8]](repeating: record, count: 8)
    #expect(accepts(packet(records)))
    #expect(!accepts(packet(records + [record])), "\(packet(records + [record]).count) bytes")
  }

  /// Anything ends, whatever it is.
  @Test func changedPackets() {
    let whole = packet(questions: [Self.owner + [0, 12, 0, 1]], good)
    for at in whole.indices {
      for value in UInt8.min...UInt8.max {
        var changed = whole
        changed[at] = value
        _ = accepts(changed)
      }
    }
  }

  @Test func floods() {
    var budget = PacketBudget(at: 5_000)
    func taken(at moment: UInt64) -> Int {
      var count = 0
      for _ in 0..<10_000 where budget.take(at: moment) { count += 1 }
      return count
    }
    #expect(taken(at: 5_000) == 2_000)
    #expect(taken(at: 5_010) == 10)
    #expect(taken(at: 4_000) == 0, "a clock that goes back")
    #expect(taken(at: .max) == 2_000)
  }
}
