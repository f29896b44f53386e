package import Events
package import Peer
package import Rules

/// A table as one seat sees it, or as somebody sees it who looks on: who sits there, the position, what was played and
/// said, what is waited for and what may be done. Docs/TABLE.md has its JSON form.
///
/// It is made from a room's state in one place (`TableView+State`), and whatever draws a game, or lets somebody play
/// it, reads this and nothing else. Nothing hidden is in it: a choice is in no field before it is revealed.
/// Names and chat are as their authors wrote them, and are made safe where they are drawn.
package struct TableView: Hashable, Sendable {
  /// Where the room stands.
  package enum Phase: String, Sendable {
    case waiting
    case playing
    case finished
    /// A seat left in the middle of a game.
    case abandoned
    /// The room closed before anything was played.
    case closed
    case unknownRules = "unknown-rules"
    case unknownEdition = "unknown-edition"
  }

  /// Where somebody acts from who has a seat.
  package enum Presence: String, Sendable {
    /// Whoever looks.
    case own
    /// A bot of this process.
    case here
    /// A peer with which this one is connected.
    case connected
    /// A peer elsewhere.
    case away
  }

  package struct Setting: Hashable, Sendable {
    package var name = ""
    package var value = ""
  }

  package struct Place: Hashable, Sendable {
    /// Who sits there; `nil` for a free seat.
    package var peer: PeerID?
    package var name = ""
    package var emoji = ""
    /// The bot, as on the command line.
    package var bot: String?
    package var presence: Presence?
    /// Since when who sits there has been away, in milliseconds since 1970 by this peer's clock; `nil` for who is not,
    /// or has not been seen since this peer started.
    package var awaySince: Int?
    /// Whether the game waits for a step of this seat.
    package var owes = false
    /// Whether this seat is out of the game, or will be when the game next waits for it; the others go on.
    package var isOut = false
    /// Milliseconds that it has left by this peer's clock; `nil` where nothing limits it.
    package var left: Int?
    /// How many games of the series it has won, and the sum of its scores.
    package var wins = 0
    package var score = 0

    /// Whether who sits there acts from elsewhere.
    package var isElsewhere: Bool { presence == .connected || presence == .away }
  }

  package struct Person: Hashable, Sendable {
    package var peer = PeerID.none
    package var name = ""
  }

  /// Somebody whom the room's creator has invited.
  package struct Invited: Hashable, Sendable {
    package var peer = PeerID.none
    /// Whether that peer has said that it does not come.
    package var hasDeclined = false
  }

  /// The next game, which somebody who has played this one wants.
  package struct Rematch: Hashable, Sendable {
    /// Its room, where a seat is free for the others.
    package var room = RoomID.none
    /// Who wants it.
    package var peer = PeerID.none
  }

  package struct Cell: Hashable, Sendable {
    /// Whose piece it is.
    package var seat: Seat?
    /// Whether the eye should find the piece.
    package var isMarked = false
    /// What is typed to play there; empty where nothing is. With a face, the face as text.
    package var text = ""
    /// What it shows that is no piece, as an emoji; empty for nothing.
    package var face = ""
  }

  /// A piece of a line of text: words, or the name of a seat.
  package struct Part: Hashable, Sendable {
    package var seat: Seat?
    package var text = ""
  }

  package struct Position: Hashable, Sendable {
    /// Rows from top to bottom; none where the game has no board.
    package var board: [[Cell]] = []
    /// Text under each column.
    package var labels: [String] = []
    /// Text beside each row.
    package var rowLabels: [String] = []
    /// The seats by the pieces that they have now, where those may change hands.
    package var sides: [Seat] = []
    /// Text under the board.
    package var lines: [[Part]] = []
  }

  /// What a bot's search said of its move.
  package struct Note: Hashable, Sendable {
    package var value = 0
    package var isProven = false
    package var nodes = 0
  }

  /// A move, or a round of choices.
  package struct Ply: Hashable, Sendable {
    package var event = EventID.none
    /// Who moved; `nil` for a round.
    package var seat: Seat?
    /// The move as text; of a round one for each seat.
    package var moves: [String] = []
    package var note: Note?
  }

  /// The position of an earlier game from which this room plays on, as its creator says.
  package struct Branch: Hashable, Sendable {
    package var room = RoomID.none
    /// The game's number in its series, from 1.
    package var game = 0
    /// How many plies it had.
    package var ply = 0
  }

  package struct Move: Hashable, Sendable {
    package var code = 0
    package var text = ""
  }

  package struct UndoRequest: Hashable, Sendable {
    package var event = EventID.none
    package var seat = Seat(0)
    /// How many plies would be left.
    package var ply = 0
  }

  package struct DrawOffer: Hashable, Sendable {
    package var event = EventID.none
    package var seat = Seat(0)
  }

  package struct Claim: Hashable, Sendable {
    package var event = EventID.none
    package var seat = Seat(0)
    /// The seat that is said to be silent.
    package var against = Seat(0)
  }

  package struct ChatLine: Hashable, Sendable {
    package var event = EventID.none
    package var peer = PeerID.none
    package var text = ""
  }

  /// Why a game ended.
  package enum Cause: String, Sendable {
    case rules
    case resigned
    case left
    case ruled
    case offence
    case forked
    case drawAgreed = "draw-agreed"
  }

  package struct Ending: Hashable, Sendable {
    package var cause = Cause.rules
    /// The seat at its cause.
    package var seat: Seat?
    /// By seat; `nil` when the game does not count.
    package var scores: [Int]?
    package var winner: Seat?
    /// Whether every seat has signed it.
    package var isAgreed = false
  }

  package var room = RoomID.none
  package var edition = 0
  /// The rules' name, and their version.
  package var game = ""
  package var version = 0
  /// The game's name for people; `nil` where the rules are not known here.
  package var title: String?
  package var settings: [Setting] = []
  package var scope = ""
  package var rematchOf: RoomID?
  package var branchOf: Branch?
  /// The rematch that is wanted; `nil` while none is, or when all have come.
  package var rematch: Rematch?
  package var creator = Person()
  /// In the order in which they were invited.
  package var invited: [Invited] = []
  /// Who looks.
  package var peer = PeerID.none
  package var seat: Seat?
  /// Whether the one who looks has asked for a seat that was not granted yet.
  package var hasAsked = false
  /// Who rules when a seat's time is up; `nil` for a game without one.
  package var referee: PeerID?
  /// Whether the game waits for the referee's share in chance, and this peer is not connected with the referee.
  package var isRefereeAwaited = false
  /// Milliseconds for each move, for all moves of a game, and what each move adds; 0 where nothing is limited.
  package var moveLimit = 0
  package var clock = 0
  package var increment = 0
  /// Whether rounds are played in the open: what a seat has chosen is in the log before the other one chooses.
  package var hasOpenRounds = false
  package var phase = Phase.waiting
  /// Who left, where somebody did.
  package var leaver: PeerID?
  package var seats: [Place] = []
  /// How many games the series has, and which one is on or was the last, from 1; 0 before the first.
  package var games = 0
  package var number = 0
  /// How many of them a seat must win for the series to be over before; 0 where all are played.
  package var target = 0
  /// The seat that moves first in this game, and whether a joint draw said so.
  package var first: Seat?
  package var isDrawn = false
  /// The seat to move; `nil` where all choose at once, or the game is over by its rules.
  package var turn: Seat?
  /// Whether all choose at once.
  package var isRound = false
  /// The seats that choose in the round; none in a draw.
  package var choosing: [Seat] = []
  /// Whether seats may agree on a draw.
  package var allowsDraws = false
  package var position = Position()
  package var plies: [Ply] = []
  /// How many of the plies are the game's opening, which nobody here chose; their event is the one before the game.
  package var opening = 0
  /// The legal moves of the one who looks, where it has to choose.
  package var moves: [Move] = []
  /// What the one who looks may do now.
  package var may: [TableAct.Kind] = []
  package var undo: UndoRequest?
  package var draws: [DrawOffer] = []
  package var claims: [Claim] = []
  /// What each author said last, authors by key.
  package var chat: [ChatLine] = []
  /// Why the one who looks may write nothing here now, and what that waits for; `nil` where nothing is in the way.
  package var hindrance: String?
  /// How this game ended; `nil` while it is on.
  package var ending: Ending?
  /// The hosted rounds of a room that has such; `nil` in all others.
  package var hosted: HostedView?

  /// Any table, to be filled in.
  init() {}

  /// The JSON form.
  package var json: [UInt8] { JSONFields.text(of: self) }

  /// Reads the JSON form.
  package init(json: [UInt8]) throws(FormatError) { self = try JSONFields.read(json) }
}

extension TableView {
  /// Whether a game is on.
  package var isOn: Bool { phase == .playing && number > 0 && ending == nil }

  /// Whether the one who looks has chosen already in the round that is on.
  package var hasChosen: Bool {
    guard isOn, isRound, let seat, choosing.contains(seat) else { return false }
    return !may.contains(.choose)
  }

  /// Whether anybody plays, or may play, from elsewhere.
  package var isShared: Bool { seats.contains { $0.peer == nil || $0.isElsewhere } }

  /// How long a seat whose connection was lost may take to come back and sign a result, in milliseconds.
  package static let patienceMilliseconds = 15_000

  /// Whether all is over, and somebody who plays from elsewhere may still sign the result.
  package var awaitsSignatures: Bool {
    phase == .finished && ending?.isAgreed == false && isShared && !seats.contains(where: \.isOut)
  }

  /// How much longer all seats may take to sign the result, in milliseconds; `nil` where it need not be waited for.
  /// - Parameter now: milliseconds since 1970.
  package func patience(at now: UInt64) -> Int? {
    guard awaitsSignatures else { return nil }
    var longest = Self.patienceMilliseconds
    for place in seats where place.presence == .away {
      // Who has not been seen, or has been away for long, does not come now. A clock may have been set back.
      guard let since = place.awaySince.flatMap({ UInt64(exactly: $0) }), now >= since,
        let left = Int(exactly: now - since).map({ Self.patienceMilliseconds - $0 }), left > 0
      else { return nil }
      longest = min(longest, left)
    }
    return longest
  }

  /// Whether somebody may still come.
  package var hasFreeSeat: Bool { phase == .waiting && seats.contains { $0.peer == nil } }

  /// The referee and the time limits.
  package var terms: Terms {
    var terms = Terms()
    terms.referee = referee ?? .none
    terms.moveLimitMilliseconds = UInt32(clamping: moveLimit)
    terms.clockMilliseconds = UInt32(clamping: clock)
    terms.incrementMilliseconds = UInt32(clamping: increment)
    return terms
  }

  /// The seat of a peer.
  package func seat(of peer: PeerID) -> Seat? {
    seats.firstIndex { $0.peer == peer }.map { Seat(UInt16(clamping: $0)) }
  }
}
