// The diagnostics of one policy by round.

import { Chart } from "./chart.js";
import { data } from "./data.js";
import { choices, element, make, styleColor } from "./elements.js";
import { heatSpecs } from "./heat.js";
import { amount, count, share } from "./numbers.js";

export function startSampler(env) {
  const box = env.box.querySelector('[data-section="sampler"]');
  const form = box.querySelector("form");
  const at = (key) => box.querySelector(`[data-chart="${key}"]`);
  const own = env.series; // declared by samplers
  const keys = ["energy", "arms", "multiplier", "ess", "heat", "theta", ...own.map((c) => c.key)];
  const all = Object.fromEntries(keys.map((k) => [k, new Chart(at(k))]));
  const readout = (key) => at(key).querySelector(".readout");
  at("arms").querySelector("figcaption p").append(...env.armNames.flatMap((name, arm) =>
    [arm > 0 ? ", " : ", from below: ", make("span", { className: "arm" }, element("svg", { class: `patch c${(arm + 2) % data.colors}`, "aria-hidden": "true" }, element("path", { d: "M0 6h12" })), name)]));
  const x = env.windowList.map((w) => w.middle);
  const common = { x, at: (i) => env.windowList[i].name, xLabel: env.xLabel, height: 240, burnIn: env.axes.burnIn, sync: "sampler" + env.name };

  // spreadSpec returns the chart of a mean with the lowest and the highest value.
  const spreadSpec = (key, name, s, more) => s && {
    ...common, label: name, format: amount,
    lines: [{ name: "mean", values: s.mean, low: s.low, high: s.high, color: "--accent" }],
    cursor: (i) => (readout(key).textContent = i == null || s.mean[i] == null ? "Line: mean; band: lowest to highest." : `${env.windowList[i].name}: ${amount(s.mean[i])}, from ${amount(s.low[i])} to ${amount(s.high[i])}`),
    ...more,
  };

  const update = () => {
    const p = env.policies.find(({ label }) => label === choices(form).policy);
    const s = p.sampler;
    const seeds = count(p.seeds.length, "seed");
    const over = `over ${seeds}, by ${env.windowWords}.`;
    box.querySelector('[data-sampler="note"]').textContent = s
      ? `${p.label}, ${over} ${seeds === "1 seed" ? "It has" : "Each has"} ${count(s.chains, "chain")}.` + (s.notFinite ? ` ${count(s.notFinite, "value")} were not finite and are left out.` : "")
      : `${p.label}, ${over} ` + (p.steps ? "It has a sampler, but its diagnostics are not in these files: archives of 'banditsim export' leave them out." : "These files have no diagnostics of a sampler: it has none, or an archive left them out.");
    const energy = s?.energy;
    all.energy.show(spreadSpec("energy", "Energy", energy, { log: energy?.low.every((v) => v == null || v > 0) }));
    all.multiplier.show(spreadSpec("multiplier", "Contour multiplier", s?.multiplier));
    all.ess.show(spreadSpec("ess", "Effective sample size", s?.ess, { range: s && [0, s.chains * 1.05] }));
    all.arms.show(armsSpec(env, p, common, readout("arms")));
    all.theta.show(null);
    all.heat.show(s?.theta ? heatSpecs(env, s.theta, readout("heat"), all.theta) : null);
    for (const c of own) all[c.key].show(spreadSpec(c.key, c.title, s?.series?.find((o) => o.name === c.title)?.spread));
    for (const k of keys) all[k].spec?.cursor?.(null);
  };
  form.addEventListener("change", update);
  update();
}

// armsSpec stacks the arms' shares of the pulls.
function armsSpec(env, p, common, readout) {
  let below = common.x.map(() => 0);
  const lines = p.arms.map((shares, arm) => {
    below = below.map((v, i) => v + shares[i]);
    return { name: env.armNames[arm], values: below, shown: shares, color: styleColor(arm + 2), fill: 0.35, over: arm > 0 ? arm - 1 : null };
  });
  const words = (i) => lines.map((l) => `${l.name} ${share(l.shown[i])}`).join(", ");
  return {
    ...common, label: "Arms: share of the pulls, stacked", format: share, range: [0, 1], tick: (v) => Math.round(100 * v) + " %", lines,
    cursor: (i) => (readout.textContent = i == null ? "Means over seeds." : `${env.windowList[i].name}: ${words(i)}`),
  };
}
