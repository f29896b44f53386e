import Rules
import Testing

@Suite("Sets of seats")
struct SeatSetTests {
  @Test("Every set gives its seats once, in ascending order")
  func seatsAscend() {
    for bits in 0..<1 << SeatSet.limitSeats {
      let seats = (0..<UInt16(SeatSet.limitSeats)).filter { bits >> $0 & 1 != 0 }.map { Seat($0) }
      let set = SeatSet(seats.reversed())
      guard Array(set) == seats, set.count == seats.count, set.first == seats.first else {
        Issue.record("of \(seats) there are \(Array(set))")
        return
      }
    }
  }

  @Test("Who is taken out is not met any more, and the others are")
  func seatsAreTakenOut() {
    for count in 1...SeatSet.limitSeats {
      var set = SeatSet.all(count)
      let last = Seat(UInt16(count - 1))
      set.remove(last)
      #expect(!set.contains(last))
      #expect(set.map(\.index) == Array(0..<count - 1))
      set.insert(last)
      #expect(set == .all(count))
    }
  }
}
