// The choice of policies that are shown in all charts with a line per policy. A policy is hidden in all environments.

import { data } from "./data.js";
import { make, swatch } from "./elements.js";
import { withInterval } from "./numbers.js";
import { keep, view } from "./view.js";

export const hidden = new Set(view.getAll("hide")); // labels
export const legends = []; // functions that update a legend or a chart when policies are hidden

function hide(labels) {
  hidden.clear();
  for (const l of labels) hidden.add(l);
  keep("hide", ...hidden);
  for (const f of legends) f();
}

// policyButton returns a button that hides and shows a policy. While it is pointed at, focus is called with its index.
function policyButton(env, i, focus) {
  const { label } = env.policies[i];
  const b = make("button", { type: "button", className: "policy" }, swatch(env.policies[i]), label);
  b.addEventListener("click", () => hide(hidden.has(label) ? [...hidden].filter((l) => l !== label) : [...hidden, label]));
  for (const [event, at] of [["mouseenter", i], ["focus", i], ["mouseleave", null], ["blur", null]]) b.addEventListener(event, () => focus?.(at));
  const show = () => b.setAttribute("aria-pressed", !hidden.has(label));
  legends.push(show);
  show();
  return b;
}

// plainLegend returns a legend with buttons only.
export function plainLegend(env, box, focus) {
  box.append(...env.policies.map((_, i) => policyButton(env, i, focus)));
}

export const few = 6; // number of policies in short lists, and behind the button "Best 6"

// valueLegend also shows each policy's value at the cursor; it returns a function that sets the values.
export function valueLegend(env, box, focus) {
  const cells = env.policies.map(() => [make("td"), make("td")]);
  const caption = make("caption");
  box.append(make("table", {}, caption,
    make("thead", { className: "unseen" }, make("tr", {}, ...["policy", "mean", "half of the interval"].map((t) => make("th", { scope: "col" }, t)))),
    make("tbody", {}, ...env.policies.map((_, i) => make("tr", {}, make("th", { scope: "row" }, policyButton(env, i, focus)), ...cells[i])))));
  const labels = env.policies.map((p) => p.label);
  const all = (text, without) => {
    const b = make("button", { type: "button" }, text);
    b.addEventListener("click", () => hide(without));
    return b;
  };
  const buttons = [all("Show all", []), all("Hide all", labels)];
  if (labels.length > few) buttons.push(all(`Best ${few}`, labels.slice(few)));
  if (labels.length > 1) box.append(make("div", { className: "all" }, ...buttons));
  return (text, values) => {
    caption.textContent = text;
    values.forEach(([mean, half], i) => {
      [cells[i][0].textContent, cells[i][1].textContent = ""] = mean == null ? ["–"] : withInterval(mean, half, data.digits);
    });
  };
}
