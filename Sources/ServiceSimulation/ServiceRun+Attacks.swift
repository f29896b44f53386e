import Network
import Service
import Simulation

// Dishonest keys at whole peers: when they do what, and that what they have others keep stays within its limits.

extension ServiceRun {
  /// How long connections of those who have fallen silent may still be there.
  private static let limitSilentMilliseconds: UInt64 = 60_000
  /// How long a peer may take to do what is left to do then.
  private static let restMilliseconds: UInt64 = 10_000

  /// Does ill as long as faults last.
  func attack() async {
    guard let attacker else { return }
    let mischiefs = plan.faults.filter { $0.isDishonest && !Fault.ofInsiders.contains($0) }
      .sorted { $0.rawValue < $1.rawValue }
    while isFaulty {
      await sleep(attacker.random.time(20...900))
      guard isFaulty, let mischief = attacker.random.pick(mischiefs) else { continue }
      let victim = attacker.random.below(plan.peers)
      do {
        let words = try attacker.attack(victim, of: plan.peers, by: mischief, hosts)
        record.tell("at peer \(victim): \(words)")
        record.statistics.attacks += 1
      } catch { record.tell("the attacker cannot write that: \(error)") }
      await checkBurdens()
    }
    attacker.retire()
    record.tell("the attacker is gone")
  }

  // MARK: - What must hold

  /// Nobody keeps more connections, strangers' rooms, or anything else of others than it means to.
  func checkBurdens() async {
    for number in machines {
      guard let service = hosts[number].life?.service else { continue }
      let burden = await service.burden()
      guard isAlive(service, number) else { continue }
      for words in plan.excesses(of: burden, isFaulty: isFaulty) {
        record.violate(.bounds, peer: number, words)
      }
    }
  }

  /// The attacker is gone: places are free again, everybody can write, and what is kept is within its limits.
  func recover() async throws {
    guard let attacker else { return }
    let end = machine.now + Self.limitSilentMilliseconds
    while let number = await withStrangers(attacker) {
      guard machine.now < end else {
        record.violate(.bounds, peer: number, "it has connections still with those who fell silent long ago")
        break
      }
      await sleep(500)
    }
    await sleep(Self.restMilliseconds)
    await checkBurdens()
  }

  /// A peer with a connection to somebody who is gone.
  private func withStrangers(_ attacker: Attacker) async -> Int? {
    for number in machines {
      guard let service = hosts[number].life?.service else { continue }
      let burden = await service.burden()
      let others = network.openEnds(of: number) { attacker.hosts.contains($0) }
      if others > 0 || burden.connections > machines.count - 1 { return number }
    }
    return nil
  }
}
