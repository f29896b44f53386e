import EventLog
import Events
import TestKit
import Testing

/// An identity as it is carried to another machine: one text of each, and no other is taken.
@Suite struct IdentityExportTests {
  /// As little as Argon2id takes. The program itself takes only `IdentityExport.cost`.
  private static let cheap = PassphraseCost(passes: 1, memoryKibibytes: 8)
  private static let passphrase = Array("correct horse battery staple".utf8)
  private let seed = [UInt8](0..<32)

  private func box(_ cost: PassphraseCost = Self.cheap) -> PassphraseBox {
    PassphraseBox(cost: cost, salt: [UInt8](1...16), nonce: [UInt8](101...124))
  }

  private func export(_ box: PassphraseBox) throws -> IdentityExport {
    try IdentityExport(of: SigningKey(seed: seed), passphrase: Self.passphrase, box: box)
  }

  private func open(
    _ bytes: [UInt8], _ passphrase: [UInt8] = Self.passphrase
  ) throws(IdentityExportError) -> [UInt8] {
    try IdentityExport(bytes, costs: [Self.cheap]).open(passphrase: passphrase)
  }

  /// A file whose last line holds for the lines before it.
  private func checked(_ body: [UInt8]) -> [UInt8] {
    var hash = Blake2b(domain: "parlor-identity-export-check-1")
    hash.update(body)
    return body + Array("check \(hash.digest().bytes.hex)\n".utf8)
  }

  /// The lines before the last one.
  private func body(_ file: [UInt8]) -> [UInt8] { Array(file.dropLast(71)) }

  private func replacing(_ text: String, with other: String, in file: [UInt8]) throws -> [UInt8] {
    let parts = String(decoding: body(file), as: UTF8.self).split(
      separator: text, maxSplits: 1, omittingEmptySubsequences: false)
    try #require(parts.count == 2)
    return checked(Array((parts[0] + other + parts[1]).utf8))
  }

  @Test func whatIsExportedIsOpenedWithItsPassphraseAlone() throws {
    let file = try export(box()).bytes
    #expect(try open(file) == seed)
    #expect(file.count <= IdentityExport.limitBytes)
    #expect(try IdentityExport(file, costs: [Self.cheap]).peer == SigningKey(seed: seed).peer)
    for wrong in [
      [], Array(Self.passphrase.dropLast()), Self.passphrase + [0], [UInt8](repeating: 7, count: 1_024),
    ] {
      #expect(throws: IdentityExportError.wrongPassphrase) { try open(file, wrong) }
    }
    #expect(!String(decoding: file, as: UTF8.self).contains(seed.hex))
  }

  @Test func noTwoExportsAreAlike() throws {
    let files = try (0..<8).map { _ in try export(.random(Self.cheap)).bytes }
    #expect(Set(files).count == files.count)
    for line in 3...5 {
      let lines = files.map { Array($0.split(separator: 0x0A)[line]) }
      #expect(Set(lines).count == files.count, "salt, nonce and what is sealed")
    }
    for file in files { #expect(try open(file) == seed) }
  }

  /// Files that were computed by other libraries, at the full cost.
  @Test func otherLibrariesMakeTheSame() throws {
    let records = try VectorFile("identity-exports", []).stored()
    #expect(records.count == 2)
    for record in records {
      let file = try #require([UInt8](hex: record["file"] ?? ""))
      let passphrase = try #require([UInt8](hex: record["passphrase"] ?? ""))
      #expect(try IdentityExport(file).open(passphrase: passphrase).hex == record["seed"])
    }
  }

  @Test func everyFlippedBitIsRefused() throws {
    let file = try export(box()).bytes
    for at in file.indices {
      for bit in 0..<8 {
        var changed = file
        changed[at] ^= 1 << bit
        #expect(throws: IdentityExportError.self) { try IdentityExport(changed, costs: [Self.cheap]) }
      }
    }
  }

  /// Also where the last line is made right again, as nobody does by mistake.
  @Test func everyFlippedBitIsRefusedThoughItsCheckHolds() throws {
    let body = body(try export(box()).bytes)
    for at in body.indices {
      for bit in 0..<8 {
        var changed = body
        changed[at] ^= 1 << bit
        #expect(throws: IdentityExportError.self, "bit \(bit) of byte \(at)") { try open(checked(changed)) }
      }
    }
  }

  @Test func everyCutIsRefused() throws {
    let file = try export(box()).bytes
    for length in file.indices {
      #expect(throws: IdentityExportError.self) { try open(Array(file.prefix(length))) }
      #expect(throws: IdentityExportError.self) { try open(Array(file.dropFirst(length + 1))) }
    }
    let body = body(file)
    for length in body.indices {
      #expect(throws: IdentityExportError.self) { try open(checked(Array(body.prefix(length)))) }
    }
    for more in [[0x0A], [0], file, [UInt8](repeating: 0x0A, count: 100_000)] {
      #expect(throws: IdentityExportError.damaged) { try open(file + more) }
    }
  }

  /// What it would cost to open it is looked at before any of that is spent: nothing here is opened.
  @Test(arguments: [
    "2 8", "1 9", "3 262145", "4 262144", "4294967295 4294967295", "1 4294967295", "4294967295 8", "0 8",
    "1 7",
    "1 0", "01 8", "1 08", "+1 8", "-1 8", "1  8", "1", "1 8 1", " ", "99999999999 8", "1 0x8", "１ 8",
  ]) func otherCostsAreRefused(_ numbers: String) throws {
    let file = try replacing("argon2id 1 8", with: "argon2id " + numbers, in: try export(box()).bytes)
    for costs in [[Self.cheap], [IdentityExport.cost]] as [Set<PassphraseCost>] {
      #expect(throws: IdentityExportError.self) { try IdentityExport(file, costs: costs) }
    }
  }

  /// The program takes nothing but its own cost.
  @Test func aCheapOneIsRefused() throws {
    let file = try export(box()).bytes
    #expect(throws: IdentityExportError.otherCost) { try IdentityExport(file) }
  }

  @Test func whatIsNoExportIsToldFromADamagedOne() throws {
    let file = try export(box()).bytes
    for other in [
      [], [0x0A], Array("parlor-identity-1\nseed \(seed.hex)\n".utf8), [UInt8](repeating: 0xFF, count: 999),
    ] {
      #expect(throws: IdentityExportError.notAnExport) { try open(other) }
    }
    #expect(throws: IdentityExportError.otherVersion) {
      try open(try replacing("export-1", with: "export-2", in: file))
    }
    #expect(throws: IdentityExportError.damaged) { try open(try replacing("salt", with: "SALT", in: file)) }
  }

  /// Who knows the passphrase cannot pass off one key as another's.
  @Test func aFileThatNamesAnotherKeyIsRefused() throws {
    let (box, named) = (box(), SigningKey(seed: [UInt8](repeating: 9, count: 32)).peer)
    let head =
      "parlor-identity-export-1\npeer \(named)\nargon2id 1 8\nsalt \(box.salt.hex)\nnonce \(box.nonce.hex)\n"
    let sealed = try box.seal(SigningKey(seed: seed), passphrase: Self.passphrase, bound: Array(head.utf8))
    let file = checked(Array("\(head)sealed \(sealed.hex)\n".utf8))
    #expect(throws: IdentityExportError.otherKey(named)) { try open(file) }
  }
}
