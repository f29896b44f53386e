import EventLog
import Events
import Rules

/// A room's events as one peer has them, for traces.
enum RoomWords {
  /// One line an event, in the order of the log, then those that wait: who wrote it, what it says and names, and what
  /// it cites.
  /// - Parameter number: the number of a peer in the run.
  static func lines(_ log: RoomLog, number: (PeerID) -> String) -> [String] {
    (log.entries.map { ($0, "") } + log.waitingRoom.entries.map { ($0, "waiting ") }).map { entry, waiting in
      let event = entry.event
      let parents = (0..<event.parentCount).map { event.parent($0).short }
      let signed = entry.signature == nil ? "" : "*"
      return "\(waiting)\(event.id.short)\(signed) peer \(number(event.author)) \(event.sequence)"
        + " after \(event.previous.short)"
        + (parents.isEmpty ? "" : " citing \(parents.joined(separator: " "))") + ": \(words(event.action))"
    }
  }

  private static func words(_ action: Action) -> String {
    switch action {
    case .move(let step, let code, _): "move \(code) \(words(step))"
    case .commit(let step, _): "commit \(words(step))"
    case .reveal(let step, let choice, _): "reveal \(choice) \(words(step))"
    case .resign(let node): "resign at \(node.short)"
    case .leave(let node): "leave at \(node.short)"
    case .undoRequest(let node, let ply): "undo-request at \(node.short) to \(ply)"
    case .drawOffer(let node): "draw-offer at \(node.short)"
    case .drawAccept(let node, let offer): "draw-accept of \(offer.short) at \(node.short)"
    case .drawDecline(let offer): "draw-decline of \(offer.short)"
    case .hosted(let action): "\(action.kind.name)"
    case .undoAccept(let request): "undo-accept of \(request.short)"
    case .result(let game, let ending, let scores): "result of game \(game) at \(ending.short): \(scores)"
    case .claim(let node, let seat): "claim at \(node.short) against seat \(seat)"
    case .ruling(let claim): "ruling on \(claim.short)"
    case .grant(let request, let seat): "grant of \(request.short), seat \(seat)"
    default: action.kind?.name ?? "kind \(action.code)"
    }
  }

  private static func words(_ step: Action.Step) -> String {
    "game \(step.game) ply \(step.ply) on \(step.node.short)"
  }
}
