import BotKit
import EventLog
import Events
import Simulation
import Web

// Dishonest browsers at the pages of peers.

extension ServiceRun {
  /// How many of them are there at a time at most, and how long one stays.
  private static let (limitHostile, stayMilliseconds) = (24, UInt64(1)...20_000)
  /// How long sockets may be there that nobody has any more.
  private static let limitDeadMilliseconds: UInt64 = 60_000

  /// Does ill as long as faults last.
  func floodPages() async {
    guard plan.faults.contains(.socketFloods) else { return }
    var random = RandomStream(seed: plan.seed, for: .visits, -1)
    while isFaulty {
      await sleep(random.time(20...900))
      let number = random.below(plan.peers)
      hostile.removeAll { $0.wire == nil }
      guard isFaulty, hostile.count < Self.limitHostile, let page = hosts[number].life?.page,
        let manner = random.pick(HostileBrowser.Manner.allCases)
      else { continue }
      let browser = HostileBrowser(manner, RandomStream(seed: random.next()))
      hostile.append(browser)
      record.tell("somebody dishonest comes to the page of peer \(number): \(manner)")
      record.statistics.attacks += 1
      open(browser, at: page, of: number, source: "10.2.0.\(random.draw(1...250))")
      browser.begin(rooms(of: number))
      let leaves = random.oneIn(2)
      machine.at(machine.microseconds + random.time(Self.stayMilliseconds) * 1_000) {
        let wire = browser.wire
        browser.wire = nil
        if leaves { wire?.close() } else { wire?.vanish() }
      }
    }
  }

  private func open(_ browser: HostileBrowser, at page: SimulatedPage, of number: Int, source: String) {
    browser.wire = SimulatedWire(to: page, .tables, source: source) { [weak browser] news in
      switch news {
      case .received(let message):
        guard let forbidden = browser?.hear(message) else { return }
        self.record.violate(forbidden.promise, peer: number, "its page did for a stranger: \(forbidden.what)")
      case .ended: browser?.wire = nil
      }
    }
  }

  /// The rooms that a peer has, which somebody dishonest may have heard of.
  private func rooms(of number: Int) -> [String] {
    do throws(LogError) {
      return try hosts[number].disk.rooms(limit: nil).map(\.room.description).sorted()
    } catch { return [] }
  }

  /// Everybody has gone: no page has a socket still, or keeps anything for one.
  func checkPagesAreLeft() async {
    let end = machine.now + Self.limitDeadMilliseconds
    for number in machines {
      guard let page = hosts[number].life?.page else { continue }
      while await page.sockets.clientCount > 0 || page.openSockets > 0 {
        guard machine.now < end else {
          record.violate(.bounds, peer: number, "its page has sockets still with browsers that went long ago")
          break
        }
        await sleep(500)
      }
    }
  }
}
