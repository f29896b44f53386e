import BotKit
import Events
import TestKit
import Testing

@testable import Channel

/// Whatever comes, nothing traps, little is kept, and a channel that has closed stays as it is.
@Suite struct AnyBytesTests {
  private static func check(_ channel: inout Channel, _ bytes: [UInt8], _ random: inout RandomStream) {
    var time: UInt64 = 0
    for portion in random.portions(of: bytes, upTo: 200) {
      time += 10
      let before = channel.closing
      Ends.deliver(portion, to: &channel, at: time)
      if let before { #expect(channel.closing == before) }
      #expect(channel.heldBytes <= FrameCipher.limitBytes + Channel.limitMessageBytes)
      if channel.state == .handshaking { #expect(channel.heldBytes <= 192) }
      channel.advance(to: time)
    }
  }

  @Test func randomBytesOpenNothing() {
    for seed in 0..<UInt64(Effort.size(2_000, quick: 100)) {
      var random = RandomStream(seed: seed)
      for role in [Role.initiator, .responder] {
        var channel = Channel(role, Fixed.credentials(2), ephemeral: Fixed.keys(102), at: 0)
        // Some begin well.
        let preamble = Preamble(network: .standard, isKeyed: false).encoded()
        let start = random.below(2) == 0 ? preamble.prefix(Int(random.below(26))) : []
        let length: [UInt8] = random.below(2) == 0 ? [0, role == .initiator ? 192 : 32] : []
        Self.check(&channel, start + length + random.bytes(Int(random.below(600))), &random)
        #expect(!channel.isOpen)
      }
    }
  }

  /// True streams with bytes changed, lost, doubled or put in.
  @Test func changedStreamsDeliverNothingFalse() throws {
    for seed in 0..<UInt64(Effort.size(1_000, quick: 60)) {
      var random = RandomStream(seed: seed)
      var ends = Ends.open()
      let sent = (0..<6).map { _ in random.bytes(Int(random.below(300))) }
      for message in sent { try ends.initiator.send(message) }
      ends.settle()
      var bytes = ends.fromInitiator
      for _ in 0..<1 + random.below(3) {
        let place = Int(random.below(UInt64(bytes.count)))
        switch random.below(4) {
        case 0: bytes[place] ^= 1 << UInt8(random.below(8))
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        default: bytes.removeLast(bytes.count - place)
        }
        if bytes.isEmpty { break }
      }
      var channel = Channel(.responder, Fixed.credentials(2), ephemeral: Fixed.keys(102), at: 0)
      Self.check(&channel, bytes, &random)
      let came = channel.takeInbox()
      #expect(came == Array(sent.prefix(came.count)))
    }
  }
}
