internal import Channel
internal import Events
internal import Network

/// What the subjects of a network's peers are called (Docs/PROTOCOL.md §10).
struct RelayNames: Hashable, Sendable {
  /// Which version of what goes through a relay.
  private static let version = 1

  private let prefix: String

  init(_ network: NetworkID) {
    prefix = "parlor.relay.\(Self.version).\(Array(Preamble.hash(of: network).prefix(8)).hex)"
  }

  func subject(_ place: RelayTransport.Place) -> String {
    switch place {
    case .everybody: "\(prefix).all"
    case .inbox(let inbox): "\(prefix).\(inbox.bytes.hex)"
    }
  }
}
