import Events

/// Checks a room's events one after the other, in a causal order, as if a stranger had sent them: ids, rooms, links,
/// whom they name, signatures, and at the end that signatures cover everything.
///
/// Keeps about 75 bytes an event and no event. While events name nothing but the ends of the first feeds, as at one
/// table, no table of ids is needed; the first one that names something else has it made.
struct RoomVerifier {
  /// The first event that is not as it must be.
  struct Fault: Error {
    let event: EventID
    let fault: EventFault

    init(_ event: EventID, _ fault: EventFault) {
      self.event = event
      self.fault = fault
    }
  }

  private let room: RoomID
  private let hasher: EventHasher
  private let scheme: any SignatureScheme
  private(set) var graph: CausalGraph
  private var membership = Membership()
  private var coverage: Coverage

  init(
    room: RoomID, hasher: EventHasher, scheme: any SignatureScheme, capacity: Int = 0
  ) {
    self.room = room
    self.hasher = hasher
    self.scheme = scheme
    graph = CausalGraph(capacity: capacity, isIndexed: false)
    coverage = Coverage(capacity: capacity)
  }

  /// Takes the next event with its signature, if it has one of its own.
  mutating func take(_ view: borrowing EventView, signature: Signature?) throws(Fault) {
    guard view.isHashed(by: hasher) else { throw Fault(view.id, .wrongHash) }
    try takeHashed(view, signature: signature)
  }

  /// Takes the next event, whose id was computed from its bytes, with its signature, if it has one of its own.
  mutating func takeHashed(_ view: borrowing EventView, signature: Signature?) throws(Fault) {
    let links = try links(of: view)
    if let signature { try check(signature, of: view) }
    add(view, links, isSigned: signature != nil)
  }

  /// Takes the next event, whose id was computed from its bytes, and whose signature comes behind it.
  /// - Returns: what it names.
  mutating func take(_ event: Event) throws(Fault) -> CausalGraph.Links {
    let links = try links(of: event)
    add(event, links, isSigned: false)
    return links
  }

  /// Takes the signature of the last event.
  mutating func sign(_ event: Event, _ signature: Signature) throws(Fault) {
    try check(signature, of: event)
    coverage.signLast()
  }

  /// Throws unless every feed and branch ends in a signed event, in runs within their limits.
  func finish() throws(Fault) {
    guard let (at, fault) = coverage.firstFault() else { return }
    throw Fault(graph.id(at), fault)
  }

  /// What an event names.
  /// - Throws: unless it is new here, all that it names is here, and it may name that.
  private mutating func links(of event: some EventFields & ~Escapable) throws(Fault) -> CausalGraph.Links {
    let id = event.id
    guard event.room == room else { throw Fault(id, .wrongRoom) }
    guard graph.count > 0 || id == room else { throw Fault(id, .noCreate) }
    switch graph.linking(of: event) {
    case .broken: throw Fault(id, .brokenChain)
    case .missing(let missing):
      if graph.makeIndex() { return try links(of: event) }
      throw Fault(id, missing == event.previous ? .missingPrevious : .missingParent)
    case .whole(let links):
      guard !graph.mayHold(event, links) || !holds(id) else { throw Fault(id, .doubled) }
      guard graph.count == 0 || membership.standing(of: event, links) != nil else {
        throw Fault(id, .misnamed)
      }
      return links
    }
  }

  /// Whether the event was taken.
  mutating func holds(_ id: EventID) -> Bool {
    _ = graph.makeIndex()
    return graph.position(of: id) != nil
  }

  private func check(
    _ signature: Signature, of event: some EventFields & ~Escapable
  ) throws(Fault) {
    guard scheme.isValid(signature, of: event.id, by: event.author) else {
      throw Fault(event.id, .badSignature)
    }
  }

  private mutating func add(
    _ event: some EventFields & ~Escapable, _ links: CausalGraph.Links, isSigned: Bool
  ) {
    graph.note(event, links)
    membership.add(event, links, graph)
    coverage.add(after: links.previous, bodyBytes: event.bodyBytes, isSigned: isSigned)
  }
}

extension LogError {
  /// What a check of a stored room found.
  init(_ fault: RoomVerifier.Fault) { self = .corrupt(event: fault.event, reason: fault.fault.rawValue) }
}
