import EventLog
import Events
import Projection
import Rules
import Terminal

extension Room {
  /// What an event of hosted rounds says.
  func words(for action: HostedAction) -> String {
    switch action {
    case .joinProof: "shows the host, and nobody else, that it knows the join code"
    case .joinRefusal(let peer, _, .wrongCode): "does not take in \(name(of: peer)): the join code is wrong"
    case .joinRefusal(let peer, _, .full): "does not take in \(name(of: peer)): as many are there as may be"
    case .open(let opening): words(for: opening)
    case .entry(let opening, .sealed): "\(round(opening)): answers, sealed to the host"
    case .entry(let opening, .clear(let choice)):
      "\(round(opening)): enters \(text(of: choice, .clear, in: opening))"
    case .receipts(let opening, let receipts):
      "\(round(opening)): acknowledges \(entries(receipts.count)), the last after"
        + " \(receipts.last?.milliseconds ?? 0) ms"
    case .marks(let opening, let marks):
      "\(round(opening)): says of \(Self.count(marks.count, "answer")) whether right;"
        + " \(marks.count { $0.wrong == nil }) \(marks.count { $0.wrong == nil } == 1 ? "is" : "are")"
    case .close(let opening, let milliseconds): "\(round(opening)): closes it after \(milliseconds) ms"
    case .settle(let settlement) where settlement.opensNothing: "\(round(settlement.opening)): settles it"
    case .settle(let settlement):
      "\(round(settlement.opening)): the answer is \(text(of: settlement.solution, .sealed, in: settlement.opening));"
        + " opens \(Self.count(settlement.entries.count, "answer"))"
    case .entryProof: "shows that its answer can be read"
    case .carry(_, let scores): "carries over the scores of \(Self.count(scores.count, "player"))"
    }
  }

  /// So many entries, as people call them.
  private func entries(_ count: Int) -> String {
    if state.hosted?.rules.map({ $0.isSealed && !$0.tellsOne }) ?? true { return Self.count(count, "answer") }
    return count == 1 ? "1 entry" : "\(count) entries"
  }

  private func words(for opening: HostedAction.Opening) -> String {
    let question = state.hosted?.rules?.question(opening.content)?.text ?? "?"
    return "round \(Int(opening.round) + 1): asks “\(SafeText(question, limitColumns: 60).text)”,"
      + " \(opening.limitMilliseconds) ms"
  }

  /// The round that an event has opened.
  private func round(_ opening: EventID) -> String {
    guard let event = log.graph.event(opening), case .hosted(.open(let opened)) = event.action else {
      return "a round that is not here"
    }
    return "round \(Int(opened.round) + 1)"
  }

  /// What was entered in the round that an event has opened, as people write it.
  private func text(of choice: [UInt8], _ form: HostedForm, in opening: EventID) -> String {
    guard let event = log.graph.event(opening), case .hosted(.open(let opened)) = event.action else {
      return "?"
    }
    return SafeText(state.hosted?.rules?.text(of: choice, form, in: opened.content) ?? "?", limitColumns: 40)
      .text
  }
}
