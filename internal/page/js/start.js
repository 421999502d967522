// Starts all parts of the page. Environments start when they are shown.

import { startComparison } from "./comparison.js";
import { data } from "./data.js";
import { choices } from "./elements.js";
import { startMistakes } from "./mistakes.js";
import { startOverview } from "./overview.js";
import { startRegret, withWindows } from "./regret.js";
import { startSampler } from "./sampler.js";
import { startFilter, startTables } from "./tables.js";
import { root, startTheme } from "./theme.js";
import { choose, followLinks, goTo, keepForm, restore } from "./view.js";

root.classList.add("scripted");
const boxes = Array.from(document.querySelectorAll("[data-environment]"));
const started = new Set();

function startEnvironment(i) {
  if (started.has(i)) return;
  started.add(i);
  const env = { ...data.environments[i], box: boxes[i] };
  withWindows(env);
  for (const form of env.box.querySelectorAll("form")) keepForm(form);
  for (const form of env.box.querySelectorAll("form[data-choose]")) choose(form, form.closest("section"));
  if (env.compared) startComparison(env);
  startFilter(env.box);
  if (env.policies.length === 0) return;
  startOverview(env);
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
  for (const link of document.querySelectorAll("[data-go]")) link.addEventListener("click", (e) => {
    e.preventDefault();
    go(form, link.dataset.go, link.hash.slice(1));
  });
  for (const cell of document.querySelectorAll(".matrix td[class]")) {
    cell.addEventListener("click", () => cell.closest("table").tHead.rows[0].cells[cell.cellIndex].firstElementChild.click());
  }
}

// go shows an environment, scrolled to a section.
function go(form, name, section) {
  const button = Array.from(form.elements).find((e) => e.value === name);
  button.checked = true;
  button.dispatchEvent(new Event("change", { bubbles: true }));
  goTo(section);
}

// startFolds closes the controls on a phone.
function startFolds() {
  const phone = matchMedia("(max-width: 600px)");
  const fold = () => {
    for (const d of document.querySelectorAll("details.fold")) d.open = !phone.matches;
  };
  phone.addEventListener("change", fold);
  fold();
}

function start() {
  for (const form of document.querySelectorAll("#across form")) {
    keepForm(form);
    choose(form, form.parentElement);
  }
  startTables();
  startEnvironments();
  followLinks();
}

startFolds();
startTheme();
// The browser shows the text first, except in a page that loads itself again, which must scroll to where the reader was.
if (root.dataset.reloads) start();
else requestAnimationFrame(() => setTimeout(start));
