import EventLog
import Events
import Games
import Peer
import Projection
import Rules
import Tournaments

/// What organizers do: pairings are played in rooms of their own, and what comes of them is written down.
extension World {
  /// The organizer creates rooms for pairings that can be played, and writes down what came out.
  mutating func organize(_ state: RoomState, _ number: Int, by peer: Int) {
    let tournament: TournamentRoom?
    do throws(TournamentError) { tournament = try TournamentRoom(state, Games.catalog) } catch {
      return violate(.ability, peer: peer, room: number, "its tournament has no settings: \(error)")
    }
    guard let tournament else { return }
    for ready in tournament.state.ready {
      let pairing = ready.pairing.number.rawValue
      if let game = rooms.number(ofAttempt: ready.attempt, at: pairing, of: state.room) {
        conclude(game, pairing: pairing, attempt: ready.attempt, in: number, by: peer)
      } else if phase == .safety {
        let seats = ready.entrants.map { tournament.entrants[$0.index].peer }
        let game = RoomPlan.Game.pairing(
          tournament: state.room, pairing: pairing, attempt: ready.attempt, games: ready.games, seats: seats)
        let plan = RoomPlan(
          number: rooms.count, attempt: game, of: rooms[number].plan, games: ready.games, at: time)
        create(rooms.add(plan), by: peer)
      }
    }
  }

  /// Writes down a pairing's result once its room is finished and agreed.
  private mutating func conclude(
    _ game: Int, pairing: UInt32, attempt: UInt8, in number: Int, by peer: Int
  ) {
    wake(game, of: peer)
    guard let room = rooms[game].id, let table = peers[peer].tables[number],
      let state = peers[peer].faces[0].state(of: room), state.phase == .finished,
      state.games.allSatisfy(\.isAgreed),
      let heads = peers[peer].faces[0].withLog(of: room, { $0.heads(of: state.participants) })
    else { return }
    let result = Action.PairingResult(
      pairing: pairing, attempt: attempt, room: room, heads: heads, walkover: .played,
      games: state.games.map { $0.ending?.outcome?.scores ?? [] })
    self.attempt(peer, in: number) { (member) throws(PeerError) in
      _ = try member.faces[0].write(.pairingResult(result), in: table.room)
    }
    record.statistics.pairings += 1
    peers[peer].stir(number)
  }
}
