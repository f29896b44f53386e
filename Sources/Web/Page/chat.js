// The chat of a table. A table tells its lines by author; here they stand in the order in which they came.

import { element, labelled } from "./elements.js";
import { nameOf, plain, seatName } from "./words.js";

export class Chat {
  /** `say` sends a text and fails where it was not taken. */
  constructor(say) {
    this.known = new Map();
    this.lines = element("ol", { class: "chat", "aria-label": "Chat", "aria-live": "polite", tabindex: "0" });
    this.input = element("input", { name: "text", maxlength: 500, autocomplete: "off", enterkeyhint: "send" });
    this.form = element("form", { class: "row", onsubmit: event => this.submit(event, say) },
      labelled("Say", this.input), element("button", {}, "Send"));
    this.place = element("section", { class: "talk", "aria-label": "Talk" },
      element("h3", {}, "Chat"), this.lines, this.form);
  }

  async submit(event, say) {
    event.preventDefault();
    const text = this.input.value.trim();
    if (text === "") return;
    this.input.value = "";
    if (!await say(text) && this.input.value === "") this.input.value = text;
  }

  update(table) {
    this.form.hidden = !table.may.includes("say");
    const isAtEnd = this.lines.scrollHeight - this.lines.scrollTop - this.lines.clientHeight < 40;
    for (const line of table.chat) {
      if (this.known.has(line.event)) continue;
      const item = element("li", {},
        element("b", {}, authorName(table, line.peer)), " ", element("span", {}, plain(line.text)));
      this.known.set(line.event, item);
      this.lines.append(item);
    }
    const there = new Set(table.chat.map(line => line.event));
    for (const [event, item] of this.known) {
      if (there.has(event)) continue;
      item.remove();
      this.known.delete(event);
    }
    if (isAtEnd) this.lines.scrollTop = this.lines.scrollHeight;
  }
}

function authorName(table, peer) {
  const seat = table.seats.findIndex(taken => taken.peer === peer);
  if (seat >= 0) return seatName(table, seat + 1);
  const player = table.hosted?.players.find(one => one.peer === peer);
  if (player) return nameOf(player.name);
  return peer === table.creator.peer ? nameOf(table.creator.name) : `peer ${peer.slice(0, 6)}`;
}
