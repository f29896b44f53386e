public import Rules

extension MemoryMatch {
  /// A card by its place on the table.
  public struct Card: Hashable, Sendable {
    /// Its number, from 0.
    public let index: UInt8
  }

  /// What is on the table, and what has been seen of it.
  public struct Position: Hashable, Sendable {
    /// What stands for no face, and for no seat.
    private static let none: UInt8 = 255

    private var faces: [UInt8]
    private var owners: [UInt8]
    /// The cards on the table that were turned up before this turn, that of the longest ago first.
    private var seen: [UInt8] = []
    /// The cards that are up: of the turn that is on or, before its first card, of the last one.
    private var up: [UInt8] = []
    private var counts: [UInt8]
    /// The seat to move.
    public private(set) var mover: Seat
    /// The seats that have not dropped out.
    public private(set) var playing: SeatSet
    /// How many turns in succession found nothing new.
    public private(set) var idleTurns = 0
    private var hasFoundNew = false

    /// Before the first card.
    init(cards: Int, seats: Int, first: Seat) {
      faces = [UInt8](repeating: Self.none, count: cards)
      owners = faces
      counts = [UInt8](repeating: 0, count: seats)
      mover = first
      playing = .all(seats)
    }

    /// All cards, those that were taken too.
    public var cards: [Card] { faces.indices.map { Card(index: UInt8($0)) } }

    /// What is under a card; `nil` when it was never turned up.
    public func face(of card: Card) -> Face? {
      let face = faces[Int(card.index)]
      return face == Self.none ? nil : Face(number: face)
    }

    /// Who took a card.
    public func owner(of card: Card) -> Seat? {
      let owner = owners[Int(card.index)]
      return owner == Self.none ? nil : Seat(UInt16(owner))
    }

    /// Whether a card was not taken.
    public func isOnTable(_ card: Card) -> Bool { owners[Int(card.index)] == Self.none }

    /// Whether a card is up now.
    public func isUp(_ card: Card) -> Bool { up.contains(card.index) }

    /// The first card of the turn that is on.
    public var firstUp: Card? { up.count == 1 ? Card(index: up[0]) : nil }

    /// The cards on the table that have been seen, that of the longest ago first.
    public var cardsSeen: [Card] { seen.map { Card(index: $0) } }

    /// How many pairs a seat has.
    public func pairs(of seat: Seat) -> Int { seat.index < counts.count ? Int(counts[seat.index]) : 0 }

    /// How many pairs are on the table.
    public var pairsLeft: Int { faces.count / 2 - counts.reduce(0) { $0 + Int($1) } }

    /// Whether the card that was turned up last still needs a face.
    var isWaitingForFace: Bool { up.last.map { faces[Int($0)] == Self.none } ?? false }

    /// The faces that the cards which were never turned up have together, ascending; each as often as it is left.
    public var facesLeft: [Face] {
      var shown = [UInt8](repeating: 0, count: faces.count / 2)
      for face in faces where face != Self.none { shown[Int(face)] += 1 }
      return shown.enumerated().flatMap { number, count in
        [Face](repeating: Face(number: UInt8(number)), count: 2 - Int(count))
      }
    }

    mutating func turnUp(_ card: Card) {
      if up.count == 2 { up = [] }
      up.append(card.index)
      guard isWaitingForFace else { return settle() }
      // What is certain needs no draw.
      let left = facesLeft
      if left.allSatisfy({ $0 == left[0] }) { show(left[0]) }
    }

    /// Gives the card that was turned up last its face.
    mutating func show(_ face: Face) {
      guard let card = up.last else { return }
      faces[Int(card)] = face.number
      hasFoundNew = true
      settle()
    }

    /// Ends the turn when two cards are up.
    private mutating func settle() {
      guard up.count == 2 else { return }
      seen.removeAll { up.contains($0) }
      if faces[Int(up[0])] == faces[Int(up[1])] {
        for card in up { owners[Int(card)] = UInt8(truncatingIfNeeded: mover.rawValue) }
        counts[mover.index] += 1
        up = []
        idleTurns = 0
      } else {
        seen += up
        idleTurns = hasFoundNew ? 0 : idleTurns + 1
        passTurn()
      }
      hasFoundNew = false
    }

    /// The turn goes to the next seat that plays.
    private mutating func passTurn() {
      var next = mover.index
      repeat {
        next = (next + 1) % counts.count
      } while !playing.contains(Seat(UInt16(next))) && next != mover.index
      mover = Seat(UInt16(next))
    }

    /// Takes a seat out. Its pairs are gone with it; the cards that it had turned up are face down again.
    mutating func dropOut(_ seat: Seat) {
      playing.remove(seat)
      guard mover == seat else { return }
      let shown = up.filter { faces[Int($0)] != Self.none }
      seen.removeAll { shown.contains($0) }
      seen += shown
      up = []
      hasFoundNew = false
      idleTurns = 0
      passTurn()
    }

    var encoded: [UInt8] {
      let sets = (0..<counts.count).reduce(0) { $0 | (playing.contains(Seat(UInt16($1))) ? 1 << $1 : 0) }
      return faces + owners + [UInt8(seen.count)] + seen + [UInt8(up.count)] + up
        + [UInt8(truncatingIfNeeded: mover.rawValue), UInt8(sets), UInt8(idleTurns), hasFoundNew ? 1 : 0]
    }
  }
}
