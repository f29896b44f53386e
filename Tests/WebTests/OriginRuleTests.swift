import TestKit
import Testing

@testable import Web

@Suite struct OriginRuleTests {
  @Test("Who names no origin is no page", arguments: [nil, "127.0.0.1:8181", "x"] as [String?])
  func programs(_ host: String?) { #expect(OriginRule([]).allows(nil, host: host)) }

  @Test func ownPages() {
    let hosts = ["127.0.0.1:8181", "localhost:80", "LOCALHOST", "192.168.0.7", "[::1]:8181", "[fe80::1]"]
    for host in hosts {
      for scheme in ["http", "https", "HTTP", "ws", "wss"] {
        #expect(OriginRule([]).allows("\(scheme)://\(host)", host: host), "\(host)")
      }
      #expect(!OriginRule([]).allows("http://\(host)1", host: host))
      #expect(!OriginRule([]).allows("ftp://\(host)", host: host))
      #expect(!OriginRule([]).allows(host, host: host))
      #expect(!OriginRule([]).allows("", host: host))
      #expect(!OriginRule([]).allows("null", host: host))
    }
  }

  /// The owner of a name can have it mean this machine.
  @Test(
    "Names", arguments: ["evil.example:8181", "evil.example", "127.0.0.1.evil.example", "1.2.3", "1.2.3.256"])
  func names(_ host: String) {
    for scheme in ["http", "ws"] { #expect(!OriginRule([]).allows("\(scheme)://\(host)", host: host)) }
    #expect(OriginRule(["http://\(host)"]).allows("http://\(host)", host: host))
    #expect(!OriginRule(["http://\(host)"]).allows("https://\(host)", host: host))
  }

  /// A page that came by plain HTTP is none of a server that speaks TLS.
  @Test func overTLS() {
    let rule = OriginRule(["https://parlor.example", "http://old.example"], isSecure: true)
    for (scheme, holds) in [("https", true), ("wss", true), ("http", false), ("ws", false)] {
      #expect(rule.allows("\(scheme)://127.0.0.1:8181", host: "127.0.0.1:8181") == holds, "\(scheme)")
    }
    #expect(rule.allows("http://old.example", host: "127.0.0.1:8181"))
    #expect(rule.showsPage(host: "127.0.0.1:8181") && rule.showsPage(host: "parlor.example"))
    #expect(!rule.showsPage(host: "old.example"))
  }

  @Test func origins() {
    for text in ["http://a", "https://example.org:8443", "app://x"] {
      #expect(OriginRule.isOrigin(text), "\(text)")
    }
    for text in ["", "a", "://a", "http://", "http://a/", "http://a b", "h1://a", "http:/a", "null"] {
      #expect(!OriginRule.isOrigin(text), "\(text)")
    }
    #expect(!OriginRule.isOrigin("http://" + String(repeating: "a", count: 249)))
  }
}
