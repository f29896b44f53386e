// A room as a file that anybody can check: what was signed, from the log (`export` in Docs/SOCKET.md).

import { button, element, keepFile } from "./elements.js";

export class Download {
  /** `act` asks the server for a piece. */
  constructor(act, title = "Download this game") {
    Object.assign(this, { act, code: "", isOn: false });
    this.words = element("p", { role: "status" });
    this.start = button(title, () => this.fetch(), { "data-act": "download" });
    this.place = element("section", { class: "download", "aria-label": "Download" }, this.start,
      element("p", {}, "The file has every signed event. ",
        element("a", { href: "/verify.html", download: "verify.html", "data-act": "verify" },
          "A page that checks such files"), " works from disk, without this server."), this.words);
  }

  /** Asks for all pieces, and gives the file to the browser. */
  async fetch() {
    if (this.isOn) return;
    this.isOn = true;
    const pieces = [];
    let [count, total] = [0, 1];
    while (count < total) {
      const done = await this.act("export", count === 0 ? {} : { from: count });
      if (!done) break;
      const piece = Uint8Array.from(atob(done.content), letter => letter.charCodeAt(0));
      pieces.push(piece);
      [count, total] = [count + piece.length, done.bytes];
      this.words.textContent = `${Math.floor(100 * count / total)} % of ${total} bytes`;
    }
    this.isOn = false;
    if (count < total) this.words.textContent = "";
    else keepFile(`${this.code}.parlor`, pieces);
  }
}
