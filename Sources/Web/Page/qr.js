// A link as a code that cameras read: the server makes its modules (`qr` in Docs/SOCKET.md), and here they are drawn.

import { button, element, shape, show } from "./elements.js";

/** Light modules around the code, without which it is not read. */
const margin = 4;

export class QRCode {
  /** `act` asks the server for the modules of a text. */
  constructor(act) {
    Object.assign(this, { act, address: "", shown: "" });
    this.picture = element("div", { class: "qr" });
    this.press = button("Show a code for cameras", () => this.toggle(), { class: "quiet", "data-act": "qr" });
    this.press.setAttribute("aria-expanded", "false");
    this.place = element("div", {}, this.press, this.picture);
  }

  /** The address that the code leads to. */
  set link(address) {
    if (address === this.address) return;
    this.address = address;
    if (this.shown !== "") this.draw();
  }

  toggle() {
    if (this.shown === "") return this.draw();
    this.shown = "";
    this.press.setAttribute("aria-expanded", "false");
    return show(this.picture);
  }

  async draw() {
    const { address } = this;
    const done = await this.act("qr", { room: undefined, text: address });
    if (!done || address !== this.address) return;
    this.shown = address;
    this.press.setAttribute("aria-expanded", "true");
    const size = done.rows.length + 2 * margin;
    const dark = done.rows.flatMap((row, y) => [...row].map((module, x) => (
      module === "1" ? `M${x + margin} ${y + margin}h1v1h-1z` : "")));
    const attributes = { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": `A code of ${address}` };
    show(this.picture, shape("svg", attributes, shape("rect", { class: "light", width: size, height: size }),
      shape("path", { class: "dark", d: dark.join("") })));
  }
}
