// What the page says of the key of this browser, and how a copy of it is kept and brought.

import { confirmed } from "./dialogue.js";
import { button, byId, element, keepFile, labelled, show } from "./elements.js";

export class KeyPanel {
  /** `restart` makes a new socket, on which the key is shown anew. */
  constructor(own, say, restart) {
    Object.assign(this, { own, say, restart });
    own.ready.then(() => this.update());
  }

  update() {
    const { own } = this;
    const parts = [element("p", { class: own.lost ? "key-lost" : "" }, own.words)];
    if (own.key?.isExportable) {
      parts.push(button("Keep a copy of the key", () => this.keep(), { class: "quiet", "data-act": "keep-key" }));
    }
    if (own.isPossible) {
      const bring = event => this.bring(event.target.files[0]);
      const file = element("input", { type: "file", name: "key", onchange: bring });
      parts.push(element("details", {}, element("summary", {}, "Bring a key from another browser"),
        labelled("The file of the key", file, "it takes the place of this browser's key, whose seats are lost here")));
    }
    show(byId("own-key"), parts);
  }

  async keep() {
    const question = "Who has the copy can sign as you. Two browsers that play with one key at one table sign two"
      + " histories, and lose. Keep a copy?";
    if (await confirmed(question, "Keep it")) keepFile("parlor-own-key.txt", [this.own.key.text]);
  }

  async bring(file) {
    if (!file) return;
    const question = "The seats of this browser's own key are lost here. Take the key of the file in its place?";
    if (this.own.key && !await confirmed(question, "Take it")) return;
    const isTaken = await this.own.bring(await file.text());
    this.say(isTaken ? "" : "That file is no key of a browser.");
    if (isTaken) this.restart();
    this.update();
  }
}
