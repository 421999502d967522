// Wrong pulls over rounds, a chart for each arm, and the choice of the listed rows.

function startMistakes() {
  plainLegend(document.querySelector('#mistakes [data-legend="plain"]'));
  const form = document.querySelector("#mistakes form");
  const shown = Array.from(document.querySelectorAll('[data-chart="wrong"]'), (figure) => new Chart(figure));
  const update = () => {
    const from = new FormData(form).get("from");
    shown.forEach((chart, arm) => chart.show(wrongSpec(arm, from, chart.figure.querySelector(".readout"))));
  };
  followers.push((i, hidden) => shown.forEach((chart) => chart.hide(i, hidden)));
  form.addEventListener("change", update);
  update();
  choose("#whose", "rows", "[data-rows]", (e) => e.dataset.rows);
}

// wrongSpec returns the chart of the wrong pulls of an arm, a line for each policy.
function wrongSpec(arm, from, readout) {
  const list = windowsFrom(from);
  const lines = data.policies.map((p, i) => ({
    name: p.label, values: p.mistakes[arm].slice(-list.length), colour: styleColour(p.style), dash: styleDash(p.style), width: 1.5, hidden: !visible[i],
  }));
  const words = (i) => lines.filter((l) => !l.hidden).map((l) => `${l.name} ${amount(l.values[i])}`).join(", ");
  return {
    x: list.map((w) => w.middle), at: (i) => list[i].name, xLabel, height: 260, burnIn: from === "all" ? axes.burnIn : 0, sync: "mistakes",
    label: `${data.armNames[arm]}, wrongly: times a round`, format: amount, lines,
    cursor: (i) => (readout.textContent = i == null ? "Lines: means over seeds." : `${list[i].name}: ${words(i)}`),
  };
}

// choose shows the elements with the value that a form's radio buttons select.
function choose(form, name, elements, valueOf) {
  form = document.querySelector(form);
  if (!form) return;
  const update = () => {
    const chosen = new FormData(form).get(name);
    for (const e of document.querySelectorAll(elements)) e.hidden = valueOf(e) !== chosen;
  };
  form.addEventListener("change", update);
  update();
}
