import TestKit
import Testing

@testable import Terminal

@Suite(.blocking) struct ManPagesTests {
  private static let groff = Programs.installed("groff")

  private func pages(_ table: CommandTable) -> [ManPages.Page] {
    ManPages(table, version: "1.2", variables: ["SAMPLE_HOME": "Where it lives."]).pages
  }

  /// What somebody reads who opens the page, after groff has said nothing about it.
  private func shown(_ page: ManPages.Page) throws -> String {
    let groff = try #require(Self.groff)
    let ended = try Programs.run(
      groff, ["-man", "-Tutf8", "-Kutf8", "-ww", "-P-cbou", "-rLL=78n"],
      input: page.lines.joined(separator: "\n") + "\n")
    #expect(ended.status == 0 && ended.errors == "", "\(page.file): \(ended.errors)")
    return ended.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test func eachCommandHasAPageWithAllThatItTakes() throws {
    let pages = pages(Sample.table)
    #expect(
      pages.map(\.file) == [
        "parlor.1", "parlor-play.1", "parlor-match.1", "parlor-log-list.1", "parlor-log-export.1",
      ])
    for (page, command) in zip(pages.dropFirst(), Sample.table.commands) {
      let text = page.lines.joined(separator: "\n").replacing("\\", with: "")
      for option in Sample.table.options(of: command) {
        #expect(text.contains("--\(option.name)"), "\(page.file) has no --\(option.name)")
      }
      for example in command.examples { #expect(text.contains(example.command), "\(page.file)") }
    }
    #expect(ExitStatus.allCases.allSatisfy { pages[0].lines.contains("\\fB\($0.rawValue)\\fR") })
  }

  @Test(.enabled(if: groff != nil, "skipped: groff is not installed"))
  func pagesReadAsTheHelpDoes() throws {
    let pages = pages(Sample.table)
    let play = try shown(pages[1])
    #expect(
      play.contains("parlor play GAME [--against BOT] [--seat SEAT] [--seed N] [--set PARAMETER=VALUE…]"))
    #expect(play.contains("--seat SEAT Where you sit. One of: first, second, random. Default: first."))
    #expect(play.contains("it's that easy. `undo` takes your last move back"))
    #expect(play.contains("75 Another process writes this log."))
    #expect(try shown(pages[0]).contains("SAMPLE_HOME Where it lives."))
    for page in pages { _ = try shown(page) }
  }

  /// What looks like a request or an escape is text.
  @Test(.enabled(if: groff != nil, "skipped: groff is not installed"))
  func nothingInATextIsARequest() throws {
    let texts = [".so /etc/passwd", "'br", "a\\fBb\\nc", "~^`\"-", "one\n.sp two"]
    let command = CommandDefinition("x", group: "G \"g\"", summary: "Do \\x.", text: texts)
    let table = CommandTable(program: "p", summary: "'s", commands: [command], globals: [])
    let page = try shown(pages(table)[1])
    for text in texts {
      #expect(page.contains(text.replacing("\n", with: " ")), "\(text): \(page)")
    }
    #expect(try shown(pages(table)[0]).contains("G \"G\""))
  }
}
