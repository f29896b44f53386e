import BotKit
import TestKit
import Testing

@testable import Web

@Suite struct SourceCountsTests {
  @Test func eachAddressHasItsLimit() {
    var counts = SourceCounts(limit: 2)
    for address in ["10.0.0.1", "10.0.0.2"] {
      for number in 1...10 {
        let mayStay = counts.add(address)
        #expect(mayStay)
        #expect(counts.isWithinLimit(address) == (number <= 2))
      }
      let mayStay = counts.add(address)
      #expect(!mayStay)
    }
    for _ in 0..<9 { counts.remove("10.0.0.1") }
    #expect(counts.isWithinLimit("10.0.0.1") && !counts.isWithinLimit("10.0.0.2"))
  }

  @Test func addressesOfOneHousehold() {
    var counts = SourceCounts(limit: 1)
    let same = ["2001:db8::1", "2001:db8:0:0:1::", "2001:DB8::ffff:2%eth0", "2001:db8:0:0:5:6:7:8"]
    for address in same { _ = counts.add(address) }
    #expect(counts.count == 1)
    for address in same { #expect(!counts.isWithinLimit(address)) }
    #expect(counts.isWithinLimit("2001:db8:0:1::1"))
    for address in ["10.0.0.1", "::ffff:10.0.0.1"] { _ = counts.add(address) }
    #expect(counts.count == 2 && !counts.isWithinLimit("10.0.0.1"))
  }

  @Test("This machine has no limit", arguments: ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
  func thisMachine(_ address: String) {
    var counts = SourceCounts(limit: 0)
    for _ in 0..<2_000 {
      let mayStay = counts.add(address)
      #expect(mayStay)
    }
    #expect(counts.isWithinLimit(address) && counts.count == 0)
  }

  /// Whatever comes and goes, in the end nothing is remembered.
  @Test func nothingIsLeft() {
    var random = RandomStream(seed: 7)
    for _ in 0..<Effort.size(2_000, quick: 50) {
      var counts = SourceCounts(limit: 3)
      var open: [String] = []
      for _ in 0..<100 {
        if Bool.random(using: &random), let at = open.indices.randomElement(using: &random) {
          counts.remove(open.remove(at: at))
        } else {
          let address = ["1.2.3.4", "::", "a::b", ":", "%", "", "1:2:3:4:5:6:7:8:9"].randomElement(
            using: &random)
          if let address {
            _ = counts.add(address)
            open.append(address)
          }
        }
      }
      for address in open { counts.remove(address) }
      #expect(counts.count == 0)
    }
  }
}
