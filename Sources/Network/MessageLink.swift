package import Channel
package import Events

/// What a peer knows of a connection: messages to and from one peer, who has proven who it is.
///
/// A channel over a stream of bytes makes one (`ChannelLink`). To be used on its loop's thread; its owner closes it.
package protocol MessageLink: AnyObject {
  /// Which end made it.
  var role: Role { get }
  /// Where the other end is, as far as the network knows.
  var remote: Address { get }
  /// Whether the other end is on this machine or its local network; both ends see that alike.
  var isNearby: Bool { get }
  /// The other end, from when both have proven who they are; also when the link has ended since.
  var peer: PeerID? { get }
  /// Which process of that peer it is.
  var process: Bytes32? { get }
  /// Why nothing more comes and nothing more is sent; `nil` as long as something does.
  var ending: ChannelError? { get }
  /// How many bytes were sent and have not left.
  var queuedBytes: Int { get }
  /// When `advance` has something to do; `nil` for never.
  var deadline: UInt64? { get }
  /// Whether anything came at all.
  var hasSpoken: Bool { get }
  /// Whether something came that is not taken in before `hear`: what strangers say makes work, and is heard in turns.
  var isHeld: Bool { get }
  /// Whether anything came since `probe`.
  var hasAnswered: Bool { get }

  /// Begins to read, and from now on calls whenever something came, such as the proof of who is there, when all that
  /// was sent has left, and when the link has ended.
  func start(_ notify: @escaping () -> Void)
  /// Takes in what was held.
  func hear()
  /// Takes the messages that came.
  func takeMessages() -> [[UInt8]]
  /// Takes what the other end said of where peers are to be found (`PeerList`).
  func takePeers() -> [[UInt8]]
  /// Sends a message. What keeps it from being sent ends the link.
  func send(_ message: [UInt8])
  /// Says where peers are to be found, as `send`.
  func sendPeers(_ list: [UInt8])
  /// Lets what was sent leave, unless so many bytes are on their way already.
  func flush(limit: Int)
  /// Whether what comes is read; while it is not, the other end has to wait, and its silence counts for nothing.
  func setReading(_ isReading: Bool, at now: UInt64)
  /// Asks whether the other end is there, at once.
  func probe(at now: UInt64)
  /// Time has passed: asks whether the other end is there, or gives it up.
  func advance(to now: UInt64)
  /// Ends the link, with a word to the other end; does nothing when it has ended.
  func end(_ farewell: Farewell)
  /// Closes the link, after what was sent has left or at once. Calls nobody any more.
  func close(afterSending: Bool)
}

/// A way in which links come about. Everything happens on the loop's thread.
package protocol LinkTransport: Sendable {
  var loop: EventLoop { get }
  /// As whom this end proves itself.
  var peer: PeerID { get }
  /// Whether this is the way to an address.
  func serves(_ address: Address) -> Bool
  /// Waits for links.
  /// - Parameter address: port 0 lets the system choose.
  func listen(
    on address: Address, _ accept: @escaping (any MessageLink) -> Void
  ) throws(NetworkError) -> any Listener
  /// Makes a link, and calls once with it or why there is none; not before this returns.
  /// - Parameter wanted: who must be at the other end; `nil` for anybody.
  func connect(
    to address: Address, wanted: PeerID?, _ done: @escaping (Result<any MessageLink, NetworkError>) -> Void
  ) -> any ConnectionAttempt
}
