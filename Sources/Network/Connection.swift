internal import Channel
internal import Events
internal import Gossip

/// A connection of a node: the stream, and the channel that it carries.
final class Connection {
  let stream: any ByteStream
  let role: Role
  /// What made it, where this end did.
  let dial: Dial?
  let began: UInt64
  var channel: Channel
  /// The peer, and what the core calls it, from when the core knows of the connection.
  var peer: PeerID?
  var neighbour: Neighbour?
  /// Who the other end is, from when it is known that another process of that peer is connected.
  var claimed: PeerID?
  /// Where the peer waits for connections, as far as it is known.
  var listening: Address?
  /// Another process of the peer that is connected here, which waits to hear whether this one is there still, and
  /// until when.
  var rival: Connection?
  var rivalDeadline = UInt64.max
  /// Whether the node has done with it.
  var isDropped = false

  init(
    _ stream: any ByteStream, _ role: Role, _ dial: Dial?, _ channel: Channel, at now: UInt64
  ) {
    self.stream = stream
    self.role = role
    self.dial = dial
    self.channel = channel
    began = now
  }

  /// How many bytes wait to be sent.
  var queuedBytes: Int { channel.outboxBytes + stream.queuedBytes }

  /// Hands on what is to be sent, unless the network has enough of it.
  func flush(limit: Int) {
    guard channel.outboxBytes > 0, stream.queuedBytes < limit else { return }
    stream.write(channel.takeOutbox())
  }
}

/// An address that a node stays connected to.
final class Dial {
  let address: Address
  /// Who must be there; `nil` for anybody.
  private(set) var wanted: PeerID?
  /// Whether another peer said that it is there, and nobody else.
  private(set) var isTold: Bool
  /// How often in a row there was no connection.
  var failures = 0
  var backoff = Backoff()
  /// When to try next; `nil` while a connection is made or stands, or there is no use.
  var due: UInt64?
  /// What is being made, and until when.
  var attempt: (any ConnectionAttempt)?
  var attemptDeadline: UInt64 = .max
  var isConnected = false
  /// Who answered there last.
  var peer: PeerID?
  /// Why it is not connected, in words.
  var failure: String?
  /// Why this end refused last what came from there.
  var refusal: Refusal?

  init(_ address: Address, wanted: PeerID?, isTold: Bool = false, at now: UInt64) {
    self.address = address
    self.wanted = wanted
    self.isTold = isTold
    due = now
  }

  /// A person or discovery names the address too.
  func confirm(wanted: PeerID?) {
    self.wanted = wanted
    isTold = false
  }

  /// Who is there, as far as it is known.
  var expected: PeerID? { peer ?? wanted }
}
