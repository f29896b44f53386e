/// What a peer lets others make it do, and how patient it is.
package struct NetworkSettings: Sendable {
  /// A playing peer's settings.
  package static let standard = NetworkSettings()

  /// The most connections in which nobody has proven who it is; beyond, the oldest one of the host with most of
  /// them goes.
  package var limitGreetings = 512
  /// The most connections with peers; beyond, whoever comes is told that this one is busy.
  package var limitConnections = 1_024
  /// Whether it tells peers of each other, and connects to those that it is told of.
  package var tellsOfPeers = true
  /// The most addresses that it connects to because it was told of them.
  package var limitTold = 16
  /// The most addresses behind a relay that it connects to because it heard of them.
  package var limitRelayed = 32
  /// How often in a row such an address may fail before it is forgotten.
  package var limitToldFailures = 5
  /// How long the network may take to make a connection.
  package var connectMilliseconds: UInt64 = 10_000
  /// How many bytes may wait to be sent to a peer before more of what it asked for is added.
  package var limitQueuedBytes = 1 << 20
  /// How many bytes may wait to be sent to all peers together. Half of it is for what they ask for, in equal shares;
  /// beyond, the peer goes that has most waiting.
  package var limitAllQueuedBytes = 256 << 20
  /// How many bytes may have come that are not durable yet before nothing more is read.
  package var limitUncommittedBytes = 4 << 20
  /// What rooms may count for together into which nobody on this machine has written; beyond, of the host that brought
  /// most those go that were not used for longest.
  package var limitStrangersBytes = 1 << 30
  /// Whether the limit is what is stored at the start, where that is more: of whoever was told no limit.
  package var keepsWhatIsStored = false
  /// What of that may be in memory.
  package var limitOpenBytes = 64 << 20
  /// How long a connection must have held for the next pause to be short again.
  package var steadyMilliseconds: UInt64 = 10_000
  /// How long a peer that is connected may take to answer when another process with its key comes.
  package var rivalMilliseconds: UInt64 = 3_000
  /// How long an ended connection may take to send its last bytes.
  package var lingerMilliseconds: UInt64 = 2_000

  package init() {}

  /// Lets there be no more connections than leave a process files for its store and for its owner's commands.
  /// - Parameter descriptors: how many files it may have open.
  package mutating func fit(descriptors: Int) {
    let places = max(descriptors - Self.ownDescriptors, 12)
    limitGreetings = min(limitGreetings, places / 3)
    limitConnections = min(limitConnections, places - places / 3)
  }

  /// What a process needs besides its connections.
  private static let ownDescriptors = 64
}
