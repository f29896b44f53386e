#!/usr/bin/env node
// Checks bundle files with the modules with which the page and verify.html check them (Sources/Web/Page/protocol).

import { webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import { checkFile } from "../Sources/Web/Page/protocol/files.js";
import { networkOf, standardNetwork } from "../Sources/Web/Page/protocol/events.js";
import { printable, reportLines } from "../Sources/Web/Page/protocol/lines.js";

// Older versions of Node have it under this name alone.
globalThis.crypto ??= webcrypto;

const help = `usage: read-log.mjs [--json] [--network NAME] FILE [FILE ...]

Checks files that \`parlor log export\` and \`parlor tournament export\` wrote, in JavaScript and with none of the
program's code: Docs/PROTOCOL.md alone says how. Of a bundle that is false it names the first bad event. Moves and
rounds are checked of all games that Parlor has; of other games it says that they were not. Of a tournament it checks
each room, and says that pairings, words and standings were not checked.

  --json           print one JSON object a room, on a line of its own
  --network NAME   the bundles belong to the network of this name

exit status:
  0   all files are good
  1   a file is bad
  64  wrong arguments
  66  a file is missing or cannot be read (whatever the others are)
  69  no file is bad, and of a tournament something is not proven
`;

function readArguments(words) {
  const options = { isJson: false, network: standardNetwork, paths: [] };
  for (let place = 0; place < words.length; place += 1) {
    const word = words[place];
    if (word === "--json") options.isJson = true;
    else if (word === "--network" && place + 1 < words.length) options.network = networkOf(words[place += 1]);
    else if (word.startsWith("-") && word !== "-") return null;
    else options.paths.push(word);
  }
  return options.paths.length > 0 ? options : null;
}

function statusOf({ bad, reports, notChecked }) {
  if (bad || reports.some(report => report.bad)) return 1;
  return notChecked.length > 0 ? 69 : 0;
}

/** False is worse than not proven, and a file that cannot be read than both. */
function worse(one, two) {
  return [66, 1, 69].find(status => one === status || two === status) ?? 0;
}

function foundLines({ bad, reports, notChecked }, path, isJson) {
  const whole = bad ? { type: "read", path, good: false, reason: bad.message } : null;
  if (isJson) {
    const members = reports.map(report => report.members(path));
    return [...(whole ? [whole] : []), ...members].map(one => JSON.stringify(one));
  }
  return [
    ...(bad ? [printable(`${path}: BAD: ${bad.message}.`)] : []),
    ...reports.flatMap(report => reportLines(report, path)),
    ...notChecked.map(words => `${printable(path)}: not checked: ${words}.`),
  ];
}

async function main(words) {
  if (words.includes("--help")) {
    process.stdout.write(help);
    return 0;
  }
  const options = readArguments(words);
  if (options === null) {
    process.stderr.write("read-log.mjs: it takes files, --json and --network NAME; --help shows more\n");
    return 64;
  }
  let status = 0;
  for (const path of options.paths) {
    let bytes = null;
    try {
      bytes = new Uint8Array(readFileSync(path === "-" ? 0 : path));
    } catch (error) {
      process.stderr.write(`read-log.mjs: ${printable(path)}: ${error.message}\n`);
      status = worse(status, 66);
      continue;
    }
    const found = await checkFile(bytes, { network: options.network });
    status = worse(status, statusOf(found));
    process.stdout.write(`${foundLines(found, path, options.isJson).join("\n")}\n`);
  }
  return status;
}

process.exitCode = await main(process.argv.slice(2));
