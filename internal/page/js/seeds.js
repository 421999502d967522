// The choice of seeds that have their own curves in the chart of regret: all seeds of a policy, or single ones.

import { keep, view } from "./view.js";

// Names of the chosen curves: "seed:label" for one seed of a policy, and ":label" for all of its seeds.
const chosen = new Set(view.getAll("own"));
export const ownChanged = []; // functions that draw the chosen curves

const nameOf = (label, seed) => (seed == null ? `:${label}` : `${seed}:${label}`);

export const isChosen = (label, seed) => chosen.has(nameOf(label, seed)) || chosen.has(nameOf(label));

// toggle draws or removes the curve of one seed of a policy or, without a seed, the curves of all its seeds.
export function toggle(label, seed) {
  const name = nameOf(label, seed);
  if (!chosen.delete(name)) chosen.add(name);
  keep("own", ...chosen);
  for (const f of ownChanged) f();
}

export function removeAll() {
  chosen.clear();
  keep("own");
  for (const f of ownChanged) f();
}

// ownCurves returns the curves of the chosen seeds at rounds x. If from is "after", they are 0 at the end of burn-in.
export function ownCurves(env, metric, x, from) {
  const places = env.axes.own?.map((i) => env.axes.all[i]);
  if (!places) return [];
  const curves = [];
  env.policies.forEach((p, policy) => p.seeds.forEach((seed, i) => {
    if (!isChosen(p.label, seed)) return;
    const at = (round) => interpolate(places, p.own[metric][i], round);
    const before = from === "after" ? at(env.axes.burnIn) : 0;
    curves.push({ policy, name: `${p.label}, seed ${seed}`, values: x.map((round) => at(round) - before) });
  }));
  return curves;
}

// interpolate returns the value at a place by linear interpolation of values at ascending places; null beyond the last.
export function interpolate(places, values, at) {
  if (at > places.at(-1)) return null;
  let low = 0;
  let high = places.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (places[middle] <= at) low = middle;
    else high = middle;
  }
  const width = places[high] - places[low];
  return width > 0 ? values[low] + ((values[high] - values[low]) * (at - places[low])) / width : values[high];
}
