import Testing

@testable import Web

/// What requests for the page are answered.
@Suite struct PageRequestTests {
  private let files = PageFile.all()

  private func answer(
    _ path: String = "/", _ method: PageRequest.Method = .get, host: String? = "127.0.0.1:8181",
    origins: [String] = []
  ) -> PageRequest.Answer {
    PageRequest(method: method, path: path, host: host).answer(files, OriginRule(origins))
  }

  @Test func theFilesAreThere() throws {
    for (path, file) in files {
      #expect(answer(path) == PageRequest.Answer(file) && answer(path, .head) == answer(path))
    }
    #expect(answer().type == "text/html; charset=utf-8")
    #expect(answer("/main.js").type == "text/javascript; charset=utf-8")
    #expect(String(decoding: answer().content, as: UTF8.self).hasPrefix("<!doctype html>"))
  }

  /// Content is packed for browsers that say that they read it so, and for no other.
  @Test func packedContent() throws {
    let file = try #require(files["/main.js"])
    var request = PageRequest(method: .get, path: "/main.js", host: "localhost")
    for takesPacked in [false, true] {
      request.takesPacked = takesPacked
      let answer = request.answer(files, OriginRule([]))
      #expect(answer.content == (takesPacked ? file.packed : file.content))
      let headers = answer.headers.map { "\($0.name) \($0.value)" }
      #expect(headers.contains("vary: accept-encoding"))
      #expect(headers.contains("content-encoding: gzip") == takesPacked)
    }
    request.path = "/nothing"
    #expect(request.answer(files, OriginRule([])).headers.allSatisfy { $0.name != "content-encoding:" })
  }

  @Test(
    "What a browser says of it",
    arguments: [
      ("gzip", true), ("gzip, deflate, br", true), ("br;q=1, GZIP ; q=0.5", true), ("*", true), ("", false),
      ("deflate", false), ("gzip;q=0", false), ("gzip; q=0.000", false),
      ("gzip;q=0, *", false), ("*;q=0, gzip", true), ("xgzip", false), (nil, false),
    ])
  func encodings(_ header: String?, _ isAccepted: Bool) { #expect(Gzip.isAccepted(by: header) == isAccepted) }

  @Test("Other paths", arguments: ["", "/x", "/index.html/", "//", "/../page.c", "/MAIN.JS", "/game"])
  func otherPaths(_ path: String) { #expect(answer(path).status == 404) }

  /// What comes with a request is never read, so nothing else can be taken on its connection.
  @Test func whatEndsTheConnection() {
    #expect(answer("/", .other).status == 405 && answer("/", .other).endsConnection)
    let request = PageRequest(method: .get, path: "/", host: "localhost", hasContent: true)
    let refused = request.answer(files, OriginRule([]))
    #expect(refused.status == 400 && refused.endsConnection && !answer().endsConnection)
  }

  @Test(
    "Hosts that are of numbers or `localhost`",
    arguments: ["127.0.0.1:8181", "localhost:80", "LOCALHOST", "192.168.0.7", "[::1]:8181", "[fe80::1]"])
  func ownHosts(_ host: String) { #expect(answer(host: host).status == 200) }

  /// Whoever owns a name can have it mean this machine, and would read what the page keeps.
  @Test(
    "Hosts that somebody can own",
    arguments: [nil, "", "evil.example:8181", "127.0.0.1.evil.example", "1.2.3.256"])
  func names(_ host: String?) {
    for method in [PageRequest.Method.get, .head, .other] {
      #expect(answer("/", method, host: host).status == 403)
      #expect(answer("/main.js", method, host: host).status == 403)
    }
  }

  @Test func listedOrigins() {
    let origins = ["https://parlor.example", "http://other.example:8080"]
    #expect(answer(host: "Parlor.example", origins: origins).status == 200)
    #expect(answer(host: "other.example:8080", origins: origins).status == 200)
    #expect(answer(host: "other.example", origins: origins).status == 403)
  }

  /// Nothing runs but the page's own files, whatever gets into it; a page that is one file runs its own script.
  @Test func thePolicyIsStrict() throws {
    for path in ["/", "/main.js", "/verify.html", "/nothing"] {
      let headers = answer(path).headers
      let policy = try #require(headers.first { $0.name == "content-security-policy:" }?.value)
      let source = path == "/verify.html" ? "'sha256-" : "'self';"
      #expect(policy.hasPrefix("default-src 'none'; script-src \(source)"))
      #expect(policy.contains("; style-src \(source)"))
      #expect(!policy.contains("unsafe") && !policy.contains("*"))
      for word in ["base-uri", "form-action", "frame-ancestors"] {
        #expect(policy.contains("\(word) 'none'"))
      }
      #expect(headers.contains { $0 == ("x-content-type-options:", "nosniff") })
    }
  }
}
