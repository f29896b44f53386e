package import Events

/// Who is a member of a room, and which events name only whom their authors may name (Docs/PROTOCOL.md §3.2).
///
/// An event is judged by its own past alone: by headers, the `create`, and the creator's grants. So everybody who holds
/// its past judges it alike, whatever else came or did not come.
package struct Membership: Sendable {
  /// The most events that somebody writes who is no member yet.
  package static let limitStrangersEvents: UInt64 = 256
  /// So many grants more than there are seats stand on one branch of a creator's feed.
  package static let limitSpareGrants = 64

  /// What an event is by its own past.
  struct Standing: Hashable, Sendable {
    private static let memberBit: UInt16 = 0x8000
    private static let creatorBit: UInt16 = 0x4000
    private static let createBit: UInt16 = 0x2000

    /// The room's `create`.
    static let create = Standing(bits: memberBit | creatorBit | createBit)
    /// An event of a member that is not the creator.
    static let members = Standing(bits: memberBit)
    /// An event of somebody who is no member.
    static let strangers = Standing(bits: 0)

    private var bits: UInt16

    /// Whether its author was a member when it wrote it.
    var isMembers: Bool { bits & Self.memberBit != 0 }
    /// Whether the creator wrote it.
    var isCreators: Bool { bits & Self.creatorBit != 0 }
    /// Whether it is the `create`.
    var isCreate: Bool { bits & Self.createBit != 0 }
    /// How many grants its branch of the creator's feed has up to here.
    var grants: Int { Int(bits & (Self.createBit - 1)) }

    /// The event behind this one of the creator's feed.
    func next(isGrant: Bool) -> Standing {
      // A branch in a damaged store may have more grants than can be counted.
      let more: UInt16 = isGrant && bits & (Self.createBit - 1) < Self.createBit - 1 ? 1 : 0
      return Standing(bits: (bits & ~Self.createBit) + more)
    }
  }

  /// What is judged of an event.
  struct Subject {
    let author: PeerID
    let sequence: UInt64
    let parents: Int
    /// Whether it is a grant that can be read.
    let isGrant: Bool
    /// Which parent is the request that it grants.
    let request: Int?
  }

  /// The room's creator; none while its `create` is not here.
  package private(set) var creator = PeerID.none
  /// Whether members name each other, and not the creator alone.
  package private(set) var isGames = true
  /// Whether the room is for hosted rounds.
  package private(set) var isHosted = false
  private var referee = PeerID.none
  private var limitGrants = 0
  private var standings: [Standing] = []
  /// Whose request the grant at a position grants.
  private var grantees: [Int: PeerID] = [:]
  /// Whom the creator has invited.
  private var invited: Set<PeerID> = []
  /// The position of each member's first grant on the branch of the creator's feed that came first.
  private var grants: [PeerID: Int] = [:]

  init() {}

  // MARK: - Peers

  /// Whether somebody is a member without a grant: the creator or the referee.
  package func isFounder(_ peer: PeerID) -> Bool { peer.isSome && (peer == creator || peer == referee) }

  /// Whether somebody is a member, by the grants on the branch of the creator's feed that came first.
  @_effects(readonly)
  package func contains(_ peer: PeerID) -> Bool { isFounder(peer) || grants[peer] != nil }

  /// Whether somebody is neither a member nor invited.
  package func isStranger(_ peer: PeerID) -> Bool { !contains(peer) && !invited.contains(peer) }

  /// Members and those who are invited, by the branch of the creator's feed that came first; in no order.
  package var welcome: Set<PeerID> {
    // tidy: order does not matter because it becomes a set
    Set(grants.keys).union(invited).union([creator, referee].filter(\.isSome))
  }

  /// How often there was more of them.
  package var welcomes: Int { grants.count + invited.count }

  /// The position of the first grant of a peer's request.
  func grant(of peer: PeerID) -> Int? { grants[peer] }

  /// Notes that a grant lies on the branch of the creator's feed that came first.
  mutating func noteFirstBranch(grant position: Int) {
    if let grantee = grantees[position], grants[grantee] == nil { grants[grantee] = position }
  }

  // MARK: - Events

  /// What the event at a position is by its own past.
  func standing(at position: Int) -> Standing { standings[position] }

  /// Whose request the event at a position grants.
  func grantee(at position: Int) -> PeerID? { grantees[position] }

  /// Takes in the next event, which was judged before, or is in a store that is trusted.
  mutating func add(
    _ event: some EventFields & ~Escapable, _ links: CausalGraph.Links, _ graph: CausalGraph
  ) {
    guard !standings.isEmpty else { return begin(event.action, by: event.author) }
    let subject = Subject(event)
    // What does not link in a damaged store names nobody.
    let isWhole = links.parents == subject.parents
    let standing = trustedStanding(
      of: subject, after: links.previous.map(standing(at:)),
      grantee: { isWhole ? grantee(at: links.parent($0)) : nil })
    if standing.isCreators, isWhole, let request = subject.request {
      grantees[standings.count] = graph.author(links.parent(request))
    }
    if standing.isCreators, event.code == Kind.invite.rawValue, case .invite(let peer) = event.action {
      invited.insert(peer)
    }
    standings.append(standing)
  }

  /// Takes in the room's first event.
  mutating func begin(_ create: Action, by author: PeerID) {
    standings.append(.create)
    guard case .create(let create) = create else { return }
    creator = author
    referee = create.referee
    isGames = create.isGames
    isHosted = create.isHosted
    limitGrants = Int(create.seats) + Self.limitSpareGrants
  }

  /// What an event is by its own past, which is here but for what lies in the run before it.
  /// - Parameter previous: what the event before it is, where that is not here yet.
  /// - Returns: `nil` when the event names what its author may not name, or is one too many.
  func standing(
    of event: some EventFields & ~Escapable, _ links: CausalGraph.Links,
    after previous: Standing? = nil
  ) -> Standing? {
    if standings.isEmpty { return .create }
    return standing(
      of: Subject(event), after: links.previous.map(standing(at:)) ?? previous,
      parent: { standing(at: links.parent($0)) }, grantee: { grantee(at: links.parent($0)) })
  }

  /// The same of an event whose past need not be here.
  /// - Parameters:
  ///   - previous: of the author's event before; `nil` for the first.
  ///   - parent: of each parent, by its number.
  ///   - grantee: whose request each parent grants.
  /// - Returns: `nil` when the event names what its author may not name, or is one too many.
  func standing(
    of subject: Subject, after previous: Standing?, parent: (Int) -> Standing?, grantee: (Int) -> PeerID?
  ) -> Standing? {
    if subject.author == creator {
      guard let standing = previous?.next(isGrant: subject.isGrant), standing.grants <= limitGrants else {
        return nil
      }
      for number in 0..<subject.parents where number != subject.request {
        guard parent(number)?.isMembers ?? false else { return nil }
      }
      return standing
    }
    guard isMembers(subject, after: previous, grantee: grantee) else {
      guard subject.sequence <= Self.limitStrangersEvents else { return nil }
      for number in 0..<subject.parents { guard parent(number)?.isCreate ?? false else { return nil } }
      return .strangers
    }
    for number in 0..<subject.parents {
      guard let named = parent(number), isGames ? named.isMembers : named.isCreators else { return nil }
    }
    return .members
  }

  /// The same of an event that was judged before.
  private func trustedStanding(
    of subject: Subject, after previous: Standing?, grantee: (Int) -> PeerID?
  ) -> Standing {
    if subject.author == creator { return (previous ?? .create).next(isGrant: subject.isGrant) }
    return isMembers(subject, after: previous, grantee: grantee) ? .members : .strangers
  }

  /// Whether somebody who is not the creator is a member with this event.
  private func isMembers(
    _ subject: Subject, after previous: Standing?, grantee: (Int) -> PeerID?
  ) -> Bool {
    if previous?.isMembers ?? (subject.author == referee) { return true }
    return (0..<subject.parents).contains { grantee($0) == subject.author }
  }
}

extension Membership.Subject {
  init(_ event: borrowing some EventFields & ~Escapable) {
    author = event.author
    sequence = event.sequence
    parents = event.parentCount
    guard event.code == Kind.grant.rawValue, case .grant(let granted, _) = event.action else {
      (isGrant, request) = (false, nil)
      return
    }
    isGrant = true
    var request: Int?
    for number in 0..<parents where event.parent(number) == granted { request = number }
    self.request = request
  }
}
