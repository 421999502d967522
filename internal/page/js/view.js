// The view in the address: #section?name=value&…, with the choices that differ from the initial ones.

import { choices } from "./elements.js";

const initial = new Map(); // initial choices of forms
export const view = new URLSearchParams(location.hash.split("?")[1] ?? "");
let section = location.hash.slice(1).split("?")[0];

// keep puts a value, or several, into the address; without any, it removes the name.
export function keep(name, ...values) {
  view.delete(name);
  for (const v of values) view.append(name, v);
  const hash = view.size > 0 ? `#${section}?${view}` : section && `#${section}`;
  history.replaceState(null, "", hash || location.pathname + location.search);
}

// restore sets a form to the view. Values that the view lacks are set to the initial state of the page.
export function restore(form) {
  const changed = new Set();
  for (const [name, value] of Object.entries(initial.get(form))) {
    const wanted = view.has(name) ? view.getAll(name) : [value].flat();
    const controls = Array.from(form.elements).filter((e) => e.name === name && !e.disabled);
    if (controls[0]?.type === "radio" && !controls.some((e) => wanted.includes(e.value))) continue; // no button has the value
    for (const e of controls) {
      const was = [e.checked, e.value].join();
      if (e.type === "checkbox" || e.type === "radio") e.checked = wanted.includes(e.value);
      else if (e.type === "search") e.value = wanted[0];
      else e.value = Array.from(e.options).some((o) => o.value === wanted[0]) ? wanted[0] : value;
      if (was !== [e.checked, e.value].join()) changed.add(e);
    }
  }
  return changed;
}

// keepForm sets a form to the view, and keeps its changes.
export function keepForm(form) {
  initial.set(form, choices(form));
  restore(form);
  form.addEventListener("submit", (e) => e.preventDefault());
  form.addEventListener("change", ({ target: { name } }) => {
    const value = choices(form)[name];
    keep(name, ...(String(value) === String(initial.get(form)[name]) ? [] : [value].flat()));
  });
}

// followLinks keeps the view when a link leads to a section.
export function followLinks() {
  addEventListener("hashchange", () => {
    const [to, values] = location.hash.slice(1).split("?");
    if (values != null && values !== String(view)) return location.reload(); // another view was typed or pasted
    section = to;
    keep("", ...[]);
  });
  if (section && location.hash.includes("?")) document.getElementById(section)?.scrollIntoView({ behavior: "instant" });
}

// goTo scrolls to a section, which the address names from now on.
export function goTo(id) {
  section = id;
  keep("", ...[]);
  document.getElementById(id).scrollIntoView({ behavior: "instant" });
}

// choose shows the elements with the value that a form's first choice selects.
export function choose(form, box) {
  const update = () => {
    const chosen = Object.values(choices(form))[0];
    for (const e of box.querySelectorAll(form.dataset.choose)) e.hidden = Object.values(e.dataset)[0] !== chosen;
  };
  form.addEventListener("change", update);
  update();
}
