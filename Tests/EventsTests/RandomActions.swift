import Events
import TestKit

extension SeededGenerator {
  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number {
    // The ends of the range come up more often than by chance.
    switch next() % 8 {
    case 0: .min
    case 1: .max
    default: Number(truncatingIfNeeded: next())
    }
  }

  mutating func flag() -> Bool { next() % 2 == 0 }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }

  mutating func identifier<ID: Identifier32>() -> ID { ID(Bytes32(bytes(32), at: 0)) }

  /// A text of at most `limit` bytes, and at least `least`, with scalars of all widths.
  mutating func text(_ limits: ClosedRange<Int>) -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "Z", "~", "\u{0}", "\u{1B}", "é", "\u{301}", "\u{202E}", "漢", "🙂", "\u{10FFFF}",
    ]
    let wanted = Int.random(in: limits, using: &self)
    var text = ""
    while true {
      guard let scalar = scalars.randomElement(using: &self) else { return text }
      if text.utf8.count + UTF8.width(scalar) > wanted { break }
      text.unicodeScalars.append(scalar)
    }
    return text.utf8.count < limits.lowerBound ? String(repeating: "a", count: limits.lowerBound) : text
  }
}

extension SeededGenerator {
  /// A payload of a kind with every field anywhere in its range.
  mutating func action(_ kind: Kind) -> Action {
    switch kind {
    case .create: .create(create())
    case .request: .request(seat: number(), profile())
    case .grant: .grant(request: identifier(), seat: number())
    case .ready: .ready(roster: identifier(), commitment: identifier())
    case .draw: .draw(nonce: identifier())
    case .start: .start(roster: identifier())
    case .move:
      .move(step(), code: number(), flag() ? .init(value: number(), isProven: flag(), nodes: number()) : nil)
    case .commit: .commit(step(), commitment: identifier())
    case .reveal: .reveal(step(), choice: number(), salt: identifier())
    case .resign: .resign(node: identifier())
    case .undoRequest: .undoRequest(node: identifier(), ply: number())
    case .undoAccept: .undoAccept(request: identifier())
    case .drawOffer: .drawOffer(node: identifier())
    case .drawAccept: .drawAccept(node: identifier(), offer: identifier())
    case .drawDecline: .drawDecline(offer: identifier())
    case .result:
      .result(
        game: number(), ending: identifier(),
        scores: (0..<Int.random(in: 1...16, using: &self)).map { _ in number() })
    case .leave: .leave(node: identifier())
    case .claim: .claim(node: identifier(), seat: number())
    case .ruling: .ruling(claim: identifier())
    case .chat: .chat(text(1...4_096))
    case .pairingResult: .pairingResult(pairingResult())
    case .disqualify: .disqualify(seat: number(), reason: text(1...256))
    case .revoke: .revoke(word: identifier())
    case .invite: .invite(identifier())
    case .joinProof, .joinRefusal, .roundOpen, .entry, .receipts, .roundClose, .settle, .entryProof, .carry,
      .marks:
      .hosted(hosted(kind))
    }
  }

  private mutating func hosted(_ kind: Kind) -> HostedAction {
    switch kind {
    case .joinProof: .joinProof(box: bytes(80))
    case .joinRefusal: .joinRefusal(identifier(), through: number(), flag() ? .full : .wrongCode)
    case .roundOpen:
      .open(
        .init(
          round: number(), limitMilliseconds: number(), commitment: identifier(),
          content: bytes(.random(in: 0...4_096, using: &self))))
    case .entry:
      .entry(
        opening: identifier(),
        flag()
          ? .clear(bytes(flag() ? .random(in: 0...64, using: &self) : .random(in: 65...3_840, using: &self)))
          : .sealed(commitment: identifier(), box: bytes(.random(in: 80...144, using: &self))))
    case .receipts: .receipts(opening: identifier(), receipts())
    case .marks: .marks(opening: identifier(), marks())
    case .roundClose: .close(opening: identifier(), milliseconds: number())
    case .settle:
      .settle(
        .init(
          opening: identifier(), solution: bytes(.random(in: 0...64, using: &self)), salt: identifier(),
          first: number(),
          entries: (0..<Int.random(in: 0...60, using: &self)).map { _ in flag() ? opened() : nil }))
    case .entryProof: .entryProof(entry: identifier(), opened())
    default:
      .carry(
        head: identifier(),
        (0..<Int.random(in: 0...180, using: &self)).map { _ -> PeerID in identifier() }.sorted()
          .map { .init(peer: $0, score: number()) })
    }
  }

  private mutating func receipts() -> [HostedAction.Receipt] {
    let times = (0..<Int.random(in: 1...32, using: &self)).map { _ -> UInt32 in number() }.sorted()
    return zip((0..<32).shuffled(using: &self), times).map { .init(parent: $0, milliseconds: $1) }
  }

  private mutating func marks() -> [HostedAction.Mark] {
    let entries = Set((0..<Int.random(in: 1...32, using: &self)).map { _ -> UInt16 in number() }).sorted()
    return entries.map { .init(entry: $0, wrong: flag() ? opened() : nil) }
  }

  private mutating func opened() -> HostedAction.OpenedEntry {
    .init(choice: bytes(.random(in: 0...64, using: &self)), salt: identifier())
  }

  private mutating func step() -> Action.Step { .init(game: number(), ply: number(), node: identifier()) }

  private mutating func profile() -> Profile {
    Profile(
      name: text(0...64), emoji: text(0...32),
      bot: flag()
        ? BotEntry(specification: text(1...64), version: number(), nodeBudget: number(), seed: number()) : nil
    )
  }

  private mutating func pairingResult() -> Action.PairingResult {
    .init(
      pairing: number(), attempt: number(), room: identifier(),
      heads: (0..<Int.random(in: 0...32, using: &self)).map { _ in
        .init(author: identifier(), sequence: number() & (1 << 63 - 1) | 1, event: identifier())
      },
      walkover: [.played, .firstAbsent, .secondAbsent, .bothAbsent][Int(next() % 4)],
      games: (0..<Int.random(in: 0...256, using: &self)).map { _ in [number(), number()] })
  }

  private mutating func create() -> Create {
    let letters = Array("abcdefghijklmnopqrstuvwxyz-")
    let tournament: RoomID = flag() ? identifier() : .none
    let purpose: Create.Purpose =
      flag()
      ? flag()
        ? .hosted(entries: number(), needsCode: flag(), title: text(0...64))
        : .games(
          tournament: tournament, pairing: tournament.isSome ? number() : 0,
          attempt: tournament.isSome ? number() : 0)
      : .tournament(
        format: .random(in: 1...2, using: &self), options: .random(in: 0...16, using: &self), seed: number(),
        title: text(0...64))
    let isGames = if case .games = purpose { true } else { false }
    let seats = UInt16.random(in: isGames ? 1...16 : 1...4_096, using: &self)
    return Create(
      rules: String((0..<Int.random(in: 1...32, using: &self)).map { _ in letters[Int(next() % 27)] }),
      rulesVersion: number(), parameters: Array("rounds=\(number(UInt16.self))\n".utf8), seats: seats,
      games: .random(in: 1...256, using: &self), target: number(), nonce: bytes(16), profile: profile(),
      creatorSeat: flag() ? Create.noSeat : .random(in: 0..<seats, using: &self),
      starter: flag() ? .firstSeat : .jointDraw, scope: [.local, .invited, .open][Int(next() % 3)],
      allowsUndo: flag(), hasOpenRounds: flag(),
      bots: .init(
        admission: [.allowed, .excluded, .required][Int(next() % 3)], isRecomputableOnly: flag(),
        nodeLimit: number()),
      moveLimitMilliseconds: number(), clockMilliseconds: number(), incrementMilliseconds: number(),
      referee: flag() ? .none : identifier(),
      rematchOf: flag() ? .none : identifier(), openings: openings(purpose),
      branchOf: isGames && flag() ? .init(room: identifier(), game: number(), ply: number()) : nil,
      purpose: purpose)
  }

  private mutating func openings(_ purpose: Create.Purpose) -> [[UInt16]] {
    if case .hosted = purpose { return [] }
    return (0..<Int.random(in: 0...3, using: &self)).map { _ in
      (0..<Int.random(in: 1...4, using: &self)).map { _ in number() }
    }
  }

  /// An event of a kind, anywhere in a feed.
  mutating func event(_ kind: Kind, hasher: EventHasher) throws -> Event {
    let isFirst = kind == .create || flag()
    let parents: [EventID] =
      kind == .create ? [] : (0..<Int.random(in: 0...32, using: &self)).map { _ in identifier() }
    return try Event.author(
      action(kind), room: identifier(), author: identifier(),
      sequence: isFirst ? 1 : .random(in: 2...UInt64(Int64.max), using: &self),
      previous: isFirst ? .none : identifier(), parents: parents, wallTime: number(), hasher: hasher)
  }
}
