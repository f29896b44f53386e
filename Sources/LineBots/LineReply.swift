package import BotKit
internal import JSON
import Rules

/// What a line bot says of itself.
package struct LineHello: Hashable, Sendable {
  /// What `go` can bring beside what it always has.
  package enum Want: String, CaseIterable, Sendable {
    case position
    case plies
    case moves
  }

  /// The bot's version.
  package var version: UInt16 = 1
  /// The games that it plays; `nil` for all.
  package var games: [String]?
  /// What it wants to read in `go`.
  package var wants: Set<Want> = Set(Want.allCases)
  /// The most positions that it visits for a move; 0 where it goes by time.
  package var nodes: UInt64 = 0
  /// Whether its moves follow from what a single turn tells it, but for the time, so that anybody can ask it again.
  package var isRecomputable = false
  /// What an engine calls itself, in a protocol in which it says that.
  package var engine: String?

  package init() {}
}

/// What a line bot answers to `go`.
package enum LineMove: Hashable, Sendable {
  /// A move by its text.
  case text(String, MoveNote?)
  /// A move by its code.
  case code(UInt32, MoveNote?)
  /// It gives the game up.
  case resign
}

// Reading is strict: a member that the protocol does not have is a mistake that somebody wants to hear of.

extension LineHello {
  /// Reads the answer to `hello`.
  package init(line: [UInt8]) throws(LineBotFault) {
    self.init()
    let reply = try LineReply(
      line, types: ["hello"], members: ["version", "games", "wants", "nodes", "recomputable"])
    version = try reply.number("version", in: 0...UInt16.max) ?? version
    nodes = try reply.number("nodes", in: 0...LineText.limitNumber) ?? 0
    games = try reply.texts("games")
    isRecomputable = try reply.flag("recomputable") ?? false
    guard !isRecomputable || nodes > 0 else {
      throw reply.fault(
        "a bot that is `recomputable` says in `nodes` how many positions a move takes at the most")
    }
    guard let wanted = try reply.texts("wants") else { return }
    wants = []
    for name in wanted {
      guard let want = Want(rawValue: name) else {
        throw reply.fault("`wants` has “\(name)”; it may have position, plies and moves")
      }
      wants.insert(want)
    }
  }
}

extension LineMove {
  /// Reads the answer to `go`.
  package init(line: [UInt8]) throws(LineBotFault) {
    let reply = try LineReply(line, types: ["move", "resign"], members: ["move", "code", "note"])
    if reply.type == "resign" {
      self = .resign
      return
    }
    let note = try reply.note()
    if let code = try reply.number("code", in: 0...UInt32.max) {
      guard reply["move"] == nil else { throw reply.fault("`move` and `code` are not given both") }
      self = .code(code, note)
      return
    }
    guard let text = reply["move"]?.string else { throw reply.fault("it needs `move`, a text, or `code`") }
    self = .text(text, note)
  }

  /// What it chooses where it was asked.
  package func choice(in turn: BotTurn) throws(LineBotFault) -> BotChoice {
    let (code, shown, note): (MoveCode?, String, MoveNote?)
    switch self {
    case .resign: throw .resigned
    case .text(let text, let said): (code, shown, note) = (turn.game.code(text: text), text, said)
    case .code(let number, let said):
      (code, shown, note) = (MoveCode(number), "the code \(number)", said)
    }
    guard let code, turn.game.isLegal(code) else {
      throw .illegal(LineBotFault.beginning(of: shown.utf8))
    }
    return BotChoice(code, note: note)
  }
}

/// One line that a bot wrote: an object with a `type` and members that it may have.
private struct LineReply {
  let type: String
  private let value: JSONValue
  private let line: [UInt8]

  init(_ line: [UInt8], types: [String], members known: [String]) throws(LineBotFault) {
    self.line = line
    func fault(_ reason: String) -> LineBotFault {
      .rubbish(reason, line: LineBotFault.beginning(of: line))
    }
    do throws(JSONError) { value = try JSONValue(parsing: line) } catch {
      throw fault("it is no JSON, \(error.reason)")
    }
    guard case .object(let members) = value else { throw fault("it is no JSON object") }
    guard let type = value["type"]?.string, types.contains(type) else {
      throw fault("its `type` is not \(types.joined(separator: " or "))")
    }
    self.type = type
    if let other = members.first(where: { $0.name != "type" && !known.contains($0.name) }) {
      throw fault("it has the member “\(other.name)”, which \(type) does not have")
    }
  }

  subscript(name: String) -> JSONValue? { value[name] }

  func fault(_ reason: String) -> LineBotFault {
    .rubbish(reason, line: LineBotFault.beginning(of: line))
  }

  func number<Number: FixedWidthInteger>(
    _ name: String, in range: ClosedRange<Number>, of object: JSONValue? = nil
  ) throws(LineBotFault) -> Number? {
    guard let member = (object ?? value)[name] else { return nil }
    guard case .integer(let whole) = member, let number = Number(exactly: whole), range.contains(number)
    else {
      throw fault("`\(name)` is no whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func texts(_ name: String) throws(LineBotFault) -> [String]? {
    guard let member = value[name] else { return nil }
    guard let items = member.array, case let texts = items.compactMap(\.string), texts.count == items.count
    else { throw fault("`\(name)` is no list of texts") }
    return texts
  }

  func flag(_ name: String, of object: JSONValue? = nil) throws(LineBotFault) -> Bool? {
    guard let member = (object ?? value)[name] else { return nil }
    guard case .bool(let flag) = member else { throw fault("`\(name)` is neither true nor false") }
    return flag
  }

  func note() throws(LineBotFault) -> MoveNote? {
    guard let note = value["note"] else { return nil }
    guard case .object(let members) = note,
      members.allSatisfy({ ["value", "proven", "nodes"].contains($0.name) }),
      let value = try number("value", in: Int32.min...Int32.max, of: note)
    else { throw fault("`note` needs `value`, and may have `proven` and `nodes`") }
    let isProven = try flag("proven", of: note) ?? false
    let nodes = try number("nodes", in: 0...LineText.limitNumber, of: note) ?? 0
    return MoveNote(value: value, isProven: isProven, nodes: nodes)
  }
}
