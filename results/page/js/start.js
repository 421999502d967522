// Starts all parts of the page. Environments start when they are shown.

import { startComparison } from "./comparison.js";
import { data } from "./data.js";
import { choices } from "./elements.js";
import { startMistakes } from "./mistakes.js";
import { startRegret, withWindows } from "./regret.js";
import { startSampler } from "./sampler.js";
import { root, startTheme } from "./theme.js";
import { choose, followLinks, keepForm, restore } from "./view.js";

root.classList.add("scripted");
const boxes = Array.from(document.querySelectorAll("[data-environment]"));
const started = new Set();

function startEnvironment(i) {
  if (started.has(i)) return;
  started.add(i);
  const env = { ...data.environments[i], box: boxes[i] };
  withWindows(env);
  for (const form of env.box.querySelectorAll("form")) keepForm(form);
  for (const form of env.box.querySelectorAll("form[data-choose]")) choose(form, form.parentElement);
  if (env.compared) startComparison(env);
  if (env.policies.length === 0) return;
  startRegret(env);
  startSampler(env);
  startMistakes(env);
}

// startEnvironments shows the environment that is chosen, and leads the links above to its sections.
function startEnvironments() {
  const form = document.getElementById("environments");
  if (!form) return startEnvironment(0);
  keepForm(form);
  const update = () => {
    const chosen = choices(form).environment;
    boxes.forEach((box, i) => {
      box.hidden = box.dataset.environment !== chosen;
      if (box.hidden) return;
      if (started.has(i)) for (const f of box.querySelectorAll("form")) for (const e of restore(f)) e.dispatchEvent(new Event("change", { bubbles: true }));
      startEnvironment(i);
      for (const link of document.querySelectorAll("nav a")) {
        const name = link.hash.slice(1).replace(/-\d+$/, "");
        link.setAttribute("href", `#${name}${i > 0 ? `-${i + 1}` : ""}`);
      }
    });
  };
  form.addEventListener("change", update);
  update();
}

for (const form of document.querySelectorAll("#across form")) {
  keepForm(form);
  choose(form, form.parentElement);
}
startEnvironments();
startTheme();
followLinks();
