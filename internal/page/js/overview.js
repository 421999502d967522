// The final regret of every policy with its interval and its seeds.

import { data } from "./data.js";
import { choices, element, make, swatch } from "./elements.js";
import { amount } from "./numbers.js";
import { ticks, yTicks } from "./plot.js";
import { isChosen, ownChanged, toggle } from "./seeds.js";
import { filterRows } from "./tables.js";

// scaleOf returns the ends of an axis of all values, and a function at from a regret to its position as a percentage of the
// width. choice is "linear" for an axis from 0, "range" for one of the values alone, or "log".
function scaleOf(values, marks, choice) {
  const logarithmic = choice === "log";
  const shown = values.filter((v) => v != null && (!logarithmic || v > 0));
  let [low, high] = [Math.min(...shown), Math.max(...shown)];
  if (shown.length === 0) [low, high] = [1, 10];
  // The axis also includes marks that are not far above the values.
  if (choice !== "range") high = Math.max(high, ...marks.map((m) => m.regret).filter((v) => v <= (logarithmic ? 3 : 1.3) * high));
  if (logarithmic) [low, high] = [low / 1.1, high * 1.1];
  else if (choice === "range") [low, high] = [low - 0.04 * (high - low), high + 0.04 * (high - low)];
  else [low, high] = [Math.min(low, 0), high > 0 ? high * 1.02 : 0];
  if (!(high > low)) high = low + 1;
  const to = logarithmic ? Math.log : (v) => v;
  const at = (v) => (100 * (to(v) - to(low))) / (to(high) - to(low));
  return { low, high, at: (v) => (logarithmic && !(v > 0) ? 0 : Math.round(10 * at(v)) / 10) };
}

const line = (type, x1, x2, y1, y2) => element("line", { class: type, x1: `${x1}%`, x2: `${x2}%`, y1, y2 });

export function startOverview(env) {
  const box = env.box.querySelector('[data-section="overview"]');
  const form = box.querySelector("form");
  const holder = box.querySelector(".finals");
  const draw = () => {
    const choice = choices(form);
    const list = env.policies.map((p, i) => ({ p, i, final: p.final[choice.final] })).sort((a, b) => a.final.interval[0] - b.final.interval[0]);
    const logarithmic = choice.scale === "log";
    const scale = scaleOf(list.flatMap(({ final }) => [...final.interval, ...final.bySeed]), env.marks, choice.scale);
    const wide = Math.max(holder.clientWidth * 0.5, 160);
    const marks = ticks(scale.low, scale.high, logarithmic, wide, 80).map((v) => [v, scale.at(v)]);
    const texts = yTicks({ log: logarithmic }, marks.map(([v]) => v), { min: scale.low, max: scale.high });
    const onAxis = (m) => m.regret <= scale.high && m.regret >= scale.low;
    const grid = () => [...marks.map(([, x]) => line("grid-line", x, x, 0, "100%")),
      ...env.marks.flatMap((m, k) => (onAxis(m) ? [line(`mark-line m${k}`, scale.at(m.regret), scale.at(m.regret), 0, "100%")] : []))];
    const anchor = (x) => (x < 12 ? "start" : x > 88 ? "end" : "middle");
    const axis = element("svg", { class: "final-axis", role: "img", "aria-label": `Axis of cumulative ${choice.final} regret` },
      ...texts.map((t, i) => Object.assign(element("text", { x: `${marks[i][1]}%`, y: 12, "text-anchor": anchor(marks[i][1]) }), { textContent: t })));
    const row = ({ p, i, final }, place) => {
      const [mean, low, high] = final.interval;
      const style = `c${p.style % data.colors}`;
      const svg = element("svg", { class: `final ${style}`, role: "img", "aria-label": `${final.text}; seeds from ${amount(Math.min(...final.bySeed))} to ${amount(Math.max(...final.bySeed))}` }, ...grid());
      if (low != null) svg.append(line("whisker", scale.at(low), scale.at(high), 9, 9), line("whisker", scale.at(low), scale.at(low), 5, 13), line("whisker", scale.at(high), scale.at(high), 5, 13));
      final.bySeed.forEach((v, k) => {
        const title = Object.assign(element("title", {}), { textContent: `${p.label}, seed ${p.seeds[k]}: ${amount(v)}` });
        svg.append(element("circle", { class: isChosen(p.label, p.seeds[k]) ? "seed chosen" : "seed", cx: `${scale.at(v)}%`, cy: 20, r: 2.5, "data-policy": i, "data-seed": k }, title));
      });
      svg.append(element("circle", { class: "mean", cx: `${scale.at(mean)}%`, cy: 9, r: 4.5 }));
      const name = make("button", { type: "button", className: "name", disabled: !env.axes.own, title: "Its seeds' curves", "aria-pressed": isChosen(p.label), "data-policy": i }, swatch(p), p.label);
      const winner = place === 0 && list.length > 1 ? [make("span", { className: "winner", title: "the lowest mean" }, "★", make("span", {}, " lowest"))] : [];
      return make("tr", winner.length > 0 ? { className: "best" } : {}, make("th", { scope: "row" }, make("div", {}, name, ...winner)), make("td", { className: "plot-cell" }, svg), make("td", {}, final.text), make("td", {}, final.percent));
    };
    const header = make("tr", {}, ...["policy", "", `${choice.final} regret`, "% of uniform"].map((t, k) => make("th", { scope: "col" }, ...(k === 1 ? [axis] : [t]))));
    const known = env.marks.map((m, k) => make("span", {}, ...(onAxis(m) ? [element("svg", { class: "key", "aria-hidden": "true" }, line(`mark-line m${k}`, 50, 50, 0, "100%"))] : []),
      `${m.name}: ${m.text}${onAxis(m) ? "" : ", beyond the axis"}`));
    holder.replaceChildren(
      ...(known.length > 0 ? [make("p", { className: "caption" }, ...known)] : []),
      make("table", { "aria-label": `Final ${choice.final} regret by policy` }, make("thead", {}, header), make("tbody", {}, ...list.map(row))));
    filterRows(env.box);
  };
  holder.addEventListener("click", ({ target }) => {
    const of = target.closest("[data-policy]");
    if (!of || !env.axes.own) return;
    const p = env.policies[of.dataset.policy];
    toggle(p.label, of.dataset.seed == null ? undefined : p.seeds[of.dataset.seed]);
    if (of.dataset.seed == null) holder.querySelector(`button[data-policy="${of.dataset.policy}"]`).focus();
  });
  form.addEventListener("change", ({ target }) => target.name !== "filter" && draw());
  ownChanged.push(() => box.isConnected && draw());
  draw();
}
