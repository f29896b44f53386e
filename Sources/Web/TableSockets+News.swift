internal import Events
internal import JSON
internal import Network
internal import Projection
internal import Service

// What clients are told without asking: tables that they watch, and the list when they follow it.

extension TableSockets {
  /// Tells every client what is new; one call after the other, so that nobody is told something older last.
  func update() async {
    isStale = true
    guard !isUpdating else { return }
    isUpdating = true
    while isStale {
      isStale = false
      await sitDown()
      await tellTables()
      await tellTournaments()
      await tellListsInTime()
    }
    isUpdating = false
  }

  /// How long it takes at least from one telling of the list, or of a table that is made for many, to the next, in
  /// milliseconds. Both may be long, and are made for each who is told, while something happens many times a second.
  static let pauseMilliseconds: UInt64 = 250

  /// Tells followers of the list of what is new, now or as soon as it may be told again.
  private func tellListsInTime() async {
    guard !isClosed else { return }
    let due = listsTold + Self.pauseMilliseconds
    guard loop.now >= due else { return tellLater(at: due) }
    listsTold = loop.now
    await tellLists()
  }

  /// Looks again at a time, in milliseconds of the loop, at what is new.
  private func tellLater(at due: UInt64) {
    guard due < laterDue ?? .max, !isClosed else { return }
    let timer = laterTimer ?? loop.timer { self.assumeIsolated { $0.updateNow() } }
    (laterTimer, laterDue) = (timer, due)
    timer.set(due)
  }

  private func updateNow() {
    laterDue = nil
    Task { await self.update() }
  }

  /// Has the owner sit where its sockets watch, and guests come to the tables of their tournaments.
  private func sitDown() async {
    await service.attend(asGuests: presentGuests)
    var watched: Set<RoomID> = []
    // tidy: order does not matter because they are a set
    for case (_, let client) in clients {
      if client.isOwner { watched.formUnion(client.watches.keys) }
    }
    guard watched != attended else { return }
    attended = watched
    await service.sit(atWatched: watched)
  }

  private func tellTables() async {
    var watchers: [RoomID: [TableClient]] = [:]
    for number in clients.keys.sorted() {
      guard let client = clients[number], !client.isBusy else { continue }
      // tidy: order does not matter because each is put into a list of its own
      for room in client.watches.keys where !watchedTournaments.contains(room) {
        watchers[room, default: []].append(client)
      }
    }
    let rooms = watchers.keys.sorted()
    guard !rooms.isEmpty else { return }
    let counts = await service.rooms.durableEvents(of: rooms)
    let rematches = await service.openRematches(of: rooms)
    let now = await service.surroundings.connected()
    if now != connected { (connected, presence) = (now, presence + 1) }
    for (index, room) in rooms.enumerated() {
      await tell(room, counts[index], rematches[index], watchers[room] ?? [])
    }
  }

  /// Tells of one table. Those who see the same are sent the same bytes.
  private func tell(_ room: RoomID, _ count: Int?, _ rematches: [RoomID], _ watchers: [TableClient]) async {
    var made: [PeerID: (message: [UInt8], events: Int?)] = [:]
    let (presence, present) = (presence, presentGuests.union(presentKeys).union([service.peer]))
    let isCrowd = Set(watchers.map { $0.viewer(at: room) }).count > settings.limitPrompt
    var company: TableView.Company?
    for client in watchers {
      guard let told = client.watches[room], told.isDue(count, presence, rematches) else { continue }
      if isCrowd, let due = client.pause(told, at: loop.now) {
        tellLater(at: due)
        continue
      }
      let viewer = client.viewer(at: room)
      if made[viewer] == nil {
        let found: (table: TableView, events: Int?)?
        do throws(ServiceError) {
          if company == nil { company = try await service.rooms.company(of: room) }
          guard let company else { return }
          found = try await service.durableTable(of: room, for: viewer, present: present, company)
        } catch { return }
        // What is not durable yet is told when it is.
        guard let found else { return }
        made[viewer] = (Self.message(found.table), found.events)
      }
      guard let made = made[viewer] else { continue }
      let news: Followed?
      do throws(ServiceError) { news = try await followed(room, told.followed, to: made.events) } catch {
        return
      }
      // It may have said hello meanwhile, watch no more, or wait for an answer, which comes first.
      guard !client.isBusy, let told = client.watches[room], client.viewer(at: room) == viewer,
        told.followed == news?.start, !isCrowd || client.pause(told, at: loop.now) == nil
      else {
        // Where the pause has begun meanwhile it is told behind that.
        if isCrowd { tellLater(at: loop.now + Self.pauseMilliseconds) }
        continue
      }
      // The table comes behind the events that it is made of.
      for message in news?.messages ?? [] { client.socket.send(message) }
      if told.message != made.message || news?.messages.isEmpty == false { client.socket.send(made.message) }
      client.watches[room] = TableClient.Told(
        isTold: true, time: loop.now, followed: news?.end, events: made.events, presence: presence,
        rematches: rematches, message: made.message)
    }
  }

  private static func message(_ table: TableView) -> [UInt8] {
    Array("{\"type\":\"table\",\"table\":".utf8) + table.json + [UInt8(ascii: "}")]
  }

  /// A list that has changed.
  static func message(_ lists: [JSONMember]) -> [UInt8] {
    Array(JSONLine([JSONMember("type", "tables")] + lists).text.utf8)
  }

  private func tellLists() async {
    let followers = clients.keys.sorted().compactMap { clients[$0] }.filter {
      $0.toldList != nil && !$0.isBusy
    }
    guard !followers.isEmpty else { return }
    let states = await service.rooms.underWay()
    var made: [PeerID: [UInt8]] = [:]
    for client in followers where client.toldList != nil {
      let viewer = client.viewer
      if made[viewer] == nil {
        do throws(ServiceError) { made[viewer] = Self.message(try await lists(states, client)) } catch {
          return
        }
      }
      // It may have said hello meanwhile, or wait for an answer, which comes first.
      guard let message = made[viewer], client.toldList != nil, !client.isBusy, client.viewer == viewer
      else { continue }
      if client.toldList != message { client.socket.send(message) }
      client.toldList = message
    }
  }
}
