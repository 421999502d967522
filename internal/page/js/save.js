// Saving the shown figure as SVG or PNG, and its numbers as CSV.

import { data } from "./data.js";
import { make } from "./elements.js";
import { drawnValues, ticks, xTick, yTicks } from "./plot.js";
import { color } from "./theme.js";

// saveButtons returns the buttons of a chart.
export function saveButtons(chart) {
  const button = (kind, about, act) => {
    const b = make("button", { type: "button", "aria-label": `Save ${about}`, title: `Save ${about}` }, kind);
    b.addEventListener("click", act);
    return b;
  };
  return make("div", { className: "save", role: "group", "aria-label": "Save" },
    button("SVG", "the figure as SVG", () => save(chart, "svg", new Blob([svgOf(chart)], { type: "image/svg+xml" }))),
    button("PNG", "the figure as PNG", () => pngOf(chart).then((blob) => save(chart, "png", blob))),
    button("CSV", "the numbers as CSV", () => save(chart, "csv", new Blob([csvOf(chart.spec)], { type: "text/csv" }))));
}

// save gives the browser a file to save. Its name is made of the page's title and the figure's.
function save(chart, ending, blob) {
  const box = chart.figure.closest("[data-environment]").dataset.environment;
  saveAs([box, chart.figure.querySelector("h3").textContent], ending, blob);
}

export function saveAs(parts, ending, blob) {
  const name = [document.querySelector("h1").textContent, ...parts].filter((p) => p).join(" ").replace(/[^\p{L}\p{N}.]+/gu, "-").slice(0, 100);
  const link = make("a", { href: URL.createObjectURL(blob), download: `${name}.${ending}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// csvCell returns a cell that spreadsheets do not take for a formula, as package words does.
function csvCell(v) {
  if (v == null) return "";
  if (typeof v === "number") return Number.isFinite(v) ? String(v) : "";
  const safe = /^[=+\-@\t\r']/.test(v) ? `'${v}` : v;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csv = (rows) => rows.map((r) => r.map(csvCell).join(",")).join("\n") + "\n";

// csvOf returns the shown lines of a spec, a row for each point, with the number of digits that the values have.
function csvOf(spec) {
  const rows = [["line", spec.columns?.x ?? "round", "value", "low", "high", "digits"]];
  for (const l of spec.lines) {
    if (l.hidden) continue;
    const ends = (sign, edge) => (i) => (l.half ? toDigits(l.values[i] + sign * l.half[i]) : edge?.[i]);
    const [low, high] = [ends(-1, l.low), ends(1, l.high)];
    spec.x.forEach((x, i) => l.values[i] != null && rows.push([l.name, x, (l.shown ?? l.values)[i], low(i), high(i), data.digits]));
  }
  return csv(rows);
}

// toDigits removes digits that the page does not have.
const toDigits = (v) => Number(v.toPrecision(data.digits));

const escapeText = (s) => s.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

// wrap breaks a text into lines of about the given number of characters.
function wrap(s, most) {
  const lines = [""];
  for (const word of s.split(" ")) {
    if (lines.at(-1) && lines.at(-1).length + word.length >= most) lines.push("");
    lines[lines.length - 1] += (lines.at(-1) && " ") + word;
  }
  return lines;
}

// svgOf returns a chart as SVG, with its title and a legend.
function svgOf(chart) {
  const { spec, u } = chart;
  const ratio = devicePixelRatio;
  const [left, top, width, height] = [u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height].map((v) => v / ratio);
  const note = wrap(chart.figure.querySelector("figcaption p").textContent, (left + width) / 6);
  const head = 20 + 14 * note.length; // height of the text above the chart
  const row = 18; // height of a row of the legend
  const px = (v) => Math.round(v * 100) / 100;
  const X = (v) => px(left + u.valToPos(v, "x"));
  const Y = (v) => px(top + head + u.valToPos(v, "y"));
  const lines = spec.lines.map((l, i) => ({ ...l, ...drawnValues(spec, i) })).filter((l) => !l.hidden && l.values.some((v) => v != null));
  const named = lines.filter((l) => l.name);
  const total = px(left + width + 26);
  const across = Math.max(Math.floor(total / 210), 1);
  const legendTop = top + head + height + 56;
  const tall = Math.ceil(legendTop + Math.ceil(named.length / across) * row + 6);
  const text = (x, y, s, more = "") => `<text x="${px(x)}" y="${px(y)}" ${more}>${escapeText(s)}</text>`;
  const out = [`<svg xmlns="http://www.w3.org/2000/svg" width="${total}" height="${tall}" viewBox="0 0 ${total} ${tall}" font-family="Liberation Sans, Arial, sans-serif" font-size="12" fill="${color("--faded")}">`,
    `<rect width="${total}" height="${tall}" fill="${color("--paper")}"/>`,
    text(8, 20, chart.figure.querySelector("h3").textContent, `font-size="15" font-weight="bold" fill="${color("--ink")}"`),
    ...note.map((line, i) => text(8, 36 + 14 * i, line)),
    `<clipPath id="area"><rect x="${px(left)}" y="${px(top + head)}" width="${px(width)}" height="${px(height)}"/></clipPath>`];
  const { min: x0, max: x1 } = u.scales.x;
  const { min: y0, max: y1 } = u.scales.y;
  const grid = spec.under ? "none" : color("--rule");
  for (const v of ticks(x0, x1, spec.logX, width, 80)) {
    out.push(`<path d="M${X(v)} ${px(top + head)}v${px(height)}" stroke="${grid}"/>`, text(X(v), top + head + height + 18, xTick(v), 'text-anchor="middle"'));
  }
  const marks = ticks(y0, y1, spec.log, height, 40);
  const texts = yTicks(spec, marks, u.scales.y);
  marks.forEach((v, i) => {
    out.push(`<path d="M${px(left)} ${Y(v)}h${px(width)}" stroke="${grid}"/>`, text(left - 6, Y(v) + 4, texts[i], 'text-anchor="end"'));
  });
  out.push(text(left + width / 2, top + head + height + 38, spec.xLabel, 'text-anchor="middle"'), '<g clip-path="url(#area)" fill="none">');
  spec.under?.(u, (x, y, w, h, fill) => out.push(`<rect x="${px(x / ratio)}" y="${px(y / ratio + head)}" width="${px(w / ratio)}" height="${px(h / ratio)}" fill="${fill}"/>`));
  for (const l of lines) {
    const area = (high, low, opacity) => {
      const at = spec.x.map((_, i) => i).filter((i) => high[i] != null && low[i] != null);
      const edge = (values, list) => list.map((i) => `${X(spec.x[i])} ${Y(values[i])}`).join("L");
      if (at.length > 1) out.push(`<path d="M${edge(high, at)}L${edge(low, at.toReversed())}Z" fill="${color(l.color)}" fill-opacity="${opacity}"/>`);
    };
    if (l.low) area(l.high, l.low, spec.lines.length > 3 ? 0.12 : 0.18);
    if (l.fill) area(l.values, l.over != null ? spec.lines[l.over].values : spec.x.map(() => (spec.log ? y0 : 0)), l.fill);
  }
  for (const l of lines) {
    let path = "";
    l.values.forEach((v, i) => (path += v == null ? "" : `${i > 0 && l.values[i - 1] != null ? "L" : "M"}${X(spec.x[i])} ${Y(v)}`));
    out.push(`<path d="${path}" stroke="${color(l.color)}" stroke-width="${l.width ?? 1.75}" stroke-dasharray="${(l.dash ?? []).join(" ")}"/>`);
  }
  out.push("</g>");
  if (spec.burnIn > x0 && spec.burnIn < x1) {
    const onLeft = u.valToPos(spec.burnIn, "x") > 0.7 * width;
    out.push(`<path d="M${X(spec.burnIn)} ${px(top + head)}v${px(height)}" stroke="${color("--faded")}" stroke-dasharray="2 3"/>`, text(X(spec.burnIn) + (onLeft ? -5 : 5), top + head - 6, "burn-in ends", `font-size="11" text-anchor="${onLeft ? "end" : "start"}"`));
  }
  named.forEach((l, i) => {
    const [x, y] = [8 + (i % across) * ((total - 16) / across), legendTop + Math.floor(i / across) * row];
    out.push(`<path d="M${px(x)} ${px(y - 4)}h24" stroke="${color(l.color)}" stroke-width="2.5" stroke-dasharray="${(l.dash ?? []).join(" ")}"/>`, text(x + 30, y, l.name.length > 28 ? l.name.slice(0, 27) + "…" : l.name, `fill="${color("--ink")}"`));
  });
  return out.join("\n") + "\n</svg>\n";
}

// pngOf returns a chart as PNG, with two pixels per unit of the SVG.
async function pngOf(chart) {
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svgOf(chart));
  await image.decode();
  const canvas = make("canvas", { width: 2 * image.width, height: 2 * image.height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done));
}
