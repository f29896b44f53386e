import Glibc
// A program for tests that need a process of their own: real signals, and output that ends in a closed pipe.
import Platform
import Terminal

let console = Console(output: .output, errors: .errors) { CurrentProcess.variable($0) }

func run(_ mode: String) throws {
  let interrupts = try Interrupts.listen()
  switch mode {
  case "wait":
    try console.line("ready")
    _ = try Descriptor.waitReadable([interrupts.stop])
    try console.line(interrupts.isStopRequested ? "stopping" : "not asked")
    _ = try Descriptor.waitReadable([])
  case "echo":
    var reader = LineReader(.input, stop: interrupts.stop)
    while true {
      let result = try reader.ask("? ", on: console)
      try console.line("\(result)")
      if result == .end || result == .interrupted { return }
    }
  default:
    while true { try console.line("y") }
  }
}

do {
  try run(CommandLine.arguments.dropFirst().first ?? "")
} catch let error as ConsoleError {
  console.report(error: error.description)
  exit(error == .closed ? 42 : error.exitStatus.rawValue)
} catch {
  console.report(error: "\(error)")
  exit(ExitStatus.software.rawValue)
}
