import BotKit
import Events
import Games
import Projection
import Rules
import TestKit
import Testing
import Tournaments

extension TestPeer {
  fileprivate static let (eve, frank) = (table[4], table[5])
}

@Suite("Entrants who come in after the start") struct LateEntryTests {
  /// Four entrants and six places; in the first round of two Bob meets Dave, and Rita meets Carol.
  private func swiss(places: Int = 6) throws -> Cup {
    try Cup([.bob, .carol, .dave, .rita], format: .swiss, options: 2, places: places)
  }

  private func entrants(_ tournament: TournamentRoom, round: Int) -> Set<UInt16> {
    Set(
      tournament.state.known.filter { $0.pairing.round == round }
        .flatMap { $0.pairing.entrants.map(\.rawValue) })
  }

  @Test("A grant after the start lets somebody in, who plays from the next round on", arguments: [3, 6])
  func comesIn(_ format: UInt8) throws {
    let format = try #require(TournamentFormat(rawValue: format))
    var cup = try Cup([.bob, .carol, .dave, .rita], format: format, options: 2, places: 5)
    let request = try cup.script.request(.eve)
    #expect(cup.script.state.openRequests.map(\.peer) == [TestPeer.eve.id])
    #expect(cup.script.state.lateSeats == 1 && cup.script.state.mayRequest(TestPeer.frank.id))
    let grant = try cup.script.grant(request, seat: 4)
    #expect(cup.script.verdict(grant) == .effective && cup.script.verdict(request) == .effective)
    let state = cup.script.state
    #expect(state.seats.map { $0?.peer } == [TestPeer.bob, .carol, .dave, .rita, .eve].map(\.id))
    #expect(state.tournamentWords == [.entry(Seat(4), event: grant.id)])
    #expect(state.openRequests.isEmpty && state.lateSeats == 0 && !state.mayRequest(TestPeer.frank.id))
    #expect(state.create.seats == 4)
    try cup.say(0, try cup.play(0), [1, 0])
    #expect(try entrants(cup.read(), round: 0) == [0, 1, 2, 3])
    try cup.say(1, try cup.play(1), [1, 0])
    let read = try cup.read()
    #expect(read.state.known.map(\.pairing.number.rawValue) == [0, 1, 2, 3])
    // The bye of the second round is for one who has played in the first.
    #expect(entrants(read, round: 1).contains(4) && read.state.byes.count == (format == .swiss ? 1 : 0))
    #expect(read.labels.count == 5 && read.state.standings.count == 5)
    #expect(try read.standingsDigest() == TournamentRoom(cup.script.state, Games.catalog)?.standingsDigest())
  }

  @Test("Who is let in after a round's last word waits for the round after it")
  func comesTooLateForTheRound() throws {
    var cup = try swiss()
    for number: UInt32 in 0...1 { try cup.say(number, try cup.play(number), [1, 0]) }
    try cup.script.grant(try cup.script.request(.eve), seat: 4)
    let read = try cup.read()
    #expect(entrants(read, round: 1) == [0, 1, 2, 3] && read.state.byes.isEmpty)
    #expect(read.state.standings.last?.entrant.rawValue == 4 && read.state.pairingCount == 4)
  }

  /// A grant that seats nobody, and how it comes to that.
  enum Idle: CaseIterable {
    case full, anotherSeat, takenSeat, again, byAnother, ofTheOrganizer, takenBack, ofAnotherFormat, unseen
  }

  @Test(arguments: Idle.allCases) func aGrantWithoutEffect(_ idle: Idle) throws {
    var cup =
      idle == .ofAnotherFormat
      ? try Cup([.bob, .carol, .dave, .rita], format: .singleElimination, places: 6)
      : try swiss(places: idle == .full ? 4 : 6)
    let asking: TestPeer = idle == .ofTheOrganizer ? .alice : idle == .again ? .bob : .eve
    let request = try cup.script.request(asking)
    if idle == .takenBack { try cup.script.write(asking, .leave(node: .none)) }
    let seat = idle == .anotherSeat ? 5 : idle == .takenSeat ? 0 : 4
    let grant =
      idle == .unseen
      ? try cup.script.write(.alice, .grant(request: request.id, seat: 4), seeing: .nothing)
      : try cup.script.grant(request, seat: seat, by: idle == .byAnother ? .bob : .alice)
    #expect(cup.script.verdict(grant) == (idle == .byAnother ? .notEntitled : .lobbyWithoutEffect))
    #expect(cup.script.state.seats.count == 4 && cup.script.state.tournamentWords.isEmpty)
  }

  @Test("Who had to be invited and was not stays out")
  func uninvited() throws {
    var cup = try Cup(
      [.bob, .carol, .dave, .rita], format: .swiss, options: 2, places: 6, scope: .invited)
    let grant = try cup.script.grant(try cup.script.request(.eve), seat: 4)
    #expect(cup.script.verdict(grant) == .notInvited && cup.script.state.seats.count == 4)
    try cup.script.invite(.eve)
    try cup.script.grant(try cup.script.request(.eve), seat: 4)
    #expect(cup.script.state.seats.count == 5 && cup.script.state.openRequests.isEmpty)
  }

  @Test("Who is in leaves, is disqualified and is reinstated as anybody else")
  func leaves() throws {
    var cup = try swiss()
    try cup.script.grant(try cup.script.request(.eve), seat: 4)
    try cup.script.grant(try cup.script.request(.frank), seat: 5)
    try cup.script.write(.eve, .leave(node: .none))
    let out = try cup.script.write(.alice, .disqualify(seat: 5, reason: "late"))
    #expect(try cup.read().state.withdrawn.map(\.rawValue) == [4, 5])
    #expect(try cup.read().state.standings.last?.entrant.rawValue == 5)
    try cup.script.write(.alice, .revoke(word: out.id))
    for number: UInt32 in 0...1 { try cup.say(number, try cup.play(number), [1, 0]) }
    let read = try cup.read()
    #expect(read.state.withdrawn.map(\.rawValue) == [4] && entrants(read, round: 1).contains(5))
    // An entry is no decision that could be taken back.
    let entry = try #require(cup.script.state.tournamentWords.first?.event)
    try cup.script.write(.alice, .revoke(word: entry))
    #expect(try cup.read().entrants.count == 6)
  }

  @Test("Any order of arrival, read at any time: one state", arguments: 0..<Effort.size(300, quick: 40))
  func anyOrder(_ seed: Int) throws {
    var random = RandomStream(seed: UInt64(seed))
    var cup = try Cup([.bob, .carol, .dave], format: .swiss, options: 3, places: 5)
    let strangers: [TestPeer] = [.eve, .frank, .rita]
    var requests: [Event] = []
    for _ in 0..<Int.random(in: 4...14, using: &random) {
      let seen: RoomScript.Sight = Bool.random(using: &random) ? .everything : .nothing
      let peer = try #require((strangers + [.bob]).randomElement(using: &random))
      switch random.below(8) {
      case 0, 1: requests.append(try cup.script.request(peer, seeing: seen))
      case 2, 3, 4:
        guard let request = requests.randomElement(using: &random) else { continue }
        try cup.script.grant(request, seat: .random(in: 3...5, using: &random))
      case 5: try cup.script.write(peer, .leave(node: .none), seeing: seen)
      case 6: try cup.script.write(.alice, .disqualify(seat: .random(in: 0...4, using: &random), reason: "x"))
      default:
        // Another face of somebody's feed: also the organizer's, from some time on.
        let forked = random.below(6) == 0 ? TestPeer.alice : peer
        let feed = cup.script.events.filter { $0.author == forked.id }
        guard feed.count > 1, let before = feed.dropLast().randomElement(using: &random) else { continue }
        try cup.script.write(forked, .leave(node: .none), seeing: .nothing, after: before)
      }
    }
    cup.script.checkAnyOrder(&random)
  }
}
