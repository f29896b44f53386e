import Events
import TestKit
import Testing

@testable import Channel

/// The beginning of a channel: who gets through, and what everybody else is told.
@Suite struct GreetingTests {
  private let other = ChannelError.cut(inHandshake: true)

  @Test(arguments: [nil, 9] as [UInt8?]) func bothEndsLearnWhoTheOtherIs(_ key: UInt8?) {
    var ends = Ends(
      Fixed.credentials(1, presharedKey: key), Fixed.credentials(2, presharedKey: key),
      wanted: Fixed.signer(2).peer)
    ends.settle()
    #expect(ends.initiator.state == .open(Fixed.signer(2).peer))
    #expect(ends.responder.state == .open(Fixed.signer(1).peer))
    #expect(ends.fromInitiator.count == 25 + 2 + (key == nil ? 32 : 48) + 2 + 160)
    #expect(ends.fromResponder.count == 25 + 2 + 192 + 2 + 17)
  }

  /// Real keys: no two channels say the same.
  @Test func ephemeralKeysAreNew() {
    var channels = (0..<2).map { _ in Channel(.initiator, Fixed.credentials(1), at: 0) }
    #expect(channels[0].takeOutbox() != channels[1].takeOutbox())
    #expect(KeyPair.generate().publicKey != KeyPair.generate().publicKey)
  }

  /// The initiator does not count as open, and sends nothing, before it heard that its proof was taken.
  @Test func theInitiatorWaitsForTheReadyFrame() throws {
    var ends = Ends()
    Ends.deliver(ends.initiator.takeOutbox(), to: &ends.responder)
    Ends.deliver(ends.responder.takeOutbox(), to: &ends.initiator)
    #expect(ends.initiator.state == .handshaking)
    #expect(throws: ChannelError.self) { try ends.initiator.send([1]) }
    ends.initiator.endOfStream()
    #expect(ends.initiator.closing == other)
  }

  @Test func anotherNetworkIsTold() throws {
    var ends = Ends(Fixed.credentials(1), Fixed.credentials(2, network: try Fixed.network(3)))
    ends.settle()
    #expect(ends.initiator.closing == .otherNetwork)
    #expect(ends.responder.closing == .otherNetwork)
  }

  @Test func anotherVersionIsToldAtBothEnds() {
    for role in [Role.initiator, .responder] {
      for (high, low) in [(0, 0), (0, 1), (0, 3), (1, 2)] as [(UInt8, UInt8)] {
        var ends = Ends()
        // The rest of another version's preamble may be anything, and as long as it likes.
        ends.tamper = { from, at, bytes in
          from == role && at == 0 ? Array(bytes.prefix(6)) + [high, low] + [7, 7, 7] : bytes
        }
        ends.settle()
        let end = role == .initiator ? ends.responder : ends.initiator
        #expect(end.closing == .version(UInt16(high) << 8 | UInt16(low)))
      }
    }
    #expect(ChannelError.version(0).description.contains("the other program is older"))
    #expect(ChannelError.version(3).description.contains("this program is older"))
  }

  @Test func otherProtocolsAreToldNothing() {
    for words in ["GET / HTTP/1.1\r\n\r\n", "SSH-2.0-OpenSSH", "\u{16}\u{3}\u{1}", "parlou", "P"] {
      var channel = Channel(.responder, Fixed.credentials(2), at: 0)
      Ends.deliver(Array(words.utf8), to: &channel)
      #expect(channel.closing == .notParlor, "\(words)")
      #expect(channel.takeOutbox().isEmpty)
    }
    var patient = Channel(.responder, Fixed.credentials(2), at: 0)
    Ends.deliver(Array("parlo".utf8), to: &patient)
    #expect(patient.state == .handshaking && patient.outboxBytes == 0)
  }

  @Test func presharedKeysHaveToAgree() {
    func closings(_ one: UInt8?, _ other: UInt8?) -> [ChannelError?] {
      var ends = Ends(
        Fixed.credentials(1, presharedKey: one), Fixed.credentials(2, presharedKey: other))
      ends.settle()
      if ends.responder.closing != nil { ends.initiator.endOfStream() }
      return [ends.initiator.closing, ends.responder.closing]
    }
    #expect(closings(7, 7) == [nil, nil])
    #expect(closings(7, 8) == [other, .wrongPresharedKey])
    #expect(closings(7, nil) == [.keyedAlone(isHere: true), .keyedAlone(isHere: false)])
    #expect(closings(nil, 7) == [.keyedAlone(isHere: false), .keyedAlone(isHere: true)])
    #expect(PresharedKey([1]) == nil)
  }

  @Test func somebodyElseIsNotWhoWasWanted() {
    let wanted = Fixed.signer(3).peer
    var ends = Ends(wanted: wanted)
    ends.settle()
    #expect(ends.initiator.closing == .otherPeer(wanted: wanted, found: Fixed.signer(2).peer))
    #expect(ends.responder.state == .handshaking)
  }

  @Test func oneselfIsRefused() {
    var ends = Ends(Fixed.credentials(1), Fixed.credentials(1))
    ends.settle()
    #expect(ends.initiator.closing == .oneself)
    // Also what is thrown straight back.
    var channel = Channel(.initiator, Fixed.credentials(1), at: 0)
    Ends.deliver(channel.takeOutbox(), to: &channel)
    #expect(channel.closing != nil)
  }

  /// Every byte that either end sends during the handshake, changed: nobody gets through.
  @Test(arguments: [nil, 9] as [UInt8?], [Role.initiator, .responder])
  func aChangedByteIsNoticed(_ key: UInt8?, _ role: Role) {
    var whole = Ends(Fixed.credentials(1, presharedKey: key), Fixed.credentials(2, presharedKey: key))
    whole.settle()
    let count = (role == .initiator ? whole.fromInitiator : whole.fromResponder).count
    for place in 0..<count {
      for mask in Effort.isQuick ? [0x80] : [1 << UInt8(place % 8), 0x80, 0xFF] as [UInt8] {
        var ends = Ends(Fixed.credentials(1, presharedKey: key), Fixed.credentials(2, presharedKey: key))
        ends.tamper = { from, at, bytes in
          guard from == role, (at..<at + bytes.count).contains(place) else { return bytes }
          var bytes = bytes
          bytes[place - at] ^= mask
          return bytes
        }
        ends.settle()
        #expect(!ends.initiator.isOpen, "byte \(place) of the \(role)")
        #expect(
          ends.initiator.closing != nil || ends.responder.closing != nil, "byte \(place) of the \(role)")
        // The last bytes of the responder say that it is content.
        let isAfterwards = role == .responder && place >= count - 19
        #expect(ends.responder.isOpen == isAfterwards, "byte \(place) of the \(role)")
      }
    }
  }

  /// The other end's bytes stop anywhere: the connection's end and the time limit both say so.
  @Test(arguments: [Role.initiator, .responder]) func aCutHandshakeOpensNothing(_ role: Role) {
    var whole = Ends()
    whole.settle()
    let bytes = role == .initiator ? whole.fromInitiator : whole.fromResponder
    for count in 0..<bytes.count {
      var channel = Channel(
        role.other, Fixed.credentials(role == .initiator ? 2 : 1),
        ephemeral: Fixed.keys(role == .initiator ? 102 : 101), at: 1_000)
      Ends.deliver(Array(bytes.prefix(count)), to: &channel, at: 1_000)
      #expect(channel.state == .handshaking)
      #expect(channel.deadline == 11_000)
      var late = channel
      late.advance(to: 10_999)
      #expect(late.state == .handshaking)
      late.advance(to: 11_000)
      #expect(late.closing == .handshakeTooSlow && late.deadline == nil)
      channel.endOfStream()
      #expect(channel.closing == other)
    }
  }

  /// A message of the handshake has one length; any other is refused before it has come.
  @Test func everyOtherLengthIsRefused() {
    for length in [0, 1, 31, 33, 48, 65_535] {
      var channel = Channel(.responder, Fixed.credentials(2), at: 0)
      let preamble = Preamble(network: .standard, isKeyed: false).encoded()
      Ends.deliver(preamble + [UInt8(length >> 8), UInt8(length & 0xFF)], to: &channel)
      #expect(channel.closing == .badLength(length))
    }
  }
}
