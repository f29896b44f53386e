package import Events
internal import Platform

/// Why an exported identity cannot be written, read or opened.
package enum IdentityExportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It does not begin as an export does.
  case notAnExport
  /// It is an export of another version.
  case otherVersion
  /// It is not as a program wrote it.
  case damaged
  /// It asks for work or memory that this version does not have.
  case otherCost
  /// The passphrase is not the one that it was made with.
  case wrongPassphrase
  /// Whoever knows the passphrase has put another key in it than it names.
  case otherKey(PeerID)
  /// There is not enough memory for the derivation.
  case noMemory(kibibytes: UInt32)

  /// What happened and what to do.
  package var description: String {
    switch self {
    case .notAnExport: "this is no exported identity: `parlor identity export` makes one"
    case .otherVersion: "this exported identity is of another version than this program reads"
    case .damaged: "the exported identity is not whole or was changed: take another copy, or export it again"
    case .otherCost:
      "the exported identity asks for other work than version 1 has, which could take all memory, so it is not opened"
    case .wrongPassphrase: "this is not the passphrase that the identity was exported with"
    case .otherKey(let peer): "the exported identity names the peer \(peer.short) and holds another key"
    case .noMemory(let kibibytes):
      "there is not enough memory to make a key of the passphrase, which takes \(kibibytes >> 10) MiB"
    }
  }
}

/// An identity as it is carried to another machine: its seed under a passphrase (Docs/PROTOCOL.md §2.1).
///
/// ```
/// parlor-identity-export-1
/// peer 64 hexadecimal digits: the public key
/// argon2id passes memory: in KiB
/// salt 32 hexadecimal digits
/// nonce 48 hexadecimal digits
/// sealed 96 hexadecimal digits: the seed; the lines above are authenticated with it
/// check 64 hexadecimal digits: a hash of all above, which tells damage from a wrong passphrase
/// ```
///
/// There is one spelling of each: digits are lower-case, numbers are decimal, every line ends in a line feed.
package struct IdentityExport: Hashable, Sendable {
  /// What version 1 costs: about a second of one processor.
  package static let cost = PassphraseCost(passes: 3, memoryKibibytes: 256 << 10)
  /// No export is longer, in bytes.
  package static let limitBytes = 512

  /// Whose identity it says that it is. It is certain once it was opened.
  package let peer: PeerID
  private let box: PassphraseBox
  private let sealed: [UInt8]

  private static let firstLine = "parlor-identity-export-1"

  /// Seals a key's seed.
  package init(
    of key: SigningKey, passphrase: [UInt8], box: PassphraseBox = .random(Self.cost)
  ) throws(IdentityExportError) {
    (peer, self.box) = (key.peer, box)
    do throws(PassphraseBoxError) {
      sealed = try box.seal(key, passphrase: passphrase, bound: Self.bound(peer, box))
    } catch { throw .noMemory(kibibytes: box.cost.memoryKibibytes) }
  }

  /// Reads an export, and opens nothing.
  /// - Parameter costs: what it may cost to open it; others are refused here, before any of it is spent.
  package init(_ bytes: [UInt8], costs: Set<PassphraseCost> = [Self.cost]) throws(IdentityExportError) {
    let lines = bytes.prefix(Self.limitBytes + 1).split(separator: 0x0A, omittingEmptySubsequences: false)
      .map {
        $0.split(separator: 0x20, omittingEmptySubsequences: false).map {
          String(decoding: $0, as: UTF8.self)
        }
      }
    guard lines[0] == [Self.firstLine] else {
      throw lines[0].first?.hasPrefix("parlor-identity-export-") == true ? .otherVersion : .notAnExport
    }
    guard lines.count == 8, let peer = Self.field("peer", 32, lines[1]), lines[2].count == 3,
      let passes = UInt32(lines[2][1]), let memory = UInt32(lines[2][2]), passes >= 1, memory >= 8,
      let salt = Self.field("salt", PassphraseBox.saltBytes, lines[3]),
      let nonce = Self.field("nonce", PassphraseBox.nonceBytes, lines[4]),
      let sealed = Self.field("sealed", PassphraseBox.sealedBytes, lines[5])
    else { throw .damaged }
    let cost = PassphraseCost(passes: passes, memoryKibibytes: memory)
    self.peer = PeerID(Bytes32(peer, at: 0))
    box = PassphraseBox(cost: cost, salt: salt, nonce: nonce)
    self.sealed = sealed
    // Written again it is the same, or it is no export: so each line has one spelling.
    guard self.bytes == bytes else { throw .damaged }
    guard costs.contains(cost) else { throw .otherCost }
  }

  /// Opens it.
  /// - Returns: the 32 bytes of the seed, whose key is `peer`; whoever asked has to wipe them.
  package func open(passphrase: [UInt8]) throws(IdentityExportError) -> [UInt8] {
    var seed: [UInt8]
    do throws(PassphraseBoxError) {
      seed = try box.open(sealed, passphrase: passphrase, bound: Self.bound(peer, box))
    } catch {
      switch error {
      case .doesNotOpen: throw .wrongPassphrase
      case .noMemory: throw .noMemory(kibibytes: box.cost.memoryKibibytes)
      }
    }
    guard SigningKey(seed: seed).peer == peer else {
      seed.wipe()
      throw .otherKey(peer)
    }
    return seed
  }

  /// The file.
  package var bytes: [UInt8] {
    let body = Self.bound(peer, box) + Array("sealed \(sealed.hex)\n".utf8)
    var hash = Blake2b(domain: "parlor-identity-export-check-1")
    hash.update(body)
    return body + Array("check \(hash.digest().bytes.hex)\n".utf8)
  }

  /// The lines that are authenticated with the seed.
  private static func bound(_ peer: PeerID, _ box: PassphraseBox) -> [UInt8] {
    let cost = "argon2id \(box.cost.passes) \(box.cost.memoryKibibytes)"
    return Array(
      "\(firstLine)\npeer \(peer)\n\(cost)\nsalt \(box.salt.hex)\nnonce \(box.nonce.hex)\n".utf8)
  }

  private static func field(_ name: String, _ count: Int, _ words: [String]) -> [UInt8]? {
    guard words.count == 2, words[0] == name, let bytes = [UInt8](hex: words[1]), bytes.count == count else {
      return nil
    }
    return bytes
  }
}
