import EventLog
import Events
import Peer
import Projection
import Rules
import Service
import Terminal
import Tournaments

extension Room {
  /// What an event says, in words that are safe to print. Games, moves and seats count from 1.
  func words(for event: Event) -> String {
    switch event.action {
    case .unreadable(let code, _): "says something that this program cannot read (kind \(code))"
    case .create(let create): words(for: create)
    case .request(_, let profile) where state.create.isHosted: "asks to be taken in\(shown(profile))"
    case .grant(let request, let seat) where state.create.isHosted:
      "takes in \(author(of: request)) as player \(Int(seat) + 1)"
    case .request(let seat, let profile):
      "asks for \(seat == Create.noSeat ? "any seat" : "\(Seat(seat))")\(shown(profile))"
    case .grant(let request, let seat): "gives \(Seat(seat)) to \(author(of: request))"
    case .ready: "is ready to play"
    case .draw: "opens its part of the draw"
    case .start: isTournament ? "starts the tournament" : "starts play"
    case .move(let step, let code, let note):
      "\(place(step, "move")): plays \(text(of: MoveCode(code)))\(words(for: note))"
    case .commit(let step, _): "\(place(step, "round")): commits to a choice"
    case .reveal(let step, let choice, _):
      "\(place(step, "round")): reveals \(text(of: MoveCode(choice)))"
    case .resign: "resigns"
    case .undoRequest(_, let ply): "asks to take back to the position after \(Self.count(Int(ply), "move"))"
    case .undoAccept(let request): "agrees to the take-back of \(author(of: request))"
    case .drawOffer: "offers a draw"
    case .drawAccept(_, let offer): "takes the draw that \(author(of: offer)) offers"
    case .drawDecline(let offer): "declines the draw that \(author(of: offer)) offers"
    case .result(let game, _, let scores):
      "signs the result of game \(Int(game) + 1): \(Self.words(forScores: scores))"
    case .leave where state.create.isHosted && event.author == state.creator: "ends it"
    case .leave: "leaves"
    case .claim(_, let seat): "claims that \(Seat(seat)) is silent"
    case .ruling(let claim): "rules on the claim of \(author(of: claim))"
    case .chat(let text): "says “\(SafeText(text).text)”"
    case .pairingResult(let result): words(for: result)
    case .disqualify(let seat, let reason):
      "disqualifies \(name(of: Seat(seat))): “\(SafeText(reason).text)”"
    case .revoke(let word): "takes back \(ruling(in: word))"
    case .invite(let peer): "invites \(name(of: peer))"
    case .hosted(let action): words(for: action)
    }
  }

  /// What a search said of its move.
  func words(for note: Action.Note?) -> String {
    guard let note else { return "" }
    let value = Self.words(forValue: Int(note.value), isProven: note.isProven)
    return " (\(value), \(Self.count(Int(clamping: note.nodes), "node")))"
  }

  /// The value that a search gave its move: when it is not proven, the best bound found.
  static func words(forValue value: Int, isProven: Bool) -> String {
    isProven ? "value \(value), proven" : "at least \(value), not proven"
  }

  /// Scores by seat, with a dash between.
  static func words(forScores scores: [Int32]) -> String {
    scores.map(String.init).joined(separator: scores.contains { $0 < 0 } ? " to " : "–")
  }

  /// A number of things: `1 move`, `2 moves`.
  static func count(_ number: Int, _ thing: String) -> String {
    "\(number) \(thing)\(number == 1 ? "" : "s")"
  }

  private func words(for create: Create) -> String {
    if case .hosted(_, let needsCode, let title) = create.purpose {
      let named = title.isEmpty ? "" : " “\(SafeText(title).text)”"
      return "opens the room: \(self.title)\(named), \(Self.count(Int(create.games), "round")), at most"
        + " \(Self.count(Int(create.seats), "player"))\(needsCode ? ", with a join code" : "")"
    }
    let games = Self.count(Int(create.games), "game")
    guard case .tournament(let code, _, _, let title) = create.purpose else {
      let limits =
        create.hasTimeLimits ? ", \(Terms(create).limitWords), referee \(create.referee.short)" : ""
      let target =
        create.target > 0 ? " or the first with \(Self.count(Int(clamping: create.target), "win"))" : ""
      return
        "creates the room: \(self.title), \(games)\(target), \(create.seats) seats\(limits)"
        + wordsForOpenings(of: create) + create.roundWords
    }
    let format = TournamentFormat(rawValue: code)?.name ?? "format \(code)"
    let named = title.isEmpty ? "" : " “\(SafeText(title).text)”"
    return
      "creates the tournament\(named): \(self.title), \(format), \(create.seats) entrants, \(games) a pairing"
      + wordsForOpenings(of: create) + create.roundWords
  }

  private func words(for result: Action.PairingResult) -> String {
    let pairing = PairingNumber(result.pairing)
    let scores = result.games.map { Self.words(forScores: $0) }.joined(separator: ", ")
    let outcome =
      switch result.walkover {
      case .played: scores
      case .firstAbsent: "seat 1 did not play"
      case .secondAbsent: "seat 2 did not play"
      case .bothAbsent: "neither seat played"
      }
    return "\(pairing), attempt \(Int(result.attempt) + 1), room \(result.room.short): \(outcome)"
  }

  private func shown(_ profile: Profile) -> String {
    " as \(SafeText(profile.name, limitColumns: 32).text)\(Self.words(for: profile.bot))"
  }

  /// What follows a bot's name; nothing after a person's.
  static func words(for bot: BotEntry?) -> String {
    guard let bot else { return "" }
    return ", the bot \(SafeText(bot.specification, limitColumns: 40).text)"
  }

  private func place(_ step: Action.Step, _ unit: String) -> String {
    "game \(Int(step.game) + 1), \(unit) \(Int(step.ply) + 1)"
  }

  /// What the organizer of a tournament decides in an event.
  private func ruling(in event: EventID) -> String {
    switch log.position(of: event).map({ log.graph.events[$0].action }) {
    case .pairingResult(let result):
      "its ruling on \(PairingNumber(result.pairing)), attempt \(Int(result.attempt) + 1)"
    case .disqualify(let seat, _): "the disqualification of \(name(of: Seat(seat)))"
    default: "what it said in event \(event.short)"
    }
  }

  private func author(of event: EventID) -> String {
    guard let at = log.position(of: event) else { return "event \(event.short)" }
    return name(of: log.graph.events[at].author)
  }
}

extension Room {
  /// How a game ended, in words; names in it are safe to print.
  func words(for ending: GameRecord.Ending) -> String {
    let outcome = ending.outcome.map { words(for: $0) }
    switch ending.cause {
    case .rules: return outcome ?? "the game is over"
    case .resigned(let seat): return "\(name(of: seat)) resigns; \(outcome ?? "no result")"
    case .left(let seat):
      return "\(name(of: seat)) leaves; \(outcome ?? "nothing had been played, so the game never was")"
    case .ruled(let seat):
      return "the referee rules against \(name(of: seat)), who was silent; \(outcome ?? "no result")"
    case .offence(let seat):
      return "\(name(of: seat)) broke the protocol (two moves in one place, an early reveal or an illegal"
        + " choice); \(outcome ?? "no result")"
    case .forked(let seat?):
      return "\(name(of: seat)) wrote two histories of the room (a forked feed); \(outcome ?? "no result")"
    case .drawAgreed: return "drawn by agreement"
    case .forked(nil): return "several seats wrote two histories of the room (forked feeds): the game is void"
    }
  }

  private func words(for outcome: Outcome) -> String {
    let isPlain = outcome.scores.allSatisfy { (0...1).contains($0) }
    let scores = isPlain ? "" : " (\(Self.words(forScores: outcome.scores)))"
    return outcome.winner.map { "\(name(of: $0)) wins\(scores)" } ?? "drawn\(scores)"
  }
}
