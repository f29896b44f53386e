import Rules

extension RulesSuite {
  /// What seats and spectators see at the positions of several games.
  struct Sights<R: Rules> {
    /// What a seat is told besides its view, and what spectators see: a view that does not decide these leaks.
    private struct Told: Hashable {
      var turn: Turn
      var moves: [R.Move]
      var spectators: R.View
    }

    /// A view of a seat.
    private struct Sight: Hashable {
      var seat: Seat
      var view: R.View
    }

    /// Views that are kept to be compared with; later ones are only compared.
    private static var limit: Int { 4_000 }

    private let rules: R
    private var told: [Sight: Told] = [:]
    private var bytes: [R.View: [UInt8]] = [:]
    private var views: [[UInt8]: R.View] = [:]

    init(_ rules: R) { self.rules = rules }

    /// Looks at the positions of a game from every side.
    mutating func check(_ game: RandomGame<R>, _ findings: inout Findings) {
      for (ply, position) in game.positions.enumerated() {
        let place = game.place(ply)
        let spectators = rules.view(of: position, for: nil)
        checkBytes(spectators, place, &findings)
        for seat in rules.allSeats {
          let sight = Sight(seat: seat, view: rules.view(of: position, for: seat))
          checkBytes(sight.view, place, &findings)
          let now = Told(
            turn: rules.turn(in: position), moves: rules.legalMoves(of: seat, in: position),
            spectators: spectators)
          guard let before = told[sight] else {
            if told.count < Self.limit { told[sight] = now }
            continue
          }
          findings.expect(before.turn == now.turn, .views, "\(seat) does not see the turn: \(place)")
          findings.expect(before.moves == now.moves, .views, "\(seat) does not see its own moves: \(place)")
          findings.expect(
            before.spectators == now.spectators, .views, "a spectator sees what \(seat) does not: \(place)")
        }
      }
    }

    /// Views that are equal have the same bytes, and no others have.
    private mutating func checkBytes(
      _ view: R.View, _ place: some CustomStringConvertible, _ findings: inout Findings
    ) {
      let encoded = rules.encode(view: view)
      findings.expect(
        bytes[view].map { $0 == encoded } ?? true, .views, "equal views have different bytes: \(place)")
      findings.expect(
        views[encoded].map { $0 == view } ?? true, .views, "different views have the same bytes: \(place)")
      guard bytes.count < Self.limit else { return }
      (bytes[view], views[encoded]) = (encoded, view)
    }
  }
}
