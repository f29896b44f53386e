// The page: joins the connection, the lobby and the tables. Where one is stands behind the # of the address.

import { Connection, Refused } from "./connection.js";
import { button, byId, element, show } from "./elements.js";
import { newPayload } from "./hosting.js";
import { profileOf } from "./key.js";
import { KeyPanel } from "./keypanel.js";
import { identity } from "./identity.js";
import { introduction, Lobby } from "./lobby.js";
import { Own } from "./own.js";
import { TableView } from "./table.js";
import { TournamentView } from "./tournament.js";
import { nameOf } from "./words.js";

identity.takeToken();

const main = byId("main");
let me = null;
/** The table or tournament that is open: what the address calls it, its room and its view. */
let current = null;
/** The tournament in which this person plays, also at its tables: its room and code, and the tables it has opened. */
let cup = null;

const connection = new Connection(greet, tell, note);
const own = new Own(askNow, say);
const keyPanel = new KeyPanel(own, say, () => connection.restart());
const lobby = new Lobby(ask, go, room => own.rooms.has(room), hostWithKey);

/** Asks also while the page says hello. */
function askNow(type, members) {
  return connection.socket?.readyState === WebSocket.OPEN ? connection.request(type, members)
    : connection.ask(type, members);
}

/** Says hello on a new socket, and takes up again what was open. */
async function greet(request) {
  try {
    me = await request("hello", identity.hello);
  } catch (error) {
    await greetAnew(request, error);
  }
  if (me.secret) identity.secret = me.secret;
  own.profile = profileOf(identity.name ?? "", identity.emoji);
  await own.prove(request).catch(error => say(error.message));
  showPerson();
  const { games } = await request("games");
  lobby.setGames(games, me.owner);
  const lists = await request("list", { follow: true });
  lobby.update(lists.tables, lists.tournaments);
  if (current) await watch(request);
  if (cup && current?.room !== cup.room) await request("watch", { room: cup.room });
}

/** What this browser knew the server does not: a new seat is taken, and the loss is said. */
async function greetAnew(request, error) {
  if (!(error instanceof Refused) || (!identity.token && !identity.secret)) throw error;
  if (identity.token) identity.token = null;
  else identity.secret = null;
  me = await request("hello", identity.hello);
  say(`${error.message} You have a new seat now.`);
}

async function watch(request) {
  const table = current;
  try {
    const done = await request("watch", { room: table.name });
    table.room = done.room;
    table.view.code = done.code;
    if (own.key && own.rooms.has(done.room)) return void await openWithKey(table);
    if (table.latest?.room === done.room) table.view.update(table.latest);
    else if (cup?.room === done.room && cup.latest) showTournament(cup.latest);
  } catch (error) {
    if (current === table) say(error.message);
  }
}

/** Opens a table with the key of this browser: from now on its own check says what is shown. */
async function openWithKey(table) {
  await own.open(table.room, shown => {
    if (current !== table) return;
    table.latest = shown;
    table.view.update(shown);
  });
  keyPanel.update();
}

/** Takes a seat with the key of this browser, which is made where there is none. */
async function joinWithKey(table, members) {
  try {
    await openWithKey(table);
    await own.table.act("join", members);
    say("");
  } catch (error) {
    say(error.message);
  }
  return null;
}

/** Opens a table with the key of this browser. */
async function hostWithKey(members, listed) {
  try {
    go(await own.create(newPayload(members, listed, own.profile), members.bot));
  } catch (error) {
    say(error.message);
  }
}

/** What comes unasked. */
function tell(message) {
  if (own.receive(message)) return;
  if (message.type === "tables") lobby.update(message.tables, message.tournaments);
  if (message.type === "tournament") showTournament(message.tournament);
  if (message.type !== "table" || !current) return;
  current.latest = message.table;
  if (message.table.room === current.room) current.view.update(message.table);
}

/** A tournament has changed: it is shown where it is open, and who plays in it comes to the next table. */
function showTournament(tournament) {
  if (current && tournament.room === current.room) {
    if (!(current.view instanceof TournamentView)) {
      current.view = new TournamentView(actAt(current));
      current.view.code = tournament.code;
      show(main, current.view.place);
    }
    current.view.update(tournament);
    const plays = tournament.entrant !== null && tournament.phase !== "finished";
    if (plays) cup ??= { room: tournament.room, code: tournament.code, tables: new Set() };
  }
  if (cup?.room !== tournament.room) return;
  cup.latest = tournament;
  const table = tournament.next?.table;
  if (!table || table.phase !== "playing" || cup.tables.has(table.code)) return;
  cup.tables.add(table.code);
  go(table.code);
}

/** Whoever goes elsewhere than to the tables of a tournament is led to none any more. */
function leaveCup(name) {
  if (!cup || name === cup.code || cup.tables.has(name)) return;
  if (current?.room !== cup.room) connection.ask("unwatch", { room: cup.room }).catch(() => {});
  cup = null;
}

/** What asks the server for something at a table. */
const actAt = table => (type, members = {}) => {
  if (type === "join-key") return joinWithKey(table, members);
  const seat = own.table?.room === table.room ? own.table : null;
  const opens = seat && ["rematch", "branch"].includes(type);
  if (seat?.takes(type) || opens) {
    const done = opens ? own[type](members).then(code => ({ code })) : seat.act(type, members);
    return done.catch(error => {
      say(error.message);
      return null;
    });
  }
  // A friend must see the table by its code.
  if (type === "branch" && !members.bot) members.scope = me.owner ? "public" : "local";
  return ask(type, { room: table.room ?? table.name, ...members });
};

/** Says how the connection stands. */
function note(state, words = "", seconds = 0) {
  const told = {
    connecting: "Connecting …",
    connected: "Connected",
    lost: `Not connected: the next try is in ${seconds} s. ${words}`.trim(),
    refused: `The server refused: ${words}`,
  };
  byId("connection").textContent = told[state];
  document.body.dataset.connection = state;
}

/** Asks for something; a refusal is said in words. */
async function ask(type, members = {}) {
  try {
    const done = await connection.ask(type, members);
    say("");
    return done;
  } catch (error) {
    say(error.message);
    return null;
  }
}

function say(words) {
  byId("news").textContent = words;
  byId("news").hidden = words === "";
}

function go(code) { location.hash = `#${code}`; }

function showPerson() {
  const rename = () => {
    show(main, introduction(() => {
      showPlace();
      connection.restart();
    }));
  };
  const words = me.owner ? "the owner of this server" : nameOf(me.name, identity.emoji);
  show(byId("person"), `You are ${words}. `, button("Change name", rename, { class: "quiet" }));
  byId("trust").textContent = me.owner ? "The key of your seat is the server's own."
    : "The key of your seat as a guest is kept by the server, which could sign moves for you: play where you trust it.";
  keyPanel.update();
}

/** Shows what the address names: the lobby, or a table. */
function showPlace() {
  if (identity.takeToken()) connection.restart();
  leaveCup((/^#([0-9A-Za-z]+)/.exec(location.hash)?.[1] ?? "").toUpperCase());
  if (current && (!cup || current.room !== cup.room)) {
    connection.ask("unwatch", { room: current.room ?? current.name }).catch(() => {});
  }
  current = null;
  own.close();
  document.title = "Parlor";
  say("");
  if (identity.name === null) return show(main, introduction(arrive));
  // A table, and perhaps a position of its game: #CODE, #CODE@PLY, #CODE@GAME.PLY.
  const place = /^#([0-9A-Za-z]+)(?:@(?:(\d{1,3})\.)?(\d{1,5}))?$/.exec(location.hash);
  if (!place) {
    show(main, lobby.place);
    return undefined;
  }
  const [, name, number, ply] = place;
  const table = { name, room: null, latest: null };
  table.view = new TableView(actAt(table), go);
  if (ply !== undefined) table.view.replay.open(number === undefined ? null : Number(number), Number(ply));
  current = table;
  show(main, table.view.place);
  table.view.title.textContent = name;
  table.view.title.focus();
  if (cup?.tables.has(name.toUpperCase())) {
    table.view.title.after(element("p", {}, element("a", { href: `#${cup.code}`, "data-act": "tournament" },
      "Back to the tournament")));
  }
  if (connection.isGreeted) watch((type, members) => connection.ask(type, members));
  return undefined;
}

function arrive() {
  showPlace();
  connection.open();
}

addEventListener("hashchange", showPlace);
byId("home").addEventListener("click", event => {
  event.preventDefault();
  location.hash = "";
});
showPlace();
if (identity.name !== null) connection.open();
else byId("connection").textContent = "";
