// Tables that are sorted by a click on a header, and filtered by the name of a policy.

import { make } from "./elements.js";

const asMade = new WeakMap(); // rows of a table before it was sorted, by its body

// valueOf returns the number with which a text begins, after signs such as < and ~; NaN if there is none.
const valueOf = (text) => Number.parseFloat(text.replaceAll(",", "").replace("−", "-").replace(/^[<>~[\s]+/, ""));

// sortBy sorts the rows of a table by a column: ascending, then descending, then as the page came.
function sortBy(header) {
  const table = header.closest("table");
  const body = table.tBodies[0];
  if (!asMade.has(body)) asMade.set(body, Array.from(body.rows));
  const next = { ascending: "descending", descending: null }[header.getAttribute("aria-sort")];
  const order = next === undefined ? "ascending" : next;
  for (const th of table.tHead.rows[0].cells) th.removeAttribute("aria-sort");
  let rows = asMade.get(body);
  if (order) {
    header.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    const keys = new Map(rows.map((r) => [r, r.cells[header.cellIndex].textContent.trim()]));
    const numeric = rows.some((r) => !Number.isNaN(valueOf(keys.get(r)))) && header.cellIndex > 0;
    rows = rows.toSorted((a, b) => {
      if (!numeric) return sign * keys.get(a).localeCompare(keys.get(b), "en", { numeric: true });
      const [x, y] = [valueOf(keys.get(a)), valueOf(keys.get(b))];
      return Number.isNaN(x) - Number.isNaN(y) || (Number.isNaN(x) ? 0 : sign * (x - y)); // without a number: last
    });
  }
  body.replaceChildren(...rows);
}

// startTables makes the headers of tables buttons.
export function startTables() {
  for (const th of document.querySelectorAll("table.sorts thead th")) {
    if (th.querySelector("a, .unseen") || (th.className === "text" && th.cellIndex === 1)) continue; // pictures, marks
    th.replaceChildren(make("button", { type: "button", className: "sort" }, ...th.childNodes));
  }
  document.addEventListener("click", ({ target }) => {
    const button = target.closest("button.sort");
    if (button) sortBy(button.closest("th"));
  });
}

// filterRows hides the rows of policies whose name lacks what is typed.
export function filterRows(box) {
  const wanted = box.querySelector("input[name=filter]")?.value.trim().toLowerCase() ?? "";
  for (const row of box.querySelectorAll(".finals tbody tr, [data-section=summary] tbody tr, [data-section=comparison] tbody tr")) {
    row.hidden = !(row.querySelector(".name") ?? row.cells[0]).textContent.toLowerCase().includes(wanted);
  }
}

// startFilter keeps the filter fields of an environment equal.
export function startFilter(box) {
  const fields = Array.from(box.querySelectorAll("input[name=filter]"));
  box.addEventListener("input", ({ target }) => {
    if (target.name !== "filter") return;
    for (const f of fields) f.value = target.value;
    filterRows(box);
  });
  filterRows(box);
}
