import Games

extension Strategy {
  /// Machines of finitely many states.
  ///
  /// A row is a state, the first one that of the start: where it goes and what it then chooses, after the other's
  /// cooperation and after its defection. `"0D 1D"` stays in state 0 after cooperation, goes to state 1 after
  /// defection, and defects in both cases. States that cannot be reached are left out, and the others numbered anew.
  static let machines = [
    machine(
      "fortress-3", "defects until DD answers it, then cooperates", .ashlock2006b, first: .defect,
      "0D 1D", "0D 2C", "2C 0D"),
    machine(
      "fortress-4", "defects until DDD answers it, then cooperates", .ashlock2006b, first: .defect,
      "0D 1D", "0D 2D", "0D 3C", "3C 0D"),
    machine(
      "predator", "a machine of nine states that preys on cooperation", .ashlock2006b, first: .cooperate,
      "0D 1D", "2D 3D", "4C 3D", "5D 4C", "2C 6D", "7D 3D", "7C 7D", "8D 7D", "8D 6D"),
    machine(
      "pun-1", "a machine of two states that defects first", .ashlock2006, first: .defect,
      "1C 1C", "0C 0D"),
    machine(
      "raider", "a machine of four states that defects first", .ashlock2014, first: .defect,
      "1D 1D", "0D 2C", "0D 3C", "3C 3D"),
    machine(
      "ripoff", "a machine of three states that defects first", .ashlock2006b, first: .defect,
      "1C 2C", "0D 2C", "2C 2D"),
    machine(
      "solution-b1", "a machine of three states for many opponents", .ashlock2015, first: .defect,
      "1D 0D", "1C 2C", "2C 2C"),
    machine(
      "solution-b5", "a machine of six states for many opponents", .ashlock2015, first: .defect,
      "1C 2D", "1C 3D", "3C 4D", "2C 0D", "4D 5D", "3C 2D"),
    machine(
      "thumper", "answers a defection with two", .ashlock2006, first: .cooperate,
      "0C 1D", "0D 0D"),
    machine(
      "usually-cooperates", "cooperates, but defects when cooperation follows a defection", .ashlock2009,
      first: .cooperate,
      "0C 1C", "0D 0C"),
    machine(
      "usually-defects", "defects, but cooperates when a defection follows the cooperation that it noticed",
      .ashlock2009, first: .defect,
      "1D 0D", "0D 0C"),
    machine(
      "evolved-fsm-4", "a machine of four states, evolved", .harper2017, first: .cooperate,
      "0C 1D", "1D 2C", "3D 0C", "3D 2D"),
    machine(
      "evolved-fsm-16", "a machine of 14 states, evolved", .harper2017, first: .cooperate,
      "0C 1D", "2C 3D", "4C 4C", "5D 4D", "1D 6D", "5D 7C", "3D 2C", "7D 8D", "9D 9D", "9D 10D", "11D 12C",
      "11D 11D", "11D 13C", "4C 1D"),
    machine(
      "evolved-fsm-16-noise-05", "a machine of 14 states, evolved with noise", .harper2017, first: .cooperate,
      "1C 2D", "3C 4D", "5C 2D", "6C 2D", "7D 4D", "4D 8D", "9C 3C", "4D 5D", "9C 10D", "9C 11C", "7D 12C",
      "1C 11D", "13D 9C", "2D 9D"),
    machine(
      "tf-1", "a machine of 16 states, trained for Moran processes", .harper2017, first: .cooperate,
      "1C 2C", "3D 4D", "5D 5D", "6C 7C", "8D 8C", "6D 9D", "10D 11C", "7C 12D", "11D 8D", "5C 8D",
      "13D 8D", "8D 10D", "6D 13D", "0C 14D", "8C 15C", "3C 9C"),
    machine(
      "tf-2", "a machine of 14 states, trained for Moran processes", .harper2017, first: .cooperate,
      "1D 2D", "3C 4D", "5C 6D", "2D 7D", "7C 8C", "0C 9D", "3D 10D", "11D 10D", "8C 12D", "5D 13D",
      "6D 0D", "4D 3D", "3D 1D", "9D 7D"),
    machine(
      "tf-3", "a machine of six states, trained for Moran processes", .harper2017, first: .cooperate,
      "0C 1C", "2D 3D", "1C 4D", "3D 3D", "5D 0C", "3C 1D"),
  ]

  private static func machine(
    _ name: String, _ summary: String, _ source: Source, first: Choice, _ rows: String...
  ) -> Strategy {
    let answers = rows.flatMap { row in row.split(separator: " ").map { Answer($0) } }
    precondition(
      answers.count == 2 * rows.count && answers.allSatisfy { $0.state < rows.count }, "\(name): \(rows)")
    return Strategy(name, summary, source, from: 0) { state, past in
      guard let last = past.other.last else { return first }
      let answer = answers[2 * state + Int(last.rawValue)]
      state = answer.state
      return answer.choice
    }
  }

  /// Where a machine goes, and what it chooses.
  private struct Answer {
    let state: Int
    let choice: Choice

    /// Reads a number and a letter.
    init(_ text: Substring) {
      guard let state = Int(text.dropLast()), let letter = text.last, letter == "C" || letter == "D" else {
        preconditionFailure("“\(text)” is no answer of a machine")
      }
      self.state = state
      choice = letter == "C" ? .cooperate : .defect
    }
  }
}
