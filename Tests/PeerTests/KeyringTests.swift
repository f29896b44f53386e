import BotKit
import EventLog
import Events
import TestKit
import Testing

@testable import Peer

/// The keys of one process: who comes and goes has one number while it is there, whatever came and went before.
@Suite struct KeyringTests {
  private static let keys = (0..<6).map { SigningKey(seed: [UInt8](repeating: UInt8($0 + 1), count: 32)) }

  private func check(_ ring: Keyring, present: Set<Int>) {
    var numbers: Set<Int> = [0]
    for (index, key) in Self.keys.enumerated() {
      let number = ring.number(of: key.peer)
      #expect((number != nil) == present.contains(index), "key \(index)")
      guard let number else { continue }
      #expect(ring.ids[number] == key.peer && ring.signers[number].peer == key.peer)
      #expect(numbers.insert(number).inserted, "two keys have number \(number)")
    }
  }

  /// The first one took the second one's number, and was looked for under its own.
  @Test func whoComesBackAfterTwoHaveGoneIsFound() throws {
    var ring = Keyring(owner: SigningKey(seed: [UInt8](repeating: 9, count: 32)))
    for key in Self.keys.prefix(2) { _ = ring.add(key, isNew: false) }
    for key in Self.keys.prefix(2) { ring.dismiss(try #require(ring.number(of: key.peer))) }
    _ = ring.add(Self.keys[0], isNew: false)
    check(ring, present: [0])
  }

  @Test(arguments: 1...UInt64(Effort.size(200, quick: 20)))
  func whoIsThereIsFound(_ seed: UInt64) throws {
    var (random, present) = (RandomStream(seed: seed), Set<Int>())
    var ring = Keyring(owner: SigningKey(seed: [UInt8](repeating: 9, count: 32)))
    for _ in 0..<60 {
      let index = Int(random.below(UInt64(Self.keys.count)))
      if present.remove(index) != nil {
        ring.dismiss(try #require(ring.number(of: Self.keys[index].peer)))
      } else {
        present.insert(index)
        _ = ring.add(Self.keys[index], isNew: false)
      }
      check(ring, present: present)
    }
    #expect(ring.ids.count <= Self.keys.count + 1)
  }
}
