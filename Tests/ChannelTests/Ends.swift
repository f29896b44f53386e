import BotKit
import Events
import Testing

@testable import Channel

/// Keys that are the same in every run.
enum Fixed {
  static func bytes(_ number: UInt8) -> [UInt8] { (0..<32).map { number &* 37 &+ $0 } }
  static func signer(_ number: UInt8) -> SigningKey { SigningKey(seed: bytes(number)) }
  static func keys(_ number: UInt8) -> KeyPair { KeyPair(secret: bytes(number)) }
  static func network(_ number: UInt8) throws -> NetworkID { NetworkID(try #require(Bytes32(bytes(number)))) }

  static func credentials(
    _ number: UInt8, network: NetworkID = .standard, presharedKey: UInt8? = nil
  ) -> Credentials {
    Credentials(
      signer: signer(number), network: network, keys: keys(number &+ 50),
      presharedKey: presharedKey.flatMap { PresharedKey(bytes($0)) })
  }
}

/// Both ends of a connection, and what each has sent.
struct Ends {
  var initiator: Channel
  var responder: Channel
  /// Everything that was sent, as it was sent.
  var fromInitiator: [UInt8] = []
  var fromResponder: [UInt8] = []
  /// Changes what is sent; gets who sent it, where in all that it sent, and the bytes.
  var tamper: (Role, Int, [UInt8]) -> [UInt8] = { _, _, bytes in bytes }

  init(
    _ one: Credentials = Fixed.credentials(1), _ other: Credentials = Fixed.credentials(2),
    wanted: PeerID? = nil, settings: ChannelSettings = .standard
  ) {
    initiator = Channel(
      .initiator, one, ephemeral: Fixed.keys(101), wanted: wanted, settings: settings, at: 0)
    responder = Channel(.responder, other, ephemeral: Fixed.keys(102), settings: settings, at: 0)
  }

  /// Both ends, open.
  static func open(settings: ChannelSettings = .standard, presharedKey: UInt8? = nil) -> Ends {
    var ends = Ends(
      Fixed.credentials(1, presharedKey: presharedKey), Fixed.credentials(2, presharedKey: presharedKey),
      settings: settings)
    ends.settle()
    return ends
  }

  /// Delivers until nothing is under way.
  mutating func settle(at now: UInt64 = 0) {
    while initiator.outboxBytes + responder.outboxBytes > 0 {
      let sent = initiator.takeOutbox()
      let change = tamper(.initiator, fromInitiator.count, sent)
      fromInitiator += sent
      Ends.deliver(change, to: &responder, at: now)
      let answered = responder.takeOutbox()
      let changed = tamper(.responder, fromResponder.count, answered)
      fromResponder += answered
      Ends.deliver(changed, to: &initiator, at: now)
    }
  }

  /// Delivers bytes, and sees that what is thrown is what the state says.
  static func deliver(_ bytes: [UInt8], to channel: inout Channel, at now: UInt64 = 0) {
    do throws(ChannelError) { try channel.receive(bytes, at: now) } catch {
      #expect(channel.state == .closed(error))
    }
  }

  var isOpen: Bool { initiator.isOpen && responder.isOpen }
}

extension Channel {
  var isOpen: Bool { if case .open = state { true } else { false } }
}

extension RandomStream {
  /// Random bytes.
  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }

  /// Bytes in portions of random lengths up to a limit.
  mutating func portions(of bytes: [UInt8], upTo limit: Int) -> [[UInt8]] {
    var portions: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      portions.append(Array(rest.prefix(1 + Int(below(UInt64(limit))))))
      rest = rest.dropFirst(portions[portions.count - 1].count)
    }
    return portions
  }
}
