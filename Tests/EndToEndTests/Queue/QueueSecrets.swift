import Foundation
import TestKit
import Testing

@testable import NATS

/// Certificates and credentials for servers of a test's own: those whom its authority and its operator vouch for, and
/// nobody else, may use them.
struct QueueSecrets {
  private let home: TemporaryFolder

  /// Makes them anew.
  init() throws {
    home = try TemporaryFolder()
    let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    try run(
      [
        "openssl", "req", "-x509", "-days", "2", "-subj", "/CN=authority", "-keyout", "ca.key", "-out",
        "ca.pem",
      ]
        + curve)
    try home.write("names", Data("subjectAltName=IP:127.0.0.1\n".utf8))
    for name in ["server", "client"] {
      try run(
        ["openssl", "req", "-subj", "/CN=\(name)", "-keyout", "\(name).key", "-out", "\(name).csr"] + curve)
      try run([
        "openssl", "x509", "-req", "-in", "\(name).csr", "-CA", "ca.pem", "-CAkey", "ca.key",
        "-CAcreateserial",
        "-days", "2", "-extfile", "names", "-out", "\(name).pem",
      ])
    }
    let script = PackageFolder.file("Tests/EndToEndTests/Queue/credentials.mjs").path
    try run(["node", script, home.path])
  }

  private func run(_ words: [String]) throws {
    let process = try ChildProcess(
      ["/usr/bin/env"] + words, in: home.path, output: .nothing, errors: .nothing)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(words)")
  }

  func file(_ name: String) -> String { home.file(name) }

  /// What servers state of them.
  func serverLines() throws -> [String] {
    [
      try String(contentsOfFile: file("operator.conf"), encoding: .utf8),
      "tls { cert_file: \"\(file("server.pem"))\", key_file: \"\(file("server.key"))\"",
      "  ca_file: \"\(file("ca.pem"))\", verify: true }",
    ]
  }

  /// The options of commands.
  var options: [String] { authority + certificate + credentials }
  /// The same, for a relay.
  var optionsOfRelay: [String] { options.map { $0.replacing("--queue-", with: "--relay-") } }
  var authority: [String] { ["--queue-tls-ca", file("ca.pem")] }
  var certificate: [String] {
    ["--queue-tls-cert", file("client.pem"), "--queue-tls-key", file("client.key")]
  }
  var credentials: [String] { ["--queue-credentials", file("user.creds")] }

  /// Settings with all of them.
  func added(to settings: NATSSettings) -> NATSSettings {
    var settings = settings
    settings.credentials = file("user.creds")
    settings.authority = file("ca.pem")
    settings.certificate = file("client.pem")
    settings.key = file("client.key")
    return settings
  }
}
