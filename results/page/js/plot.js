// The options of uPlot for a Chart.

// lineSeries returns uPlot's series of a line: three for a line with a band.
function lineSeries(spec, index) {
  let at = 1; // 0 is x
  for (let i = 0; i < index; i++) at += spec.lines[i].low ? 3 : 1;
  return spec.lines[index].low ? { high: at, low: at + 1, mean: at + 2, all: [at, at + 1, at + 2] } : { mean: at, all: [at] };
}

// lineOf returns the line whose values are uPlot's series i; there is none for the edges of bands.
const lineOf = (spec, i) => spec.lines.find((l, line) => lineSeries(spec, line).mean === i);

function plotData(spec) {
  const data = [spec.x];
  for (const l of spec.lines) l.low ? data.push(l.high, l.low, l.values) : data.push(l.values);
  return data;
}

function plotOptions(chart) {
  const spec = chart.spec;
  const k = printing ? 2 : 1; // paper is finer than a screen; the style sheet halves the size
  const series = [{}];
  const bands = [];
  spec.lines.forEach((l, i) => {
    const at = lineSeries(spec, i);
    const edge = { show: !l.hidden, points: { show: false }, spanGaps: false };
    if (l.low) {
      series.push({ ...edge }, { ...edge });
      bands.push({ series: [at.high, at.low], fill: colour(l.colour, spec.lines.length > 3 ? 0.12 : 0.18) });
    }
    if (l.over != null) bands.push({ series: [at.mean, lineSeries(spec, l.over).mean], fill: colour(l.colour, l.fill) });
    series.push({
      ...edge, stroke: colour(l.colour), width: (l.width ?? 1.75) * k, dash: (l.dash ?? []).map((d) => d * k),
      fill: l.fill && l.over == null ? colour(l.colour, l.fill) : undefined,
      points: { show: spec.x.length < 3, size: 5 * k, fill: colour(l.colour) },
    });
  });
  return {
    width: chart.plot.clientWidth * k, height: spec.height * k, series, bands, padding: [20 * k, 26 * k, 0, 0], pxAlign: false,
    legend: { show: false },
    scales: { x: { time: false }, y: { distr: spec.log ? 3 : 1, ...(spec.log ? {} : { range: (u, min, max) => yRange(chart, min, max) }) } },
    axes: axesOf(spec, k),
    cursor: {
      y: false, drag: { x: true, y: false, dist: 4 },
      points: { show: (u, i) => lineOf(spec, i) && make("div"), size: 8, width: 2, fill: colour("--paper"), stroke: (u, i) => lineOf(spec, i) && colour(lineOf(spec, i).colour) },
      ...(spec.sync && { sync: { key: spec.sync, setSeries: false, scales: ["x", null] } }),
    },
    hooks: {
      drawClear: [(u) => spec.under?.(u)],
      drawSeries: [],
      draw: [(u) => drawBurnIn(u, spec, k), (u) => spec.over?.(u)],
      setCursor: [(u) => spec.cursor?.(u.cursor.idx ?? null, u)],
      setScale: [(u, key) => key === "x" && chart.u === u && chart.showZoom()],
    },
  };
}

// axesOf returns the axes: rounds below, values on the left.
function axesOf(spec, k) {
  const font = `${12 * k}px ${getComputedStyle(document.body).fontFamily}`;
  const grid = { show: !spec.under, stroke: colour("--rule"), width: k };
  const common = { stroke: colour("--faded"), font, labelFont: font, gap: 6 * k, grid, ticks: { show: false }, border: { show: false } };
  const x = { ...common, label: spec.xLabel, labelSize: 20 * k, size: 30 * k, space: 60 * k, values: (u, list) => list.map((v) => (Number.isInteger(v) ? whole.format(v) : "")) };
  const y = { ...common, size: axisWidth, space: 34 * k, values: (u, list) => list.map((v) => (v == null ? "" : (spec.tick ?? amount)(v))) };
  return [x, spec.log ? { ...y, filter: powersOfTen, grid: { ...grid, filter: powersOfTen } } : y];
}

// powersOfTen are the only marks of a logarithmic axis.
const powersOfTen = (u, list) => list.map((v) => (v != null && Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-9 ? v : null));

// axisWidth returns the width of the widest label.
function axisWidth(u, values, i) {
  const longest = (values ?? []).reduce((a, b) => (b.length > a.length ? b : a), "");
  u.ctx.save();
  u.ctx.font = u.axes[i].font[0];
  const width = u.ctx.measureText(longest).width / devicePixelRatio;
  u.ctx.restore();
  return Math.ceil(width) + u.axes[i].gap + 4;
}

// yRange returns the range of all visible values, with zero unless the chart is zoomed.
function yRange(chart, min, max) {
  if (min == null) return [0, 1];
  if (chart.spec.range) return chart.spec.range;
  if (!chart.zoomed) [min, max] = [Math.min(min, 0), Math.max(max, 0)];
  if (min === max) max = min + 1;
  const room = (max - min) / 30;
  return [min < 0 || (chart.zoomed && min > room) ? min - room : min, max + room];
}

// drawBurnIn draws a line at the end of burn-in, if that is visible.
function drawBurnIn(u, spec, k) {
  if (!spec.burnIn || spec.burnIn <= u.scales.x.min || spec.burnIn >= u.scales.x.max) return;
  const x = Math.round(u.valToPos(spec.burnIn, "x", true));
  const { top, height, left, width } = u.bbox;
  const ratio = devicePixelRatio * k;
  u.ctx.save();
  u.ctx.strokeStyle = u.ctx.fillStyle = colour("--faded");
  u.ctx.lineWidth = ratio;
  u.ctx.setLineDash([2 * ratio, 3 * ratio]);
  u.ctx.beginPath();
  u.ctx.moveTo(x, top);
  u.ctx.lineTo(x, top + height);
  u.ctx.stroke();
  u.ctx.font = `${11 * ratio}px ${getComputedStyle(document.body).fontFamily}`;
  const onLeft = x > left + 0.7 * width; // above the plot, so that no line crosses it
  u.ctx.textAlign = onLeft ? "right" : "left";
  u.ctx.fillText("burn-in ends", x + (onLeft ? -5 : 5) * ratio, top - 6 * ratio);
  u.ctx.restore();
}
