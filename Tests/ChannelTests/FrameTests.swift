import BotKit
import Events
import Gossip
import TestKit
import Testing

@testable import Channel

/// What both ends say to each other once they know who they are.
@Suite struct FrameTests {
  private static let peer = Fixed.signer(1).peer

  /// Messages of many lengths around those at which they are cut.
  private static func messages(_ random: inout RandomStream, _ count: Int) -> [[UInt8]] {
    let limits = [0, 1, FrameCipher.sentBytes, 2 * FrameCipher.sentBytes, Channel.limitMessageBytes - 4]
    return (0..<count).map { number in
      random.bytes(number < limits.count ? limits[number] + number : Int(random.below(3_000)))
    }
  }

  @Test func theLongestMessageOfGossipFits() {
    #expect(Message.limitBytes <= Channel.limitMessageBytes)
  }

  @Test(arguments: [Role.initiator, .responder]) func messagesArriveWholeAndInOrder(_ role: Role) throws {
    var random = RandomStream(seed: 1)
    var ends = Ends.open()
    var messages = Self.messages(&random, 40)
    messages.append(random.bytes(Channel.limitMessageBytes))
    var came: [[UInt8]] = []
    for message in messages {
      if role == .initiator { try ends.initiator.send(message) } else { try ends.responder.send(message) }
      ends.settle()
      came += role == .initiator ? ends.responder.takeInbox() : ends.initiator.takeInbox()
    }
    #expect(came == messages)
    #expect(ends.isOpen)
  }

  /// Whatever portions the bytes come in, the other end makes the same of them.
  @Test(arguments: [1, 2, 3, 25, 700, 20_000, 400_000]) func anySplitGivesTheSame(_ limit: Int) throws {
    var random = RandomStream(seed: UInt64(limit))
    var ends = Ends.open()
    let messages = Self.messages(&random, limit == 1 ? 3 : 12)
    for message in messages { try ends.initiator.send(message) }
    ends.initiator.end(.leaving)
    ends.settle()
    let answer = ends.fromResponder
    for _ in 0..<(limit < 4 ? 1 : 3) {
      var channel = Channel(.responder, Fixed.credentials(2), ephemeral: Fixed.keys(102), at: 0)
      var inbox: [[UInt8]] = []
      var outbox: [UInt8] = []
      for portion in random.portions(of: ends.fromInitiator, upTo: limit) {
        try channel.receive(portion, at: 5)
        inbox += channel.takeInbox()
        outbox += channel.takeOutbox()
      }
      #expect(inbox == messages)
      #expect(outbox == answer)
      #expect(channel.closing == .ended(.leaving, byOther: true))
    }
  }

  /// What came before a broken frame has arrived, also when it came together with it.
  @Test func whatCameBeforeABrokenFrameHasArrived() throws {
    var ends = Ends.open()
    try ends.initiator.send([1])
    try ends.initiator.send([2])
    var bytes = ends.initiator.takeOutbox()
    bytes[bytes.count - 1] ^= 1
    #expect(throws: ChannelError.frameBroken) { try ends.responder.receive(bytes, at: 0) }
    #expect(ends.responder.takeInbox() == [[1]])
    try ends.responder.receive(bytes, at: 0)
    #expect(ends.responder.takeInbox().isEmpty)
  }

  /// Bytes in clear, at either end, in any portions: they end the channel at once, or with the time of silence where
  /// they say that more is to come, and nothing of them is a message. What is sealed leaves it open.
  @Test(arguments: [Role.initiator, .responder], [1, 3, 100_000]) func bytesInClearEndTheChannel(
    _ role: Role, _ limit: Int
  ) throws {
    func frame(_ content: [UInt8], proof: [UInt8]) -> [UInt8] {
      let length = content.count + FrameCipher.leastBytes
      return [UInt8(length >> 8), UInt8(length & 0xFF)] + content + [FrameKind.message.rawValue] + proof
    }
    let words = Array("a move".utf8)
    let clear: [(bytes: [UInt8], isWhole: Bool)] = [
      (frame(words, proof: [UInt8](repeating: 0, count: CipherState.tagBytes)), true),
      (frame(words, proof: Array("sixteen letters.".utf8)), true), ([0, 0], true), ([0, 16, 1], true),
      (Array("GET / HTTP/1.1\r\n\r\n".utf8), false), (Array("PRLR".utf8), false), ([255], false),
      ([UInt8](repeating: 65, count: 70_000), true), ([UInt8](repeating: 0, count: 70_000), true),
    ]
    for (number, (bytes, isWhole)) in clear.enumerated() {
      var ends = Ends.open()
      if role == .initiator { try ends.responder.send(words) } else { try ends.initiator.send(words) }
      let sealed = role == .initiator ? ends.responder.takeOutbox() : ends.initiator.takeOutbox()
      var channel = role == .initiator ? ends.initiator : ends.responder
      try channel.receive(sealed, at: 1)
      #expect(channel.takeInbox() == [words])
      for start in stride(from: 0, to: bytes.count, by: limit) where channel.isOpen {
        Ends.deliver(Array(bytes[start..<min(start + limit, bytes.count)]), to: &channel, at: 2)
      }
      #expect(channel.isOpen != isWhole, "number \(number)")
      // Bytes that make no frame are no sign of life.
      channel.advance(to: 1 + channel.settings.silenceMilliseconds)
      #expect(!channel.isOpen, "number \(number)")
      #expect(channel.takeInbox().isEmpty && channel.takePeers().isEmpty, "number \(number)")
    }
  }

  /// Frames of three messages, one by one.
  private func threeFrames(_ ends: inout Ends) throws -> [[UInt8]] {
    try ([[1], [2, 2], [3, 3, 3]] as [[UInt8]]).map { message in
      try ends.initiator.send(message)
      return ends.initiator.takeOutbox()
    }
  }

  @Test(arguments: [[0, 0], [1], [0, 2], [1, 0, 2], [0, 1, 0]] as [[Int]])
  func repeatedAndReorderedFramesAreRefused(
    _ order: [Int]
  ) throws {
    var ends = Ends.open()
    let frames = try threeFrames(&ends)
    Ends.deliver(order.flatMap { frames[$0] }, to: &ends.responder)
    #expect(ends.responder.closing == .frameBroken)
  }

  /// One's own frames thrown back, and frames of an earlier channel between the same peers.
  @Test func framesOfOthersAreRefused() throws {
    var ends = Ends.open()
    let frames = try threeFrames(&ends)
    Ends.deliver(frames[0], to: &ends.initiator)
    #expect(ends.initiator.closing == .frameBroken)
    var later = Ends(Fixed.credentials(1), Fixed.credentials(2))
    later.responder = Channel(.responder, Fixed.credentials(2), ephemeral: Fixed.keys(104), at: 0)
    later.settle()
    Ends.deliver(frames[0], to: &later.responder)
    #expect(later.responder.closing == .frameBroken)
  }

  @Test func everyChangedByteOfAFrameIsRefused() throws {
    var ends = Ends.open()
    try ends.initiator.send(Array(1...20))
    let frame = ends.initiator.takeOutbox()
    #expect(frame.count == 2 + 20 + 17)
    for place in frame.indices {
      for bit in 0..<8 {
        var responder = ends.responder
        var bytes = frame
        bytes[place] ^= 1 << UInt8(bit)
        Ends.deliver(bytes + frame + frame + frame + frame, to: &responder)
        // A frame that says that it is longer is not whole yet where no more has come.
        let isWaiting = place == 0 && responder.state == .open(Self.peer)
        #expect(isWaiting || responder.closing != nil, "bit \(bit) of byte \(place)")
        #expect(responder.takeInbox().isEmpty)
      }
    }
  }

  @Test func keysAreReplacedAndNumbersEnd() throws {
    var ends = Ends.open()
    for number in 0..<3 * FrameCipher.framesPerKey {
      try ends.initiator.send([UInt8(truncatingIfNeeded: number)])
      if number % 5 == 0 { try ends.responder.send([1]) }
      if number % 64 == 0 { ends.settle() }
    }
    ends.settle()
    #expect(ends.responder.takeInbox().count == 3 * Int(FrameCipher.framesPerKey))
    #expect(ends.isOpen)
    let key = Secret(copying: Fixed.bytes(1))
    var cipher = CipherState(key: key, nonce: 5)
    var sealed: [UInt8] = [1, 2]
    cipher.rekey()
    try cipher.seal(&sealed, from: 0)
    var opened: [UInt8] = []
    var old = CipherState(key: key, nonce: 5)
    #expect(throws: NoiseError.doesNotOpen) { try old.open(sealed, 0..<sealed.count, into: &opened) }
    #expect(cipher.nonce == 6 && old.nonce == 5 && opened.isEmpty)
  }

  @Test func theLastNumberIsNeverUsed() throws {
    let key = Secret(copying: Fixed.bytes(1))
    var cipher = CipherState(key: key, nonce: .max - 1)
    var bytes: [UInt8] = [1]
    try cipher.seal(&bytes, from: 0)
    #expect(throws: NoiseError.exhausted) { try cipher.seal(&bytes, from: 0) }
    #expect(bytes.count == 17)
    var frames = FrameCipher(sending: cipher, receiving: cipher)
    var output: [UInt8] = [9]
    #expect(throws: NoiseError.exhausted) { try frames.seal(.ping, into: &output) }
    #expect(throws: NoiseError.exhausted) { try frames.open(bytes, 0..<17, into: &output) }
    #expect(output == [9])
  }

  /// Frames that open, because an end that was taken over sealed them, and say what there is not.
  @Test func framesThatAreNoneEndTheChannel() throws {
    func closing(_ frames: [(FrameKind, [UInt8])]) throws -> ChannelError? {
      var noise = Ends.open()
      let secret = Secret(copying: Fixed.bytes(5))
      noise.responder.replaceCiphers(CipherState(key: secret), CipherState(key: secret))
      var cipher = FrameCipher(sending: CipherState(key: secret), receiving: CipherState(key: secret))
      var bytes: [UInt8] = []
      for (kind, content) in frames { try cipher.seal(kind, content[...], into: &bytes) }
      Ends.deliver(bytes, to: &noise.responder)
      return noise.responder.closing
    }
    #expect(try closing([(.message, [1]), (.part, [2]), (.ping, []), (.pong, []), (.message, [])]) == nil)
    for frames in [
      [(.ready, [])], [(.part, [])], [(.ping, [1])], [(.pong, [1])], [(.farewell, [])],
      [(.farewell, [99])], [(.farewell, [0, 0])],
      [(.peers, [UInt8](repeating: 0, count: Channel.limitPeersBytes + 1))],
    ] as [[(FrameKind, [UInt8])]] {
      guard case .badFrame = try closing(frames) else {
        Issue.record("\(frames) gave \(String(describing: try closing(frames)))")
        continue
      }
    }
    let full = [UInt8](repeating: 0, count: FrameCipher.limitBytes - FrameCipher.leastBytes)
    let longest = [UInt8](repeating: 0, count: Channel.limitMessageBytes - 2 * full.count)
    #expect(try closing([(.part, full), (.part, full)]) == nil)
    let filled: [(FrameKind, [UInt8])] = [(.part, full), (.part, full), (.part, longest)]
    #expect(try closing(filled + [(.peers, [1, 2]), (.message, [])]) == nil)
    #expect(try closing([(.part, full), (.part, full), (.message, full)]) == .messageTooLong)
  }

  /// Lists of peers come between the parts of a message, and do not change it.
  @Test func listsOfPeersComeInBetween() throws {
    var noise = Ends.open()
    let secret = Secret(copying: Fixed.bytes(5))
    noise.responder.replaceCiphers(CipherState(key: secret), CipherState(key: secret))
    var cipher = FrameCipher(sending: CipherState(key: secret), receiving: CipherState(key: secret))
    var bytes: [UInt8] = []
    try cipher.seal(.part, [1, 2], into: &bytes)
    try cipher.seal(.peers, [7, 8, 9], into: &bytes)
    try cipher.seal(.message, [3], into: &bytes)
    for _ in 0..<40 { try cipher.seal(.peers, [7], into: &bytes) }
    Ends.deliver(bytes, to: &noise.responder)
    #expect(noise.responder.takeInbox() == [[1, 2, 3]])
    let lists = noise.responder.takePeers()
    #expect(lists.first == [7, 8, 9])
    #expect(lists.count == 16)
    #expect(noise.responder.takePeers().isEmpty)
    try noise.initiator.sendPeers([4, 5])
    #expect(noise.isOpen)
  }

  /// Nothing but `ready` comes from a responder first.
  @Test func nothingComesBeforeReady() throws {
    var ends = Ends()
    Ends.deliver(ends.initiator.takeOutbox(), to: &ends.responder)
    Ends.deliver(ends.responder.takeOutbox(), to: &ends.initiator)
    let secret = Secret(copying: Fixed.bytes(5))
    ends.initiator.replaceCiphers(CipherState(key: secret), CipherState(key: secret))
    var cipher = FrameCipher(sending: CipherState(key: secret), receiving: CipherState(key: secret))
    var bytes: [UInt8] = []
    try cipher.seal(.message, [], into: &bytes)
    var other = ends.initiator
    Ends.deliver([0, 18], to: &other)
    #expect(other.closing == .badLength(18))
    Ends.deliver(bytes, to: &ends.initiator)
    guard case .badFrame = ends.initiator.closing else {
      Issue.record("\(ends.initiator.state)")
      return
    }
  }

  // MARK: - Time and the end

  @Test func whoIsSilentIsAskedAndThenGivenUp() throws {
    var ends = Ends.open()
    #expect(ends.initiator.deadline == 5_000)
    ends.initiator.advance(to: 4_999)
    #expect(ends.initiator.outboxBytes == 0)
    ends.initiator.advance(to: 5_000)
    #expect(ends.initiator.outboxBytes == 19 && ends.initiator.deadline == 10_000)
    ends.settle(at: 5_100)
    #expect(ends.initiator.deadline == 10_100)
    // Now the other end is gone.
    for time in [10_100, 15_100] as [UInt64] { ends.initiator.advance(to: time) }
    #expect(ends.initiator.isOpen && ends.initiator.outboxBytes == 38)
    #expect(ends.initiator.deadline == 20_100)
    ends.initiator.advance(to: 20_100)
    #expect(ends.initiator.closing == .silent && ends.initiator.deadline == nil)
    var quiet = ends.responder
    quiet.advance(to: .max)
    #expect(quiet.closing == .silent)
  }

  /// Whose bytes are not read cannot be called silent; single bytes are no sign of life.
  @Test func silenceCountsWhileOneReads() throws {
    var ends = Ends.open()
    ends.initiator.setReading(false, at: 1_000)
    #expect(ends.initiator.deadline == nil)
    ends.initiator.advance(to: 60_000)
    #expect(ends.initiator.isOpen)
    ends.initiator.setReading(true, at: 60_000)
    #expect(ends.initiator.deadline == 65_000)
    try ends.initiator.receive([0], at: 64_000)
    ends.initiator.advance(to: 75_000)
    #expect(ends.initiator.closing == .silent)
  }

  /// Pings without end that nobody reads the answers of are answered once.
  @Test func aFloodOfPingsFillsNothing() throws {
    var ends = Ends.open()
    for time in 1...1_000 as ClosedRange<UInt64> {
      ends.initiator.advance(to: time * 5_000)
      try ends.responder.receive(ends.initiator.takeOutbox(), at: time * 5_000)
      // The answers come, and nobody asks for them to be sent.
      ends.initiator.setReading(false, at: time * 5_000)
      ends.initiator.setReading(true, at: time * 5_000)
    }
    #expect(ends.responder.outboxBytes == 19)
    #expect(ends.isOpen)
  }

  @Test func whoDoesNotReadIsGivenUp() throws {
    var settings = ChannelSettings()
    settings.limitOutboxBytes = 10_000
    var ends = Ends.open(settings: settings)
    #expect(throws: ChannelError.unread) {
      for _ in 0..<11 { try ends.initiator.send([UInt8](repeating: 0, count: 1_000)) }
    }
    #expect(ends.initiator.closing == .unread && ends.initiator.outboxBytes <= 10_200)
    #expect(throws: ChannelError.unread) { try ends.initiator.send([1]) }
  }

  @Test(arguments: Farewell.allCases) func goodbyeIsHeard(_ farewell: Farewell) throws {
    var ends = Ends.open()
    try ends.initiator.send([1])
    ends.initiator.end(farewell)
    #expect(ends.initiator.closing == .ended(farewell, byOther: false))
    ends.settle()
    #expect(ends.responder.closing == .ended(farewell, byOther: true))
    #expect(ends.responder.takeInbox() == [[1]])
    ends.responder.endOfStream()
    #expect(ends.responder.closing == .ended(farewell, byOther: true))
    var cut = Ends.open()
    cut.initiator.endOfStream()
    #expect(cut.initiator.closing == .cut(inHandshake: false))
  }
}
