internal import Events
internal import Peer

// What is said of hosted rounds as the local socket carries it.

extension HostedAct {
  func encode(to body: inout [UInt8]) {
    switch self {
    case .join(let code, let profile):
      body.append(1)
      body.append(text8: code ?? "")
      body.append(profile)
    case .open(let content, let solution, let limit):
      body.append(2)
      body.append(list16: content)
      body.append(list16: solution)
      body.append(bigEndian: limit)
    case .close: body.append(3)
    case .enter(let opening, let choice):
      body.append(4)
      body.append(opening)
      body.append(list16: choice)
    }
  }

  init(_ reader: inout ByteReader) throws(FormatError) {
    let kind: UInt8 = try reader.integer()
    switch kind {
    case 1:
      let code = try reader.text8(0...JoinCode.count)
      self = .join(code: code.isEmpty ? nil : code, try reader.profile())
    case 2:
      self = .open(
        content: try reader.list16(HostedAction.limitContentBytes),
        solution: try reader.list16(HostedAction.limitSolutionBytes), limitMilliseconds: try reader.integer())
    case 3: self = .close
    case 4:
      self = .enter(
        opening: try reader.identifier(), choice: try reader.list16(HostedAction.limitLongEntryBytes))
    default: throw .badField("act of hosted rounds \(kind)", at: reader.offset - 1)
    }
  }
}

extension NewHostedRoom {
  func encode(to body: inout [UInt8]) {
    body.append(text8: rules)
    body.append(bigEndian: rulesVersion)
    body.append(list16: parameters)
    body.append(text8: title)
    body.append(bigEndian: rounds)
    body.append(bigEndian: players)
    body.append(bigEndian: entries)
    body.append(needsCode ? 1 : 0)
    body.append(scope.rawValue)
    body.append(profile)
    body.append(continues)
  }

  init(_ reader: inout ByteReader) throws(FormatError) {
    let rules = try reader.text8(1...32)
    let version: UInt16 = try reader.integer()
    let parameters = try reader.list16(Create.limitParameterBytes)
    let title = try reader.text8(0...Create.limitTitleBytes)
    let rounds: UInt16 = try reader.integer()
    let players: UInt16 = try reader.integer()
    guard (1...Create.limitGames).contains(rounds), (1...Create.limitEntrants).contains(players) else {
      throw .badField("rounds or players", at: reader.offset)
    }
    let entries: UInt16 = try reader.integer()
    guard entries > 0, Int(entries) * Int(players) <= UInt16.max else {
      throw .badField("\(entries) entries of \(players) players", at: reader.offset - 2)
    }
    let needsCode = try reader.flag()
    guard let scope = Scope(rawValue: try reader.integer()) else {
      throw .badField("scope", at: reader.offset - 1)
    }
    self.init(
      rules: rules, rulesVersion: version, parameters: parameters, title: title, rounds: rounds,
      players: players, entries: entries, needsCode: needsCode, scope: scope, profile: try reader.profile(),
      continues: try reader.identifier())
  }
}

extension [UInt8] {
  /// A length of two bytes and the bytes.
  fileprivate mutating func append(list16 bytes: [UInt8]) {
    append(bigEndian: UInt16(truncatingIfNeeded: bytes.count))
    append(contentsOf: bytes)
  }
}

extension ByteReader {
  fileprivate mutating func list16(_ limit: Int) throws(FormatError) -> [UInt8] {
    let count = Int(try integer(UInt16.self))
    guard count <= limit else { throw .tooLong(count, limit: limit) }
    return try take(count)
  }
}
