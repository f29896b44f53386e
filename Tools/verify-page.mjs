#!/usr/bin/env node
// Writes the page that checks files of games as one file, which a browser opens from disk: Tools/verify-page.mjs FILE
//
// Browsers load no modules for a page from disk, so they stand in the page itself: each module behind those that it
// imports, without its imports and without the word `export`. No two of them may declare one name.

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const importLines = /^import [^;]* from "(\.[^"]*)";\n/gm;
const declared = /^(?:async )?(?:function|class|const|let) (\w+)/gm;

/** The paths of a module and of all that it imports, each behind those that it imports itself. */
export function modulesOf(path, read, found = []) {
  if (found.includes(path)) return found;
  for (const [, name] of read(path).matchAll(importLines)) {
    const imported = join(dirname(path), name);
    if (!found.includes(imported)) modulesOf(imported, read, found);
  }
  return [...found, path].reduce((all, one) => (all.includes(one) || all.push(one), all), found);
}

/** One script of all modules. */
export function scriptOf(path, read) {
  const names = new Set();
  const parts = modulesOf(path, read).map(module => {
    const text = read(module).replace(importLines, "").replace(/^export /gm, "");
    for (const [, name] of text.matchAll(declared)) {
      if (names.has(name)) throw new Error(`${module} declares ${name}, and another module does so too`);
      names.add(name);
    }
    return text;
  });
  const script = parts.join("\n");
  if (/<\/script|<!--|^import /m.test(script)) throw new Error("a module has what would end a script in a page");
  return script;
}

/** The page with its style and its modules in place of their names. */
export function pageOf(read) {
  const page = read("verify.html");
  return page
    .replace(/<link rel="stylesheet" href="([^"]*)">/g, (_, path) => `<style>\n${read(path)}</style>`)
    .replace(/<script type="module" src="([^"]*)">/, (_, path) => `<script type="module">\n${scriptOf(path, read)}`);
}

const [target, ...more] = process.argv.slice(2);
if (target === undefined || more.length > 0 || target.startsWith("-")) {
  process.stderr.write("Usage: Tools/verify-page.mjs FILE\n");
  process.exitCode = 64;
} else {
  const folder = join(dirname(fileURLToPath(import.meta.url)), "../Sources/Web/Page");
  const page = pageOf(path => readFileSync(join(folder, path), "utf8"));
  try {
    writeFileSync(target, page);
  } catch (error) {
    process.stderr.write(`verify-page.mjs: the page cannot be written: ${error.message}\n`);
    process.exitCode = 73;
  }
}
