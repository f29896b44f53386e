import BotKit
import EventLog
import Events
import Games
import JSON
import Rules
import SearchBots
import Service
import Simulation
import Web

// People with browsers at the pages of peers: they come, play, lose their sockets and come back.

extension ServiceRun {
  /// How long a page may take to answer: it waits for disks that are full.
  private static let answerMilliseconds: UInt64 = 60_000
  /// How long somebody waits for others at a table that is open.
  private static let lonelyMilliseconds: UInt64 = 25_000
  /// How long nothing may happen at a table of which each seat has somebody honest.
  private static let standstillMilliseconds: UInt64 = 90_000
  /// What is played: a board, columns, rounds of choices, and cards that chance lays.
  private static let games: [(String, JSONValue)] = [
    ("tic-tac-toe", [:]), ("tic-tac-toe", [:]), ("connect-four", [:]),
    ("prisoners-dilemma", ["rounds": 3]), ("memory-match", ["cards": 8]),
  ]

  /// Whether a table that anybody watches counts as one that is made for many.
  private var hasCrowds: Bool { plan.seed % 3 == 0 }

  /// The sockets of a peer's page in a life of it.
  func page(_ service: PeerService) async throws -> SimulatedPage {
    guard let ticTacToe = Games.catalog.newest(TicTacToe.name) else {
      throw ServiceRunError.never("find \(TicTacToe.name)")
    }
    var settings = WebSettings()
    if hasCrowds { settings.limitPrompt = 0 }
    let sockets = WebSockets(
      service, settings, token: OwnerToken(machine.bytes()), ticTacToe: try ticTacToe.rules(),
      games: Games.catalog, bots: BotCatalog(SearchBots.families))
    await sockets.begin()
    return SimulatedPage(sockets, network, settings)
  }

  /// Has all visitors come, and play what they came for.
  func visitAll() async throws {
    let flooding = Task { await floodPages() }
    let visits = visitors.map { visitor in Task { try await self.visit(visitor) } }
    try await playAtSockets()
    for visit in visits { try await visit.value }
    await flooding.value
  }

  private func visit(_ visitor: Visitor) async throws {
    let end = max(machine.now, plan.safetyMilliseconds) + Self.patienceMilliseconds
    while !visitor.isThrough(plan.games) {
      guard machine.now < end else {
        throw ServiceRunError.never("visitor \(visitor.number) comes to the end of \(plan.games) games")
      }
      await sleep(visitor.random.time(20...1_200))
      if isFaulty, plan.faults.contains(.lostSockets), visitor.wire != nil, visitor.random.oneIn(25) {
        await interrupt(visitor)
      } else {
        checkLists(visitor)
        await checkGoesOn(visitor.host)
        go(on: visitor)
      }
    }
    visitor.wire?.close()
    visitor.disconnect()
    record.tell("visitor \(visitor.number) goes")
  }

  /// A phone sleeps, a tab is closed, or somebody goes out of reach.
  private func interrupt(_ visitor: Visitor) async {
    let wire = visitor.wire
    switch visitor.random.below(3) {
    case 0:
      record.tell("the phone of visitor \(visitor.number) sleeps")
      wire?.setReading(false)
      await sleep(visitor.random.time(500...8_000))
      wire?.setReading(true)
    case 1:
      record.tell("visitor \(visitor.number) closes the page")
      visitor.disconnect()
      wire?.close()
      await sleep(visitor.random.time(1...3_000))
    default:
      record.tell("visitor \(visitor.number) is out of reach")
      visitor.disconnect()
      wire?.vanish()
      await sleep(visitor.random.time(1...5_000))
    }
  }

  /// Does the next thing.
  private func go(on visitor: Visitor) {
    guard visitor.wire != nil else { return connect(visitor) }
    if let (_, request, time) = visitor.asked {
      guard machine.now > max(time, plan.safetyMilliseconds) + Self.answerMilliseconds else { return }
      record.violate(.ability, peer: visitor.host, "visitor \(visitor.number) has no answer to \(request)")
      return visitor.giveUpAsking()
    }
    guard visitor.isKnown else {
      let name = JSONValue.string("Visitor \(visitor.number)")
      guard let secret = visitor.secret else { return ask(visitor, .hello, ["type": "hello", "name": name]) }
      return ask(visitor, .hello, ["type": "hello", "name": name, "secret": .string(secret)])
    }
    guard visitor.followsList else { return ask(visitor, .list, ["type": "list", "follow": true]) }
    guard let room = visitor.room else { return findTable(visitor) }
    guard visitor.isWatching else { return ask(visitor, .watch, ["type": "watch", "room": .string(room)]) }
    if let table = visitor.table { take(visitor, table, in: .string(room)) }
  }

  private func ask(
    _ visitor: Visitor, _ request: Visitor.Request, _ members: KeyValuePairs<String, JSONValue>
  ) {
    record.tell("visitor \(visitor.number) asks \(request)")
    visitor.ask(request, members, at: machine.now)
  }

  private func connect(_ visitor: Visitor) {
    guard let page = hosts[visitor.host].life?.page else { return }
    record.tell("visitor \(visitor.number) opens the page of peer \(visitor.host)")
    let number = visitor.number
    visitor.connect { socket in
      SimulatedWire(
        to: page, .tables, source: "10.1.0.\(number + 1)",
        sent: { message in
          self.assumeIsolated { $0.check(sent: message, to: $0.visitors[number], on: socket) }
        }
      ) { news in
        self.assumeIsolated { run in
          switch news {
          case .received(let message): run.heed(message, run.visitors[number])
          case .ended(let words): run.lose(run.visitors[number], words)
          }
        }
      }
    }
  }

  private func lose(_ visitor: Visitor, _ words: String?) {
    record.tell("the socket of visitor \(visitor.number) has ended\(words.map { ": \($0)" } ?? "")")
    visitor.disconnect()
  }

  // MARK: - Playing

  /// Comes to a table that is open, or opens one.
  private func findTable(_ visitor: Visitor) {
    // What was opened when the socket ended, or a seat that came late.
    if let own = visitor.seats.first { return visitor.come(to: own, at: machine.now, isWatching: false) }
    guard visitor.played < plan.games else { return }
    // Whoever was left sitting once looks who has opened a table.
    let open = visitor.openTables(by: visitor.hasWaited || !isFaulty ? "Visitor" : "")
    if let room = visitor.random.pick(open), !visitor.wantsBot {
      visitor.come(to: room, at: machine.now)
      return ask(visitor, .join(room), ["type": "join", "room": .string(room)])
    }
    let seat = JSONValue.string(visitor.random.pick(["first", "second", "random"]) ?? "first")
    if visitor.wantsBot {
      ask(visitor, .host, ["type": "host", "game": "tic-tac-toe", "seat": seat, "bot": "greedy"])
    } else if visitor.random.oneIn(3), let (game, settings) = visitor.random.pick(Self.games) {
      ask(
        visitor, .host,
        ["type": "host", "game": .string(game), "settings": settings, "seat": seat, "scope": "public"])
    }
  }

  /// Does something at its table.
  private func take(_ visitor: Visitor, _ table: JSONValue, in room: JSONValue) {
    switch table["phase"]?.string {
    case "waiting": wait(visitor, table, in: room)
    case "playing":
      guard table["seat"]?.number != nil else { return visitor.go(isDone: false) }
      play(visitor, table, in: room)
    case "closed": visitor.go(isDone: false)
    default:
      guard table["seat"]?.number != nil else { return visitor.go(isDone: false) }
      record.tell("visitor \(visitor.number) has come to the end of its game")
      record.statistics.visitedGames += 1
      visitor.go(isDone: true)
    }
  }

  private func wait(_ visitor: Visitor, _ table: JSONValue, in room: JSONValue) {
    let hasAsked = table["seat"]?.number != nil || table["has-asked"]?.isTrue == true
    if machine.now > visitor.since + Self.lonelyMilliseconds {
      visitor.wantsBot = true
      guard hasAsked else { return visitor.go(isDone: false) }
      return ask(visitor, .leave, ["type": "leave", "room": room])
    }
    if !hasAsked, let name = room.string { ask(visitor, .join(name), ["type": "join", "room": room]) }
  }

  private func play(_ visitor: Visitor, _ table: JSONValue, in room: JSONValue) {
    let may = (table["may"]?.array ?? []).compactMap(\.string)
    if let answer = visitor.random.pick(may.filter { ["agree", "agree-draw", "decline-draw"].contains($0) }) {
      if visitor.random.oneIn(2) { return ask(visitor, .act, ["type": .string(answer), "room": room]) }
    }
    if visitor.random.oneIn(15) {
      let act = visitor.random.pick(may.filter { ["undo", "offer-draw", "say", "resign"].contains($0) })
      switch act {
      case "say": return ask(visitor, .act, ["type": "say", "room": room, "text": "hm"])
      case "resign" where !visitor.random.oneIn(4): break
      case .some(let act): return ask(visitor, .act, ["type": .string(act), "room": room])
      case nil: break
      }
    }
    guard let move = visitor.random.pick(table["moves"]?.array ?? []), let code = move["code"]?.number,
      let number = table["number"]?.number, let plies = table["plies"]?.array?.count
    else { return awaitOthers(visitor, table, in: room) }
    ask(
      visitor, .choose(number: number, plies: Int64(plies), code: code),
      [
        "type": "choose", "room": room, "code": .integer(code), "number": .integer(number),
        "plies": .integer(Int64(plies)),
      ])
  }

  private func awaitOthers(_ visitor: Visitor, _ table: JSONValue, in room: JSONValue) {
    if hasStranger(table) {
      // Whoever does not play on is left sitting.
      guard machine.now > visitor.lastStep + Self.lonelyMilliseconds else { return }
      visitor.hasWaited = true
      return ask(visitor, .act, ["type": "leave", "room": room])
    }
    guard machine.now > max(visitor.lastStep, plan.safetyMilliseconds) + Self.standstillMilliseconds else {
      return
    }
    record.violate(
      .ability, peer: visitor.host,
      "nothing happens where visitor \(visitor.number) plays, in \(visitor.room ?? "")")
    visitor.go(isDone: true)
  }

  /// Whether somebody has a seat of a table who is neither a visitor nor a bot.
  private func hasStranger(_ table: JSONValue) -> Bool {
    let known = Set(visitors.compactMap { $0.peer?.description })
    return (table["seats"]?.array ?? []).contains { seat in
      guard let peer = seat["peer"]?.string else { return false }
      return !known.contains(peer) && seat["bot"]?.string == nil
    }
  }

  // MARK: - What must hold

  private func heed(_ message: [UInt8], _ visitor: Visitor) {
    let known = visitor.peer
    switch visitor.hear(message, at: machine.now) {
    case .done(.hello, let answer):
      guard let known, answer["peer"]?.string != known.description else { break }
      record.violate(.conduct, peer: visitor.host, "visitor \(visitor.number) came back as somebody else")
    case .done(.host, let answer):
      if let room = answer["room"]?.string { visitor.come(to: room, at: machine.now) }
    case .done(.choose(let number, let plies, let code), _):
      checkPlayed(number: number, plies: plies, code: code, by: visitor)
    case .done(.leave, _): visitor.go(isDone: false)
    case .refused(.join, let words):
      record.tell("visitor \(visitor.number) may not come: \(words)")
      visitor.go(isDone: false)
    case .refused(.hello, let words), .refused(.watch, let words):
      record.violate(.durability, peer: visitor.host, "visitor \(visitor.number) may not come back: \(words)")
      visitor.go(isDone: false)
    case .refused(_, let words): record.tell("visitor \(visitor.number) is refused: \(words)")
    case .done, .other: break
    case nil:
      let text = String(decoding: message.prefix(200), as: UTF8.self)
      record.violate(
        .conduct, peer: visitor.host, "visitor \(visitor.number) is sent what no page sends: \(text)")
    }
  }

  /// - Parameter socket: which one of the visitor's it is.
  private func check(sent message: [UInt8], to visitor: Visitor, on socket: Int) {
    let value: JSONValue
    // What is no JSON is reported when it comes.
    do throws(JSONError) { value = try JSONValue(parsing: message) } catch { return }
    if let table = value["table"] { checkDurable(table, at: visitor) }
    if socket == visitor.sockets { checkPause(value, at: visitor) }
  }

  /// Nobody is shown a move, or a line of chat, that is not durable at the peer whose page shows it.
  private func checkDurable(_ table: JSONValue, at visitor: Visitor) {
    for shown in (table["plies"]?.array ?? []) + (table["chat"]?.array ?? []) {
      guard let event = shown["event"]?.string.flatMap({ EventID(hex: $0) }) else { continue }
      record.statistics.shownEvents += 1
      guard !durability.holds(event, at: visitor.host) else { continue }
      record.violate(
        .durability, peer: visitor.host,
        "visitor \(visitor.number) is shown \(event.short), which is not durable")
    }
  }

  /// The list is told four times a second at most, however much happens at its tables.
  private func checkLists(_ visitor: Visitor) {
    // What was told may come together.
    let late = UInt64(plan.network.upperBound / 1_000) + 500
    guard visitor.listCount > (machine.now - visitor.listsSince + late) / 250 + 1 else { return }
    record.violate(
      .bounds, peer: visitor.host, "visitor \(visitor.number) was told \(visitor.listCount) lists")
  }

  /// A table that is made for many is told four times a second at most, but for what comes of a request.
  private func checkPause(_ message: JSONValue, at visitor: Visitor) {
    guard let pause = visitor.pause(before: message, at: machine.now), hasCrowds, pause < 250 else { return }
    record.violate(
      .bounds, peer: visitor.host, "visitor \(visitor.number) is told of a table again after \(pause) ms")
  }

  /// A peer does not end by itself.
  private func checkGoesOn(_ number: Int) async {
    guard let service = hosts[number].life?.service, let failure = await service.failure(),
      isAlive(service, number)
    else { return }
    record.violate(.ability, peer: number, "nothing goes on there any more: \(failure)")
  }

  /// A move that the page has called done is on the disk.
  private func checkPlayed(number: Int64, plies: Int64, code: Int64, by visitor: Visitor) {
    guard let peer = visitor.peer, let room = visitor.room.flatMap({ RoomID(hex: $0) }) else { return }
    do throws(LogError) {
      let log = try hosts[visitor.host].disk.load(room, verify: false)
      let isThere = log.events.contains { event in
        guard event.author == peer else { return false }
        switch event.action {
        case .move(let step, let played, _):
          return Int64(step.game) + 1 == number && Int64(step.ply) == plies && Int64(played) == code
        // Which move that is, is hidden.
        case .commit(let step, _): return Int64(step.game) + 1 == number
        default: return false
        }
      }
      if isThere { return }
      record.violate(
        .durability, peer: visitor.host,
        "the move of visitor \(visitor.number) was called done, and is not there")
    } catch {
      record.violate(
        .durability, peer: visitor.host, "the table of visitor \(visitor.number) is gone: \(error)")
    }
  }
}
