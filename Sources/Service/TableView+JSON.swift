internal import Events
internal import Peer

// The JSON form of a table, and of its parts.

extension TableView: JSONObject {
  static var fields: [JSONField<Self>] {
    [
      .init("room", \.room), .init("edition", \.edition), .init("game", \.game), .init("version", \.version),
      .init("title", \.title), .init("settings", \.settings), .init("scope", \.scope),
      .init("rematch-of", \.rematchOf), .init("branch-of", \.branchOf), .init("rematch", \.rematch),
      .init("creator", \.creator),
      .init("invited", \.invited), .init("peer", \.peer),
      .init("seat", \.seat), .init("has-asked", \.hasAsked), .init("referee", \.referee),
      .init("referee-awaited", \.isRefereeAwaited),
      .init("move-limit", \.moveLimit), .init("clock", \.clock), .init("increment", \.increment),
      .init("open-rounds", \.hasOpenRounds),
      .init("phase", \.phase), .init("leaver", \.leaver), .init("seats", \.seats), .init("games", \.games),
      .init("target", \.target),
      .init("number", \.number), .init("first", \.first), .init("drawn", \.isDrawn), .init("turn", \.turn),
      .init("round", \.isRound), .init("choosing", \.choosing), .init("allows-draws", \.allowsDraws),
      .init("position", \.position),
      .init("plies", \.plies), .init("opening", \.opening), .init("moves", \.moves), .init("may", \.may),
      .init("undo", \.undo),
      .init("draws", \.draws), .init("claims", \.claims), .init("chat", \.chat),
      .init("hindrance", \.hindrance), .init("ending", \.ending),
      .init("hosted", \.hosted),
    ]
  }
}

extension TableView.Phase: JSONForm { init() { self = .waiting } }
extension TableView.Presence: JSONForm { init() { self = .away } }
extension TableView.Cause: JSONForm { init() { self = .rules } }
extension TableAct.Kind: JSONForm { init() { self = .choose } }

extension TableView.Setting: JSONObject {
  static var fields: [JSONField<Self>] { [.init("name", \.name), .init("value", \.value)] }
}

extension TableView.Place: JSONObject {
  static var fields: [JSONField<Self>] {
    [
      .init("peer", \.peer), .init("name", \.name), .init("emoji", \.emoji), .init("bot", \.bot),
      .init("presence", \.presence), .init("away-since", \.awaySince), .init("owes", \.owes),
      .init("out", \.isOut), .init("left", \.left), .init("wins", \.wins),
      .init("score", \.score),
    ]
  }
}

extension TableView.Person: JSONObject {
  static var fields: [JSONField<Self>] { [.init("peer", \.peer), .init("name", \.name)] }
}

extension TableView.Invited: JSONObject {
  static var fields: [JSONField<Self>] { [.init("peer", \.peer), .init("declined", \.hasDeclined)] }
}

extension TableView.Rematch: JSONObject {
  static var fields: [JSONField<Self>] { [.init("room", \.room), .init("peer", \.peer)] }
}

extension TableView.Cell: JSONObject {
  static var fields: [JSONField<Self>] {
    [
      .init("seat", \.seat), .init("marked", \.isMarked), .init("text", \.text), .init("face", \.face),
    ]
  }
}

extension TableView.Part: JSONObject {
  static var fields: [JSONField<Self>] { [.init("seat", \.seat), .init("text", \.text)] }
}

extension TableView.Position: JSONObject {
  static var fields: [JSONField<Self>] {
    [
      .init("board", \.board), .init("labels", \.labels), .init("row-labels", \.rowLabels),
      .init("sides", \.sides), .init("lines", \.lines),
    ]
  }

  /// The JSON form.
  package var json: [UInt8] { JSONFields.text(of: self) }
}

extension TableView.Note: JSONObject {
  static var fields: [JSONField<Self>] {
    [.init("value", \.value), .init("proven", \.isProven), .init("nodes", \.nodes)]
  }
}

extension TableView.Ply: JSONObject {
  static var fields: [JSONField<Self>] {
    [.init("event", \.event), .init("seat", \.seat), .init("moves", \.moves), .init("note", \.note)]
  }
}

extension TableView.Move: JSONObject {
  static var fields: [JSONField<Self>] { [.init("code", \.code), .init("text", \.text)] }
}

extension TableView.Branch: JSONObject {
  static var fields: [JSONField<Self>] {
    [.init("room", \.room), .init("game", \.game), .init("ply", \.ply)]
  }
}

extension TableView.UndoRequest: JSONObject {
  static var fields: [JSONField<Self>] {
    [.init("event", \.event), .init("seat", \.seat), .init("ply", \.ply)]
  }
}

extension TableView.DrawOffer: JSONObject {
  static var fields: [JSONField<Self>] { [.init("event", \.event), .init("seat", \.seat)] }
}

extension TableView.Claim: JSONObject {
  static var fields: [JSONField<Self>] {
    [.init("event", \.event), .init("seat", \.seat), .init("against", \.against)]
  }
}

extension TableView.ChatLine: JSONObject {
  static var fields: [JSONField<Self>] {
    [.init("event", \.event), .init("peer", \.peer), .init("text", \.text)]
  }
}

extension TableView.Ending: JSONObject {
  static var fields: [JSONField<Self>] {
    [
      .init("cause", \.cause), .init("seat", \.seat), .init("scores", \.scores), .init("winner", \.winner),
      .init("agreed", \.isAgreed),
    ]
  }
}
