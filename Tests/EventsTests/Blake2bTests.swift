import Events
import TestKit
import Testing

@Suite("BLAKE2b over parts")
struct Blake2bTests {
  @Test("A message hashes alike in whatever pieces it is added, short or long", arguments: 0..<UInt64(20))
  func piecesAreOneMessage(_ seed: UInt64) {
    var random = SeededGenerator(state: seed)
    let hasher = EventHasher(network: .standard)
    for _ in 0..<50 {
      let length = Int.random(in: 0...400, using: &random)
      let body = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      var hash = Blake2b(domain: "parlor-event-2")
      hash.update(NetworkID.standard)
      var rest = body[...]
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 0...160, using: &random))
        hash.update(Array(piece))
        rest = rest.dropFirst(piece.count)
      }
      #expect(EventID(hash.digest()) == hasher.id(ofBody: body))
    }
  }
}
