/// Something that goes wrong on purpose, or that makes a run less plain.
package enum Fault: String, CaseIterable, Hashable, Sendable {
  // The network.
  case loss
  case reordering
  case duplication
  case corruption
  case cuts
  case partitions
  case flapping
  // Machines.
  case crashes
  case slowDisks = "slow-disks"
  case restores
  case clockJumps = "clock-jumps"
  // Dishonest peers.
  case forks
  case lies
  case withholding
  case floods
  case cheating
  case forgery
  // Last, so that those above keep the random numbers that they had.
  case inventions
  // What peers may have, and want to.
  case invitedRooms = "invited-rooms"
  case farPeers = "far-peers"
  case subscriptions
  case closedRooms = "closed-rooms"
  case frauds
  // Rooms whose rounds are worth a fraud.
  case chanceRooms = "chance-rooms"
  case hostedRooms = "hosted-rooms"
  case roundFrauds = "round-frauds"
  // Of whole peers alone.
  case fullDisks = "full-disks"
  // Of whole peers in tournaments.
  case organizerMoves = "organizer-moves"
  case organizerGone = "organizer-gone"
  case lostMachines = "lost-machines"
  case rulings
  // Of whole peers that are attacked.
  case connectionFloods = "connection-floods"
  case bombs
  // Of a whole peer that takes part and is dishonest.
  case falseWords = "false-words"
  // Of whole peers whose pages people have open.
  case lostSockets = "lost-sockets"
  case socketFloods = "socket-floods"

  /// What it does, in one line.
  package var summary: String {
    switch self {
    case .loss: "up to 30 % of all messages are lost"
    case .reordering: "messages overtake each other"
    case .duplication: "messages come twice"
    case .corruption: "bits of messages flip, or their ends are lost"
    case .cuts: "a link carries nothing in one direction"
    case .partitions: "peers fall apart into groups"
    case .flapping: "connections break and come back"
    case .crashes: "peers die at any step and lose what was not synced"
    case .slowDisks: "commits take up to two seconds"
    case .restores: "a peer starts from an old copy of its disk"
    case .clockJumps: "wall clocks jump by up to a year"
    case .invitedRooms: "only invited peers may have a room; some are invited late, some never"
    case .farPeers: "peers are at two places; rooms of local scope stay at one"
    case .subscriptions: "peers limit themselves to some rooms, and change their minds"
    case .closedRooms: "rooms leave memory, and are read again when somebody wants them"
    case .forks: "a dishonest peer tells different peers different stories"
    case .lies: "a dishonest peer says that it has more or less than it has"
    case .withholding: "a dishonest peer keeps messages back"
    case .floods: "a dishonest peer sends many events, rooms, messages and garbage"
    case .cheating: "a dishonest peer breaks the rules of play"
    case .forgery: "a dishonest peer sends bad signatures and garbled messages"
    case .inventions: "a dishonest peer makes up clocks, answers, requests, events and proofs"
    case .frauds:
      "a dishonest peer signs what nobody honest would: branches, strangers, names, grants, starts"
    case .chanceRooms: "memory match at tables of two to four seats, which draw what lies under each card"
    case .hostedRooms: "quizzes and tap races, whose rounds a host opens and settles"
    case .roundFrauds:
      "a dishonest peer looks ahead, copies, opens otherwise or not at all, answers late or twice; as a host too"
    case .fullDisks: "a disk has no space for some seconds"
    case .organizerMoves: "a tournament's organizer goes on from another machine with its key"
    case .organizerGone: "a tournament's organizer is gone for good after the start"
    case .lostMachines: "the machine of an entrant is gone for good"
    case .rulings:
      "entrants are called absent who may have played, are disqualified, and withdraw; rulings are taken back"
    case .connectionFloods: "dishonest hosts open connections without number: silent, half, false, proven"
    case .bombs: "dishonest keys fill rooms with valid events that lead nowhere"
    case .falseWords: "a tournament's organizer says what was not played, and decides without reason"
    case .lostSockets: "browsers sleep, are closed, or are out of reach without a word"
    case .socketFloods: "dishonest browsers send garbage and requests without number, guess, and read nothing"
    }
  }

  /// Whether it takes a dishonest peer.
  package var isDishonest: Bool { Self.dishonest.contains(self) }

  /// The faults of dishonest peers.
  package static let dishonest: [Fault] = [
    .forks, .lies, .withholding, .floods, .cheating, .forgery, .inventions, .frauds, .roundFrauds,
    .connectionFloods, .bombs, .falseWords, .socketFloods,
  ]
  /// What somebody does to whole peers that takes part in their games, with the key that it has there.
  package static let ofInsiders: Set<Fault> = [.cheating, .forks, .restores, .roundFrauds, .falseWords]
  /// The faults of the network.
  package static let network: [Fault] = [
    .loss, .reordering, .duplication, .corruption, .cuts, .partitions, .flapping,
  ]
  /// What is drawn from a stream of its own, so that leaving it out leaves everything else as it is.
  static let separate: [Fault] = [
    .invitedRooms, .farPeers, .inventions, .subscriptions, .closedRooms, .frauds, .chanceRooms, .hostedRooms,
    .roundFrauds, .fullDisks, .organizerMoves, .organizerGone, .lostMachines, .rulings, .connectionFloods,
    .bombs, .falseWords, .lostSockets, .socketFloods,
  ]
  /// What befalls whole peers alone.
  static let wholePeers: Set<Fault> = [
    .fullDisks, .organizerMoves, .organizerGone, .lostMachines, .rulings, .connectionFloods, .bombs,
    .falseWords, .lostSockets, .socketFloods,
  ]
}

/// A named choice of what goes wrong.
package enum Scenario: String, CaseIterable, Hashable, Sendable {
  case mixed
  case calm
  case network
  case partitions
  case crashes
  case restores
  case forks
  case liars
  case floods
  case cheats
  case reach
  case memory
  case frauds
  case rounds
  case everything
  case services
  case tournaments
  case attacks
  case pages

  /// What it is for, in one line.
  package var summary: String {
    switch self {
    case .mixed: "each fault by chance; every second seed has dishonest peers"
    case .calm: "no faults"
    case .network: "a bad network: loss, reordering, duplication, corruption"
    case .partitions: "one-way cuts, partitions, flapping connections"
    case .crashes: "crashes, slow disks, clock jumps, some loss"
    case .restores: "old copies of disks, crashes"
    case .forks: "dishonest peers that fork their feeds"
    case .liars: "dishonest peers that lie about what they have, make it up, or keep it back"
    case .floods: "dishonest peers that flood, forge and garble"
    case .cheats: "dishonest peers that break the rules of play"
    case .reach: "invited rooms, peers far away, a dishonest peer that makes things up"
    case .memory: "peers limit what they want, rooms leave memory, crashes, some loss"
    case .frauds:
      "dishonest peers that branch, name, grant and start as nobody honest would; partitions, loss"
    case .rounds:
      "rounds of choices, chance and answers, with frauds in them; partitions, crashes, loss, reordering"
    case .everything: "all faults at once"
    case .services:
      "whole peers with their duties, bots, a person and an organizer, over channels; crashes, disks, partitions"
    case .tournaments:
      "tournaments of whole peers in a network that is split again and again; crashes, rulings, organizers that go"
    case .attacks:
      "whole peers, dishonest keys at them, and one dishonest seat, host or organizer; full disks, crashes"
    case .pages:
      "people with browsers at the pages of whole peers, some dishonest; lost sockets, crashes, disks, partitions"
    }
  }

  /// The faults that may be drawn.
  package var faults: [Fault] {
    switch self {
    case .mixed, .everything: Fault.allCases.filter { !Fault.wholePeers.contains($0) }
    case .calm: []
    case .network: [.loss, .reordering, .duplication, .corruption]
    case .partitions: [.cuts, .partitions, .flapping]
    case .crashes: [.crashes, .slowDisks, .clockJumps, .loss]
    case .restores: [.restores, .crashes, .flapping]
    case .forks: [.forks, .withholding, .loss, .partitions]
    case .liars: [.lies, .inventions, .withholding, .loss]
    case .floods: [.floods, .forgery]
    case .cheats: [.cheating, .partitions, .loss]
    case .memory: [.subscriptions, .closedRooms, .invitedRooms, .crashes, .restores, .loss]
    case .frauds: [.frauds, .partitions, .loss, .reordering]
    case .rounds: [.chanceRooms, .hostedRooms, .roundFrauds, .partitions, .crashes, .loss, .reordering]
    case .reach: [.invitedRooms, .farPeers, .inventions, .loss, .flapping]
    case .services: [.crashes, .slowDisks, .fullDisks, .partitions, .flapping]
    case .tournaments:
      [
        .crashes, .slowDisks, .fullDisks, .partitions, .flapping, .organizerMoves, .organizerGone,
        .lostMachines, .rulings,
      ]
    case .attacks:
      [
        .crashes, .slowDisks, .fullDisks, .flapping, .connectionFloods, .floods, .bombs, .forgery,
        .inventions, .frauds, .cheating, .forks, .restores, .roundFrauds, .falseWords,
      ]
    case .pages: [.crashes, .slowDisks, .fullDisks, .partitions, .flapping, .lostSockets, .socketFloods]
    }
  }

  /// Whether each fault is drawn by chance, or all of them always happen.
  var isByChance: Bool { self == .mixed || hasWholePeers }

  /// Whether whole peers run, on simulated machines.
  package var hasWholePeers: Bool { [.services, .tournaments, .attacks, .pages].contains(self) }
}
