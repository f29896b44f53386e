internal import Events

extension Address {
  /// What the hosts of peers behind a relay end with; before it stand the 32 hexadecimal digits of an inbox.
  private static let relaySuffix = ".relay"
  /// The one host that all peers behind relays count as.
  static let relaySource = "relay"
  /// An inbox's bytes.
  package static let relayInboxBytes = 16

  /// The address of a peer behind a relay.
  /// - Parameter inbox: where it takes messages there: sixteen bytes.
  package init(relayInbox inbox: [UInt8]) {
    precondition(inbox.count == Self.relayInboxBytes, "an inbox of \(inbox.count) bytes")
    self.init(host: inbox.hex + Self.relaySuffix, port: 0)
  }

  /// The inbox of a peer behind a relay; `nil` for all other addresses.
  package var relayInbox: [UInt8]? {
    guard host.hasSuffix(Self.relaySuffix) else { return nil }
    let digits = String(host.dropLast(Self.relaySuffix.count))
    guard let bytes = [UInt8](hex: digits), bytes.count == Self.relayInboxBytes, bytes.hex == digits else {
      return nil
    }
    return bytes
  }

  /// Whether a relay is between.
  package var isRelayed: Bool { relayInbox != nil }
}
