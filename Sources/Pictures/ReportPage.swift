import Rules
import Terminal

/// A tournament as one file for browsers: what it came to, pictures of it, and its games to step through.
///
/// Nothing in it comes from elsewhere. All texts of others are escaped; the games are JSON, which a small script of the
/// page shows as text and nothing else.
package struct ReportPage: Sendable {
  /// A table with its head.
  package struct Table: Sendable {
    package var head: [String]
    package var rows: [[String]]

    /// A table.
    package init(head: [String], rows: [[String]]) { (self.head, self.rows) = (head, rows) }
  }

  /// One game.
  package struct Game: Sendable {
    /// Whose game it is.
    package var title: String
    /// How it ended, or that it goes on.
    package var ending: String
    /// Who sits where, for the text under the board.
    package var names: [String]
    /// Its positions, the start first.
    package var frames: [GamePicture.Frame]

    /// A game.
    package init(title: String, ending: String, names: [String], frames: [GamePicture.Frame]) {
      (self.title, self.ending, self.names, self.frames) = (title, ending, names, frames)
    }
  }

  private let title: String
  private var parts: [String] = []

  /// A page with nothing in it.
  package init(title: String) { self.title = SafeText(title).text }

  /// Adds lines of text.
  package mutating func add(_ lines: [String]) {
    parts += lines.map { "<p>\(SVGText.escaped($0))</p>" }
  }

  /// Adds a table under a heading.
  package mutating func add(_ heading: String, _ table: Table) {
    func row(_ cells: [String], _ name: String) -> String {
      "<tr>\(cells.map { "<\(name)>\(SVGText.escaped($0))</\(name)>" }.joined())</tr>"
    }
    parts += [
      "<h2>\(SVGText.escaped(heading))</h2>", "<div class=\"wide\" tabindex=\"0\"><table class=\"plain\">",
    ]
    parts += ["<thead>\(row(table.head, "th"))</thead>", "<tbody>"] + table.rows.map { row($0, "td") }
    parts += ["</tbody></table></div>"]
  }

  /// Adds a picture under a heading.
  /// - Parameter svg: its lines, as this module's pictures make them.
  package mutating func add(_ heading: String, svg: [String]) {
    parts +=
      ["<h2>\(SVGText.escaped(heading))</h2>", "<div class=\"wide\" tabindex=\"0\">"] + svg + ["</div>"]
  }

  /// Adds games to step through.
  /// - Parameter remarks: what is said of games that are not there.
  package mutating func add(games: [Game], remarks: [String]) {
    parts.append("<h2>Games</h2>")
    add(remarks)
    let games = games.filter { !$0.frames.isEmpty }
    guard !games.isEmpty else { return }
    parts += ["<section id=\"viewer\">", "<p><label>Game <select id=\"game\">"]
    parts += games.enumerated().map { "<option value=\"\($0)\">\(SVGText.escaped($1.title))</option>" }
    parts += ["</select></label></p>"] + Self.controls + ["</section>"]
    parts += ["<script type=\"application/json\" id=\"data\">", Self.data(games), "</script>"]
    parts += ["<script>"] + Self.script + ["</script>"]
  }

  /// The page, line by line.
  package var lines: [String] {
    [
      "<!doctype html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline';"
        + " script-src 'unsafe-inline'; img-src data:\">",
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
      "<link rel=\"icon\" href=\"data:,\">", "<title>\(SVGText.escaped(title))</title>",
    ] + Self.style + ["</head>", "<body>", "<h1>\(SVGText.escaped(title))</h1>"] + parts + [
      "</body>", "</html>",
    ]
  }
}

// MARK: - Games as data

extension ReportPage {
  /// The games for the script: what can stand in a cell, and of each position what differs from the one before.
  ///
  /// ```
  /// {"symbols": [[text, whether marked, colour of a disc or ""], …],
  ///  "games": [{"ending": …, "columns": …, "labels": […], "rows": […],
  ///             "frames": [[caption, [line, …], [cell, symbol, cell, symbol, …]], …]}, …]}
  /// ```
  static func data(_ games: [Game]) -> String {
    var symbols: [GamePicture.Symbol: Int] = [:]
    var list: [GamePicture.Symbol] = []
    func number(_ symbol: GamePicture.Symbol) -> Int {
      if let number = symbols[symbol] { return number }
      symbols[symbol] = list.count
      list.append(symbol)
      return list.count - 1
    }
    let games = games.map { game -> JSONValue in
      let first = game.frames[0].diagram
      var before: [Int] = []
      let frames = game.frames.map { frame -> JSONValue in
        let cells = frame.symbols.map(number)
        let changes = cells.enumerated().filter {
          $0.offset >= before.count || before[$0.offset] != $0.element
        }
        before = cells
        return [
          text(frame.caption), .array(frame.diagram.lines.map { text($0.text(names: game.names)) }),
          .array(changes.flatMap { [.integer(Int64($0.offset)), .integer(Int64($0.element))] }),
        ]
      }
      return [
        "ending": text(game.ending), "columns": .integer(Int64(first.board.first?.count ?? 0)),
        "labels": .array(first.columnLabels.map(text)), "rows": .array(first.rowLabels.map(text)),
        "frames": .array(frames),
      ]
    }
    let all = list.map { symbol -> JSONValue in
      [text(symbol.text), .bool(symbol.isMarked), .string(symbol.discColour ?? "")]
    }
    // Nothing in it can end the element that it stands in, nor begin a comment.
    return JSONLine(["symbols": .array(all), "games": .array(games)]).text.replacing("<", with: "\\u003c")
  }

  private static func text(_ text: String) -> JSONValue { .string(SafeText(text).text) }
}

// MARK: - What is the same in all pages

extension ReportPage {
  private static let controls = [
    "<p class=\"controls\"><button id=\"first\" aria-label=\"First position\">|◀</button>",
    "<button id=\"back\" aria-label=\"One move back\">◀</button>",
    "<input id=\"ply\" type=\"range\" min=\"0\" value=\"0\" aria-label=\"Position\">",
    "<button id=\"on\" aria-label=\"One move on\">▶</button>",
    "<button id=\"last\" aria-label=\"Last position\">▶|</button></p>",
    "<p id=\"caption\" aria-live=\"polite\">Scripts are switched off in this browser; games are shown with them.</p>",
    "<div class=\"wide\"><table id=\"board\" class=\"board\"></table></div>", "<div id=\"words\"></div>",
  ]

  private static let style = [
    "<style>", ":root { color-scheme: light dark }",
    "body { font: 16px/1.45 ui-sans-serif, system-ui, sans-serif; margin: 0 auto; padding: 0 1rem 3rem;",
    "  max-width: 80rem; background: #fff; color: #222; overflow-wrap: anywhere }",
    "h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }",
    ".wide { overflow-x: auto; max-width: 100% }", "svg { display: block }",
    "table.plain { border-collapse: collapse } .plain th, .plain td { padding: 0.2rem 0.7rem; text-align: left;",
    "  border-bottom: 1px solid #bbb; white-space: nowrap; font-variant-numeric: tabular-nums }",
    "select { max-width: 100%; font: inherit } label { display: block }",
    ".controls { display: flex; gap: 0.4rem; max-width: 32rem } .controls input { flex: 1; min-width: 3rem }",
    "button { font: inherit; min-width: 2.5rem; min-height: 2.2rem }",
    ".board { border-collapse: collapse; border: 0 } .board td { width: 2.2rem; min-width: 1.6rem; height: 2.2rem;",
    "  padding: 0; text-align: center; border: 1px solid #b9a98c; background: #f4efe6; white-space: nowrap }",
    ".board th { color: #5c5c5c; font-weight: normal; font-size: 0.85rem; padding: 0 0.3rem }",
    ".board td.marked { background: #ffe08a } .disc { display: inline-block; width: 1.5rem; height: 1.5rem;",
    "  border-radius: 50%; border: 1px solid #777; vertical-align: middle }",
    "@media (prefers-color-scheme: dark) {", "body { background: #1b1d22; color: #eee }",
    ".board td { background: #2b2f38; border-color: #59606e } .board td.marked { background: #6b5a17 }",
    ".board th { color: #b0b0b0 } .plain th, .plain td { border-color: #555 }", "}", "</style>",
  ]

  private static let script = """
    "use strict";
    (() => {
      const data = JSON.parse(document.getElementById("data").textContent);
      const at = name => document.getElementById(name);
      const choice = at("game"), slider = at("ply"), board = at("board");
      let game = data.games[0], ply = 0;
      const made = (name, text, style) => {
        const element = document.createElement(name);
        element.textContent = text;
        if (style) element.className = style;
        return element;
      };
      const cellsAt = ply => {
        const cells = [];
        for (const [, , changes] of game.frames.slice(0, ply + 1)) {
          for (let place = 0; place < changes.length; place += 2) cells[changes[place]] = changes[place + 1];
        }
        return cells;
      };
      const cell = number => {
        const [text, isMarked, colour] = data.symbols[number];
        const element = made("td", colour ? "" : text, isMarked ? "marked" : "");
        if (colour) {
          const disc = made("span", "", "disc");
          disc.style.background = colour;
          disc.title = text;
          element.append(disc);
        }
        return element;
      };
      const draw = () => {
        const [caption, lines] = game.frames[ply];
        const cells = cellsAt(ply), rows = [];
        for (let place = 0; place < cells.length; place += game.columns) {
          const row = made("tr", "");
          if (game.rows.length) row.append(made("th", game.rows[place / game.columns] ?? ""));
          row.append(...cells.slice(place, place + game.columns).map(cell));
          rows.push(row);
        }
        if (cells.length && game.labels.length) {
          const row = made("tr", "");
          row.append(...(game.rows.length ? [made("th", "")] : []), ...game.labels.map(text => made("th", text)));
          rows.push(row);
        }
        board.replaceChildren(...rows);
        const end = ply === game.frames.length - 1 ? [game.ending] : [];
        at("words").replaceChildren(...[...lines, ...end].map(text => made("p", text)));
        at("caption").textContent = caption;
        slider.max = game.frames.length - 1;
        slider.value = ply;
        at("first").disabled = at("back").disabled = ply === 0;
        at("on").disabled = at("last").disabled = ply === game.frames.length - 1;
      };
      const go = to => {
        ply = Math.max(0, Math.min(game.frames.length - 1, to));
        draw();
      };
      const choose = () => {
        game = data.games[Number(choice.value)] ?? data.games[0];
        go(0);
      };
      choice.addEventListener("change", choose);
      slider.addEventListener("input", () => go(Number(slider.value)));
      for (const [name, to] of [
        ["first", () => 0], ["back", () => ply - 1], ["on", () => ply + 1], ["last", () => Infinity],
      ]) at(name).addEventListener("click", () => go(to()));
      choose();
    })();
    """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
}
