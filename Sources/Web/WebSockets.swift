package import BotKit
package import Network
internal import Platform
package import Rules
package import Service

/// A peer's sockets for other programs: one server, and what is spoken through it (Docs/SOCKET.md).
package actor WebSockets {
  private nonisolated let loop: EventLoop
  private let settings: WebSettings
  private let ticTacToe: TicTacToeSockets
  private let tables: TableSockets
  private var server: WebServer?

  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.ownersExecutor }

  /// The path of the sockets.
  package static let path = WebServer.path

  /// - Parameters:
  ///   - token: with which a socket acts as the owner.
  ///   - ticTacToe: the rules of that game, as the program's catalog has them.
  package init(
    _ service: PeerService, _ settings: WebSettings, token: OwnerToken, ticTacToe: any GameRules,
    games: GameCatalog, bots: BotCatalog
  ) {
    loop = service.loop
    self.settings = settings
    self.ticTacToe = TicTacToeSockets(service, settings, rules: ticTacToe)
    tables = TableSockets(service, settings, token, games, bots)
  }

  /// Begins: what was on when the process before ended goes on. Sockets are brought by who has them, with `take`.
  package func begin() async {
    await ticTacToe.begin()
    await tables.begin()
  }

  /// Begins, and waits for clients.
  /// - Returns: where it waits.
  package func open() async throws(NetworkError) -> Address {
    CurrentProcess.raiseDescriptorLimit()
    await begin()
    let server = try WebServer(settings, loop) { event in self.take(event) }
    self.server = server
    return server.address
  }

  /// How many clients there are.
  package var clientCount: Int {
    ticTacToe.assumeIsolated { $0.clientCount } + tables.assumeIsolated { $0.clients.count }
  }

  /// Closes all sockets. Games that are on wait for their players.
  package func close() async {
    server?.close()
    server = nil
    await ticTacToe.close()
    await tables.close()
  }

  /// Takes what happens at a socket; to be called on the loop's thread.
  package nonisolated func take(_ event: WebSocket.Event) {
    // SAFETY: sockets are used on the loop's thread alone, on which all three actors run.
    nonisolated(unsafe) let event = event
    switch unsafe event.socket.subprotocol {
    case .ticTacToe: ticTacToe.assumeIsolated { unsafe $0.take(event) }
    case .tables: tables.assumeIsolated { unsafe $0.take(event) }
    }
  }
}
