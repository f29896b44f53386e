extension Action {
  /// The longest chat text, in bytes of UTF-8.
  public static let limitChatBytes = 4_096
  /// The longest reason of a disqualification, in bytes of UTF-8.
  public static let limitReasonBytes = 256

  /// Writes the payload's canonical bytes.
  func encode(to body: inout BodyWriter) {
    switch self {
    case .unreadable(_, let payload): body.append(contentsOf: payload)
    case .create(let create): create.encode(to: &body)
    case .request(let seat, let profile):
      body.append(bigEndian: seat)
      profile.encode(to: &body)
    case .grant(let request, let seat):
      body.append(request)
      body.append(bigEndian: seat)
    case .ready(let roster, let commitment):
      body.append(roster)
      body.append(commitment)
    case .draw(let nonce): body.append(nonce)
    case .start(let roster): body.append(roster)
    case .resign(let node), .leave(let node), .drawOffer(let node): body.append(node)
    case .drawDecline(let offer): body.append(offer)
    case .undoAccept(let request): body.append(request)
    case .ruling(let claim): body.append(claim)
    case .revoke(let word): body.append(word)
    case .drawAccept(let node, let offer):
      body.append(node)
      body.append(offer)
    case .claim(let node, let seat):
      body.append(node)
      body.append(bigEndian: seat)
    case .chat(let text): body.append(text16: text)
    case .disqualify(let seat, let reason):
      body.append(bigEndian: seat)
      body.append(text16: reason)
    case .invite(let peer): body.append(peer)
    case .hosted(let action): action.encode(to: &body)
    case .move, .commit, .reveal, .undoRequest, .result, .pairingResult: encodePlay(to: &body)
    }
  }

  private func encodePlay(to body: inout BodyWriter) {
    switch self {
    case .move(let step, let code, let note):
      step.encode(to: &body)
      body.append(bigEndian: code)
      body.append(note == nil ? 0 : 1)
      guard let note else { return }
      body.append(bigEndian: note.value)
      body.append(note.isProven ? 1 : 0)
      body.append(bigEndian: note.nodes)
    case .commit(let step, let commitment):
      step.encode(to: &body)
      body.append(commitment)
    case .reveal(let step, let choice, let salt):
      step.encode(to: &body)
      body.append(bigEndian: choice)
      body.append(salt)
    case .undoRequest(let node, let ply):
      body.append(node)
      body.append(bigEndian: ply)
    case .result(let game, let ending, let scores):
      body.append(bigEndian: game)
      body.append(ending)
      body.append(UInt8(truncatingIfNeeded: scores.count))
      for score in scores { body.append(bigEndian: score) }
    case .pairingResult(let result): result.encode(to: &body)
    default: preconditionFailure("kind \(code) is no play event")
    }
  }

  /// Reads the payload of an event.
  /// - Throws: for a `create` whose payload is not in canonical form. Any other such payload is `unreadable`.
  init(of header: EventHeader, in body: RawSpan) throws(FormatError) {
    do throws(FormatError) {
      guard let kind = Kind(rawValue: header.code) else {
        throw .badField("event kind \(header.code)", at: 1)
      }
      var payload = ByteReader(body, from: header.payloadOffset)
      self = try Action(kind: kind, reader: &payload)
      try payload.end()
    } catch {
      if header.isCreate { throw error }
      self = .unreadable(
        code: header.code, payload: [UInt8](copying: body.extracting(droppingFirst: header.payloadOffset)))
    }
  }

  /// Reads the payload of an event of `kind`; throws unless it is in canonical form.
  private init(kind: Kind, reader: inout ByteReader) throws(FormatError) {
    switch kind {
    case .create: self = .create(try Create(&reader))
    case .request: self = .request(seat: try reader.integer(), try Profile(&reader))
    case .grant: self = .grant(request: try reader.identifier(), seat: try reader.integer())
    case .ready: self = .ready(roster: try reader.identifier(), commitment: try reader.identifier())
    case .draw: self = .draw(nonce: try reader.identifier())
    case .start: self = .start(roster: try reader.identifier())
    case .move:
      let (step, move) = (try Step(&reader), try Move(&reader))
      self = .move(step, code: move.code, move.note)
    case .commit: self = .commit(try Step(&reader), commitment: try reader.identifier())
    case .reveal:
      self = .reveal(try Step(&reader), choice: try reader.integer(), salt: try reader.identifier())
    case .resign: self = .resign(node: try reader.identifier())
    case .undoRequest: self = .undoRequest(node: try reader.identifier(), ply: try reader.integer())
    case .undoAccept: self = .undoAccept(request: try reader.identifier())
    case .result: self = try Self.result(&reader)
    case .leave: self = .leave(node: try reader.identifier())
    case .claim: self = .claim(node: try reader.identifier(), seat: try reader.integer())
    case .ruling: self = .ruling(claim: try reader.identifier())
    case .chat: self = .chat(try reader.text16(1...Self.limitChatBytes))
    case .pairingResult: self = .pairingResult(try PairingResult(&reader))
    case .disqualify:
      self = .disqualify(seat: try reader.integer(), reason: try reader.text16(1...Self.limitReasonBytes))
    case .revoke: self = .revoke(word: try reader.identifier())
    case .invite: self = .invite(try reader.identifier())
    case .drawOffer: self = .drawOffer(node: try reader.identifier())
    case .drawAccept: self = .drawAccept(node: try reader.identifier(), offer: try reader.identifier())
    case .drawDecline: self = .drawDecline(offer: try reader.identifier())
    case .joinProof, .joinRefusal, .roundOpen, .entry, .receipts, .roundClose, .settle, .entryProof, .carry,
      .marks:
      guard let action = try HostedAction(kind, &reader) else {
        preconditionFailure("kind \(kind) is none of hosted rounds")
      }
      self = .hosted(action)
    }
  }

  private static func result(_ reader: inout ByteReader) throws(FormatError) -> Action {
    let game: UInt16 = try reader.integer()
    let ending: EventID = try reader.identifier()
    return .result(game: game, ending: ending, scores: try scores(&reader))
  }

  /// The scores in a payload, one for each seat.
  static func scores(_ reader: inout ByteReader) throws(FormatError) -> [Int32] {
    let seats: UInt8 = try reader.integer()
    guard (1...Create.limitPlayers).contains(UInt16(seats)) else {
      throw .badField("scores of \(seats) seats", at: reader.offset - 1)
    }
    var scores: [Int32] = []
    for _ in 0..<seats { scores.append(try reader.integer()) }
    return scores
  }
}

/// What the payload of a move says behind its step, without the cases of an `Action`: most of what is stored are
/// moves.
package struct Move: Sendable {
  /// The move in the game's code.
  package let code: UInt32
  /// What a search said of it.
  package let note: Action.Note?

  /// Reads a payload; throws unless it is in canonical form as far as it was read.
  @inline(__always)
  init(_ reader: inout ByteReader) throws(FormatError) {
    code = try reader.integer()
    note = try reader.flag() ? try Action.Note(&reader) : nil
  }

  /// Whether the payload of a move can be read.
  @inline(__always)
  static func isReadable(in body: RawSpan, from payloadOffset: Int) -> Bool {
    var payload = ByteReader(body, from: payloadOffset)
    do throws(FormatError) {
      _ = (try Action.Step(&payload), try Move(&payload))
      try payload.end()
      return true
    } catch {
      return false
    }
  }
}

extension Action.Step {
  // Where the fields start in a step's bytes, and how many there are.
  static var plyOffset: Int { 2 }
  static var nodeOffset: Int { 4 }
  static var bytes: Int { 36 }

  fileprivate func encode(to body: inout BodyWriter) {
    body.append(bigEndian: game)
    body.append(bigEndian: ply)
    body.append(node)
  }

  @inline(__always)
  init(_ reader: inout ByteReader) throws(FormatError) {
    game = try reader.integer()
    ply = try reader.integer()
    node = try reader.identifier()
  }
}

extension Action.Note {
  fileprivate init(_ reader: inout ByteReader) throws(FormatError) {
    value = try reader.integer()
    isProven = try reader.flag()
    nodes = try reader.integer()
  }
}

extension Action.PairingResult {
  fileprivate func encode(to body: inout BodyWriter) {
    body.append(bigEndian: pairing)
    body.append(attempt)
    body.append(room)
    body.append(UInt8(truncatingIfNeeded: heads.count))
    for head in heads {
      body.append(head.author)
      body.append(bigEndian: head.sequence)
      body.append(head.event)
    }
    body.append(walkover.rawValue)
    body.append(bigEndian: UInt16(truncatingIfNeeded: games.count))
    for game in games {
      for score in game { body.append(bigEndian: score) }
    }
  }

  fileprivate init(_ reader: inout ByteReader) throws(FormatError) {
    pairing = try reader.integer()
    attempt = try reader.integer()
    room = try reader.identifier()
    heads = try Self.heads(&reader, of: room)
    let at = reader.offset
    guard let walkover = Walkover(rawValue: try reader.integer()) else { throw .badField("walkover", at: at) }
    self.walkover = walkover
    let count: UInt16 = try reader.integer()
    guard count <= Create.limitGames else { throw .badField("\(count) games", at: at + 1) }
    games = []
    for _ in 0..<count { games.append([try reader.integer(), try reader.integer()]) }
  }

  private static func heads(_ reader: inout ByteReader, of room: RoomID) throws(FormatError) -> [Head] {
    let at = reader.offset
    let count = Int(try reader.integer(UInt8.self))
    guard count <= limitHeads else { throw .badField("\(count) heads", at: at) }
    guard room.isSome || count == 0 else { throw .badField("heads of no room", at: at) }
    var heads: [Head] = []
    for _ in 0..<count {
      let at = reader.offset
      let head = Head(
        author: try reader.identifier(), sequence: try reader.integer(), event: try reader.identifier())
      guard (1...UInt64(Int64.max)).contains(head.sequence) else {
        throw .badField("sequence \(head.sequence) of a head", at: at)
      }
      if let last = heads.last, last >= head { throw .badField("heads out of order", at: at) }
      heads.append(head)
    }
    return heads
  }
}
