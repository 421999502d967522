// Wrong pulls over rounds, with a chart for each arm, and the choice of the policy whose rows are listed.

import { Chart } from "./chart.js";
import { choices, styleColor, styleDash } from "./elements.js";
import { few, hidden, legends, plainLegend } from "./legend.js";
import { amount, whole } from "./numbers.js";
import { windowsFrom } from "./regret.js";

export function startMistakes(env) {
  const box = env.box.querySelector('[data-section="mistakes"]');
  const form = box.querySelector("form");
  const shown = Array.from(box.querySelectorAll('[data-chart="wrong"]'), (figure) => new Chart(figure));
  plainLegend(env, box.querySelector('[data-legend="plain"]'), (i) => shown.forEach((chart) => chart.focus(i)));
  const update = () => {
    const from = choices(form).wrong;
    shown.forEach((chart, arm) => chart.show(wrongSpec(env, arm, from, chart.figure.querySelector(".readout"))));
  };
  legends.push(() => env.policies.forEach((p, i) => shown.forEach((chart) => chart.hide(i, hidden.has(p.label)))));
  form.addEventListener("change", update);
  update();
}

// The lines of many policies cross less in wider windows.
const manyLines = 8;
const wideWindows = 24; // number of the wider windows, about

// widened joins consecutive windows of a list if there are many lines. It returns the wider windows, and a function that
// averages values over them.
function widened(list, lines) {
  const each = lines > manyLines ? Math.max(Math.floor(list.length / wideWindows), 1) : 1;
  const groups = Array.from({ length: Math.ceil(list.length / each) }, (_, i) => list.slice(i * each, (i + 1) * each));
  const length = (w) => w.last - w.first + 1;
  const windows = groups.map((g) => {
    const [first, last] = [g[0].first, g.at(-1).last];
    return { first, last, middle: (first + last) / 2, name: first === last ? g[0].name : `rounds ${whole(first)} to ${whole(last)}` };
  });
  const join = (values) => windows.map((w, i) => groups[i].reduce((sum, part, k) => sum + values[i * each + k] * length(part), 0) / length(w));
  return [windows, join];
}

// wrongSpec returns the chart of the wrong pulls of an arm, a line for each policy.
function wrongSpec(env, arm, from, readout) {
  const narrow = windowsFrom(env, from);
  const [list, join] = widened(narrow, env.policies.length);
  const lines = env.policies.map((p) => ({
    name: p.label, values: join(p.mistakes[arm].slice(-narrow.length)), color: styleColor(p.style), dash: styleDash(p.style), width: 1.5, hidden: hidden.has(p.label),
  }));
  const words = (i) => {
    const shown = lines.filter((l) => !l.hidden).sort((a, b) => b.values[i] - a.values[i]);
    const more = shown.length > few ? ` and ${shown.length - few} with fewer` : "";
    return shown.slice(0, few).map((l) => `${l.name} ${amount(l.values[i])}`).join(", ") + more;
  };
  return {
    x: list.map((w) => w.middle), at: (i) => list[i].name, xLabel: env.xLabel, height: 260, burnIn: from === "all" ? env.axes.burnIn : 0, sync: "mistakes" + env.name,
    label: `${env.armNames[arm]}, wrongly: times a round`, format: amount, lines,
    cursor: (i) => (readout.textContent = i == null ? "Lines: means over seeds." : `${list[i].name}: ${words(i)}`),
  };
}
