internal import Channel
package import Events
package import NATS
package import Network
internal import Platform

/// Servers of NATS as a relay between peers: messages of a `RelayTransport` go out as messages to subjects, and what
/// comes to this peer's subjects is handed over to its loop.
package final class RelayConnection: Sendable {
  package let transport: RelayTransport
  private let connection: NATSConnection
  private let subscriptions: [NATSSubscription]

  /// The least that a server must take in one message.
  private static let leastBytes = 1_024
  /// How many messages or bytes for this peer may wait to be read, and how many of announcements.
  private static let limitBytes = 8 << 20
  private static let limitAnnouncementBytes = 1 << 14
  /// How long what was sent last may take to get out.
  private static let flushMilliseconds: Int64 = 500

  /// Connects.
  /// - Parameters:
  ///   - network: peers of others are not met.
  ///   - loop: where the peer lives.
  ///   - random: gives 32 random bytes.
  ///   - report: is told what becomes of the connection.
  package static func open(
    _ settings: NATSSettings, _ network: NetworkID, _ loop: EventLoop,
    random: @escaping @Sendable () -> [UInt8], report: @escaping @Sendable (NATSConnectionNews) -> Void
  ) async throws(NATSError) -> RelayConnection {
    let connection = try await NATSConnection.connect(settings, as: "parlor relay", pulls: false)
    let limit = connection.limitBytes
    guard limit >= leastBytes else {
      throw .refused("\(settings.shown): its max_payload of \(limit) bytes is less than \(leastBytes)")
    }
    let names = RelayNames(network)
    let transport = RelayTransport(loop, random: random, limitBytes: limit) {
      connection.send(names.subject($0), $1)
    }
    return try RelayConnection(connection, transport, names, report)
  }

  private init(
    _ connection: NATSConnection, _ transport: RelayTransport, _ names: RelayNames,
    _ report: @escaping @Sendable (NATSConnectionNews) -> Void
  ) throws(NATSError) {
    self.connection = connection
    self.transport = transport
    let messages = Mailbox(transport, limitBytes: Self.limitBytes)
    let announcements = Mailbox(transport, limitBytes: Self.limitAnnouncementBytes)
    subscriptions = [
      try NATSSubscription(
        connection, names.subject(.inbox(transport.inbox)), limit: Self.limitBytes,
        report: { news in
          transport.loop.call { if news == .isBack { transport.regain() } else { transport.lose() } }
          report(news)
        }, receive: messages.add),
      try NATSSubscription(
        connection, names.subject(.everybody), limit: Self.limitAnnouncementBytes, receive: announcements.add),
    ]
  }

  /// Lets what was sent last get out, but not for long, and hears nothing more.
  package func close() async {
    await connection.flush(timeoutMilliseconds: Self.flushMilliseconds)
    for subscription in subscriptions { subscription.stop() }
  }
}

/// What came on another thread and the loop has not taken.
private final class Mailbox: Sendable {
  private struct Content {
    var messages: [[UInt8]] = []
    var bytes = 0
  }

  private let content = Guarded(Content())
  private let transport: RelayTransport
  private let limitBytes: Int

  init(_ transport: RelayTransport, limitBytes: Int) {
    self.transport = transport
    self.limitBytes = limitBytes
  }

  /// Keeps a message until the loop takes it; what is too much is lost, which breaks the stream that it is of.
  func add(_ message: [UInt8]) {
    let isFirst = content.withLock { content in
      let bytes = content.bytes + message.count + Self.ownBytes
      guard bytes <= limitBytes else { return false }
      content.bytes = bytes
      content.messages.append(message)
      return content.messages.count == 1
    }
    if isFirst { transport.loop.call { self.empty() } }
  }

  /// What a message counts for besides its bytes.
  private static let ownBytes = 64

  private func empty() {
    let messages = content.withLock { content in
      defer { content = Content() }
      return content.messages
    }
    for message in messages { transport.take(message) }
  }
}
