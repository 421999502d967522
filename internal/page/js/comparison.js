// The comparison with a chosen baseline. The page has all of its numbers and sentences, as 'banditsim compare --baseline'
// prints them.

import { choices, element, make, swatch } from "./elements.js";
import { amountTo, decimalsOf, pValue, whole } from "./numbers.js";
import { csv, saveAs } from "./save.js";

// withBaseline returns the differences of all other policies to a baseline, the smallest first.
function withBaseline(compared, cells, baseline) {
  const differences = [];
  compared.policies.forEach((policy, i) => {
    if (i === baseline.policy) return;
    const [mean, half] = [baseline.mean[i] ?? NaN, baseline.halfInterval[i] ?? NaN];
    differences.push({
      policy, cells: cells[i], other: baseline.cells?.[i], n: baseline.seeds[i], mean, low: mean - half, high: mean + half, needed: baseline.needed[i],
      p: baseline.p[i], signFlip: baseline.signFlip[i], holm: baseline.holm[i], signFlipHolm: baseline.signFlipHolm[i], mark: baseline.marks[i].trim(),
    });
  });
  const last = (d) => Number.isNaN(d.mean);
  differences.sort((a, b) => last(a) - last(b) || (last(a) ? 0 : a.mean - b.mean));
  const base = baseline.policy;
  return {
    policy: compared.policies[base], cells: cells[base], other: baseline.cells?.[base], caption: baseline.caption, notes: baseline.notes, differences,
  };
}

// comparisonBar returns the picture of a difference, as the template draws it.
function comparisonBar(c, d) {
  const ends = c.differences.flatMap((o) => [o.low, o.mean, o.high]).filter((v) => !Number.isNaN(v));
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  if (low === high || Number.isNaN(d.mean)) return "";
  const at = (v) => Math.round(10 * (6 + (148 * (v - low)) / (high - low))) / 10;
  const svg = element("svg", { class: "interval", viewBox: "0 0 160 16", "aria-hidden": "true" }, element("path", { class: "zero", d: `M${at(0)} 0v16` }));
  if (d.n > 1) svg.append(element("path", { d: `M${at(d.low)} 8H${at(d.high)}M${at(d.low)} 4v8M${at(d.high)} 4v8` }));
  svg.append(element("circle", { cx: at(d.mean), cy: 8, r: 3.5 }));
  return svg;
}

// cellOf returns the text of a difference in a column, as package report writes it.
const cellOf = {
  seeds: (d) => String(d.n),
  difference: (d) => amountTo(d.mean, decimalsOf(d.mean, (d.high - d.low) / 2)),
  interval: (d) => {
    const digits = decimalsOf(d.mean, (d.high - d.low) / 2);
    return Number.isNaN(d.low) ? "–" : `[${amountTo(d.low, digits)}, ${amountTo(d.high, digits)}]`;
  },
  p: (d) => pValue(d.p),
  signFlip: (d) => pValue(d.signFlip),
  holm: (d) => pValue(d.holm),
  signFlipHolm: (d) => pValue(d.signFlipHolm),
  mark: (d) => d.mark,
  needed: (d) => (d.n < 2 ? "–" : d.needed === 0 ? "~" : whole(d.needed)),
};
const cellOfBaseline = { difference: "baseline", mark: "" };

// rowOf returns the texts of a row; the baseline's row has no difference.
function rowOf(columns, { policy, cells, other }, difference) {
  const own = cells.values();
  const others = (other ?? []).values();
  return columns.map((column) => {
    if (column === "policy") return policy.label;
    if (column === "own") return own.next().value;
    if (column === "other") return others.next().value;
    return difference ? cellOf[column](difference) : (cellOfBaseline[column] ?? "–");
  });
}

// showComparison fills the table of a comparison.
function showComparison(box, { columns, texts }, c) {
  const hasBars = box.querySelector("thead tr").childElementCount > columns.length;
  const row = (of, difference) => {
    const [label, ...rest] = rowOf(columns, of, difference);
    const bar = hasBars ? [make("td", {}, difference ? comparisonBar(c, difference) : "")] : [];
    return make("tr", {}, make("th", { scope: "row" }, ...(of.policy.style >= 0 ? [swatch(of.policy)] : []), label), ...bar, ...rest.map((t) => make("td", {}, t)));
  };
  box.querySelector("tbody").replaceChildren(row(c), ...c.differences.map((d) => row(d, d)));
  box.querySelector(".caption").replaceChildren(...c.caption.flatMap((line) => [make("span", {}, texts[line]), " "]));
  const notes = c.notes.map((line) => make("li", { className: texts[line].startsWith("warning: ") ? "warning" : "" }, texts[line]));
  box.querySelector(".notes")?.remove();
  if (notes.length > 0) box.append(make("ul", { className: "notes" }, ...notes));
}

// comparisonCSV returns a comparison as numbers.
function comparisonCSV(metric, c) {
  const end = (v) => Number(v.toPrecision(9)); // without the rounding error of mean ± half
  return csv([["policy", "baseline", "metric", "seeds", "difference", "low", "high", "p", "p_holm", "sign_flip_p", "sign_flip_p_holm", "seeds_needed"],
    ...c.differences.map((d) => [d.policy.label, c.policy.label, metric, d.n, d.mean, end(d.low), end(d.high), d.p, d.holm, d.signFlip, d.signFlipHolm, d.needed || null])]);
}

export function startComparison({ box: environment, name, compared }) {
  const box = environment.querySelector('[data-section="comparison"]');
  const form = box.querySelector("form");
  const tables = Array.from(box.querySelectorAll("[data-compared]"));
  const asMade = tables.map((t) => Array.from(t.childNodes, (n) => n.cloneNode(true)));
  // chosen returns the comparison with the policy of a label or, without one, with the baseline that was picked.
  const chosen = (metric, label) => {
    const { cells, picked, baselines } = compared.metrics[metric];
    const policy = compared.policies.findIndex((p) => p.label === label);
    return withBaseline(compared, cells, policy < 0 ? picked : baselines[policy]);
  };
  const update = () => {
    const { baseline } = choices(form);
    tables.forEach((table, i) => {
      table.replaceChildren(...asMade[i].map((n) => n.cloneNode(true)));
      const c = chosen(table.dataset.compared, baseline);
      if (c.caption) showComparison(table, compared, c);
    });
  };
  form.addEventListener("change", update);
  update();
  const button = make("button", { type: "button" }, "CSV");
  button.setAttribute("aria-label", "Save the differences as CSV");
  button.addEventListener("click", () => {
    const { compared: metric, baseline } = choices(form);
    const c = chosen(metric, baseline);
    saveAs([name, metric, "differences to", c.policy.label], "csv", new Blob([comparisonCSV(metric, c)], { type: "text/csv" }));
  });
  form.append(button);
}
