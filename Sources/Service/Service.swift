package import EventLog
package import Events
package import Network
public import Peer
package import Projection
package import Rules
package import Tournaments

/// What a command asks of the peer of a data folder: the one in this process, or the one in another process that has
/// the folder.
package protocol Service: Sendable {
  /// Who acts.
  var peer: PeerID { get }
  /// What is durable, to be read.
  var store: any EventLog { get }
  /// The games that are known here.
  var catalog: GameCatalog { get }
  /// Does something for the person; when it returns, that is durable and on its way to those who are connected.
  /// - Returns: the room that it was done in.
  func perform(_ intent: Intent) async throws(ServiceError) -> RoomID
  /// What a room amounts to as far as it is durable; `nil` while it is not here.
  func state(of room: RoomID) async throws(ServiceError) -> RoomState?
  /// A room's table as this peer sees it; `nil` while the room is not here.
  func table(of room: RoomID) async throws(ServiceError) -> TableView?
  /// The room that an id, its first digits or a game code means; `nil` while there is none.
  func room(named name: String) async throws(ServiceError) -> RoomID?
  /// The newest room that a peer created as a rematch of another one; `nil` while there is none.
  func rematch(of room: RoomID, by creator: PeerID) async throws(ServiceError) -> RoomID?
  /// The newest room of hosted rounds of these rules that this peer has opened and that is not over; `nil` when there
  /// is none.
  func unfinishedRounds(of rules: String) async throws(ServiceError) -> RoomID?
  /// Whether an invited peer has declined to play in a room.
  func hasDeclined(_ peer: PeerID, _ room: RoomID) async throws(ServiceError) -> Bool
  /// Sits down at a table that this peer has opened, until this end is closed. Whoever opens a table sits there; seats
  /// are granted while somebody does.
  func attend(_ room: RoomID) async throws(ServiceError)
  /// The games that this peer has opened, where a seat is free and nobody sits, ascending by id.
  func leftTables() async throws(ServiceError) -> [RoomID]
  /// The games with a free seat whose creators are here, or are this peer itself, and which it has not
  /// declined, ascending by id.
  func openGames() async throws(ServiceError) -> [RoomID]
  /// Forgets rooms: they are stored and offered no more, and not taken in again until somebody here asks for them.
  /// - Returns: those that were forgotten.
  func forget(_ rooms: [RoomID], _ which: Forgetting) async throws(ServiceError) -> [RoomID]
  /// The peers that this one is connected with, and the addresses that it tries.
  func neighbours() async throws(ServiceError) -> [NeighbourStatus]
  /// A signal for each time that something may have changed; several that nobody has taken yet are one. It ends when
  /// the peer stops.
  func changes() async throws(ServiceError) -> Changes
  /// Lets go of the peer; one in this process says goodbye to all.
  func close() async
}

extension Service {
  /// A tournament as far as it is durable, with the rooms of its games; `nil` while it is not here or has not started.
  /// - Parameter memory: what its rooms were found to be before, where it is read again and again.
  package func tournament(
    _ room: RoomID, _ memory: PairingRoomMemory? = nil
  ) throws(ServiceError) -> TournamentRoom? {
    try store.storedTournament(room, catalog, memory)
  }

  /// The players' table of an attempt at a pairing; `nil` while it is not here.
  package func table(of attempt: PairingAttempt, in tournament: TournamentRoom) throws(ServiceError)
    -> RoomID?
  {
    do throws(LogError) { return try store.table(of: attempt, in: tournament) } catch {
      throw .peer(.log(error.description))
    }
  }
}

/// Which rooms are forgotten, of those that are named.
package enum Forgetting: UInt8, Sendable {
  /// All; where one is being played, none.
  case unplayed = 0
  /// All, also those that are being played.
  case all = 1
  /// Those into which nobody on this machine has written; others are passed over.
  case strangers = 2
}

/// How this peer and another one, or an address, stand to each other.
package struct NeighbourStatus: Hashable, Sendable {
  /// How far a connection is.
  package enum State: UInt8, CaseIterable, Sendable {
    case notConnected = 0
    case connecting = 1
    case connected = 2

    /// As people read it.
    package var words: String {
      switch self {
      case .notConnected: "not connected"
      case .connecting: "connecting"
      case .connected: "connected"
      }
    }
  }

  /// Who it is, where that is known.
  package let peer: PeerID?
  package let address: Address
  package let state: State
  /// Why there is no connection, in words.
  package let reason: String?

  package init(peer: PeerID?, address: Address, state: State, reason: String? = nil) {
    self.peer = peer
    self.address = address
    self.state = state
    self.reason = reason
  }

  /// How an address stands that is tried.
  init(_ dial: DialStatus) {
    self.init(
      peer: dial.peer, address: dial.address,
      state: dial.isConnected ? .connected : dial.isConnecting ? .connecting : .notConnected,
      reason: dial.failure)
  }
}

extension ServiceError {
  /// What keeps a peer off the network.
  init(_ error: NetworkError) {
    if case .exhausted = error {
      self = .system(error.description)
    } else {
      self = .network(error.description)
    }
  }
}

extension Shell {
  /// This machine, for a peer, or for a command that speaks with one.
  static func forService() throws(ServiceError) -> Shell {
    do throws(NetworkError) { return try .machine() } catch { throw ServiceError(error) }
  }
}

/// Why a peer does not do what it was asked to.
public enum ServiceError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The peer's own reason.
  case peer(PeerError)
  /// The answer is no: the seat is taken, or the game is for others; in words.
  case refused(String)
  /// The network refuses; in words.
  case network(String)
  /// The system refuses something basic, such as a thread or another open file; in words.
  case system(String)
  /// Another command on the data folder is at that; in words.
  case busy(String)
  /// The process that has the data folder has ended, or does not answer as it should.
  case gone(String)

  /// Whether what keeps this peer from writing may pass by itself.
  package var passes: Bool {
    switch self {
    case .peer(.recovering), .peer(.alone), .peer(.unconfirmed), .peer(.doubled), .peer(.notWhole),
      .peer(.full):
      true
    default: false
    }
  }

  /// What happened and what to do.
  public var description: String {
    switch self {
    case .peer(let error): error.description
    case .refused(let words), .network(let words), .system(let words), .busy(let words): words
    case .gone(let words): "the process that has the data folder does not answer: \(words)"
    }
  }
}
