internal import Events
internal import JSON
internal import Peer

/// The tournaments that somebody watches, each as it was read last.
struct WatchedTournaments {
  private struct Watched {
    let memory = PairingRoomMemory()
    /// What it was read by, and how often it was.
    var (key, revision) = ([Int](), 0)
    var form: TournamentForm?
    /// What is the same for all who watch, without its last brace.
    var shared: [UInt8] = []
  }

  private var all: [RoomID: Watched] = [:]

  var isEmpty: Bool { all.isEmpty }

  func contains(_ room: RoomID) -> Bool { all[room] != nil }

  mutating func watch(_ room: RoomID) { if all[room] == nil { all[room] = Watched() } }

  /// Forgets those that nobody watches any more.
  mutating func keep(_ isWatched: (RoomID) -> Bool) { all = all.filter { isWatched($0.key) } }

  /// What a tournament was read by, and what is remembered to read it again; `nil` where nobody watches it.
  func read(_ room: RoomID) -> (key: [Int], memory: PairingRoomMemory)? {
    all[room].map { ($0.key, $0.memory) }
  }

  /// A tournament was read again.
  mutating func note(_ form: TournamentForm, by key: [Int], of room: RoomID) {
    all[room]?.form = form
    all[room]?.shared = Array(JSONLine(form.shared).text.utf8).dropLast()
    all[room]?.revision += 1
    all[room]?.key = key
  }

  /// Tells one client how a tournament stands, where that is something new.
  func tell(_ room: RoomID, _ client: TableClient) {
    guard let watched = all[room], let form = watched.form, let told = client.watches[room],
      !told.isTold || told.presence != watched.revision
    else { return }
    let own = JSONLine(form.own(of: client.viewer)).text.dropFirst()
    let message =
      Array("{\"type\":\"tournament\",\"tournament\":".utf8) + watched.shared + Array(",\(own)}".utf8)
    if told.message != message { client.socket.send(message) }
    client.watches[room] = TableClient.Told(isTold: true, presence: watched.revision, message: message)
  }
}
