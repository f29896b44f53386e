// Who sits at this browser. A guest's secret, name and emoji stay in the browser; the owner's token stays for this tab.

/** Storage that a browser may refuse: then nothing is kept. */
function stored(storage, name) {
  try { return window[storage].getItem(name); } catch { return null; }
}

function store(storage, name, value) {
  try {
    if (value === null) window[storage].removeItem(name);
    else window[storage].setItem(name, value);
  } catch { /* Nothing is kept, and the seat is lost with the tab. */ }
}

export const identity = {
  get name() { return stored("localStorage", "parlor.name"); },
  get emoji() { return stored("localStorage", "parlor.emoji") ?? ""; },
  get secret() { return stored("localStorage", "parlor.secret"); },
  set secret(value) { store("localStorage", "parlor.secret", value); },
  get token() { return stored("sessionStorage", "parlor.token"); },
  set token(value) { store("sessionStorage", "parlor.token", value); },

  introduce(name, emoji) {
    store("localStorage", "parlor.name", name);
    store("localStorage", "parlor.emoji", emoji);
  },

  /** Takes the owner's token out of the address, where others could read it, and says whether there was one. */
  takeToken() {
    const found = /^#token=([0-9a-fA-F]{32})$/.exec(location.hash);
    if (!found) return false;
    this.token = found[1];
    history.replaceState(null, "", location.pathname);
    return true;
  },

  /** What hello says. */
  get hello() {
    const members = {};
    if (this.name) members.name = this.name;
    if (this.emoji) members.emoji = this.emoji;
    if (this.token) members.token = this.token;
    else if (this.secret) members.secret = this.secret;
    return members;
  },
};

/** Whether a name says that a server keeps the key of who has it. */
export const isKept = name => /^Guest [0-9a-f]{12}/.test(name ?? "");

/** The names that others have, without what the server adds to a guest's: `Guest 5e7a63c17860 (Bo)@942cdc7417`. */
export function shortName(name) {
  const guest = /^Guest ([0-9a-f]{12})(?: \((.*)\))?(?:@[0-9a-f]+)?$/s.exec(name ?? "");
  if (!guest) return name ?? "";
  return guest[2] ? guest[2] : `Guest ${guest[1].slice(0, 4)}`;
}
