// Numbers and elements.

// Halves are rounded to even, as in the tables.
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0, roundingMode: "halfEven" });
const precise = new Intl.NumberFormat("en", { maximumSignificantDigits: 3, roundingMode: "halfEven" });

// amount returns a number as in the tables: "5,012", "12.3", "0.0123".
function amount(v) {
  if (v == null) return "–";
  const a = Math.abs(v);
  if (a !== 0 && a < 1e-4) return v.toExponential(1).replace(".0", "").replace(/-/g, "−");
  return (a >= 99.95 ? whole : precise).format(v).replace("-", "−");
}

// withInterval returns a mean and half of its interval, if any: ["5,012", "± 80"]. The half has at least
// two digits, and the mean as many decimals.
function withInterval(mean, half) {
  if (half == null || !(half > 0)) return [amount(mean)];
  const digits = Math.min(Math.max(1 - Math.floor(Math.log10(half)), 0), 12);
  const f = new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits, roundingMode: "halfEven" });
  return [f.format(mean).replace("-", "−"), "± " + f.format(half)];
}

const share = (v) => (v == null ? "–" : (100 * v).toFixed(1) + " %");

// make returns an element with properties and children. Text is never read as markup.
function make(tag, properties = {}, ...children) {
  const e = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key in e) e[key] = value;
    else e.setAttribute(key, value);
  }
  e.append(...children);
  return e;
}

// swatch returns a piece of a policy's line.
function swatch({ style }) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", `swatch c${style % paletteSize} d${style % dashes.length}`);
  svg.setAttribute("viewBox", "0 0 24 8");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", "M0 4h24");
  svg.append(path);
  return svg;
}

const styleColour = (style) => `--c${style % paletteSize}`;
const styleDash = (style) => dashes[style % dashes.length];

// table returns a table of texts; the first cell of a row is its header.
function table(caption, header, rows) {
  const cells = (tag, list) => make("tr", {}, ...list.map((c, i) => (tag === "th" || i === 0 ? make("th", { scope: tag === "th" ? "col" : "row" }, c) : make("td", {}, c))));
  return make("table", {}, make("caption", {}, caption), make("thead", {}, cells("th", header)), make("tbody", {}, ...rows.map((r) => cells("td", r))));
}

// say announces a text to screen readers.
const say = (text) => (document.getElementById("say").textContent = text);
