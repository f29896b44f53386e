public import BotKit
package import Events
package import Projection
import Rules
import Tournaments

/// Something that somebody does at a table.
public enum TableAct: Hashable, Sendable {
  /// As the creator, begin with those that sit, though seats are free.
  case start
  /// Play a move, or commit to a choice, at this place of the room's games; elsewhere it comes too late.
  case choose(BotChoice, game: UInt16, ply: UInt16)
  /// Give the game up.
  case resign
  /// Ask to take back the own last move.
  case requestUndo
  /// Agree to what the other seat asks to take back.
  case agreeToUndo
  /// Claim that another seat, which owes a step, is silent.
  case claim
  /// Offer a draw.
  case offerDraw
  /// Take the other seat's offer.
  case agreeToDraw
  /// Decline it.
  case declineDraw
  /// Say something to all in the room.
  case say(String)
  /// Leave: before play the room closes, or a request is taken back; in play the game is lost.
  case leave

  /// What is done, without the move or the words.
  var kind: Kind {
    switch self {
    case .start: .start
    case .choose: .choose
    case .resign: .resign
    case .requestUndo: .requestUndo
    case .agreeToUndo: .agreeToUndo
    case .claim: .claim
    case .offerDraw: .offerDraw
    case .agreeToDraw: .agreeToDraw
    case .declineDraw: .declineDraw
    case .say: .say
    case .leave: .leave
    }
  }

  /// What is done, without the move or the words.
  package enum Kind: String, CaseIterable, Sendable {
    case start
    case choose
    case resign
    case requestUndo = "undo"
    case agreeToUndo = "agree"
    case claim
    case offerDraw = "offer-draw"
    case agreeToDraw = "agree-draw"
    case declineDraw = "decline-draw"
    case say
    case leave
  }
}

extension RoomState {
  static let notTheTurn = "it is not this seat's turn"

  /// Why a peer may not do something at the table now, in words; `nil` when it may.
  package func refusal(of act: TableAct.Kind, by peer: PeerID) -> String? {
    let seat = seat(of: peer)
    let isPlaying = turn != nil && seat.map { currentGame?.isPlaying($0) == true } == true
    return switch act {
    case .start: refusalOfStart(by: peer)
    case .choose: seatToChoose(of: peer) == nil ? Self.notTheTurn : nil
    case .resign: isPlaying ? nil : "there is no game to resign"
    case .requestUndo:
      if !create.allowsUndo {
        "take-backs were not allowed when the game was created"
      } else {
        refusalOfUndo(by: peer)
      }
    case .agreeToUndo:
      undoRequest.map { $0.seat == seat?.opponent } == true ? nil : "nobody asks to take back a move"
    case .claim:
      isPlaying ? refusalOfClaim(by: peer) : "there is no game here in which somebody could be silent"
    case .offerDraw: isPlaying ? refusalOfDraw(by: seat) : "there is no game here that could be drawn"
    case .agreeToDraw, .declineDraw: drawOffer(to: peer) == nil ? "the other side offers no draw" : nil
    case .say: nil
    case .leave:
      mayLeave(peer) ? nil : "there is nothing to leave: the game is over, or this peer is not in it"
    }
  }

  private func refusalOfStart(by peer: PeerID) -> String? {
    if isTournament { return refusalOfTournament(by: peer) }
    guard phase == .waiting, create.isGames else { return "there is no game here that waits for its start" }
    guard creator == peer, seat(of: peer) != nil else {
      return "the peer that opened the game and plays it says when it starts"
    }
    guard seats.contains(nil) else { return "all seats are taken: the game starts by itself" }
    let taken = seats.count { $0 != nil }
    guard taken > 1 else { return "nobody else has taken a seat yet" }
    return create.played(by: taken) == nil ? "this game needs all of its \(seats.count) seats" : nil
  }

  private func refusalOfTournament(by peer: PeerID) -> String? {
    guard phase == .waiting else { return "the tournament has started already, or is closed" }
    guard creator == peer else { return "the peer that created the tournament says when it starts" }
    let entrants = entrantsOfStart
    guard case .tournament(let code, let options, _, _) = create.purpose,
      let format = TournamentFormat(rawValue: code)
    else { return "the tournament is of a format that is not known here" }
    do throws(TournamentError) {
      _ = try TournamentSettings(
        format: format, entrants: entrants, games: Int(create.games), byte: options, ranking: .points)
      return nil
    } catch {
      guard let seeding, !isToBeCalled else { return error.description }
      let done = seeding.isOpened ? "opened their part of the draw" : "answered the call to draw seeds"
      return "\(entrants) of \(seeding.called.count) entrants have \(done): \(error.description)"
    }
  }

  /// With how many entrants a tournament would start, as far as is known: those who have seats, or once they are called
  /// to draw their seeds those who have answered, or opened their parts.
  private var entrantsOfStart: Int {
    guard let seeding, !isToBeCalled else { return taken.count }
    return seeding.isOpened ? seeding.drawn.count : seeding.answered.count
  }

  /// Whether the organizer of a tournament whose seeds are drawn is to call those who have seats, for the first time or
  /// because others have come.
  var isToBeCalled: Bool {
    guard create.drawsSeeds else { return false }
    guard let seeding else { return true }
    return !seeding.isOpened && seeding.roster != Commitments.roster(room: room, seats: taken)
  }

  private func refusalOfUndo(by peer: PeerID) -> String? {
    guard let ply = lastPly(of: peer), let game = currentGame else {
      return "there is no move of yours to take back"
    }
    return game.mayReturn(to: ply)
      ? nil : "what chance gave since your last move, or a secret, cannot be taken back"
  }

  private func refusalOfClaim(by peer: PeerID) -> String? {
    guard referee != nil else {
      return "the game has no referee who could rule: it waits, and goes on when the other side's step comes"
    }
    guard let silent = silentSeat(for: peer) else { return "nobody else owes a step now" }
    let own = seat(of: peer)
    return claims.contains { $0.claimant == own && $0.silent == silent }
      ? "that is claimed already; the referee rules when its own clock says that the time is up" : nil
  }

  private func refusalOfDraw(by seat: Seat?) -> String? {
    guard allowsDraws else {
      return "a draw cannot be agreed on in this game: its rules know none, or seats choose at once"
    }
    return drawOffers.contains { $0.seat == seat }
      ? "you offer a draw already; the offer stands until the other side moves or declines" : nil
  }

  private func mayLeave(_ peer: PeerID) -> Bool {
    let isThere =
      seat(of: peer) != nil
      || (hosted.map { $0.requests.contains { $0.peer == peer } } ?? openRequests.contains { $0.peer == peer })
    return switch phase {
    case .waiting: isThere || creator == peer
    case .playing: isThere || hosted != nil && creator == peer
    default: false
    }
  }

  /// Which ply of the game that is on a peer's last move is; `nil` when it has made none.
  func lastPly(of peer: PeerID) -> Int? {
    guard let seat = seat(of: peer), let game = currentGame, game.ending == nil else { return nil }
    return game.plies.lastIndex { $0.seat == seat }.flatMap { $0 < game.opening ? nil : $0 }
  }

  /// The seat that a peer with a seat could claim to be silent.
  func silentSeat(for peer: PeerID) -> Seat? {
    let own = seat(of: peer)
    return owing.first { $0 != own }
  }

  /// The draw that is offered to a peer with a seat.
  func drawOffer(to peer: PeerID) -> DrawOffer? {
    guard let own = seat(of: peer) else { return nil }
    return drawOffers.first { $0.seat != own }
  }
}

extension RoomState.Phase {
  /// Why nothing can be done in a room of an edition that is not known here, in words; `nil` in all others.
  package var refusalOfEdition: String? {
    guard case .unknownEdition(let edition) = self else { return nil }
    return
      "the game is of edition \(edition), and this program takes edition \(Create.edition): get a newer one"
  }
}
