import EventLog
import Events
import Foundation
import Testing

private func mode(_ path: String) throws -> Int {
  let value = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
  return try #require(value as? Int)
}

@Suite("Identity files")
struct IdentityTests {
  private let seed = [UInt8](0..<32)

  private func error(_ body: () throws(IdentityError) -> SigningKey) -> IdentityError? {
    do throws(IdentityError) {
      _ = try body()
      return nil
    } catch { return error }
  }

  private func setMode(_ mode: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  @Test("What is created is loaded, and lies in a folder and a file for its owner alone, under any umask")
  func creation() async throws {
    // The umask is the whole process's, so this has a process of its own.
    await #expect(processExitsWith: .success) {
      try await withTemporaryFolder { base in
        for mask in [mode_t(0), 0o022, 0o077, 0o277, 0o777] {
          let folder = "\(base)/\(mask)"
          let old = umask(mask)
          let made = Result { () throws(IdentityError) in try Identity.create(folder: folder) }
          umask(old)
          let key = try made.get()
          #expect(try mode(folder) == 0o700 && mode("\(folder)/\(Identity.fileName)") == 0o600)
          #expect(try Identity.load(folder: folder).peer == key.peer)
          #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [Identity.fileName])
        }
      }
    }
  }

  @Test("An identity is never overwritten, and random ones differ")
  func overwriting() async throws {
    try await withTemporaryFolder { base in
      let key = try Identity.create(folder: "\(base)/a")
      #expect(
        error { () throws(IdentityError) in try Identity.create(folder: "\(base)/a") }
          == .exists("\(base)/a/identity.key"))
      #expect(try Identity.load(folder: "\(base)/a").peer == key.peer)
      #expect(try Identity.create(folder: "\(base)/b").peer != key.peer)
      #expect(try FileManager.default.contentsOfDirectory(atPath: "\(base)/a").count == 1)
    }
  }

  @Test("An imported identity is made where there is none, and where nobody writes")
  func importing() async throws {
    try await withTemporaryFolder { base in
      let key = try Identity.adopt(seed, folder: "\(base)/a")
      #expect(try Identity.load(folder: "\(base)/a").peer == key.peer)
      #expect(try mode("\(base)/a/imported") == 0o600)
      #expect(
        error { () throws(IdentityError) in
          try Identity.adopt([UInt8](repeating: 1, count: 32), folder: "\(base)/a")
        } == .exists("\(base)/a/identity.key"))
      #expect(try Identity.load(folder: "\(base)/a").peer == key.peer)
      try FileManager.default.createDirectory(
        atPath: "\(base)/b", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      let log = try LMDBEventLog(folder: "\(base)/b/log", access: .writing, network: .standard)
      let refusal = error { () throws(IdentityError) in try Identity.adopt(seed, folder: "\(base)/b") }
      guard case .busy("\(base)/b", _) = refusal else {
        Issue.record("\(String(describing: refusal))")
        return
      }
      #expect(try !FileManager.default.contentsOfDirectory(atPath: "\(base)/b").contains("imported"))
      withExtendedLifetime(log) {}
    }
  }

  @Test("Drafts whose writers are gone are removed, and nothing else is")
  func drafts() async throws {
    try await withTemporaryFolder { base in
      let key = try Identity.create(folder: base)
      let abandoned = ["identity.key.1-2", "identity.key.4194304-18446744073709551615"]
      let others = [
        "identity.key.", "identity.key.1", "identity.key.1-", "identity.key.-1", "identity.key.1-2-3",
        "identity.key.a-1", "identity.key.bak", "xidentity.key.1-2",
      ]
      let held = "identity.key.7-8"
      for name in abandoned + others + [held] {
        try Data("secret".utf8).write(to: URL(filePath: "\(base)/\(name)"))
      }
      // SAFETY: open reads the terminated string during the call only.
      let holder = unsafe open("\(base)/\(held)", O_RDONLY)
      try #require(holder >= 0 && flock(holder, LOCK_EX) == 0)
      let kept = (others + [held, Identity.fileName]).sorted()
      try Identity.removeDrafts(folder: base)
      #expect(try FileManager.default.contentsOfDirectory(atPath: base).sorted() == kept)
      close(holder)
      // A creation removes them as well, even one that finds an identity.
      #expect(
        error { () throws(IdentityError) in try Identity.create(folder: base) }
          == .exists("\(base)/identity.key"))
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: base).sorted() == kept.filter { $0 != held })
      #expect(try Identity.load(folder: base).peer == key.peer)
    }
  }

  @Test("Absent files and folders are told from those that cannot be used")
  func absence() async throws {
    try await withTemporaryFolder { base in
      let path = "\(base)/identity.key"
      func load(_ folder: String) -> IdentityError? {
        error { () throws(IdentityError) in try Identity.load(folder: folder) }
      }
      #expect(load(base) == .missing(path))
      #expect(load("\(base)/none") == .missing("\(base)/none/identity.key"))
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      #expect(load(base) == .notOurs(path))
      try FileManager.default.removeItem(atPath: path)
      _ = try Identity.create(folder: "\(base)/true", seed: seed)
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: "\(base)/true/identity.key")
      #expect(load(base) == .notOurs(path))
      #expect(load(path) != nil)
    }
  }

  @Test("Every mode that lets others in is refused, on the file and on the folder")
  func modes() async throws {
    try await withTemporaryFolder { base in
      _ = try Identity.create(folder: base, seed: seed)
      let path = "\(base)/\(Identity.fileName)"
      for bits in 1..<64 {
        try setMode(0o600 | bits, path)
        #expect(
          error { () throws(IdentityError) in try Identity.load(folder: base) }
            == .exposed(path: path, mode: UInt16(0o600 | bits), wanted: 0o600))
      }
      try setMode(0o600, path)
      for bits in 1..<64 {
        try setMode(0o700 | bits, base)
        let refusal = IdentityError.exposed(path: base, mode: UInt16(0o700 | bits), wanted: 0o700)
        #expect(error { () throws(IdentityError) in try Identity.load(folder: base) } == refusal)
        #expect(error { () throws(IdentityError) in try Identity.create(folder: base) } == refusal)
      }
      try setMode(0o700, base)
      _ = try Identity.load(folder: base)
    }
  }

  @Test("Every flipped bit and every lost byte of the file is noticed")
  func damage() async throws {
    try await withTemporaryFolder { base in
      _ = try Identity.create(folder: base, seed: seed)
      let path = "\(base)/\(Identity.fileName)"
      let bytes = Array(try Data(contentsOf: URL(filePath: path)))
      let key = SigningKey(seed: seed).peer
      func check(_ changed: [UInt8]) throws {
        try Data(changed).write(to: URL(filePath: path))
        do throws(IdentityError) {
          let found = try Identity.load(folder: base)
          // Hexadecimal digits have two cases.
          #expect(
            found.peer == key
              && String(decoding: changed, as: UTF8.self).lowercased()
                == String(decoding: bytes, as: UTF8.self)
          )
        } catch {
          guard case .damaged = error else {
            Issue.record("\(error)")
            return
          }
        }
      }
      for at in bytes.indices {
        for bit in 0..<8 {
          var changed = bytes
          changed[at] ^= 1 << bit
          try check(changed)
        }
        try check(Array(bytes.prefix(at)))
      }
      try check(bytes + [10])
      try check(bytes + bytes)
    }
  }
}
