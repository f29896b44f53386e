internal import Channel
package import Events

/// What peers announce as (Docs/PROTOCOL.md §9): the type of the service, names, and the text record.
package enum ServiceRecord {
  /// The type that is browsed.
  static let type = "_parlor._tcp"
  /// The domain in which that is done.
  static let domain = "local"
  /// A name's bytes at most.
  static let limitNameBytes = 63
  /// A text record's bytes at most.
  static let limitTextBytes = 400

  /// A name that nobody else has, and that says nothing of who this is.
  static func randomName() -> String {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: UInt64.random(in: .min ... .max))
    return bytes.hex
  }

  /// The name of the host that a service is on; peers of one machine have hosts of their own.
  static func hostName(of name: String) -> String { "parlor-\(name)" }

  /// A name that somebody announced; `nil` unless it is made of lower-case letters, digits and hyphens, which are safe
  /// in all places.
  package static func name(_ bytes: some Collection<UInt8>) -> String? {
    guard !bytes.isEmpty, bytes.count <= limitNameBytes else { return nil }
    let isPlain = bytes.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
    }
    return isPlain ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// The text record of a peer of this network.
  package static func text(of network: NetworkID) -> [UInt8] {
    let hash = Preamble.hash(of: network).prefix(8)
    return ["v=\(Preamble.version)", "n=\(Array(hash).hex)"].flatMap {
      [UInt8($0.utf8.count)] + Array($0.utf8)
    }
  }

  /// Whether a text record is that of a peer of this network and this version. Other keys are for the future; one
  /// that stands twice is for nobody.
  package static func isText(_ text: [UInt8], of network: NetworkID) -> Bool {
    guard text.count <= limitTextBytes, let found = fields(of: text) else { return false }
    let own = fields(of: ServiceRecord.text(of: network)) ?? []
    return own.allSatisfy { field in
      let same = found.filter { $0.key == field.key }
      return same.count == 1 && same[0].value == field.value
    }
  }

  /// The strings of a text record, each divided at its first equals sign, keys in lower case; `nil` if they do not
  /// fill it.
  private static func fields(of text: [UInt8]) -> [(key: [UInt8], value: [UInt8])]? {
    var fields: [(key: [UInt8], value: [UInt8])] = []
    var rest = text[...]
    while let count = rest.popFirst() {
      guard Int(count) <= rest.count else { return nil }
      let parts = rest.prefix(Int(count)).split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      rest = rest.dropFirst(Int(count))
      let key = (parts.first ?? []).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
      fields.append((key, parts.count == 2 ? Array(parts[1]) : []))
    }
    return fields
  }
}
