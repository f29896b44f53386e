import Foundation
import TestKit
import Testing

/// Certificates for servers of a test's own, made with openssl(1): of an authority `root.pem`, through `between.pem`.
private struct Certificates {
  let home: TemporaryFolder
  private static let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

  init(home: TemporaryFolder) { self.home = home }

  func openssl(_ words: [String]) throws {
    let process = try ChildProcess(
      ["/usr/bin/env", "openssl"] + words, in: home.path, output: .nothing, errors: .nothing)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(words)")
  }

  /// A certificate that vouches for itself: `NAME.pem` with `NAME.key`.
  func makeOwn(_ name: String, days: Int = 2) throws {
    try openssl(
      ["req", "-x509", "-days", "\(days)", "-subj", "/CN=\(name)", "-addext", "subjectAltName=IP:127.0.0.1"]
        + ["-keyout", "\(name).key", "-out", "\(name).pem"] + Self.curve)
  }

  /// A certificate that another one vouches for.
  func make(_ name: String, by issuer: String, extensions: String, days: String = "2") throws {
    try openssl(
      ["req", "-subj", "/CN=\(name)", "-keyout", "\(name).key", "-out", "\(name).csr"] + Self.curve)
    try home.write("extensions", Data((extensions + "\n").utf8))
    try openssl([
      "x509", "-req", "-in", "\(name).csr", "-CA", "\(issuer).pem", "-CAkey", "\(issuer).key",
      "-CAcreateserial",
      "-days", days, "-extfile", "extensions", "-out", "\(name).pem",
    ])
  }

  /// `chain.pem` has the server's certificate and the one between it and the authority; the key is `server.key`.
  func makeChain() throws {
    try makeOwn("root")
    try make("between", by: "root", extensions: "basicConstraints=critical,CA:true")
    try make("server", by: "between", extensions: "subjectAltName=IP:127.0.0.1")
    try home.write("chain.pem", try home.bytes("server.pem") + home.bytes("between.pem"))
  }

  /// Has Python's clients trust the authority alone.
  func trusting(_ name: String) -> [String: String] {
    ["SSL_CERT_FILE": home.file(name), "SSL_CERT_DIR": home.file("none")]
  }
}

/// The page and its sockets over TLS: `--certificate` and `--private-key` of `parlor serve --web` (Docs/PAGE.md).
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct TLSTests {
  private let home: TemporaryFolder
  private let certificates: Certificates

  init() throws {
    home = try TemporaryFolder()
    certificates = Certificates(home: home)
  }

  /// Serves the page, on a machine on which OpenSSL speaks everything that it knows.
  private func serve(_ certificate: String, _ key: String, data: String = "a") throws -> NetworkRun {
    try home.write("openssl.cnf", Data(Self.laxSettings.utf8))
    let server = try NetworkRun(
      ["serve", "--web", "127.0.0.1:0", "--certificate", certificate, "--private-key", key], data: data,
      home: home, environment: ["OPENSSL_CONF": home.file("openssl.cnf")])
    try server.first("web")
    return server
  }

  private static let laxSettings = """
    openssl_conf = all
    [all]
    ssl_conf = ssl
    [ssl]
    system_default = lax
    [lax]
    MinProtocol = TLSv1
    CipherString = ALL:@SECLEVEL=0

    """

  private func python(_ script: String, _ words: [String]) throws -> Dialogue {
    let path = PackageFolder.file("Tests/EndToEndTests/Web/\(script)").path
    return try Dialogue(
      [path] + words, home: home, program: LogReader.python, environment: certificates.trusting("root.pem"))
  }

  // MARK: - What is spoken

  @Test func onlyTLSIsSpoken() throws {
    try certificates.makeChain()
    let server = try serve("chain.pem", "server.key")
    let page = try server.text("page", of: "web")
    #expect(page.hasPrefix("https://127.0.0.1:"))
    let run = try python("tls.py", [page]).finish()
    #expect(run.status == 0, "\(run.output)\n\(run.errors)")
    #expect(
      run.output.split(separator: "\n") == [
        "version TLSv1.2", "version TLSv1.3", "alpn http/1.1", "chain 2", "plain", "stranger refused",
        "burst", "slow", "served",
      ])
    // The library's words, if it had any, would stand here.
    let said = try server.run.errors().split(separator: "\n")
    #expect(said.allSatisfy { $0.hasPrefix("A new identity was created") }, "\(said)")
  }

  /// The same answers as without TLS, and requests in every cut.
  @Test func requestsAreAnswered() throws {
    try certificates.makeChain()
    let server = try serve("chain.pem", "server.key")
    let page = try server.text("page", of: "web")
    let asked = try python("requests.py", [page])
    try asked.type("GET / -\nHEAD / -\nGET /style.css -\nGET /nothing -\nGET / evil.example\nDELETE / -\n")
    try asked.endInput()
    let run = try asked.finish()
    let answers = run.output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(run.status == 0 && answers.allSatisfy { $0.last == "whole" }, "\(run.output)\n\(run.errors)")
    #expect(answers.map { $0[0] } == ["200", "200", "200", "404", "403", "405"])
    let cut = try python("pipeline.py", [page]).finish()
    #expect(cut.status == 0 && cut.output == "served\n", "\(cut.output)\n\(cut.errors)")
  }

  /// Both sub-protocols by a client that checks the certificate; pages that came by plain HTTP may not connect.
  @Test func socketsPlayOverTLS() throws {
    try certificates.makeChain()
    let server = try serve("chain.pem", "server.key")
    let url = try server.text("url", of: "web")
    #expect(url.hasPrefix("wss://127.0.0.1:"))
    let clients = try SocketTests.Clients(
      server, home: home, environment: certificates.trusting("root.pem"))
    let host = try #require(URL(string: url)?.port)
    for (name, scheme, word) in [("x", "http", "refused"), ("y", "https", "open parlor.1")] {
      try clients.say("open \(name) parlor.1 \(scheme)://127.0.0.1:\(host)")
      try clients.wait(name, word)
    }
    // A game of parlor.1.
    for name in ["a", "b"] { try clients.greet(name) }
    try clients.ask("a", "host", 2, "\"game\":\"tic-tac-toe\",\"seat\":\"first\"")
    let code = try #require(try clients.answer("a", 2)["code"] as? String)
    try clients.ask("b", "join", 2, "\"room\":\"\(code)\"")
    try clients.table("a", "the begin") { ($0["may"] as? [String])?.contains("choose") == true }
    try clients.ask("a", "choose", 3, "\"room\":\"\(code)\",\"move\":\"5\"")
    try clients.table("b", "the move") { ($0["plies"] as? [Any])?.count == 1 && $0["turn"] as? Int == 2 }
    // Many requests at once, whose answers come in one record or several.
    for id in 10..<30 { try clients.ask("b", "games", id) }
    for id in 10..<30 { #expect(try clients.answer("b", id)["type"] as? String == "done") }
    // A game of tictactoe.
    let ids = ["0f6ad0c4-26a5-4d5c-9d0f-0d4b8f0a4c01", "7b4f2a10-93fe-4e0a-8a61-5f2a7c3d9e02"]
    try clients.join("c", ids[0])
    try clients.join("d", ids[1])
    let isFirst = try clients.message("c", 1).player == ids[0]
    _ = try clients.message("d", 1)
    try clients.turn(isFirst ? "c" : "d", "X--------", isFirst ? ids[0] : ids[1])
    for name in ["c", "d"] { #expect(try clients.message(name, 2).words == "turn X--------") }
    try server.checkObjects()
    try Logs.verify("a", home: home)
  }

  @Test func theOtherCommandSpeaksTLSToo() throws {
    try certificates.makeOwn("root")
    let server = try NetworkRun(
      [
        "web", "--no-browser", "--web", "127.0.0.1:0", "--certificate", "root.pem", "--private-key",
        "root.key",
      ], data: "a", home: home)
    let run = try python("requests.py", [try server.text("page", of: "web")])
    try run.type("GET / -\n")
    try run.endInput()
    let answer = try run.finish()
    #expect(answer.status == 0 && answer.output.hasPrefix("200 text/html;"), "\(answer.errors)")
    #expect(try server.text("page", of: "web").hasPrefix("https://"))
    try server.checkObjects()
  }

  /// Somebody who does not know the certificate's authority does not come in.
  @Test func strangersToTheCertificateDoNotConnect() throws {
    try certificates.makeOwn("own")
    let server = try serve("own.pem", "own.key")
    let clients = try SocketTests.Clients(
      server, home: home, environment: certificates.trusting("none.pem"))
    try clients.say("open a parlor.1")
    let run = try clients.run.finish()
    #expect(run.status != 0 && run.errors.contains("CERTIFICATE_VERIFY_FAILED"), "\(run.errors)")
  }

  // MARK: - What is refused

  /// Whoever gives something else than a certificate and its key is told so before anything is started.
  @Test func wrongFilesAreRefused() throws {
    try certificates.makeChain()
    try certificates.makeOwn("other")
    try certificates.openssl(["ec", "-in", "server.key", "-aes128", "-passout", "pass:x", "-out", "old.key"])
    try certificates.openssl([
      "pkcs8", "-topk8", "-in", "server.key", "-passout", "pass:x", "-out", "encrypted.key",
    ])
    try certificates.openssl(["x509", "-in", "server.pem", "-outform", "der", "-out", "server.der"])
    try certificates.openssl([
      "req", "-x509", "-newkey", "rsa:1024", "-nodes", "-subj", "/CN=weak", "-keyout", "weak.key", "-out",
      "weak.pem",
    ])
    let begin = "-----BEGIN CERTIFICATE-----\n"
    try home.write("cut.pem", try home.bytes("server.pem") + Data("\(begin)AAAA\n".utf8))
    try home.write("broken.key", Data("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n".utf8))
    try home.write("empty", Data())
    try home.write("long.pem", Data(repeating: 10, count: 1 << 20 + 1))
    let reversed = try home.bytes("between.pem") + home.bytes("server.pem")
    try home.write("reversed.pem", reversed)
    let cases: [(certificate: String, key: String, status: Int32, words: String)] = [
      ("nothing.pem", "server.key", 66, "cannot read nothing.pem: "),
      ("server.pem", "nothing.key", 66, "cannot read nothing.key: "),
      (".", "server.key", 66, "cannot read .: "),
      ("server.key", "server.key", 65, "server.key holds no certificate in PEM"),
      ("server.der", "server.key", 65, "server.der holds no certificate in PEM"),
      ("empty", "server.key", 65, "empty holds no certificate in PEM"),
      ("cut.pem", "server.key", 65, "certificate 2 of cut.pem cannot be read"),
      ("long.pem", "server.key", 65, "long.pem has more than 1048576 bytes"),
      ("server.pem", "server.pem", 65, "server.pem holds no private key in PEM"),
      ("server.pem", "empty", 65, "empty holds no private key in PEM"),
      ("server.pem", "broken.key", 65, "the private key broken.key cannot be read"),
      ("server.pem", "old.key", 65, "the private key old.key is encrypted"),
      ("server.pem", "encrypted.key", 65, "the private key encrypted.key is encrypted"),
      ("server.pem", "other.key", 65, "the private key other.key is not that of the certificate server.pem"),
      ("reversed.pem", "server.key", 65, "is not that of the certificate reversed.pem"),
      ("weak.pem", "weak.key", 65, "OpenSSL does not take weak.pem with weak.key: "),
    ]
    for (certificate, key, status, words) in cases {
      for command in [["serve", "--web"], ["web", "--no-browser"]] {
        let run = try Program.start(
          command + ["--certificate", certificate, "--private-key", key, "--data", "a"], home: home
        ).finish()
        #expect(run.status == status && run.errors.contains(words) && run.output == "", "\(run.errors)")
      }
    }
    #expect(!FileManager.default.fileExists(atPath: home.file("a")))
  }

  @Test func oneWithoutTheOtherIsRefused() throws {
    try certificates.makeOwn("own")
    let cases = [
      (["serve", "--web", "--certificate", "own.pem"], "give --private-key too"),
      (["serve", "--web", "--private-key", "own.key"], "give --certificate too"),
      (["web", "--private-key", "own.key"], "give --certificate too"),
      (["serve", "--certificate", "own.pem", "--private-key", "own.key"], "give --web too"),
    ]
    for (words, expected) in cases {
      let run = try Program.start(words + ["--data", "a"], home: home).finish()
      #expect(run.status == 64 && run.errors.contains(expected), "\(run.errors)")
    }
  }

  // MARK: - What is doubtful

  /// An old certificate and an open key are used, and it is said.
  @Test func doubtsAreSaid() throws {
    try certificates.makeOwn("root")
    try certificates.make("old", by: "root", extensions: "subjectAltName=IP:127.0.0.1", days: "-1")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: home.file("old.key"))
    let server = try serve("old.pem", "old.key")
    let words = try server.run.errors()
    #expect(words.contains("Warning: old.pem has expired, on 20"))
    #expect(words.contains("Warning: everybody on this machine can read the private key old.key"))
    // It is served all the same.
    let run = try python("tls.py", [try server.text("page", of: "web")]).finish()
    #expect(run.errors.contains("certificate has expired"), "\(run.errors)")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: home.file("root.key"))
    #expect(try !serve("root.pem", "root.key", data: "b").run.errors().contains("Warning"))
  }

  // MARK: - A browser

  /// At a page over TLS from elsewhere the browser has WebCrypto, asks whether the key may be copied, and plays.
  @Test(.inABrowser) func peoplePlayWithKeysOverTLS() throws {
    try certificates.makeOwn("own")
    let server = try serve("own.pem", "own.key")
    let plain = try NetworkRun(["serve", "--web", "127.0.0.1:0"], data: "plain", home: home)
    try plain.first("web")
    let bot = try NetworkRun(
      ["bot", "random", "--game", "tic-tac-toe", "--scope", "public"], data: "bot", home: home,
      connect: [server])
    let run = try python(
      "secure.py",
      [
        Browser.path, home.file("own.pem"), try server.text("page", of: "web"),
        try plain.text("page", of: "web"),
      ]
    ).finish()
    #expect(run.status == 0, "\(run.output)\n\(run.errors)")
    let done = run.output.split(separator: "\n").filter { $0.hasPrefix("done ") }
    #expect(done == ["done plain", "done game", "done key", "done link"])
    _ = bot
    try Logs.verify("a", home: home)
  }
}
