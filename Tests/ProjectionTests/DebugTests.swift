import BotKit
import Events
import Foundation
import Projection
import Rules
import Testing

@Suite struct DebugTests {
  @Test func debugTimes() throws {
    let clock = ContinuousClock()
    var rooms: [RandomRoom] = []
    let n = UInt64(ProcessInfo.processInfo.environment["N"] ?? "") ?? 500
    print("generate", try clock.measure { for s in 0..<n { rooms.append(try RandomRoom(seed: s)) } })
    print("events", rooms.map { $0.script.events.count }.reduce(0, +))
    print("digest", clock.measure { for r in rooms { _ = r.script.digest } })
    print(
      "order",
      clock.measure {
        for r in rooms { var x = RandomStream(seed: 1); _ = Deliveries(r.script.events).order(&x) }
      })
    print(
      "reading",
      clock.measure {
        for r in rooms {
          var p = r.script.projection([]); for e in r.script.events { p.apply(e); _ = p.state }
        }
      })
    print("verdicts", clock.measure { for r in rooms { var p = r.script.projection(); _ = p.verdicts() } })
    var counts: [String: Int] = [:]
    for r in rooms {
      let s = r.script.state
      counts["phase " + "\(s.phase)".prefix(9), default: 0] += 1
      if !s.forked.isEmpty { counts["forked", default: 0] += 1 }
      if s.games.contains(where: \.isAgreed) { counts["agreed", default: 0] += 1 }
      if s.games.filter(\.isAgreed).count > 1 { counts["agreed2", default: 0] += 1 }
      for g in s.games { if let e = g.ending { counts["end " + "\(e.cause)".prefix(8), default: 0] += 1 } }
      var p = r.script.projection()
      for v in p.verdicts() {
        counts["v \(v.verdict)", default: 0] += 1
        if v.verdict == .effective, let e = r.script.events.first(where: { $0.id == v.event }) {
          counts["e \(e.kind)", default: 0] += 1
        }
      }
    }
    for k in counts.keys.sorted() { print(k, counts[k]!) }
  }
}
