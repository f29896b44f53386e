import Events
import TestKit
import Testing

@testable import Channel

/// Examples of everything in Docs/PROTOCOL.md §8 that another implementation must make alike.
@Suite struct ChannelVectorTests {
  @Test func channels() throws {
    var file = VectorFile(
      "channel",
      [
        "Whole conversations as Docs/PROTOCOL.md section 8 has them: keys, all that either end sends, in order.",
        "A turn is what one end sends before it waits; `says` are the messages that it sends in that turn.",
        "`-` stands for nothing; static and ephemeral keys are the secret halves.",
      ])
    try append(network: .standard, presharedKey: nil, bulk: 3, to: &file)
    try append(network: try Fixed.network(9), presharedKey: 33, bulk: 2_100, to: &file)
    try appendRefusals(to: &file)
    try file.check()
  }

  /// A conversation: short messages, one that is cut in two, so many small ones that keys are replaced, a ping and
  /// its answer, a farewell.
  private func append(
    network: NetworkID, presharedKey: UInt8?, bulk: Int, to file: inout VectorFile
  ) throws {
    var ends = Ends(
      Fixed.credentials(1, network: network, presharedKey: presharedKey),
      Fixed.credentials(2, network: network, presharedKey: presharedKey))
    var record: VectorFile.Record = [
      ("type", "conversation"), ("network", network.description),
      ("psk", presharedKey.map { Fixed.bytes($0).hex } ?? "-"),
    ]
    for (name, number) in [("initiator", 1), ("responder", 2)] as [(String, UInt8)] {
      record += [
        ("\(name)-identity-seed", Fixed.bytes(number).hex), ("\(name)-static", Fixed.bytes(number + 50).hex),
        ("\(name)-ephemeral", Fixed.bytes(number + 100).hex),
        ("\(name)-peer", "\(Fixed.signer(number).peer)"),
      ]
    }
    for role in [Role.initiator, .responder, .initiator, .responder] {
      turn(role, &ends, says: [], &record)
    }
    let long = (0..<FrameCipher.sentBytes + 5).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let turns: [(Role, [[UInt8]])] = [
      (.initiator, [[], [1, 2, 3]]), (.responder, [Array("parlor".utf8)]),
      (.responder, presharedKey == nil ? [long] : []),
    ]
    for (role, messages) in turns { try say(role, &ends, messages, &record) }
    let many = (0..<bulk).map { [UInt8(truncatingIfNeeded: $0)] }
    // Frames before the last ones are checked by what they lead to: the key of the last ones.
    for message in many { try ends.initiator.send(message) }
    let bytes = ends.initiator.takeOutbox()
    Ends.deliver(bytes, to: &ends.responder)
    record += [("initiator-says-single-bytes", "\(bulk)"), ("last-frame", Array(bytes.suffix(20)).hex)]
    #expect(ends.responder.takeInbox().suffix(bulk) == many[...])
    ends.responder.advance(to: 5_000)
    turn(.responder, &ends, says: [], &record)
    turn(.initiator, &ends, says: [], &record)
    ends.initiator.end(.leaving)
    turn(.initiator, &ends, says: [], &record)
    #expect(ends.responder.closing == .ended(.leaving, byOther: true))
    file.records.append(record)
  }

  private func say(
    _ role: Role, _ ends: inout Ends, _ messages: [[UInt8]], _ record: inout VectorFile.Record
  ) throws {
    for message in messages {
      if role == .initiator { try ends.initiator.send(message) } else { try ends.responder.send(message) }
    }
    turn(role, &ends, says: messages, &record)
  }

  private func turn(_ role: Role, _ ends: inout Ends, says: [[UInt8]], _ record: inout VectorFile.Record) {
    let bytes = role == .initiator ? ends.initiator.takeOutbox() : ends.responder.takeOutbox()
    if bytes.isEmpty { return }
    if !says.isEmpty {
      record.append(("\(role)-says", says.map { $0.isEmpty ? "-" : $0.hex }.joined(separator: " ")))
    }
    record.append(("\(role)-sends", bytes.hex))
    if role == .initiator {
      Ends.deliver(bytes, to: &ends.responder)
    } else {
      Ends.deliver(bytes, to: &ends.initiator)
    }
  }

  /// First bytes that a responder of the standard network refuses at once, and why.
  private func appendRefusals(to file: inout VectorFile) throws {
    let preamble = Preamble(network: .standard, isKeyed: false).encoded()
    let beginnings: [(String, [UInt8])] = [
      ("not-parlor", Array("GET /".utf8)), ("version", preamble.prefix(6) + [0, 3]),
      ("other-network", Preamble(network: try Fixed.network(3), isKeyed: false).encoded()),
      ("keyed", Preamble(network: .standard, isKeyed: true).encoded()),
      ("length", preamble + [0, 33]),
      ("low-order", preamble + [0, 32] + [UInt8](repeating: 0, count: 32)),
    ]
    for (reason, bytes) in beginnings {
      var channel = Channel(.responder, Fixed.credentials(2), ephemeral: Fixed.keys(102), at: 0)
      Ends.deliver(bytes, to: &channel)
      let words = try #require(channel.closing).description
      let answer = channel.takeOutbox()
      file.records.append([
        ("type", "refused"), ("reason", reason), ("initiator-sends", bytes.hex),
        ("responder-sends", answer.isEmpty ? "-" : answer.hex), ("words", words),
      ])
    }
  }
}
