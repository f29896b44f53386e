import BotKit
import EventLog
import Events
import Games
import Gossip
import Peer
import Projection
import TestKit
import Testing

/// Three honest users, who copy, put back, move and kill their data folders as they like, and play: real peers, the
/// real rules of the marks, simulated files, time and connections.
struct CopiedFoldersWorld {
  static let users = 3
  private static let limitPlaces = 3

  struct Process {
    let user: Int
    let place: Int
    let folder: Int
    let isOnline: Bool
    var core: PeerCore
    /// Rooms that it has made.
    var made: Set<RoomID> = []
    var isShared = false
    /// Users of whom it has met two processes.
    var twins: Set<Int> = []
  }

  /// A connection: between whom, what is under way in both directions, and what each end's store had of the other's
  /// own feeds when it was made.
  struct Wire {
    let ends: [Int]
    var queues: [[[UInt8]]] = [[], []]
    let held: [[RoomID: UInt64]]
  }

  var random: RandomStream
  var files = SimulatedFiles()
  var folders: [SimulatedFolder] = []
  /// The places of each user, and which folder lies there.
  var places: [[Int?]] = Array(repeating: [], count: users)
  /// Copies that lie about.
  var backups: [[SimulatedFolder]] = Array(repeating: [], count: users)
  var processes: [Int: Process] = [:]
  var wires: [UInt32: Wire] = [:]
  private var lastProcess = 0
  private var lastWire: UInt32 = 0
  private var lastNonce = 0
  var boot = 0
  var now = Tick(milliseconds: 1)
  /// Rooms of which a byte has left their machine.
  var offered: Set<RoomID> = []
  /// Folders whose store is as its last writer left it.
  var isWhole: Set<Int> = []
  /// Rooms in which a user wrote an event that another process of the same user had written already, while nobody who
  /// could be reached held that one: no rule can tell.
  var undecidable: Set<Contradiction> = []
  var violations: [String] = []
  private(set) var refusals = 0
  private(set) var writes = 0
  let keys: [SigningKey]

  init(seed: UInt64) {
    random = RandomStream(seed: seed)
    keys = (0..<Self.users).map { SigningKey(seed: [UInt8](repeating: UInt8($0 + 1), count: 32)) }
    for user in 0..<Self.users { addFolder(SimulatedFolder(&files), of: user) }
  }

  private mutating func addFolder(_ folder: SimulatedFolder, of user: Int) {
    folders.append(folder)
    if folder.isUntouched { isWhole.insert(folders.count - 1) }
    places[user].append(folders.count - 1)
  }

  mutating func chance(_ one: UInt64) -> Bool { random.below(one) == 0 }

  mutating func pick<Item>(_ items: [Item]) -> Item? {
    items.isEmpty ? nil : items[Int(random.below(UInt64(items.count)))]
  }

  /// A beginning in which all three play with each other.
  mutating func begin() {
    let all = (0..<Self.users).compactMap { start($0, place: 0, isOnline: true) }
    for (a, b) in [(0, 1), (1, 2), (0, 2)] { connect(all[a], all[b]) }
    create(all[Int(random.below(3))])
    run(milliseconds: 300)
    for _ in 0..<4 {
      for number in all { tend(number) }
      run(milliseconds: 50)
    }
    for number in all { play(number) }
    run(milliseconds: 300)
  }

  // MARK: - What happens

  mutating func act() {
    let user = Int(random.below(UInt64(Self.users)))
    switch random.below(24) {
    case 0...3: if let place = freePlace(of: user) { start(user, place: place, isOnline: !chance(4)) }
    case 4: if let process = process(of: user) { stop(process) }
    case 5: if let process = process(of: user) { kill(process) }
    case 6: backUp(user)
    case 7: putBack(user)
    case 8: copyBeside(user)
    case 9: move(user)
    case 10 where chance(4): reboot()
    case 11...13: connectSomebody(user)
    case 14: for process in processes.keys.sorted() { tend(process) }
    default: if let process = process(of: user) { play(process) }
    }
    run(milliseconds: random.below(3) == 0 ? 12_000 : random.below(400))
  }

  /// A running process of a user.
  private mutating func process(of user: Int) -> Int? {
    pick(processes.keys.sorted().filter { processes[$0]?.user == user })
  }

  /// A place of a user with a folder that nobody writes.
  private mutating func freePlace(of user: Int) -> Int? {
    let taken = Set(processes.values.map(\.folder))
    return pick(
      places[user].indices.filter { place in places[user][place].map { !taken.contains($0) } ?? false })
  }

  // MARK: - Folders

  private mutating func backUp(_ user: Int) {
    guard let folder = pick(places[user].compactMap { $0 }) else { return }
    backups[user].append(folders[folder])
    if backups[user].count > 3 { backups[user].removeFirst() }
  }

  /// Puts a copy in the place of a folder, or into its files, whether a process uses it or not.
  private mutating func putBack(_ user: Int) {
    guard let copy = pick(backups[user]), let place = pick(Array(places[user].indices)) else { return }
    let isUsed = processes.values.contains { $0.folder == places[user][place] }
    if let folder = places[user][place], !isUsed, chance(2) {
      folders[folder].overwrite(with: copy, &files)
      isWhole.remove(folder)
    } else {
      folders.append(copy.copied(&files))
      places[user][place] = folders.count - 1
    }
  }

  private mutating func copyBeside(_ user: Int) {
    guard places[user].count < Self.limitPlaces, let folder = pick(places[user].compactMap { $0 }) else {
      return
    }
    addFolder(folders[folder].copied(&files), of: user)
  }

  private mutating func move(_ user: Int) {
    guard places[user].count < Self.limitPlaces, let place = pick(Array(places[user].indices)) else { return }
    places[user].append(places[user][place])
    places[user][place] = nil
  }

  // MARK: - Processes

  @discardableResult
  mutating func start(_ user: Int, place: Int, isOnline: Bool) -> Int? {
    guard let folder = places[user][place] else { return nil }
    let isCertain = folders[folder].isUntouched && isWhole.contains(folder) && folders[folder].doubt == nil
    let allowed = folders[folder].take(boot: boot, &files)
    if isCertain, allowed != nil { violations.append("a folder as it was left is in doubt") }
    var core = PeerCore(
      signer: keys[user], network: .standard, catalog: Games.catalog, scheme: Ed25519(), seed: random.next(),
      now: { 0 })
    for room in folders[folder].rooms {
      var log = RoomLog(room: room)
      for entry in folders[folder].events[room] ?? [] { log.restore(entry.event, signature: entry.signature) }
      core.open(log, isDurable: true, at: now)
    }
    if let allowed {
      if isOnline { core.beginDoubt(but: allowed, at: now) } else { core.ownHeads.doubt(but: allowed) }
    } else if isOnline {
      core.watchOwnHeads()
    }
    lastProcess += 1
    processes[lastProcess] = Process(user: user, place: place, folder: folder, isOnline: isOnline, core: core)
    return lastProcess
  }

  /// Ends a process in order.
  mutating func stop(_ number: Int) {
    guard let process = processes[number] else { return }
    leaveAll(number)
    let folder = process.folder
    if process.isShared {
      folders[folder].mark(sharedBefore: max(1, UInt64(folders[folder].rooms.count)), &files)
    }
    folders[folder].closed = FolderPicture.closedText(folders[folder].store)
    folders[folder].running = nil
    isWhole.insert(folder)
    processes[number] = nil
  }

  private mutating func kill(_ number: Int) {
    guard let process = processes[number] else { return }
    leaveAll(number)
    // Between a commit and its mark.
    if chance(8) {
      files.touch(&folders[process.folder].store)
      isWhole.remove(process.folder)
    } else {
      isWhole.insert(process.folder)
    }
    processes[number] = nil
  }

  private mutating func reboot() {
    for number in processes.keys.sorted() { kill(number) }
    boot += 1
    for folder in folders.indices where folders[folder].closed == nil { isWhole.remove(folder) }
  }

  // MARK: - Connections

  private mutating func connectSomebody(_ user: Int) {
    let online = processes.keys.sorted().filter { processes[$0]?.isOnline == true }
    guard let first = pick(online.filter { processes[$0]?.user == user }), let second = pick(online) else {
      return
    }
    if let wire = wire(first, second), chance(2) { cut(wire) } else { connect(first, second) }
  }

  mutating func connect(_ a: Int, _ b: Int) {
    guard a != b, wire(a, b) == nil, let first = processes[a], let second = processes[b] else { return }
    guard first.user != second.user else {
      for number in [a, b] { tell(number, by: keys[first.user].peer) }
      return
    }
    for (here, comes) in [(a, b), (b, a)] where meetsTwin(here, comes) { return }
    lastWire += 1
    for number in [a, b] where processes[number]?.isShared == false {
      processes[number]?.isShared = true
      folders[processes[number]?.folder ?? 0].mark(sharedBefore: nil, &files)
    }
    wires[lastWire] = Wire(ends: [a, b], held: [held(by: a, of: second.user), held(by: b, of: first.user)])
    for folder in [first.folder, second.folder] {
      offered.formUnion(folders[folder].rooms)
      folders[folder].offered.formUnion(folders[folder].rooms)
    }
    folders[first.folder].met.insert(second.user)
    folders[second.folder].met.insert(first.user)
    processes[a]?.core.connect(Neighbour(lastWire), as: keys[second.user].peer, isNearby: true, at: now)
    processes[b]?.core.connect(Neighbour(lastWire), as: keys[first.user].peer, isNearby: true, at: now)
  }

  /// Whether another process of the user that comes is connected already; then both are told.
  private mutating func meetsTwin(_ here: Int, _ comes: Int) -> Bool {
    guard let user = processes[comes]?.user else { return false }
    let older = wires.keys.sorted().first { key in
      guard let ends = wires[key]?.ends, ends.contains(here) else { return false }
      return ends.contains { $0 != here && processes[$0]?.user == user }
    }
    let isKnown = processes[here]?.twins.contains(user) == true
    guard let older, let other = wires[older]?.ends.first(where: { $0 != here }) else { return false }
    guard let teller = processes[here].map({ keys[$0.user].peer }) else { return false }
    if !isKnown {
      cut(older)
      tell(other, by: teller)
    }
    tell(comes, by: teller)
    processes[here]?.twins.insert(user)
    return true
  }

  private mutating func tell(_ number: Int, by peer: PeerID) {
    processes[number]?.core.noteTwin(by: peer, at: now)
    note(number)
  }

  private mutating func cut(_ key: UInt32) {
    guard let wire = wires.removeValue(forKey: key) else { return }
    for number in wire.ends { processes[number]?.core.disconnect(Neighbour(key), at: now) }
  }

  private mutating func leaveAll(_ number: Int) {
    for key in wires.keys.sorted() where wires[key]?.ends.contains(number) == true { cut(key) }
  }

  mutating func run(milliseconds: UInt64) {
    let end = now + milliseconds
    for step in 0... {
      guard step < 10_000 else { return violations.append("time stands still at \(now.milliseconds)") }
      while exchange() { now = now + 1 }
      let due = processes.values.compactMap(\.core.deadline).min()
      guard let due, due <= end else { break }
      now = max(now, due)
      for number in processes.keys.sorted() { processes[number]?.core.advance(to: now) }
    }
    now = max(now, end)
  }

  /// Delivers what is under way.
  private mutating func exchange() -> Bool {
    for number in processes.keys.sorted() {
      guard var core = processes[number]?.core else { continue }
      let changed = core.effects.takeChanged()
      processes[number]?.core = core
      for room in changed { commit(number, room) }
      note(number)
      for message in processes[number]?.core.takeOutbox(at: now) ?? [] {
        guard let end = wires[message.to.number]?.ends.firstIndex(of: number) else { continue }
        wires[message.to.number]?.queues[end].append(message.bytes)
      }
      for (neighbour, reason) in processes[number]?.core.effects.takeRefused() ?? [] {
        violations.append("an honest peer is refused: \(reason)")
        cut(neighbour.number)
      }
    }
    var isBusy = false
    for key in wires.keys.sorted() {
      for end in 0...1 {
        guard let wire = wires[key], !wire.queues[end].isEmpty else { continue }
        isBusy = true
        wires[key]?.queues[end] = []
        for bytes in wire.queues[end] {
          processes[wire.ends[1 - end]]?.core.receive(bytes, from: Neighbour(key), at: now)
        }
      }
    }
    return isBusy
  }

  // MARK: - Writing

  private mutating func play(_ number: Int) {
    guard let process = processes[number] else { return }
    let rooms = folders[process.folder].rooms
    guard let room = pick(rooms), !chance(4) else { return create(number) }
    write(number, room) { (core) throws(PeerError) in
      try core.perform(.say("hello"), in: room)
      return true
    }
  }

  private mutating func create(_ number: Int) {
    lastNonce += 1
    let nonce = (0..<16).map { UInt8(truncatingIfNeeded: lastNonce >> ($0 * 8)) }
    guard var core = processes[number]?.core, let process = processes[number], isInPlace(process) else {
      return
    }
    do throws(PeerError) {
      let room = try core.create(
        Create(
          rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2, nonce: nonce,
          profile: Profile(name: "host"), creatorSeat: 0, starter: .firstSeat, scope: .open))
      processes[number]?.core = core
      processes[number]?.made.insert(room)
      folders[process.folder].made.insert(room)
      commit(number, room)
    } catch { violations.append("a new room is refused: \(error)") }
  }

  /// Does what the protocol owes: asks for seats and grants them, signs the roster, starts.
  private mutating func tend(_ number: Int) {
    guard let process = processes[number] else { return }
    let conduct = PeerCore.Conduct(profile: Profile(name: "guest"), wantedSeat: Create.noSeat)
    for room in folders[process.folder].rooms {
      for _ in 0..<4 {
        guard
          write(number, room, { (core) throws(PeerError) in try core.doDuties(in: room, conduct) })
        else { break }
      }
    }
  }

  @discardableResult
  private mutating func write(
    _ number: Int, _ room: RoomID, _ body: (inout PeerCore) throws(PeerError) -> Bool
  ) -> Bool {
    guard let process = processes[number], isInPlace(process) else { return false }
    let me = keys[process.user].peer
    guard process.core.log(of: room)?.head(of: me).isForked == false else { return false }
    let before = process.core.log(of: room)?.feed(me)?.last ?? 0
    do throws(PeerError) {
      guard var core = processes[number]?.core else { return false }
      processes[number] = nil
      var written = process
      defer {
        written.core = core
        processes[number] = written
      }
      guard try body(&core) else { return false }
    } catch {
      noteRefusal(number, room, error)
      return false
    }
    writes += 1
    checkDoubt(process, room)
    check(number, room, after: before)
    commit(number, room)
    note(number)
    return true
  }

  /// Nothing may be written that somebody else has, who is connected and can be asked.
  private mutating func check(_ number: Int, _ room: RoomID, after sequence: UInt64) {
    guard var process = processes[number] else { return }
    noteContradiction(process, room, sequence + 1, reachable: reachable(from: number))
    let state = process.core.state(of: room)
    let seats = Set((state?.seats.compactMap { $0?.peer } ?? []) + [state?.creator].compactMap { $0 })
    for key in wires.keys.sorted() {
      guard let wire = wires[key], let end = wire.ends.firstIndex(of: number) else { continue }
      let other = wire.ends[1 - end]
      guard let user = processes[other]?.user, (wire.held[1 - end][room] ?? 0) > sequence else { continue }
      let isSeated = seats.contains(keys[user].peer)
      guard isSeated || process.core.ownHeads.certainty == .doubtful else { continue }
      violations.append("event \(sequence + 1) of user \(process.user) contradicts what user \(user) shows")
    }
  }

  private mutating func noteRefusal(_ number: Int, _ room: RoomID, _ error: PeerError) {
    guard let process = processes[number] else { return }
    refusals += 1
    switch error {
    case .recovering, .alone, .unconfirmed, .doubled, .notWhole: break
    default: return violations.append("\(error)")
    }
    if process.made.contains(room) { violations.append("a room that was just made is refused: \(error)") }
    if !offered.contains(room), folders[process.folder].isUntouched {
      violations.append("a room of which nothing has left the machine is refused: \(error)")
    }
    if !process.isOnline, process.core.ownHeads.certainty == .certain {
      violations.append("a folder as it was left is refused: \(error)")
    }
  }

  private mutating func commit(_ number: Int, _ room: RoomID) {
    guard let process = processes[number], isInPlace(process) else { return }
    do throws(PeerError) {
      guard let change = try processes[number]?.core.prepareCommit(room) else { return }
      folders[process.folder].write(change, boot: boot, &files)
      if process.isShared { offered.insert(room) }
      if process.isShared { folders[process.folder].offered.insert(room) }
      processes[number]?.core.markDurable(change, at: now)
    } catch { violations.append("\(error)") }
  }

  /// Notes for the next start what a process has learned.
  private mutating func note(_ number: Int) {
    guard let process = processes[number] else { return }
    if processes[number]?.core.ownHeads.takeNewDoubt() == true {
      folders[process.folder].write(doubt: [])
      (folders[process.folder].met, folders[process.folder].made) = ([], process.made)
      for wire in wires.values where wire.ends.contains(number) {
        folders[process.folder].met.formUnion(wire.ends.compactMap { processes[$0]?.user })
      }
    }
    let allowed = processes[number]?.core.ownHeads.takeAllowed() ?? []
    guard folders[process.folder].doubt != nil else { return }
    folders[process.folder].doubt? += allowed.map(FolderPicture.doubtLine).joined()
  }

  // MARK: - The end

  /// One process of each user, all connected: whoever can show what it holds does, and everybody can write again.
  mutating func end() {
    for number in processes.keys.sorted() { stop(number) }
    var last: [Int] = []
    for user in 0..<Self.users {
      guard let place = freePlace(of: user), let number = start(user, place: place, isOnline: true) else {
        return
      }
      last.append(number)
    }
    let before = last.map { number in (0..<Self.users).map { held(by: number, of: $0) } }
    for (a, b) in [(0, 1), (1, 2), (0, 2)] { connect(last[a], last[b]) }
    run(milliseconds: 30_000)
    for user in 0..<Self.users {
      guard let process = processes[last[user]] else { continue }
      for room in folders[process.folder].rooms {
        guard var core = processes[last[user]]?.core, let state = core.state(of: room) else { continue }
        if core.log(of: room)?.head(of: keys[user].peer).isForked == true {
          if !undecidable.contains(Contradiction(user: user, room: room)) {
            violations.append("user \(user) is convicted")
          }
          continue
        }
        let seats = Set(state.seats.compactMap { $0?.peer } + [state.creator])
        // Who has written nothing there has nothing to be shown.
        let hasWritten = before.contains { ($0[user][room] ?? 0) > 0 }
        let others = (0..<Self.users).filter { $0 != user && seats.contains(keys[$0].peer) }
        let asked = others.isEmpty ? (0..<Self.users).filter { $0 != user } : others
        let know = asked.filter { !hasWritten || (before[$0][user][room] ?? 0) > 0 }
        guard others.isEmpty ? !know.isEmpty : know.count == others.count else { continue }
        if let refusal = core.writingRefusal(in: room) {
          violations.append("user \(user) cannot write where all have shown what they hold: \(refusal)")
        }
      }
    }
  }
}
