// Wrong pulls over rounds, a chart for each arm, and the choice of the listed rows.

function startMistakes(env) {
  const box = env.box.querySelector('[data-section="mistakes"]');
  plainLegend(env, box.querySelector('[data-legend="plain"]'));
  const form = box.querySelector("form");
  const shown = Array.from(box.querySelectorAll('[data-chart="wrong"]'), (figure) => new Chart(figure));
  const update = () => {
    const from = choices(form).wrong;
    shown.forEach((chart, arm) => chart.show(wrongSpec(env, arm, from, chart.figure.querySelector(".readout"))));
  };
  legends.push(() => env.policies.forEach((p, i) => shown.forEach((chart) => chart.hide(i, hidden.has(p.label)))));
  form.addEventListener("change", update);
  update();
}

// wrongSpec returns the chart of the wrong pulls of an arm, a line for each policy.
function wrongSpec(env, arm, from, readout) {
  const list = windowsFrom(env, from);
  const lines = env.policies.map((p) => ({
    name: p.label, values: p.mistakes[arm].slice(-list.length), colour: styleColour(p.style), dash: styleDash(p.style), width: 1.5, hidden: hidden.has(p.label),
  }));
  const words = (i) => {
    const shown = lines.filter((l) => !l.hidden).sort((a, b) => b.values[i] - a.values[i]);
    const more = shown.length > few ? ` and ${shown.length - few} with fewer` : "";
    return shown.slice(0, few).map((l) => `${l.name} ${amount(l.values[i])}`).join(", ") + more;
  };
  return {
    x: list.map((w) => w.middle), at: (i) => list[i].name, xLabel: env.xLabel, height: 260, burnIn: from === "all" ? env.axes.burnIn : 0, sync: "mistakes" + env.name,
    label: `${env.armNames[arm]}, wrongly: times a round`, format: amount, lines,
    cursor: (i) => (readout.textContent = i == null ? "Lines: means over seeds." : `${list[i].name}: ${words(i)}`),
  };
}
