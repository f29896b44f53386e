// A report in words, a line each.

/** The text without anything that a terminal could take for a command, or that turns the direction of writing. */
export function printable(text) {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\u{FFFD}");
}

export function counted(number, word) {
  return number === 1 ? `1 ${word}` : `${number} ${word}s`;
}

/** Where the bad event of a report stands, as the beginning of a sentence. */
export function placeWords(report) {
  const { place } = report;
  const room = report.bundle.room?.slice(0, 10);
  if (place === null) return room ? `room ${room}: ` : "";
  const id = place.id ? `, ${place.id},` : "";
  const author = place.author ? ` by ${place.author.slice(0, 10)}, sequence ${place.sequence}` : "";
  return `event ${place.position}${id} in room ${room}${author}${place.kind ? `, ${place.kind}` : ""}: `;
}

export function gameWords({ game, moves, scores, cause, seat, level }) {
  const result = scores ? ` : ${scores.join("-")}` : "";
  const how = cause === "rules" ? "" : `, ${cause}${seat ? ` by seat ${seat}` : ""}`;
  return `game ${game}: ${moves.join(" ") || "no moves"}${result}${how}${scores ? `, ${level}` : ""}`;
}

const faultWords = {
  "wrong-solution": "it opened another solution than it had committed to",
  "told-another": "it told the player whose turn it was another solution than it had committed to",
  "wrong-mark": "it said of an entry that it was right or wrong, and it was not",
  "wrong-entry": "it opened an entry as another one than its author had sealed",
  "denied-entry": "it called an entry unreadable that it could read",
};

function roundWords({ round, phase, closed, solution, drawer, lines }) {
  const state = ["open", "closed"].includes(phase) ? "not over" : phase;
  const closing = closed === null ? "" : `, closed after ${closed} ms`;
  const drawn = drawer === undefined ? "" : `, player ${drawer} drew ${counted(lines, "line")}`;
  return `round ${round}: ${state}${closing}${drawn}${solution === null ? "" : `, solution ${solution}`}`;
}

function hostedLines({ title, players, rounds, faults }) {
  const standings = players.map(({ rank, number, name, peer, score, left }) => {
    const words = `rank ${rank}: player ${number}, ${name} (${peer.slice(0, 10)}), ${counted(score, "point")}`;
    return left ? `${words}, has left` : words;
  });
  const proven = faults.map(({ fault, position }) => `fault of the host: ${faultWords[fault]} (event ${position})`);
  return [...(title ? [title] : []), ...standings, ...rounds.map(roundWords), ...proven];
}

/** What a report says of who plays and what was played. */
export function roomLines(report) {
  const members = report.members("");
  if (report.hosted) return hostedLines(members);
  const lines = members.players.map(player => `seat ${player.seat}: ${player.name} (${player.peer.slice(0, 10)})`);
  const { draw, games, reveals } = members;
  if (draw) lines.push(`seat ${draw.first} starts, by the draw of ${counted(draw.seats, "seat")}`);
  else if (report.seats?.start === null) lines.push("play has not begun");
  lines.push(...games.map((game, place) => {
    const { codes } = report.games[place];
    const rules = report.game ?? report.rounds.begin(0);
    return gameWords({ ...game, moves: codes.map(code => rules.text(code)) });
  }));
  const sum = reveals.opened + reveals.false;
  if (sum > 0) lines.push(`${reveals.opened} of ${sum} reveals open their commitments`);
  return lines;
}

/** Events without effect, and forks. */
export function findingLines(report) {
  const idle = report.idle.map(({ position, name, verdict }) =>
    `event ${position} (${name}) has no effect: ${verdict}`);
  const forks = report.forks.map(({ author, sequence }) =>
    `fork: peer ${author.slice(0, 10)} signed two different events as its number ${sequence}`);
  return [...idle, ...forks];
}

/** The verdict on the whole in one sentence. */
export function verdictLine(report) {
  if (report.bad) return `BAD: ${placeWords(report)}${report.bad.message}.`;
  const { room, events, signatureCount } = report.bundle;
  const counts = `${counted(events.length, "event")}, ${counted(signatureCount, "signature")}`;
  return `good. Room ${room.slice(0, 10)}, ${counts}.`;
}

/** All that is told of a file. */
export function reportLines(report, path) {
  const lines = [`${path}: ${verdictLine(report)}`];
  if (report.bad === null) {
    lines.push(...[...roomLines(report), ...findingLines(report)].map(line => `  ${line}`));
    lines.push(...report.notChecked.map(words => `  Not checked: ${words}.`));
  }
  return lines.map(printable);
}
