import Glibc
import Terminal

extension Role {
  /// Runs the real program as a server of sockets until the orders end: a folder for its data. At each order it says
  /// how many kilobytes the server has of its own. So the server ends with this process, however whoever gives orders
  /// ends.
  func serveSockets() async throws {
    let words = [
      try Program.path(), "serve", "--web", "127.0.0.1:0", "--no-discovery", "--listen", "127.0.0.1:0",
      "--json",
      "--data", try text(0),
    ]
    let server = try OtherProcess(words, to: "serve sockets", endedBy: SIGINT)
    try answer("port \(try Self.port(of: server))")
    try await forEachOrder { _ in try answer("memory \(try server.memory()?.anonymous ?? 0)") }
    try server.end()
  }

  /// The port that the server says its sockets are at: `ws://HOST:PORT/PATH`.
  private static func port(of server: OtherProcess) throws -> UInt16 {
    while true {
      let object = try JSONValue(parsing: Array(try server.line("web").utf8))
      guard object["type"]?.string == "web" else { continue }
      let place = object["url"]?.string?.split(separator: "/").dropFirst().first
      guard let port = place?.split(separator: ":").last.flatMap({ UInt16($0) }) else {
        throw BenchFailure(.software, "the server does not say where its sockets are")
      }
      return port
    }
  }
}
