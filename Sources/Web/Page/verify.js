// The page that checks a file of a game: it takes the file, shows how far it is, and says what was found.

import { byId, element, shape, show } from "./elements.js";
import { checkFile } from "./protocol/files.js";
import { findingLines, printable, roomLines, verdictLine } from "./protocol/lines.js";

/** So many games of a room have a picture, and so many findings a line; what is more is counted. */
const shownGames = 64;
const shownLines = 500;

/** Which file is looked at; what comes of an older one is not shown. */
let current = 0;

/** Lets the browser draw and listen, then goes on. */
function breathe() {
  return new Promise(resolve => { setTimeout(resolve, 0); });
}

async function check(file) {
  current += 1;
  const number = current;
  const progress = byId("progress");
  progress.hidden = false;
  progress.value = 0;
  tell(`Checking ${printable(file.name)} …`, null);
  show(byId("rooms"));
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const found = await checkFile(bytes, {
      onProgress: read => {
        if (number === current) progress.value = read / Math.max(1, bytes.length);
        return breathe();
      },
    });
    if (number !== current) return;
    showFound(file.name, found);
  } catch (error) {
    if (number === current) tell(printable(`${file.name} could not be checked: ${error.message}`), false);
  }
  if (number === current) progress.hidden = true;
}

/** Says the verdict on a file; `isGood` is null where there is none. */
function tell(words, isGood) {
  const verdict = byId("verdict");
  verdict.textContent = words;
  verdict.className = isGood === null ? "" : isGood ? "good" : "bad";
}

function showFound(name, { bad, reports, notChecked }) {
  const isGood = bad === null && reports.every(report => report.bad === null);
  const whole = bad === null ? "" : ` ${printable(bad.message)}.`;
  const words = isGood
    ? "is good: what it shows was written by those whose keys signed it, and nothing was changed."
    : "is false. Do not believe what it shows.";
  tell(`${printable(name)} ${words}${whole}`, isGood);
  show(byId("rooms"), notChecked.map(notCheckedLine), reports.map(roomSection));
}

function notCheckedLine(words) {
  return element("p", {}, printable(`Not checked: ${words}.`));
}

function roomSection(report) {
  const rules = report.room?.settings.rules ?? "unknown rules";
  const title = printable(`Room ${report.bundle.room?.slice(0, 10)}, ${rules}`);
  const section = element("section", {}, element("h2", {}, title));
  section.append(element("p", { class: report.bad ? "bad" : "good" }, printable(verdictLine(report))));
  if (report.bad) return section;
  section.append(
    lineList("Who plays, and what was played", roomLines(report)),
    ...report.games.slice(0, report.game ? shownGames : 0).map(game => gameFigure(report, game)),
    lineList("What has no effect", findingLines(report)),
    ...report.notChecked.map(notCheckedLine));
  return section;
}

function lineList(title, lines) {
  if (lines.length === 0) return "";
  const items = lines.slice(0, shownLines).map(line => element("li", {}, printable(line)));
  if (lines.length > shownLines) items.push(element("li", {}, `and ${lines.length - shownLines} more`));
  return element("div", {}, element("h3", {}, title), element("ul", {}, items));
}

/** The last position of a game, with the line that won it. */
function gameFigure({ game: rules }, game) {
  const { columns, rows } = rules;
  const board = rules.board(game.codes);
  const won = rules.winningLine(game.codes) ?? [];
  const cells = board.map((player, cell) => {
    const [x, y] = [cell % columns, Math.floor(cell / columns)];
    const square = shape("rect", { class: "cell", x: x + 0.04, y: y + 0.04, width: 0.92, height: 0.92, rx: 0.1 });
    if (player === null) return square;
    const seat = (game.first + player) % 2 + 1;
    const place = { cx: x + 0.5, cy: y + 0.5, r: 0.36 };
    const stone = shape("circle", { class: `seat-${seat}${won.includes(cell) ? " won" : ""}`, ...place });
    const number = shape("text", { class: "stone-number", x: x + 0.5, y: y + 0.68 }, seat);
    return [square, stone, number];
  });
  const words = `Game ${game.number + 1}: ${boardWords(game)}`;
  const picture = shape("svg", { viewBox: `0 0 ${columns} ${rows}`, role: "img", "aria-label": words }, cells.flat());
  return element("figure", {}, picture, element("figcaption", {}, words));
}

function boardWords({ scores, cause, level }) {
  if (scores === null) return cause;
  const winner = scores[0] === scores[1] ? "nobody wins" : `seat ${scores[0] > scores[1] ? 1 : 2} wins`;
  return `${winner}${cause === "rules" ? "" : ` (${cause})`}, ${level}`;
}

function takeFirst(files) {
  if (files?.length > 0) check(files[0]);
}

byId("file").addEventListener("change", event => takeFirst(event.target.files));
document.addEventListener("dragover", event => {
  event.preventDefault();
  document.body.classList.add("over");
});
document.addEventListener("dragleave", () => document.body.classList.remove("over"));
document.addEventListener("drop", event => {
  event.preventDefault();
  document.body.classList.remove("over");
  takeFirst(event.dataTransfer?.files);
});
