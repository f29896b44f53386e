package import Events

/// The bytes of a file of bundles as they come, of which readers are handed one part after the other.
final class PieceSource {
  private let source: () throws(BundleError) -> [UInt8]
  private var piece: [UInt8] = []
  private var next = 0
  /// How many bytes of the part that is read now have not come yet.
  private(set) var left: UInt64 = 0
  /// How many bytes were taken.
  private(set) var offset: UInt64 = 0

  init(_ source: @escaping () throws(BundleError) -> [UInt8]) { self.source = source }

  /// The first bytes, which stay; fewer where the file ends before.
  func first(_ count: Int) throws(BundleError) -> ArraySlice<UInt8> {
    while piece.count - next < count {
      let more = try source()
      if more.isEmpty { break }
      piece = Array(piece[next...]) + more
      next = 0
    }
    return piece[next..<min(piece.count, next + count)]
  }

  /// The next `count` bytes, which are few.
  func take(_ count: Int) throws(BundleError) -> [UInt8] {
    let bytes = Array(try first(count))
    guard bytes.count == count else { throw .fileEnds(at: offset + UInt64(bytes.count)) }
    skip(count)
    return bytes
  }

  /// Begins a part of so many bytes.
  func begin(_ bytes: UInt64) { left = bytes }

  /// The next bytes of the part, at least one; none at its end.
  func some() throws(BundleError) -> [UInt8] {
    guard left > 0 else { return [] }
    guard try !first(1).isEmpty else { throw .fileEnds(at: offset) }
    let count = Int(clamping: min(left, UInt64(piece.count - next)))
    let bytes = Array(piece[next..<next + count])
    skip(count)
    left -= UInt64(count)
    return bytes
  }

  private func skip(_ count: Int) {
    next += count
    offset += UInt64(count)
  }
}

/// A file of one room or of a tournament, told apart by what it begins with.
package enum LogFile: ~Copyable {
  /// One room.
  case bundle(BundleReader)
  /// A tournament with the rooms of its games.
  case tournament(TournamentFileReader)

  /// Reads and checks the heading; the parameters are those of ``BundleReader``.
  package init(
    network: NetworkID?, limits: Bundle.Limits = .init(), scheme: any SignatureScheme = Ed25519(),
    source: @escaping () throws(BundleError) -> [UInt8]
  ) throws(BundleError) {
    let pieces = PieceSource(source)
    // All but the version's digit.
    guard try pieces.first(TournamentFile.magic.count - 1).elementsEqual(TournamentFile.magic.dropLast())
    else {
      self = .bundle(
        try BundleReader(network: network, limits: limits, scheme: scheme) { () throws(BundleError) in
          try pieces.rest()
        })
      return
    }
    self = .tournament(
      try TournamentFileReader(network: network, limits: limits, scheme: scheme, pieces: pieces))
  }
}

extension PieceSource {
  /// What has come and was not taken, or the next bytes that come.
  fileprivate func rest() throws(BundleError) -> [UInt8] {
    begin(.max)
    return try first(1).isEmpty ? [] : try some()
  }
}
