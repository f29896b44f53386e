package import Events

/// Why a channel is closed.
package enum ChannelError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What came first is not the beginning of a channel.
  case notParlor
  /// The other end speaks another version.
  case version(UInt16)
  /// The other end belongs to another network.
  case otherNetwork
  /// One end has a pre-shared key and the other has none; whether this one has.
  case keyedAlone(isHere: Bool)
  /// The pre-shared keys differ.
  case wrongPresharedKey
  /// A message of the handshake was changed on the way, or made for another handshake: its number from 1.
  case handshakeBroken(message: Int)
  /// A public key of small order.
  case lowOrderPoint
  /// The identity is not proven: its key did not sign this handshake.
  case identityUnproven(PeerID)
  /// Somebody else answers than who was wanted.
  case otherPeer(wanted: PeerID, found: PeerID)
  /// This peer has reached itself.
  case oneself
  /// A frame of a length that there is not.
  case badLength(Int)
  /// A frame was changed, repeated, left out or put elsewhere on the way.
  case frameBroken
  /// A frame that opens, but is none that there is; what it is.
  case badFrame(String)
  /// A message in parts grew longer than messages are.
  case messageTooLong
  /// The handshake took too long.
  case handshakeTooSlow
  /// Nothing came for too long.
  case silent
  /// The other end takes what is sent too slowly.
  case unread
  /// All numbers of a key are used up.
  case exhausted
  /// The connection ended without a word; whether during the handshake.
  case cut(inHandshake: Bool)
  /// One of both ends has said goodbye.
  case ended(Farewell, byOther: Bool)

  /// What happened and, where something can be done, what.
  package var description: String {
    switch self {
    case .notParlor: "the other end does not speak Parlor's protocol"
    case .version(let version): Self.versionWords(version)
    case .otherNetwork: "the other end belongs to another network; both need the same --network"
    case .keyedAlone(let isHere):
      (isHere ? "the other end has no pre-shared key" : "the other end has a pre-shared key")
        + ", and this one \(isHere ? "has" : "has none"); a private network's peers all need it"
    case .wrongPresharedKey: "the other end has another pre-shared key"
    case .handshakeBroken(let number): "message \(number) of the handshake was changed on the way"
    case .lowOrderPoint: "the other end sent a key that gives no secret"
    case .identityUnproven(let peer): "the other end calls itself \(peer.short) and did not prove it"
    case .otherPeer(let wanted, let found): "\(found.short) answers where \(wanted.short) was wanted"
    case .oneself: "the address leads back to this peer"
    case .badLength(let count): "a frame of \(count) bytes is none that there is"
    case .frameBroken: "a frame was changed or put elsewhere on the way"
    case .badFrame(let what): "a frame is none that there is: \(what)"
    case .messageTooLong: "a message is longer than \(Channel.limitMessageBytes) bytes"
    case .handshakeTooSlow: "the handshake took too long"
    case .silent: "nothing came for too long"
    case .unread: "the other end takes what is sent too slowly"
    case .exhausted: "the connection has carried all that its keys may carry"
    case .cut(let inHandshake):
      inHandshake
        ? "the other end broke the handshake off; it may want another key or network"
        : "the connection ended without a word"
    case .ended(let farewell, let byOther): "\(byOther ? "the other" : "this") end \(farewell.words)"
    }
  }

  private static func versionWords(_ version: UInt16) -> String {
    "the other end speaks version \(version) of the protocol, this one \(Preamble.version); "
      + (version < Preamble.version ? "the other program is older" : "this program is older")
  }
}

/// Why a peer ends a connection, as it says itself.
package enum Farewell: UInt8, CaseIterable, Sendable {
  /// It stops, or has what it wanted.
  case leaving = 0
  /// The other sent what it must not.
  case refused = 1
  /// It has as many connections as it wants.
  case busy = 2
  /// Both have another connection with each other.
  case doubled = 3
  /// Another process with the other's key is connected, or this one has it too.
  case twin = 4

  fileprivate var words: String {
    switch self {
    case .leaving: "leaves"
    case .refused: "refuses what it was sent"
    case .busy: "has as many connections as it wants"
    case .doubled: "keeps another connection between the same peers"
    case .twin: "has met another process with the same key: end one of both"
    }
  }
}
