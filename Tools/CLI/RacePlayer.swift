import Events
import Games
import Peer
import Platform
import Service
import TapRaceBots
import Terminal

/// A player of a tap race at the terminal, or a bot that taps in its place.
struct RacePlayer {
  /// What taps in the place of a person.
  enum Bot {
    /// By chance, quickly.
    case chance(SystemRandomNumberGenerator)
    /// As hands of a level do.
    case level(Int, seed: UInt64)
  }

  private let guest: RoundsGuest
  private var view: RoundsView
  private var clock: RoundsClock
  /// `nil` for a person.
  private var bot: Bot?
  /// The bot of a level in the race that is on, and when it saw that, in milliseconds.
  private var tapper: TapRaceBot?
  private var seenAt = 0
  /// The race that is on, and the taps that were made in it: those that were sent, and those that wait.
  private var race = EventID.none
  private var (sent, pending) = (0, 0)
  /// How many milliseconds of the race had passed when the last batch was sent.
  private var sentAt: Int?
  /// A line from a pipe that waits for a race.
  private var held: String?
  private var hasEnded = false

  init(_ guest: RoundsGuest, bot: Bot?) {
    (self.guest, self.bot) = (guest, bot)
    view = RoundsView(guest.context)
    clock = RoundsClock(guest.input, every: .milliseconds(Int(TapRace.batchMilliseconds)))
  }

  private var context: Context { guest.context }

  /// Plays to the end, or until the person goes.
  mutating func play() async throws -> ExitStatus {
    defer { clock.stop() }
    if bot == nil, context.fillsTerminal {
      do { return try await follow(nil) } catch {
        try await guest.input.leaveScreen()
        throw error
      }
    }
    guard bot == nil, Descriptor.input.isTerminal, !context.isJSON else { return try await follow(nil) }
    context.console.note("The space bar taps; q leaves.")
    let keys = try TapKeys(context.interrupts, guest.input)
    do {
      let status = try await follow(keys)
      await keys.stop()
      return status
    } catch {
      await keys.stop()
      throw error
    }
  }

  private mutating func follow(_ keys: TapKeys?) async throws -> ExitStatus {
    while true {
      let (table, rounds) = try await guest.table()
      let round = rounds.round.flatMap { $0.phase == .open ? $0 : nil }
      clock.note(round, isTicking: true)
      if let round, round.opening != race { begin(round) }
      if bot == nil { try await view.enterScreen(table, guest.input, .taps) }
      let pressed = try keys?.take()
      let taps = await guest.input.takeTaps()
      if round != nil { pending += (pressed?.taps ?? 0) + taps }
      if pressed?.isRedrawn == true { view.forgetCounts() }
      try view.tell(table, above: heading(round))
      guard table.phase == .waiting || table.phase == .playing else {
        try await view.leaveScreen(table, guest.input)
        try view.tellEnd(table)
        return .ok
      }
      view.draw(table, clock.left(round), taps: sent + pending)
      if pressed?.hasLeft == true {
        return try await leave(context.interrupts.isStopRequested ? .interrupted : .ok)
      }
      if let round { try await send(in: round) }
      if let status = try await listen(round, reads: keys == nil) { return status }
    }
  }

  private mutating func begin(_ round: HostedView.Round) {
    (race, sent, pending, sentAt) = (round.opening, 0, 0, nil)
    guard case .level(let level, let seed) = bot else { return }
    tapper = TapRaceBot(level: level, seed: seed, race: UInt32(clamping: round.number))
    seenAt = clock.elapsed(round) ?? 0
  }

  /// What stands above the bars: the taps are the own ones, before the host has counted them.
  private func heading(_ round: HostedView.Round?) -> String? {
    guard let left = clock.left(round)?.words else { return nil }
    return bot == nil ? "\(left), \(sent + pending) of your taps" : left
  }

  /// Leaves, without bars.
  private mutating func leave(_ status: ExitStatus) async throws -> ExitStatus {
    try await view.leaveScreen(try await guest.table().0, guest.input)
    try view.wipeCounts()
    return try await guest.leave(status)
  }

  // MARK: - Taps

  /// Sends what was tapped, now and then, and at once what may win; never more than can count.
  private mutating func send(in round: HostedView.Round) async throws {
    guard let elapsed = clock.elapsed(round) else { return }
    let interval = Int(TapRace.batchMilliseconds)
    let isDue = sentAt.map { elapsed - $0 >= interval } ?? true
    if isDue { tap(until: elapsed) }
    let wanted = round.goal.map { max(0, $0 - sent) } ?? .max
    // The host has had the race open for longer than this program has seen it.
    let most = Int(TapRace.allowance(until: UInt32(clamping: elapsed))) - sent
    let taps = min(pending, wanted, most, Int(TapRace.limitBatch))
    guard taps > 0, isDue || taps == wanted, let batch = TapRace.batch(UInt16(clamping: taps)) else { return }
    (sent, pending, sentAt) = (sent + taps, pending - taps, elapsed)
    do throws(ServiceError) {
      _ = try await guest.service.perform(.rounds(guest.room, .enter(opening: round.opening, choice: batch)))
    } catch {
      // The race was closed, or all its batches are written: nothing more counts.
      switch error {
      case .refused, .peer(.notAllowed): pending = 0
      default: throw error
      }
    }
  }

  /// Makes the taps of a bot, if one plays.
  private mutating func tap(until elapsed: Int) {
    switch bot {
    case nil: return
    case .chance(var random):
      pending += Int.random(in: 1...4, using: &random)
      bot = .chance(random)
    case .level:
      let taps = tapper?.taps(until: UInt32(clamping: elapsed - seenAt)) ?? 0
      pending = max(0, taps - sent)
    }
  }

  // MARK: - What is typed

  private mutating func listen(_ round: HostedView.Round?, reads: Bool) async throws -> ExitStatus? {
    if let line = held, round != nil {
      held = nil
      return try await act(on: line, round)
    }
    let isFull = held != nil || hasEnded || !reads
    switch isFull ? try await guest.input.change() : try await guest.input.next() {
    case .changed: break
    case .line(.line(let text)): return try await act(on: text, round)
    case .line(.end):
      guard view.screen == nil else { return try await leave(.ok) }
      hasEnded = true
    case .line(.interrupted): return try await leave(.interrupted)
    case .line(.tooLong(let limit)):
      context.console.report(error: "that line is longer than \(limit) bytes")
    case .line(.notText): context.console.report(error: "that line is not UTF-8 text")
    case .line(.timedOut): break
    }
    return nil
  }

  private mutating func act(on line: String, _ round: HostedView.Round?) async throws -> ExitStatus? {
    let words = line.trimmingBlanks
    switch words.lowercased() {
    case "quit", "exit", "leave": return try await leave(.ok)
    case let text where text.hasPrefix("say "): try await guest.say(String(words.dropFirst(4)))
    default:
      guard let taps = Self.taps(line) else {
        context.console.report(
          error: "“\(SafeText(words, limitColumns: 40))” is nothing that can be done here",
          hint: "a line of spaces, tap N, say TEXT or quit")
        return nil
      }
      if taps > 0, round == nil { held = line } else { pending = min(pending + taps, Self.limitPending) }
    }
    return nil
  }

  /// The most taps that wait to be sent.
  private static let limitPending = 10_000

  /// How many taps a line is: as many as its spaces, or as it says.
  static func taps(_ line: String) -> Int? {
    if line.allSatisfy({ $0 == " " }) { return line.utf8.count }
    let words = line.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "tap", let taps = Int(words[1]),
      (1...Int(TapRace.limitBatch)).contains(taps)
    else { return nil }
    return taps
  }
}
