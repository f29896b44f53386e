import BotKit
import Foundation
import SearchBots
import Terminal
import TestKit
import Testing

@testable import parlor

/// The command table itself, and the page that is made from it.
@Suite struct CommandTableTests {
  @Test func theTableHasNoFaults() { #expect(Commands.table.faults == []) }

  @Test func everyCommandHasAnExampleAndSaysWhatItsObjectsAre() {
    for command in Commands.table.commands where command.path != ["version"] {
      let name = command.path.joined(separator: " ")
      #expect(!command.examples.isEmpty, "\(name)")
      for example in command.examples {
        #expect(example.command.hasPrefix(name), "\(name): \(example.command)")
      }
      #expect(Set(command.objects.map(\.type)).count == command.objects.count, "\(name)")
    }
  }

  /// One word for one thing: what a search visits are nodes, what is solved and shown are positions.
  @Test func whatASearchVisitsAreNodes() {
    let texts = [reference] + SearchBots.families.map(\.summary)
    for text in texts {
      #expect(!text.contains(#/positions visited|visited positions|NODES positions/#), "\(text)")
    }
  }

  @Test func theReferenceIsTheTable() throws { try Snapshot.check(reference, "Docs/COMMANDS.md") }

  private var reference: String {
    var lines = [
      "# Commands", "", Commands.table.summary, "",
      "Each command shows its part of this page after `parlor help COMMAND` or `--help`. A test holds this",
      "page to the program's own table.", "", "```", "parlor COMMAND [OPTIONS]", "```", "",
    ]
    var groups: [String] = []
    for command in Commands.table.commands where !groups.contains(command.group) {
      groups.append(command.group)
    }
    for group in groups {
      lines += ["## \(group)", ""]
      for command in Commands.table.commands where command.group == group { lines += section(command) }
    }
    return (lines + Self.ending).joined(separator: "\n") + "\n"
  }

  private func section(_ command: CommandDefinition) -> [String] {
    let name = command.path.joined(separator: " ")
    var lines = ["### parlor \(name)", "", "```"]
    lines += HelpText(Commands.table, columns: 100).lines(command.path)
    lines += ["```", ""]
    for object in command.objects {
      lines += [
        "After `--json`, type `\(object.type)`. \(object.summary)", "", "| member | what it is |",
        "|---|---|",
      ]
      lines += object.fields.map { "| `\($0.name)` | \($0.summary) |" } + [""]
    }
    return lines
  }

  private static let ending =
    [
      "## Exit status", "", "After the names of sysexits.h; a command's own meanings are in its section.", "",
      "| status | meaning |", "|---|---|",
    ] + ExitStatus.allCases.map { "| \($0.rawValue) | \($0.meaning) |" } + [
      "",
      "## Errors after `--json`", "",
      "Each error is an object of type `error` on standard error, in a line of its own. Its member `error` has `code`,",
      "`message` and `hint` for people, `hint` perhaps null, and `exit`, the status that the command ends with; null",
      "when it goes on, as after a move that is none. Messages may change from release to release, codes do not:",
      "",
      "| exit | code |", "|---|---|",
    ]
    + ExitStatus.allCases.filter { ![.ok, .interrupted].contains($0) }.map {
      "| \($0.rawValue) | `\($0.code)` |"
    }
}
