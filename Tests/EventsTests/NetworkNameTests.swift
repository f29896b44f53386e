import Events
import Testing

@Suite("Names of networks")
struct NetworkNameTests {
  /// Made by Python's hashlib from what Docs/PROTOCOL.md §2 says.
  @Test(
    "a network's id is the hash of its name",
    arguments: [
      ("home", "1342682168b515986f6befb8f075010e278535dadb539dea63f3e06029dbf020"),
      ("Büro 7", "4de95b35cea7d6617eac570498d0c5c69447cf1bdc1d67a1d66aeb1c8e62647d"),
    ])
  func named(_ name: String, _ id: String) { #expect(NetworkID(name: name)?.description == id) }

  @Test("everybody's network is the one it always was")
  func standard() {
    #expect(
      NetworkID.standard.description == "6538ee53e940476dd70e04c57bd8629da2846d07d602af01c8a7a5dd6e53375d")
  }

  @Test("what is no name has no network")
  func refused() {
    let most = String(repeating: "x", count: NetworkID.limitNameBytes)
    for name in ["", " ", " home", "home ", "ho\nme", "\u{1B}[31m", "\u{85}", most + "x"] {
      #expect(NetworkID(name: name) == nil, "\(name.debugDescription)")
    }
    for name in [most, "a b", "日本", "-"] { #expect(NetworkID(name: name) != nil) }
    #expect(NetworkID(name: "Home") != NetworkID(name: "home"))
  }
}
