package import Network

/// Where a server of sockets waits, and what it allows.
package struct WebSettings: Sendable {
  /// The address for those of this machine.
  package static let standardAddress = Address(host: "127.0.0.1", port: 8_181)

  /// Where it waits; port 0 lets the system choose.
  package var address: Address
  /// With what it speaks TLS, and nothing else; `nil` for plain HTTP.
  package var certificate: ServerCertificate?
  /// The most sockets at a time.
  package var limitSockets = 1_024
  /// The most sockets at a time from one address that is none of this machine.
  package var limitSocketsPerSource = 64
  /// The origins of web pages that may connect, beside those that this server's own address names; such as
  /// `https://example.org`.
  package var origins: [String] = []
  /// The most bytes of a message that a client sends.
  package var limitMessageBytes = 4_096
  /// The most bytes that may wait for a client to read them.
  package var limitQueuedBytes = 1 << 18
  /// How long a client may be silent before it is asked whether it is there, and how long before it counts as gone;
  /// seconds.
  package var silenceSeconds: UInt16 = 10
  package var limitSilenceSeconds: UInt16 = 20
  /// How many messages a client may send at once, and how many a second in the long run.
  package var burstMessages = 32
  package var messagesPerSecond = 8
  /// How many games may be opened at once, and how many a minute in the long run.
  package var burstGames = 600
  package var gamesPerMinute = 600
  /// How many tables a socket of `parlor.1` may watch.
  package var limitWatches = 16
  /// For how many peers a table is made whenever something happens there: each of them sees it with other eyes. Where
  /// more watch, each is told four times a second at most.
  package var limitPrompt = 16
  /// How many guests' keys are kept whose clients are gone and whose games are on.
  package var limitAbsent = 1_024
  /// How many bots think at a time.
  package var limitThinking = 1
  /// How long after a start the players of games that were on may take to come back.
  package var patienceMilliseconds: UInt64 = 60_000

  /// The standard limits.
  package init(address: Address = WebSettings.standardAddress) { self.address = address }

  /// Reads `[HOST:]PORT`.
  package init(_ text: String) throws(NetworkError) {
    if let port = UInt16(text) {
      self.init(address: Address(host: Self.standardAddress.host, port: port))
    } else {
      self.init(address: try Address(text))
    }
  }
}
