import Network
import Testing

@testable import Discovery

/// Which addresses are believed: those on the link over which they came.
@Suite struct LocalLinksTests {
  private static let linkLocal: [UInt8] = [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [7]
  private static let global: [UInt8] = [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1]

  private let links = LocalLinks(addresses: [
    InterfaceAddress(index: 1, interface: "lo", bytes: [127, 0, 0, 1], prefixBits: 8),
    InterfaceAddress(index: 2, interface: "e0", bytes: [10, 99, 0, 1], prefixBits: 20),
    InterfaceAddress(index: 2, interface: "e0", bytes: linkLocal, prefixBits: 64),
    InterfaceAddress(index: 2, interface: "e0", bytes: global, prefixBits: 64),
    InterfaceAddress(index: 3, interface: "e1", bytes: [192, 168, 1, 1], prefixBits: 24),
  ])

  private func text(_ bytes: [UInt8], port: UInt16 = 9, on interface: UInt32 = 2) -> String? {
    links.address(bytes, port: port, on: interface)?.description
  }

  @Test func addressesOnTheLink() {
    #expect(text([10, 99, 15, 254]) == "10.99.15.254:9")
    #expect(text([127, 0, 0, 1], on: 1) == "127.0.0.1:9")
    #expect(text([169, 254, 3, 4]) == "169.254.3.4:9")
    #expect(text(Self.global.dropLast() + [2]) == "[2001:db8::2]:9")
    #expect(text(Self.linkLocal.dropLast() + [8]) == "[fe80::8%e0]:9")
    #expect(Address(host: "fe80::8%e0", port: 9).isNearby)
  }

  @Test func addressesElsewhere() {
    #expect(text([10, 99, 16, 1]) == nil)
    #expect(text([127, 0, 0, 1]) == nil, "this machine itself, heard of on a network")
    #expect(text([192, 168, 1, 2]) == nil, "another interface")
    #expect(text([8, 8, 8, 8]) == nil)
    #expect(text([10, 99, 0, 1], on: 9) == nil, "an interface that there is not")
    #expect(text([10, 99, 0, 1], port: 0) == nil)
    #expect(text([0x20, 1, 0x0D, 0xB9] + Self.global.dropFirst(4)) == nil)
  }

  @Test func addressesOfNobodyAndOfMany() {
    let everywhere = LocalLinks(addresses: [
      InterfaceAddress(index: 2, interface: "e0", bytes: [10, 0, 0, 1], prefixBits: 0),
      InterfaceAddress(index: 2, interface: "e0", bytes: Self.global, prefixBits: 0),
    ])
    let zero = [UInt8](repeating: 0, count: 16)
    let nobody: [[UInt8]] = [[0, 0, 0, 0], [0, 1, 2, 3], zero]
    let many: [[UInt8]] = [[224, 0, 0, 251], [255, 255, 255, 255], [0xFF] + zero.dropFirst()]
    let strange: [[UInt8]] = [[], [10], [10, 0, 0], [10, 0, 0, 1, 1], zero + [1]]
    for bytes in nobody + many + strange {
      #expect(everywhere.address(bytes, port: 9, on: 2) == nil, "\(bytes)")
    }
    #expect(everywhere.address([8, 8, 8, 8], port: 9, on: 2) != nil)
  }

  @Test func whatIsAnnounced() {
    #expect(
      links.addresses.filter(\.isAnnounced).map(\.bytes)
        == links.addresses.map(\.bytes).filter { $0 != Self.global })
  }

  @Test func prefixesOfAnyLength() {
    for bits in -1...33 {
      let own = InterfaceAddress(index: 1, interface: "e", bytes: [0xAA, 0xAA, 0xAA, 0xAA], prefixBits: bits)
      #expect(own.isNeighbour([0xAA, 0xAA, 0xAA, 0xAA]) == (0...32).contains(bits))
      for bit in 0..<32 {
        var other = own.bytes
        other[bit / 8] ^= 0x80 >> UInt8(bit % 8)
        #expect(own.isNeighbour(other) == ((0...32).contains(bits) && bit >= bits))
      }
    }
  }

  @Test func theSystemsOwn() {
    let current = LocalLinks.current()
    #expect(
      current.addresses.allSatisfy {
        [4, 16].contains($0.bytes.count) && $0.index > 0 && !$0.interface.isEmpty
      })
    #expect(current.addresses.allSatisfy { (0...$0.bytes.count * 8).contains($0.prefixBits) })
  }
}
