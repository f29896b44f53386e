import Peer
import Platform
import Ratings
import Terminal

extension RatingTable.Input {
  /// The games of a store.
  init(_ games: RatedGames) {
    var versions: [[UInt8]: Int] = [:]
    for case .bot(let specification, _) in games.players { versions[specification, default: 0] += 1 }
    game = games.game
    players = games.players.map { player in
      switch player {
      case .bot(let specification, let version):
        RatingTable.Player(
          name: String(decoding: specification, as: UTF8.self), version: version,
          showsVersion: versions[specification] ?? 0 > 1)
      case .person(let peer): RatingTable.Player(name: games.names[peer] ?? "", peer: peer)
      }
    }
    duels = games.duels
    provisional = games.provisional
  }

  /// The games of a file: a line of two names and a result each, with commas; an empty line and a first line without
  /// a result are passed over.
  init(file path: String) throws {
    let bytes = try OpenFile.reading(path).readAll(limit: Self.limitBytes)
    guard bytes.count < Self.limitBytes else {
      throw Failure(.dataError, "\(SafeText(path).text) has \(Self.limitBytes) bytes or more")
    }
    var names: [[UInt8]: Int] = [:]
    var read: [ResultLine] = []
    for (number, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .enumerated()
    {
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if line.isEmpty { continue }
      guard let fields = ResultLine(line) else {
        if number == 0 { continue }
        throw Failure(
          .dataError,
          "\(SafeText(path).text), line \(number + 1): it is not two names and 1-0, 0-1 or 1/2-1/2, with commas"
        )
      }
      read.append(fields)
    }
    let sorted = Set(read.flatMap { [$0.first, $0.second] }).sorted { $0.lexicographicallyPrecedes($1) }
    for (place, name) in sorted.enumerated() { names[name] = place }
    game = nil
    players = sorted.map { RatingTable.Player(name: String(decoding: $0, as: UTF8.self)) }
    duels = read.map { Duel(first: names[$0.first] ?? 0, second: names[$0.second] ?? 0, result: $0.result) }
  }

  private static let limitBytes = 1 << 28
}

/// A line of a file of results.
private struct ResultLine {
  let first: [UInt8]
  let second: [UInt8]
  let result: Duel<Int>.Result

  /// `nil` for anything else.
  init?(_ line: ArraySlice<UInt8>) {
    let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard fields.count == 3, !fields[0].isEmpty, !fields[1].isEmpty else { return nil }
    first = Array(fields[0])
    second = Array(fields[1])
    switch String(decoding: fields[2], as: UTF8.self) {
    case "1-0": result = .won
    case "0-1": result = .lost
    case "1/2-1/2": result = .drawn
    default: return nil
    }
  }
}
