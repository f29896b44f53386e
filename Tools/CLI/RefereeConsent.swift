import Events
import Peer
import Platform
import Projection
import Service
import Terminal

/// A person's agreement to a game's referee and time limits.
struct RefereeConsent {
  /// Agreeing to a referee without being asked.
  static let option = OptionDefinition.value(
    "accept-referee", "PEER",
    "Agree to the referee with this key, who may decide the game, and to the game's time limits. At a terminal you are"
      + " asked; without one, a game with a referee is joined with this alone.")

  let sitting: Sitting

  /// The referee and the limits that the person agrees to in a game that has a referee.
  /// - Returns: `nil` when it was asked to stop.
  func terms(of state: RoomState) async throws -> Terms? {
    let parsed = sitting.parsed
    let named = try parsed.text("accept-referee").map { text in
      guard let peer = PeerID(hex: text) else {
        throw parsed.badValue("accept-referee", "a peer is named by its key of 64 hexadecimal digits")
      }
      return peer
    }
    // A referee that holds a seat is none: the game is refused with words.
    guard let referee = state.referee else { return Terms() }
    if named == referee { return Terms(state.create) }
    if named != nil { throw ServiceError.refused("the game's referee is another one: \(referee)") }
    guard Descriptor.input.isTerminal, !sitting.context.isJSON else {
      throw Failure(
        .negative, "the game has a referee, who can decide it: \(referee)",
        hint: "`--accept-referee \(referee)` agrees to that")
    }
    return try await ask(about: referee, state)
  }

  /// What the person agrees to in the game after another. What was agreed to once holds for it; other terms are asked
  /// about at a terminal, and elsewhere the peer refuses them.
  /// - Returns: `nil` when it was asked to stop.
  func terms(of next: RoomState, after before: RoomState) async throws -> Terms? {
    let agreed = Terms(before.create)
    guard let referee = next.referee, Terms(next.create) != agreed, Descriptor.input.isTerminal,
      !sitting.context.isJSON
    else { return agreed }
    try sitting.context.console.paragraph("The next game is not played as the one before.")
    return try await ask(about: referee, next)
  }

  /// Asks whether a game is to be played with its referee and within its limits.
  private func ask(about referee: PeerID, _ state: RoomState) async throws -> Terms? {
    let console = sitting.context.console
    try console.paragraph("\(state.name(of: state.creator))'s game has a referee: \(referee).")
    try console.line(
      "It decides by its own clock when a player's time is up (\(Terms(state.create).limitWords)), and nobody can"
        + " check that."
    )
    try console.prompt("Agree to this referee? [y/N] ")
    let answer = try await sitting.input.line()
    if case .line(let text) = answer, ["y", "yes"].contains(text.lowercased()) { return Terms(state.create) }
    // The cursor stands behind the question.
    if answer == .end || answer == .interrupted { console.note("") }
    if answer == .interrupted { return nil }
    throw ServiceError.refused("the game was not joined: you do not agree to its referee")
  }
}
