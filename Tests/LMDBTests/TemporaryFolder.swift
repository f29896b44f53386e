import Foundation
import LMDB
import Testing

/// Calls `body` with the path of a fresh folder and removes it afterwards.
func withTemporaryFolder(_ body: (String) async throws -> Void) async throws {
  let url = FileManager.default.temporaryDirectory.appending(path: "lmdb-tests-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  do { try await body(url.path) } catch {
    try FileManager.default.removeItem(at: url)
    throw error
  }
  try FileManager.default.removeItem(at: url)
}

/// The environment `store` in the folder, with the databases `first` and `second`.
func open(
  _ folder: String, _ access: Environment.Access = .writing, mapBytes: Int = 64 << 20
) throws(StoreError) -> Environment {
  try Environment(configuration(folder, access, mapBytes: mapBytes))
}

func configuration(
  _ folder: String, _ access: Environment.Access = .writing, mapBytes: Int = 64 << 20
) -> Environment.Configuration {
  Environment.Configuration(
    folder: "\(folder)/store", access: access, databases: ["first", "second"], mapBytes: mapBytes,
    program: "tests")
}

/// The error of an opening that must fail; `nil` when it succeeded.
func openingError(_ configuration: Environment.Configuration) -> StoreError? {
  do throws(StoreError) {
    _ = try Environment(configuration)
    return nil
  } catch { return error }
}

func files(_ folder: String) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

func bytes(_ span: RawSpan?) -> [UInt8]? {
  guard let span else { return nil }
  return Array(copying: span)
}

extension Environment {
  /// Writes one record in a transaction of its own.
  func put(_ key: String, _ value: String, in name: String = "first") throws(StoreError) {
    let (key, value) = (bytes(key), bytes(value))
    let database = try database(name)
    try write { (transaction) throws(StoreError) in
      try transaction.put(value.rawSpan, at: key.rawSpan, in: database)
    }
  }

  /// Reads one record from a snapshot of its own.
  func get(_ key: String, in name: String = "first") throws(StoreError) -> String? {
    let key = bytes(key)
    let database = try database(name)
    return try read { (transaction) throws(StoreError) in
      bytes(try transaction.get(key.rawSpan, in: database)).map { String(decoding: $0, as: UTF8.self) }
    }
  }
}

extension Environment {
  /// Counts the entries of a database by reading every one.
  func count(_ name: String) throws(StoreError) -> Int {
    let database = try database(name)
    return try read { (transaction) throws(StoreError) in
      var count = 0
      try transaction.forEach(in: database) { (_, _) throws(StoreError) in
        count += 1
        return .proceed
      }
      return count
    }
  }
}
