import Events
import Network
import Platform
import Terminal

/// How commands that work with other peers are told of addresses and of a private network's key.
enum NetworkOptions {
  /// What every command takes that works with other peers.
  static let definitions: [OptionDefinition] =
    [
      .value(
        "connect", "HOST:PORT", "Stay connected to the peer at this address.", repeats: true),
      .value(
        "listen", "HOST:PORT", "Wait for peers here; port 0 lets the system choose.", standard: "[::]:0"),
      .value(
        "key", "FILE", "A file with the 64 hexadecimal digits that the peers of a private network share.",
        kind: .file),
      .flag(
        "no-discovery",
        "Neither look for peers nearby nor tell them of this one, nor learn of peers from others."),
    ] + RelayOptions.definitions

  /// What such a command says at its start.
  static let listeningObject = ObjectDefinition(
    "listening", "At the start, where this process waits for peers.",
    ["address": "host and port", "peer": "this peer's public key"])

  /// Where `--connect` leads.
  static func addresses(_ parsed: ParsedCommand) throws -> [Address] {
    try parsed.texts("connect").map { text in
      do throws(NetworkError) { return try Address(text) } catch {
        throw parsed.badValue("connect", error.description)
      }
    }
  }

  /// Where to wait for peers.
  static func listenAddress(_ parsed: ParsedCommand) throws -> Address {
    do throws(NetworkError) { return try Address(parsed.text("listen") ?? "[::]:0") } catch {
      throw parsed.badValue("listen", error.description)
    }
  }

  /// The key of a private network; `nil` where none is named.
  static func presharedKey(_ parsed: ParsedCommand) throws -> [UInt8]? {
    guard let path = parsed.text("key") else { return nil }
    let file = try OpenFile.reading(path)
    var reader = LineReader(file.descriptor)
    guard case .line(let text) = try reader.next(), let key = [UInt8](hex: text), key.count == 32 else {
      throw parsed.badValue("key", "the file does not begin with a line of 64 hexadecimal digits")
    }
    return key
  }
}
