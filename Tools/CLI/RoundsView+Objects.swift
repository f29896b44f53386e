import Terminal

// What programs are told of hosted rounds.

extension RoundsView {
  static let objects = [
    ObjectDefinition(
      "rounds", "At the start.",
      [
        "room": "the room's id", "code": "the room's code",
        "join": "what `parlor join` takes; null where not known",
        "game": "the game's name", "title": "the title", "rounds": "how many there are",
        "number": "the own number as a player, or null",
      ]),
    ObjectDefinition(
      "player", "For each player, when it comes, leaves or is back.",
      ["number": "its number", "name": "its name", "peer": "its key", "here": "whether it takes part"]),
    ObjectDefinition(
      "question", "When a round is opened.",
      [
        "round": "its number, from 1", "opening": "the event", "question": "what is asked",
        "choices": "what may be chosen, as texts; only a quiz has any",
        "limit": "milliseconds until the host closes it",
        "drawer": "the number of the player who draws; null where nobody does",
        "word": "the word, for the one who draws; else null",
      ]),
    ObjectDefinition(
      "stroke", "In a drawing game, for each line that was drawn.",
      [
        "round": "its number", "colour": "its colour",
        "width": "its width in units of the sheet, which has 1024 by 768",
        "points": "x and y of its points, with blanks between",
      ]),
    ObjectDefinition(
      "cleared", "In a drawing game, when the sheet was cleared; what stands on it then follows.",
      ["round": "its number"]),
    ObjectDefinition(
      "guess", "In a drawing game, for each guess that the host has marked or opened.",
      [
        "round": "its number", "number": "the player's number",
        "right": "whether it is right, as the host says",
        "text": "the guess; null while it is right and sealed",
        "milliseconds": "when it came, by the host's clock",
      ]),
    ObjectDefinition(
      "counts", "In a tap race, whenever other taps count.",
      [
        "round": "its number",
        "counts": "objects with `number`, a player's, `count`, its taps that count, and `place`, by place",
      ]),
    ObjectDefinition(
      "closed", "When a round is closed.",
      ["round": "its number", "milliseconds": "when, by the host's clock", "answers": "how many came"]),
    ObjectDefinition(
      "void", "When a round counts nothing and is asked anew.", ["round": "its number"]),
    ObjectDefinition(
      "settled", "When points are given.",
      [
        "round": "its number",
        "solution": "the right choice, from 1; in a drawing game the word; null in a tap race",
        "answers": "how many came",
        "chosen": "how many chose each: objects with `choice` and `count`",
        "own": "`right`, `wrong`, `unreadable`, `taken` in a tap race, or `none`; null for who is no player",
        "points": "the own points",
      ]),
    ObjectDefinition(
      "standings", "After each round, and at the end.",
      [
        "round": "how many rounds are settled",
        "players":
          "objects with `rank`, `number`, `name`, `peer`, `score` and `points`, those of the last round",
      ]),
    ObjectDefinition(
      "fault", "When something can be proven against the host.",
      [
        "fault": "`wrong-solution`, `wrong-entry`, `denied-entry`, `wrong-mark` or `told-another`",
        "event": "the event that shows it",
      ]),
    ObjectDefinition("over", "At the end.", ["room": "the room's id", "rounds": "how many were settled"]),
  ]

  /// What there is besides where somebody plays.
  static let liveObjects =
    objects + [
      ObjectDefinition(
        "answered", "When the host has acknowledged the own answer.",
        ["round": "its number", "milliseconds": "when it came, by the host's clock"]),
      ObjectDefinition(
        "host", "When the connection with the host is lost, and when it is back.",
        ["connected": "whether it is connected"]),
    ]
}
