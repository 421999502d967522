// Elements of the page.

import { data } from "./data.js";

// make returns an element with properties and children. Text is never read as markup.
export function make(tag, properties = {}, ...children) {
  const e = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key in e) e[key] = value;
    else e.setAttribute(key, value);
  }
  e.append(...children);
  return e;
}

// choices returns the selected values of a form by name; for check boxes, a list of the values that are ticked.
export function choices(form) {
  const chosen = {};
  for (const e of form.elements) {
    if (e.type === "checkbox") (chosen[e.name] ??= []).push(...(e.checked ? [e.value] : []));
    else if (e.name && (e.type !== "radio" || e.checked)) chosen[e.name] = e.value;
  }
  return chosen;
}

// element returns an element of SVG with attributes and children.
export function element(tag, attributes, ...children) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

// swatch returns a sample of a policy's line.
export const swatch = ({ style }) =>
  element("svg", { class: `swatch c${style % data.colors} d${style % data.dashes.length}`, "aria-hidden": "true" }, element("path", { d: "M0 4h24" }));

export const styleColor = (style) => `--c${style % data.colors}`;
export const styleDash = (style) => data.dashes[style % data.dashes.length];

// table returns a table of texts; the first cell of a row is its header.
export function table(caption, header, rows) {
  const cells = (tag, list) => make("tr", {}, ...list.map((c, i) => (tag === "th" || i === 0 ? make("th", { scope: tag === "th" ? "col" : "row" }, c) : make("td", {}, c))));
  return make("table", {}, make("caption", {}, caption), make("thead", {}, cells("th", header)), make("tbody", {}, ...rows.map((r) => cells("td", r))));
}

// say announces a text to screen readers.
export const say = (text) => (document.getElementById("say").textContent = text);
