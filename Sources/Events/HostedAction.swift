/// What is said in a room of hosted rounds (Docs/PROTOCOL.md §1.10), whose order, time and scores have one writer: the
/// host, who created the room.
public enum HostedAction: Hashable, Sendable {
  /// Somebody shows the host, and nobody else, that it knows the room's join code.
  case joinProof(box: [UInt8])
  /// The host says that it does not take a peer in by what that wrote up to a place in its feed.
  case joinRefusal(PeerID, through: UInt64, Refusal)
  /// The host opens a round.
  case open(Opening)
  /// A player enters something in the round that this event opened.
  case entry(opening: EventID, Entry)
  /// The host acknowledges entries, with the time at which each came.
  case receipts(opening: EventID, [Receipt])
  /// The host says of sealed entries whether they are right while the round is on, by their numbers in the order of
  /// receipts.
  case marks(opening: EventID, [Mark])
  /// The host closes a round, so many milliseconds after it opened it.
  case close(opening: EventID, milliseconds: UInt32)
  /// The host opens what it had committed to, and what was sealed to it.
  case settle(Settlement)
  /// A player shows that its entry, which the host called unreadable, can be read.
  case entryProof(entry: EventID, OpenedEntry)
  /// The host of a room that goes on where another one stopped carries scores over, as they stood at this event of the
  /// other room's host.
  case carry(head: EventID, [CarriedScore])

  /// The most bytes of what a round asks.
  public static let limitContentBytes = 4_096
  /// The most bytes of a solution.
  public static let limitSolutionBytes = 64
  /// The most bytes of what a player enters sealed, and of a short entry in clear.
  public static let limitEntryBytes = 64
  /// The most bytes of a long entry in clear.
  public static let limitLongEntryBytes = 3_840
  /// The most entries that one event acknowledges.
  public static let limitReceipts = 32
  /// The most entries that one event marks.
  public static let limitMarks = 32
  /// The most entries that one event settles, and scores that one carries over.
  public static let limitList = 180
  /// The bytes of a box around a secret of 32 bytes.
  public static let joinProofBytes = 80

  /// Why a peer is not taken in.
  public enum Refusal: UInt8, CaseIterable, Sendable {
    /// What it sent does not show that it knows the join code.
    case wrongCode = 1
    /// As many players are here as the room takes.
    case full = 2
  }

  /// A round that the host opens.
  public struct Opening: Hashable, Sendable {
    /// The round's number, from 0.
    public var round: UInt16
    /// After so many milliseconds the host closes the round by itself.
    public var limitMilliseconds: UInt32
    /// Binds the host to the solution; zero where there is none.
    public var commitment: Digest
    /// What is asked, in the bytes of the rules.
    public var content: [UInt8]

    /// A round of these values.
    public init(round: UInt16, limitMilliseconds: UInt32, commitment: Digest, content: [UInt8]) {
      self.round = round
      self.limitMilliseconds = limitMilliseconds
      self.commitment = commitment
      self.content = content
    }
  }

  /// What a player enters, in the bytes of the rules.
  public enum Entry: Hashable, Sendable {
    /// For everybody to read.
    case clear([UInt8])
    /// For the host alone until it settles the round, with a commitment that binds the player.
    case sealed(commitment: Digest, box: [UInt8])
  }

  /// That an entry came.
  public struct Receipt: Hashable, Sendable {
    /// Which of the event's parents the entry is, from 0.
    public var parent: UInt8
    /// Milliseconds of the host's clock since it opened the round.
    public var milliseconds: UInt32

    /// A receipt of these values.
    public init(parent: UInt8, milliseconds: UInt32) {
      self.parent = parent
      self.milliseconds = milliseconds
    }
  }

  /// An entry as its author chose it.
  public struct OpenedEntry: Hashable, Sendable {
    /// What was entered.
    public var choice: [UInt8]
    /// The salt of its commitment.
    public var salt: Digest

    /// An entry of these values.
    public init(choice: [UInt8], salt: Digest) {
      self.choice = choice
      self.salt = salt
    }
  }

  /// Whether a sealed entry is right, as the host says before it opens the solution.
  public struct Mark: Hashable, Sendable {
    /// The entry's number in the order of receipts, from 0.
    public var entry: UInt16
    /// What was entered, which is wrong; `nil` where it is right, and stays sealed.
    public var wrong: OpenedEntry?

    /// A mark of these values.
    public init(entry: UInt16, wrong: OpenedEntry?) {
      self.entry = entry
      self.wrong = wrong
    }
  }

  /// The end of a round, or a part of it where there are many entries.
  public struct Settlement: Hashable, Sendable {
    /// The event that opened the round.
    public var opening: EventID
    /// The solution; empty where the round has none.
    public var solution: [UInt8]
    /// The salt of the host's commitment.
    public var salt: Digest
    /// The number of the first entry that is opened here, in the order of receipts.
    public var first: UInt16
    /// The sealed entries from there on; `nil` for one that the host says it cannot read.
    public var entries: [OpenedEntry?]

    /// A settlement of these values.
    public init(
      opening: EventID, solution: [UInt8], salt: Digest, first: UInt16 = 0, entries: [OpenedEntry?] = []
    ) {
      self.opening = opening
      self.solution = solution
      self.salt = salt
      self.first = first
      self.entries = entries
    }

    /// Whether it opens nothing, as where nothing was sealed.
    public var opensNothing: Bool { solution.isEmpty && !salt.isSome && entries.isEmpty }
  }

  /// What a player had in the room before.
  public struct CarriedScore: Hashable, Sendable {
    /// Whose score it is.
    public var peer: PeerID
    /// The score.
    public var score: UInt32

    /// A score of these values.
    public init(peer: PeerID, score: UInt32) {
      self.peer = peer
      self.score = score
    }
  }

  /// The kind of event that says so.
  public var kind: Kind {
    switch self {
    case .joinProof: .joinProof
    case .joinRefusal: .joinRefusal
    case .open: .roundOpen
    case .entry: .entry
    case .receipts: .receipts
    case .marks: .marks
    case .close: .roundClose
    case .settle: .settle
    case .entryProof: .entryProof
    case .carry: .carry
    }
  }
}
