// Regret over rounds.

const axes = data.axes;

// windowOf returns the rounds of a window, also in words, and its middle.
function windowOf(i) {
  const w = axes.windows;
  const first = Math.max(i * w.width - w.offset, 0) + 1;
  const last = Math.min((i + 1) * w.width - w.offset, axes.rounds);
  return { first, last, middle: (first + last) / 2, name: first === last ? `round ${whole.format(first)}` : `rounds ${whole.format(first)} to ${whole.format(last)}` };
}
// windowsFrom are all windows, or those after burn-in.
const windowsFrom = (from) => windowList.filter((w) => from !== "after" || w.first > axes.burnIn);
const windowList = Array.from({ length: axes.windows.n }, (_, i) => windowOf(i));
const windowWords = axes.windows.width === 1 ? "round" : `window of ${axes.windows.width} rounds`;
const xLabel = `Round of ${whole.format(axes.pulls)} pull${axes.pulls === 1 ? "" : "s"}`;

const metricOf = (name) => data.metrics.find((m) => m.name === name);

// regretView returns what the switches select: rounds, also in words, and each policy's mean and half interval.
function regretView({ metric, form, from }) {
  const bands = data.policies.map((p) => p.regret[metric]);
  if (form === "window") {
    const list = windowsFrom(from);
    const cut = (values) => values?.slice(-list.length);
    return {
      x: list.map((w) => w.middle), at: (i) => list[i].name, bands: bands.map((b) => ({ mean: cut(b.window.mean), half: cut(b.window.half) })),
      title: `${metricOf(metric).title} regret a round`, note: `in the mean over each ${windowWords}`,
    };
  }
  const x = from === "after" ? axes.after : axes.all;
  return {
    x, at: (i) => `after round ${whole.format(x[i])}`, bands: bands.map((b) => (from === "after" ? b.after : b.all)),
    title: `Cumulative ${metric} regret`, note: from === "after" ? `from round ${whole.format(axes.burnIn + 1)} on, when burn-in has ended` : "in units of reward",
  };
}

function startRegret() {
  const figure = document.querySelector('[data-chart="regret"]');
  const chart = new Chart(figure);
  const show = valueLegend(document.querySelector('[data-legend="values"]'));
  const form = document.querySelector("#regret form");
  const update = () => {
    const choice = Object.fromEntries(new FormData(form));
    const v = regretView(choice);
    const floor = metricOf(choice.metric).nonNegative ? 0 : -Infinity;
    figure.querySelector("h3").textContent = v.title;
    figure.querySelector("figcaption p").textContent = v.note;
    const values = (i) => {
      i ??= v.x.length - 1;
      show(v.at(i)[0].toUpperCase() + v.at(i).slice(1), v.bands.map((b) => [b.mean[i], b.half?.[i]]));
    };
    chart.show({
      x: v.x, at: v.at, label: v.title, xLabel, height: 420, format: amount, cursor: values,
      burnIn: choice.from === "all" ? axes.burnIn : 0,
      lines: v.bands.map((b, i) => ({
        name: data.policies[i].label, values: b.mean, half: b.half, colour: styleColour(data.policies[i].style), dash: styleDash(data.policies[i].style), hidden: !visible[i],
        low: b.half?.map((h, j) => Math.max(b.mean[j] - h, floor)), high: b.half?.map((h, j) => b.mean[j] + h),
      })),
    });
    values(null);
  };
  followers.push((i, hidden) => chart.hide(i, hidden));
  form.addEventListener("change", update);
  update();
}
