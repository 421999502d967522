// Numbers and elements.

// fixed returns a number of no sign with so many decimals. Halves are rounded to even, as in the tables: toFixed takes the
// greater.
function fixed(v, digits) {
  const text = Math.abs(v).toFixed(digits);
  const isHalf = (Math.abs(v) * 2 ** (digits + 1)) % 2 === 1;
  return isHalf && text.at(-1) % 2 === 1 ? text.slice(0, -1) + (text.at(-1) - 1) : text;
}

// The formatters that follow are those of package words, by the same table of values: internal/words/testdata/numbers.json.
function amountTo(v, digits) {
  if (v == null || !Number.isFinite(v)) return "–";
  const a = Math.abs(v);
  if (a >= 1e15 || (a !== 0 && a < 1e-9)) return (v < 0 ? "−" : "") + Number(a.toPrecision(4)).toExponential();
  const text = fixed(v, digits);
  if (/^[0.]+$/.test(text)) return "0";
  const [before, ...decimals] = text.split(".");
  return (v < 0 ? "−" : "") + [before.replace(/\d(?=(\d{3})+$)/g, "$&,"), ...decimals].join(".");
}

// exponent returns the power of ten of the first of ten digits of v > 0.
const exponent = (v) => Number(v.toExponential(9).split("e")[1]);

function decimals(v) {
  const a = Math.abs(v);
  return !Number.isFinite(v) || a === 0 || a >= 99.95 ? 0 : Math.min(2 - exponent(a), 12);
}

// amount returns a number as in the tables: "5,012", "12.3", "0.0123".
const amount = (v) => amountTo(v, v == null ? 0 : decimals(v));

// tick returns a mark of an axis on which marks are step apart; on a logarithmic axis step is v.
function tick(v, step) {
  const digits = Math.max(0, -exponent(step));
  return v === 0 ? (0).toFixed(Math.min(digits, 9)) : amountTo(v, digits);
}

// percent returns a percentage.
const percent = (v) => (v == null || !Number.isFinite(v) ? "–" : amountTo(v, 1) + " %");

// isPoint reports whether values of this mean and spread do not vary, but for rounding errors.
const isPoint = (mean, half) => half <= 1e-12 * Math.abs(mean);

// decimalsOf returns as many as two digits of half need.
const decimalsOf = (mean, half) => (half > 0 && Number.isFinite(half) && !isPoint(mean, half) ? Math.min(Math.max(1 - exponent(half), 0), 12) : decimals(mean));

function pValue(p) {
  if (p == null || Number.isNaN(p)) return "–";
  return p < 0.001 ? "< 0.001" : p > 0.999 ? "1" : fixed(p, 3);
}

// probability returns a share of resamples, which is never certain.
function probability(p) {
  if (p == null || Number.isNaN(p)) return "–";
  return p < 0.01 ? "< 0.01" : p > 0.99 ? "> 0.99" : fixed(p, 2);
}

const whole = { format: (v) => amountTo(v, 0) };

// withInterval returns a mean and half of its interval, if any: ["5,012", "± 80"].
function withInterval(mean, half) {
  if (mean == null || half == null || !Number.isFinite(half)) return [amount(mean)];
  const digits = decimalsOf(mean, half);
  return [amountTo(mean, digits), "± " + amountTo(isPoint(mean, half) ? 0 : half, digits)];
}

const count = (n, thing) => `${whole.format(n)} ${thing}${n === 1 ? "" : "s"}`;

const share = (v) => percent(v == null ? v : 100 * v);

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

// choices returns what a form selects, by name; of boxes that are ticked a list.
function choices(form) {
  const chosen = {};
  for (const e of form.elements) {
    if (e.type === "checkbox") (chosen[e.name] ??= []).push(...(e.checked ? [e.value] : []));
    else if (e.name && (e.type !== "radio" || e.checked)) chosen[e.name] = e.value;
  }
  return chosen;
}

// element returns an element of SVG with attributes and children.
function element(tag, attributes, ...children) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

// swatch returns a piece of a policy's line.
const swatch = ({ style }) =>
  element("svg", { class: `swatch c${style % paletteSize} d${style % dashes.length}`, viewBox: "0 0 24 8", "aria-hidden": "true" }, element("path", { d: "M0 4h24" }));

const styleColour = (style) => `--c${style % paletteSize}`;
const styleDash = (style) => dashes[style % dashes.length];

// table returns a table of texts; the first cell of a row is its header.
function table(caption, header, rows) {
  const cells = (tag, list) => make("tr", {}, ...list.map((c, i) => (tag === "th" || i === 0 ? make("th", { scope: tag === "th" ? "col" : "row" }, c) : make("td", {}, c))));
  return make("table", {}, make("caption", {}, caption), make("thead", {}, cells("th", header)), make("tbody", {}, ...rows.map((r) => cells("td", r))));
}

// say announces a text to screen readers.
const say = (text) => (document.getElementById("say").textContent = text);
