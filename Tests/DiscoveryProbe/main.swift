// A program for tests that look for peers from several processes: `DiscoveryProbe NETWORK [PORT [TIMES]]`. Starts and
// stops some times before; then tells what it sees, a line for each, and ends when its input does.
import Discovery
import Dispatch
import Events
import Glibc
import Network
import Platform
import Terminal

let console = Console(output: .output, errors: .errors) { CurrentProcess.variable($0) }
let start = ContinuousClock.now
let words = CommandLine.arguments.dropFirst()
let first = words.first.flatMap { UInt8($0) } ?? 0
let network = NetworkID(Bytes32([UInt8](repeating: first, count: 32), at: 0))

func tell(_ line: String) {
  let passed = ContinuousClock.now - start
  let milliseconds = passed.components.seconds * 1_000 + passed.components.attoseconds / 1_000_000_000_000_000
  do throws(ConsoleError) { try console.line("\(milliseconds) \(line)") } catch {
    exit(ExitStatus.software.rawValue)
  }
}

/// What this process has open, and how many threads run in it.
func resources() -> String {
  ["fd", "task"].map { folder in
    var count = 0
    guard let entries = unsafe opendir("/proc/self/\(folder)") else { return "?" }
    while unsafe readdir(entries) != nil { count += 1 }
    unsafe _ = closedir(entries)
    return "\(folder) \(count)"
  }.joined(separator: " ")
}

/// Starts and stops, as often as the command line says, and tells what is left of it after the first time and after
/// the last.
func startAndStop(_ port: UInt16?) throws(DiscoveryError) {
  let times = words.dropFirst(2).first.flatMap { Int($0) } ?? 0
  for time in 0..<times {
    let discovery = try MulticastDiscovery(network: network, announcing: port)
    discovery.stop()
    discovery.stop()
    if time == 0 || time == times - 1 { tell("kept \(resources())") }
  }
}

do throws(DiscoveryError) {
  let port = words.dropFirst().first.flatMap { UInt16($0) }
  try startAndStop(port)
  let discovery = try MulticastDiscovery(network: network, announcing: port)
  tell("name \(discovery.name ?? "-")")
  DispatchQueue.global().async {
    while readLine() != nil {}
    discovery.stop()
  }
  for await sighting in discovery.sightings {
    switch sighting {
    case .found(let name, let addresses):
      tell("found \(name) \(addresses.map(\.description).joined(separator: " "))")
    case .lost(let name): tell("lost \(name)")
    case .settled: tell("settled")
    }
  }
} catch {
  console.report(error: error.description)
  exit(ExitStatus.unavailable.rawValue)
}
