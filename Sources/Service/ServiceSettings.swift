package import EventLog
package import Events
package import Network
package import Relay
package import Rules

/// What a peer in this process is made from.
package struct ServiceSettings: Sendable {
  package var signer: SigningKey
  /// The store, open for writing.
  package var log: any EventLog
  package var games: GameCatalog
  /// The data folder, in which other commands find this process; `nil` to be alone.
  package var folder: String?
  /// Where it waits for connections; `nil` for nowhere.
  package var listen: Address?
  /// Whether it tells peers of each other, and connects to those that it is told of.
  package var tellsOfPeers: Bool
  /// Whether it takes in all rooms that it may have, and not only those that name it, that were asked for, that two of
  /// its neighbours want, and a few games of each peer that can be joined.
  package var wantsEverything = false
  /// Whether it takes in rooms of editions that it does not know though nobody asked for them.
  package var keepsArchive: Bool
  /// Set in a private network: 32 bytes.
  package var presharedKey: [UInt8]?
  /// The peers with which it has nothing to do.
  package var blocked: Set<PeerID> = []
  /// What rooms may count for together into which nobody on this machine has written; `nil` for the standard, or what
  /// is stored at the start where that is more.
  package var limitStrangersBytes: Int?
  /// What of that may be in memory.
  package var limitOpenBytes = NetworkSettings.standard.limitOpenBytes
  /// The data folder's marks, which say whether it may be an old copy; `nil` where nobody could have used another
  /// one.
  package var marks: (any OwnHeadsKeeper)?
  /// Milliseconds since 1970, for people to read in events.
  package var now: @Sendable () -> UInt64
  /// Milliseconds of a clock that only goes forward, by which seats' time is kept; `nil` for the shell's.
  package var elapsed: (@Sendable () -> UInt64)?
  /// What the peer runs on; `nil` for this machine.
  package var shell: Shell?
  /// By which it meets peers whose networks do not reach this one, on the shell's loop; `nil` for none.
  package var relay: RelayConnection?

  package init(
    signer: SigningKey, log: any EventLog, games: GameCatalog, folder: String? = nil, listen: Address? = nil,
    tellsOfPeers: Bool = true, keepsArchive: Bool = false, presharedKey: [UInt8]? = nil,
    marks: (any OwnHeadsKeeper)? = nil,
    now: @escaping @Sendable () -> UInt64
  ) {
    self.signer = signer
    self.log = log
    self.games = games
    self.folder = folder
    self.listen = listen
    self.tellsOfPeers = tellsOfPeers
    self.keepsArchive = keepsArchive
    self.presharedKey = presharedKey
    self.marks = marks
    self.now = now
  }
  /// What the peer runs on: what was given, else this machine.
  func machine() throws(ServiceError) -> Shell {
    if let shell { return shell }
    return try .forService()
  }
}
