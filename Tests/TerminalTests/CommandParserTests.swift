import Terminal
import TestKit
import Testing

@Suite struct CommandParserTests {
  private func parse(_ line: String) throws(UsageError) -> Invocation {
    try Sample.table.parse(line.split(separator: " ").map(String.init))
  }

  private func command(_ line: String) throws -> ParsedCommand {
    guard case .command(let parsed) = try parse(line) else { throw NotACommand(line: line) }
    return parsed
  }

  private struct NotACommand: Error { let line: String }

  private func problem(_ words: [String]) -> UsageError.Problem? {
    do throws(UsageError) {
      _ = try Sample.table.parse(words)
      return nil
    } catch { return error.problem }
  }

  private func problem(_ line: String) -> UsageError.Problem? {
    problem(line.split(separator: " ").map(String.init))
  }

  @Test func valuesInAllTheirForms() throws {
    let parsed = try command(
      "--json play --seed=-1 tic-tac-toe --set a=1 --set=b=x=2 --data /tmp/x --against=a,b")
    #expect(parsed.name == "play")
    #expect(parsed.argument("game") == "tic-tac-toe")
    #expect(parsed.has("json") && !parsed.has("no-color") && !parsed.has("seat"))
    #expect(parsed.text("seat") == "first")
    #expect(parsed.text("data") == "/tmp/x")
    #expect(parsed.texts("set") == ["a=1", "b=x=2"])
    #expect(parsed.texts("seat") == ["first"])
    #expect(try parsed.list("against") == ["a", "b"])
    #expect(try parsed.integer("seed", in: Int64.min...Int64.max) == -1)
    #expect(try command("play g --seed -7").text("seed") == "-7")
    #expect(try command("play g").integer("seed", in: 0...9) == nil)
  }

  @Test func commandsOfSeveralWordsAndArguments() throws {
    #expect(try command("log --json list").name == "log list")
    let export = try command("log export - 1 --force -2 -- --3 --force")
    #expect(export.argument("file") == "-")
    #expect(export.arguments("id") == ["1", "-2", "--3", "--force"])
    #expect(export.has("force"))
    #expect(try command("log export f").arguments("id") == [])
    #expect(try command("play -- play").argument("game") == "play")
  }

  @Test func whatIsWrongIsSaid() {
    let cases: [(String, UsageError.Problem)] = [
      ("paly", .unknownCommand("paly", near: ["play"])),
      ("log lst", .unknownCommand("log lst", near: ["log list"])),
      ("zzzzzz", .unknownCommand("zzzzzz", near: [])),
      ("hlep", .unknownCommand("hlep", near: ["help"])),
      ("help play chess", .unknownCommand("play chess", near: [])),
      ("log", .incompleteCommand("log", next: ["list", "export"])),
      ("--json", .incompleteCommand("", next: ["play", "match", "log"])),
      ("play g --agianst x", .unknownOption("--agianst", near: ["--against"])),
      ("play g --jsno", .unknownOption("--jsno", near: ["--json"])),
      ("play g -x", .unknownOption("-x", near: [])),
      ("--seat first play g", .unknownOption("--seat", near: [])),
      ("play g --seed", .missingValue(option: "--seed", value: "N")),
      ("play g --seed --json", .missingValue(option: "--seed", value: "N")),
      ("play g --seed -- 1", .missingValue(option: "--seed", value: "N")),
      ("play g --seed=", .emptyValue(option: "--seed")),
      ("play g --json=1", .unwantedValue(option: "--json")),
      ("play g --json --json", .repeated(option: "--json")),
      ("--data a play g --data=b", .repeated(option: "--data")),
      ("match g", .missingOption("--players A,B")),
      ("play", .missingArgument("GAME")),
      ("play a b", .unexpectedArgument("b")),
      (
        "play g --seat frist",
        .badChoice(
          place: "--seat", given: "frist", choices: ["first", "second", "random"], near: ["first"])
      ),
    ]
    for (line, expected) in cases { #expect(problem(line) == expected, "\(line)") }
    #expect(problem(["play", "g", "--seed", ""]) == .emptyValue(option: "--seed"))
    #expect(problem(["play", ""]) == .emptyValue(option: "GAME"))
  }

  @Test func integersKeepTheirRange() throws {
    func error(_ value: String) throws -> String? {
      let parsed = try command("match g --players a,b --games=\(value)")
      do throws(UsageError) {
        _ = try parsed.integer("games", in: UInt8(1)...200)
        return nil
      } catch { return error.description }
    }
    for good in ["1", "200", "007"] { #expect(try error(good) == nil) }
    for bad in ["0", "201", "256", "-1", "+5", "1.5", "x", "1e3", "99999999999999999999999", "0x10", "٣"] {
      #expect(try error(bad) == "--games takes a whole number from 1 to 200, not “\(bad)”")
    }
    let parsed = try command("match g --players a,,b")
    #expect(throws: UsageError.self) { try parsed.list("players") }
    #expect(try parsed.integer("games", in: 1...5) == 1)
  }

  @Test func errorsReadWell() {
    func words(_ line: String) -> String? {
      do throws(UsageError) {
        _ = try parse(line)
        return nil
      } catch { return "\(error)\n\(error.hint(program: "parlor"))" }
    }
    #expect(words("paly") == "there is no command “paly”; did you mean play?\nsee `parlor help`")
    #expect(words("log x") == "there is no command “log x”\nsee `parlor help log`")
    #expect(
      words("play g --seat x")
        == "--seat cannot be “x”: it is first, second or random\nsee `parlor help play`")
    #expect(words("play g --\u{1B}[2J") == "there is no option --\u{FFFD}[2J\nsee `parlor help play`")
  }

  @Test func helpIsFoundWhateverElseIsWrong() throws {
    let cases: [(String, [String])] = [
      ("", []), ("help", []), ("--help", []), ("-h", []), ("help log", ["log"]),
      ("help log list", ["log", "list"]),
      ("log --help", ["log"]), ("play --help", ["play"]), ("play --wrong -h", ["play"]),
      ("log list x --help", ["log", "list"]), ("nonsense --help", []), ("--data log play --help", ["play"]),
    ]
    for (line, path) in cases { #expect(try parse(line) == .help(path), "\(line)") }
    #expect(try command("play -- --help").argument("game") == "--help")
  }

  @Test func anyWordsAreParsedOrRefused() {
    let pieces = [
      "play", "log", "list", "export", "match", "--", "-", "--json", "--seed", "--seed=1", "--set", "a=b",
      "-1", "", "=",
      "--=", "-h", "help", "--players", "\u{0}", "--data", "日本", "--jso\u{301}n", "-é",
    ]
    var random = SeededGenerator(state: 5)
    for _ in 0..<Effort.size(20_000, quick: 1_000) {
      let words = (0..<random.below(7)).map { _ in pieces[random.below(pieces.count)] }
      do throws(UsageError) {
        guard case .command(let parsed) = try Sample.table.parse(words) else { continue }
        #expect(Sample.table.command(parsed.definition.path) != nil)
      } catch {
        #expect(!error.description.unicodeScalars.contains { $0.value < 0x20 })
      }
    }
  }

  @Test func faultsOfATableAreFound() {
    #expect(Sample.table.faults == [])
    let bad = CommandTable(
      program: "p", summary: "s",
      commands: [
        CommandDefinition(
          "a", group: "g", summary: "s",
          arguments: [
            ArgumentDefinition("x", "x", isOptional: true, repeats: true), ArgumentDefinition("y", "y"),
          ],
          options: [
            .flag("help", "h"), .value("c", "C", "c", standard: "z", isRequired: true, kind: .choice(["y"])),
          ]),
        CommandDefinition("a", group: "g", summary: "s"), CommandDefinition("a b", group: "g", summary: "s"),
      ], globals: [])
    #expect(
      bad.faults == [
        "a: --c: the standard value is no choice", "a: --c: required, with a standard", "a: --help twice",
        "a: x repeats and is not the last", "a: x is optional and a later one is not",
        "a: twice",
      ])
  }
}

@Suite struct SpellingTests {
  @Test func nearestWords() {
    let known = ["play", "replay", "match", "tournament", "log", "solve", "games", "bots"]
    let cases: [(String, [String])] = [
      ("paly", ["play"]), ("game", ["games"]), ("tour", ["tournament"]), ("tournamnet", ["tournament"]),
      ("lgo", ["log"]), ("quantum", []), ("", []), ("x", []), (String(repeating: "x", count: 100_000), []),
    ]
    for (typed, near) in cases { #expect(Spelling.near(typed, among: known) == near, "\(typed.prefix(12))") }
  }
}
