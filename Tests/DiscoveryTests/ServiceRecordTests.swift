import Events
import Testing

@testable import Discovery

/// Names and text records of others are checked before anything is made of them.
@Suite struct ServiceRecordTests {
  private let network = LocalNetworkTests.network

  private func text(_ strings: String...) -> [UInt8] {
    strings.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
  }

  private var strings: [String] {
    let text = ServiceRecord.text(of: network)
    return [String(decoding: text[1...3], as: UTF8.self), String(decoding: text[5...], as: UTF8.self)]
  }

  @Test func whatIsAnnounced() {
    #expect(strings == ["v=2", "n=aa2b14007f5b102f"])
    #expect(ServiceRecord.isText(ServiceRecord.text(of: network), of: network))
  }

  @Test func otherNetworksAndVersionsArePassedOver() {
    #expect(!ServiceRecord.isText(ServiceRecord.text(of: .standard), of: network))
    for version in ["v=1", "v=", "v", "v=02", "v=2 ", "v=\u{0}2", "v=2=2"] {
      #expect(!ServiceRecord.isText(text(version, strings[1]), of: network), "\(version)")
    }
    for hash in ["n=aa2b14007f5b1", "n=AA2B14007F5B102F", "n=aa2b14007f5b102f0", "m=aa2b14007f5b102f"] {
      #expect(!ServiceRecord.isText(text("v=2", hash), of: network), "\(hash)")
    }
  }

  @Test func keysOfTheFutureAreAllowed() {
    #expect(ServiceRecord.isText(text(strings[1], "", "x", "=", "later=\u{1B}[2J", "v=2"), of: network))
    #expect(ServiceRecord.isText(text("V=2", "N=aa2b14007f5b102f"), of: network), "keys have no case")
  }

  @Test func brokenTextRecords() {
    let good = ServiceRecord.text(of: network)
    for count in 0..<good.count { #expect(!ServiceRecord.isText(Array(good.prefix(count)), of: network)) }
    #expect(!ServiceRecord.isText(good + good, of: network), "each key stands twice")
    #expect(!ServiceRecord.isText(good + [200, 1], of: network), "a string ends behind the record")
    #expect(!ServiceRecord.isText(good + [UInt8](repeating: 0, count: 400), of: network), "too long")
    for at in good.indices {
      var changed = good
      changed[at] ^= 1
      #expect(!ServiceRecord.isText(changed, of: network) || at == 1 || at == 5)
    }
  }

  @Test func names() {
    #expect(ServiceRecord.name(Array("a-1".utf8)) == "a-1")
    #expect(ServiceRecord.name([UInt8](repeating: 0x61, count: 63)) != nil)
    #expect(ServiceRecord.name([UInt8](repeating: 0x61, count: 64)) == nil)
    for bad in ["", "A", "a.b", "a b", "é", "\u{1B}[2J", "a\n", "a\u{0}"] {
      #expect(ServiceRecord.name(Array(bad.utf8)) == nil, "\(bad.utf8)")
    }
    let own = Set((0..<100).map { _ in ServiceRecord.randomName() })
    #expect(own.count == 100)
    #expect(own.allSatisfy { ServiceRecord.name(Array($0.utf8)) == $0 })
  }
}
