import Events
import Simulation

@main enum ParlorSimulate {
  static func main() {
    let a = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
    var n = 0
    for seed in a[0]..<a[1] {
      let r = Simulator.run(
        .init(seed: seed, scenario: Scenario(rawValue: CommandLine.arguments.last ?? "") ?? .mixed),
        trace: a.count > 2 ? { print($0) } : nil)
      n += r.violations.count
      print(seed, r.digest.short, r.statistics); for v in r.violations { print(v) }
    }
  }
}
