import Network
import Platform
import Terminal
import Web

/// `parlor web`: `parlor serve --web`, and a browser that opens the page.
enum WebCommand: Command {
  static let definition = CommandDefinition(
    "web", group: Group.network, summary: "Play in a browser.",
    text: [
      "Serves a page on which you and others host, join and play (Docs/PAGE.md), until it is stopped, and opens it in a"
        + " browser, where you act as the owner of this data folder. Where there is no display it prints the address.",
      "It is otherwise a peer on the network, as `parlor serve` is. The standard address is for this machine; others"
        + " come in where an address says so, such as 0.0.0.0:8181, and anybody there may play.",
      "What is behind # in the address is a secret: who has it acts as you. It is given to the browser, and printed on"
        + " a terminal and with --json only. Other users of this machine may read it in the browser's command line;"
        + " with --no-browser they cannot.",
      WebOptions.text,
    ],
    options: [
      .value(
        "web", "ADDRESS", "Serve the page at this address, [HOST:]PORT.",
        standard: WebSettings.standardAddress.description)
    ] + WebOptions.definitions + [
      .flag("no-browser", "Open no browser, and print the address."),
      EarlierGames.option(mayGoOn: false),
    ] + NetworkOptions.definitions,
    examples: [
      .init("web", "opens the page"),
      .init("web --web 0.0.0.0:8181", "and phones on the same network may come"),
    ],
    objects: ServeCommand.objects)

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let settings = try WebOptions.settings(
      parsed, context, at: parsed.text("web") ?? WebSettings.standardAddress.description)
    let service = try await context.peerService(parsed)
    return try await service.untilDone {
      try await ServeCommand.serve(parsed, context, service, at: settings) { page, token in
        try open(page + "#token=" + token.text, isWanted: !parsed.has("no-browser"), context)
      }
    }
  }

  /// Opens a browser at an address with a secret in it, or says where to go.
  private static func open(_ address: String, isWanted: Bool, _ context: Context) throws {
    let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { CurrentProcess.variable($0)?.isEmpty == false }
    if isWanted, hasDisplay {
      do throws(SystemError) { return try DetachedProgram.start(["xdg-open", address]) } catch {
        context.console.note("No browser was opened: \(error)")
      }
    }
    // Not into a file that others may read.
    if !context.isJSON, context.console.output.isTerminal { try context.console.line("Open \(address)") }
  }
}
