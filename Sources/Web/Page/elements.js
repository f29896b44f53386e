// Elements of the page. Texts of others go in as text and never as markup: nothing here reads HTML.

const svgSpace = "http://www.w3.org/2000/svg";

/** Fills an element: attributes by name, `on…` as listeners, and children, which are elements or texts. */
function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    made.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return made;
}

/** Makes an element of HTML. */
export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** Makes an element of SVG. */
export function shape(name, attributes = {}, ...children) {
  return fill(document.createElementNS(svgSpace, name), attributes, children);
}

/** Makes a button. */
export function button(words, press, attributes = {}) {
  return element("button", { type: "button", onclick: press, ...attributes }, words);
}

/** A control with its words in front. */
export function labelled(words, control, note = null) {
  return element("label", {}, element("span", {}, words), control, note && element("small", {}, note));
}

/** A choice among options, each a value or a pair of value and words. */
export function select(name, options, chosen = null) {
  const made = element("select", { name });
  for (const option of options) {
    const [value, words] = Array.isArray(option) ? option : [option, option];
    made.append(element("option", { value, selected: value === chosen }, words));
  }
  return made;
}

/** Puts elements into a place. Where one of them does what the one with the focus did, it gets the focus. */
export function show(place, ...children) {
  const focused = place.contains(document.activeElement) ? keyOf(document.activeElement) : "";
  place.replaceChildren(...children.flat().filter(child => child !== null && child !== undefined && child !== false));
  if (focused !== "") [...place.querySelectorAll("*")].find(made => keyOf(made) === focused)?.focus();
}

/** What tells a control apart from its neighbours: its `data-…` attributes. */
const keyOf = made => Object.entries(made.dataset).flat().join(" ");

/** Gives the browser a file to keep. */
export function keepFile(name, parts) {
  const address = URL.createObjectURL(new Blob(parts, { type: "application/octet-stream" }));
  element("a", { href: address, download: name }).click();
  // The browser has begun to take it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export const byId = id => document.getElementById(id);
