// Regret over rounds, pulls or gradient steps.

import { Chart } from "./chart.js";
import { data } from "./data.js";
import { choices, make, styleColor, styleDash } from "./elements.js";
import { few, hidden, legends, valueLegend } from "./legend.js";
import { amount, count, whole } from "./numbers.js";
import { interpolate, ownChanged, ownCurves, removeAll } from "./seeds.js";
import { keep } from "./view.js";

// withWindows adds to an environment its windows: their rounds, also in words, and their middles.
export function withWindows(env) {
  const { windows: w, rounds, pulls } = env.axes;
  env.windowList = Array.from({ length: w.n }, (_, i) => {
    const first = Math.max(i * w.width - w.offset, 0) + 1;
    const last = Math.min((i + 1) * w.width - w.offset, rounds);
    return { first, last, middle: (first + last) / 2, name: first === last ? `round ${whole(first)}` : `rounds ${whole(first)} to ${whole(last)}` };
  });
  env.windowWords = w.width === 1 ? "round" : `window of ${w.width} rounds`;
  env.xLabel = `Round of ${count(pulls, "pull")}`;
}

// windowsFrom returns all windows, or those after burn-in.
export const windowsFrom = (env, from) => env.windowList.filter((w) => from !== "after" || w.first > env.axes.burnIn);

// regretView returns what the switches select: rounds, also in words, and each policy's mean and half interval.
function regretView(env, { metric, form, from, smooth }) {
  const { title } = data.metrics.find((m) => m.name === metric);
  const bands = env.policies.map((p) => p.regret[metric]);
  if (form === "window") {
    const list = windowsFrom(env, from);
    const cut = (values) => values?.slice(-list.length);
    const width = Number(smooth);
    const smoothed = width > 1;
    return {
      x: list.map((w) => w.middle), at: (i) => list[i].name, own: [],
      bands: bands.map((b) => ({ mean: smoothed ? smoothOver(list, cut(b.window.mean), width, env.axes.burnIn) : cut(b.window.mean), half: smoothed ? null : cut(b.window.half) })),
      title: `${title} regret a round`, note: `in the mean over each ${env.windowWords}` + (smoothed ? `, smoothed over ${width} of them: without intervals, which hold for single windows` : ""),
    };
  }
  const x = from === "after" ? env.axes.after : env.axes.all;
  return {
    x, at: (i) => `after round ${whole(x[i])}`, own: ownCurves(env, metric, x, from), bands: bands.map((b) => (from === "after" ? b.after : b.all)),
    title: `Cumulative ${metric} regret`, note: from === "after" ? `from round ${whole(env.axes.burnIn + 1)} on, when burn-in has ended` : "in units of reward",
  };
}

// smoothOver returns, for each window, the mean over the given number of windows around it, or fewer at the ends. It does not
// mix windows of burn-in with later ones.
function smoothOver(list, values, width, burnIn) {
  const reach = (width - 1) / 2;
  const length = (w) => w.last - w.first + 1;
  return values.map((_, i) => {
    let [sum, rounds] = [0, 0];
    for (let k = Math.max(i - reach, 0); k <= Math.min(i + reach, list.length - 1); k++) {
      if (list[k].first > burnIn !== list[i].first > burnIn) continue;
      sum += values[k] * length(list[k]);
      rounds += length(list[k]);
    }
    return sum / rounds;
  });
}

// inPulls changes a view from rounds to pulls.
function inPulls(env, v) {
  const x = v.x.map((round) => Math.min(round * env.axes.pulls, env.axes.allPulls));
  return { ...v, x, at: (i) => `after pull ${whole(x[i])}`, xLabel: "Pull", burnIn: env.axes.burnIn * env.axes.pulls };
}

const stepPoints = 400;

// inSteps changes a view from rounds to gradient steps. Policies do different numbers of steps, so that curves are
// interpolated at common points, evenly spaced on the axis. Each ends at the last step of its policy.
function inSteps(env, v, logarithmic) {
  const places = env.policies.map(({ steps: s }) => s && v.x.map((round) => s.each * Math.max(round - s.before, 0)));
  const known = places.filter((p) => p != null);
  const ends = known.map((p) => p.at(-1));
  const least = Math.min(...known.map((p) => p.find((s) => s > 0) ?? Infinity));
  const last = Math.max(...ends);
  const x = Array.from({ length: stepPoints }, (_, i) => {
    const part = i / (stepPoints - 1);
    return logarithmic ? least * (last / least) ** part : last * part;
  });
  x[stepPoints - 1] = last;
  const without = env.policies.filter((p) => !p.steps).map((p) => p.label);
  const along = (place, values) => values && x.map((at) => interpolate(place, values, at));
  return {
    ...v, x, own: [], at: (i) => `after ${count(Math.round(x[i]), "gradient step")}`, xLabel: "Gradient step, of all chains", burnIn: 0,
    note: v.note + (without.length > 0 ? `; not shown, as their gradient steps are none or unknown: ${without.slice(0, few).join(", ")}${without.length > few ? ` and ${without.length - few} more` : ""}` : ""),
    bands: v.bands.map((b, k) => (places[k] ? { mean: along(places[k], b.mean), half: along(places[k], b.half) } : { mean: x.map(() => null), half: null })),
  };
}

// onAxes drops the points that a logarithmic axis has no place for, and says how many policies have such values.
function onAxes(v, log) {
  if (log.includes("x")) {
    const kept = v.x.map((x, i) => (x > 0 ? i : -1)).filter((i) => i >= 0);
    const of = (values) => values && kept.map((i) => values[i]);
    v = { ...v, x: of(v.x), at: ((at) => (i) => at(kept[i]))(v.at), bands: v.bands.map((b) => ({ mean: of(b.mean), half: of(b.half) })), own: v.own.map((o) => ({ ...o, values: of(o.values) })) };
  }
  if (log.includes("y")) {
    const some = v.bands.filter((b) => b.mean.some((m, i) => m != null && m <= 0 && v.x[i] > 0)).length;
    if (some > 0) v = { ...v, note: `${v.note}; values of 0 and below, which ${count(some, "curve")} ${some === 1 ? "has" : "have"}, have no place on a logarithmic axis` };
  }
  return v;
}

export function startRegret(env) {
  const figure = env.box.querySelector('[data-chart="regret"]');
  const chart = new Chart(figure, "zoom");
  const show = valueLegend(env, env.box.querySelector('[data-legend="values"]'), (i) => chart.focus(i));
  const form = env.box.querySelector('[data-section="regret"] form');
  const update = () => {
    const choice = choices(form);
    let v = { xLabel: env.xLabel, burnIn: env.axes.burnIn, ...regretView(env, choice) };
    if (choice.x === "pulls") v = inPulls(env, v);
    if (choice.x === "steps") v = inSteps(env, v, choice.log.includes("x"));
    v = onAxes(v, choice.log);
    form.elements.smooth.disabled = choice.form !== "window";
    remove.hidden = v.own.length === 0;
    const floor = data.metrics.find((m) => m.name === choice.metric).nonNegative ? 0 : -Infinity;
    figure.querySelector("h3").textContent = v.title;
    figure.querySelector("figcaption p").textContent = v.note;
    const values = (i) => {
      i ??= v.x.length - 1;
      show(v.at(i)[0].toUpperCase() + v.at(i).slice(1), v.bands.map((b) => [b.mean[i], b.half?.[i]]));
    };
    const banded = choice.bands === "shown";
    chart.show({
      x: v.x, at: v.at, label: v.title, note: v.note, xLabel: v.xLabel, height: innerWidth < 860 ? 360 : Math.min(Math.max(420, 30 * env.policies.length), 600), format: amount, cursor: values, logX: choice.log.includes("x"), log: choice.log.includes("y"),
      burnIn: choice.from === "all" ? v.burnIn : 0, columns: { x: choice.x === "rounds" ? "round" : choice.x === "pulls" ? "pull" : "gradient_step" },
      lines: v.bands.map((b, i) => ({
        name: env.policies[i].label, values: b.mean, half: b.half, color: styleColor(env.policies[i].style), dash: styleDash(env.policies[i].style), hidden: hidden.has(env.policies[i].label),
        low: banded && b.half ? b.half.map((h, j) => h == null ? null : Math.max(b.mean[j] - h, floor)) : undefined, high: banded && b.half ? b.half.map((h, j) => h == null ? null : b.mean[j] + h) : undefined,
      })).concat(v.own.map((o) => ({ name: o.name, values: o.values, color: styleColor(env.policies[o.policy].style), width: 1 }))),
    });
    values(null);
  };
  const remove = make("button", { type: "button", className: "remove" }, "Remove the curves of seeds");
  remove.addEventListener("click", removeAll);
  form.append(remove);
  ownChanged.push(update);
  legends.push(() => env.policies.forEach((p, i) => chart.hide(i, hidden.has(p.label))));
  form.addEventListener("change", (e) => {
    if (["x", "log", "from", "form"].includes(e.target.name)) keep("zoom"); // the zoom was that of another axis
    update();
  });
  update();
}
