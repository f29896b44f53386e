import Channel
import Events

/// Any bytes as what the other end of a channel sends: an end that has just begun takes them or closes, keeps little,
/// and whatever portions they come in, it does the same. Then an open end gets them, whole and behind true frames.
enum ChannelTarget {
  private static func bytes(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }

  private static func credentials(_ number: UInt8) -> Credentials {
    Credentials(
      signer: SigningKey(seed: bytes(number)), network: .standard, keys: KeyPair(secret: bytes(number + 10)))
  }

  private static func end(_ role: Role) -> Channel {
    Channel(
      role, credentials(role.rawValue), ephemeral: KeyPair(secret: bytes(role.rawValue + 20)), at: 0)
  }

  private static let beginnings = [end(.initiator), end(.responder)]

  /// Both ends of an open channel.
  private static let open: (Channel, Channel) = {
    var ends = (beginnings[0], beginnings[1])
    for _ in 0..<3 {
      take(ends.0.takeOutbox(), &ends.1)
      take(ends.1.takeOutbox(), &ends.0)
    }
    guard case .open = ends.0.state, case .open = ends.1.state else { Fuzz.fail("no channel to begin with") }
    return ends
  }()

  static func run(_ input: [UInt8]) {
    for beginning in beginnings {
      let whole = hear([input], beginning)
      let cut = hear(portions(of: input), beginning)
      Fuzz.promise(whole == cut, "other portions, another end: \(whole.state), \(cut.state)")
      if case .open = whole.state { Fuzz.fail("it opened to somebody without a key") }
    }
    var (sender, receiver) = open
    do throws(ChannelError) { try sender.send(input) } catch { Fuzz.fail("not sent: \(error)") }
    let heard = hear(portions(of: sender.takeOutbox() + input), receiver)
    Fuzz.promise(heard.inbox == [input], "a message arrived as \(heard.inbox)")
    take(input, &receiver)
    Fuzz.promise(receiver.takeInbox().isEmpty, "a message came out of nothing")
  }

  private struct Outcome: Equatable {
    var state: Channel.State
    var inbox: [[UInt8]] = []
    var outbox: [UInt8] = []
  }

  private static func hear(_ portions: [[UInt8]], _ channel: Channel) -> Outcome {
    var channel = channel
    var outcome = Outcome(state: channel.state)
    for portion in portions {
      take(portion, &channel)
      outcome.inbox += channel.takeInbox()
      Fuzz.promise(
        channel.heldBytes <= 65_535 + Channel.limitMessageBytes, "\(channel.heldBytes) bytes are kept")
    }
    outcome.outbox = channel.takeOutbox()
    outcome.state = channel.state
    channel.advance(to: 10_000)
    if case .handshaking = channel.state { Fuzz.fail("a handshake lasts for ever") }
    return outcome
  }

  private static func take(_ bytes: [UInt8], _ channel: inout Channel) {
    do throws(ChannelError) { try channel.receive(bytes, at: 0) } catch {
      Fuzz.promise(channel.state == .closed(error), "it threw \(error) and is \(channel.state)")
    }
  }

  /// The input in portions whose lengths are in it.
  private static func portions(of input: [UInt8]) -> [[UInt8]] {
    var portions: [[UInt8]] = []
    var rest = input[...]
    while let first = rest.first {
      let count = 1 + Int(first % 40)
      portions.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return portions
  }
}
