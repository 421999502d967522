// The options of uPlot for a Chart.

import { make } from "./elements.js";
import { fillCells } from "./heat.js";
import { tick, whole } from "./numbers.js";
import { color, printing } from "./theme.js";

// lineSeries returns the indices of uPlot's series of a line. A line with a band has three series.
export function lineSeries(spec, index) {
  let at = 1; // 0 is x
  for (let i = 0; i < index; i++) at += spec.lines[i].low ? 3 : 1;
  return spec.lines[index].low ? { high: at, low: at + 1, mean: at + 2, all: [at, at + 1, at + 2] } : { mean: at, all: [at] };
}

// lineOf returns the line whose values are uPlot's series i; there is none for the edges of bands.
const lineOf = (spec, i) => spec.lines.find((l, line) => lineSeries(spec, line).mean === i);

// drawnValues returns the values of a line that have a place on its axis. A logarithmic axis has none for 0 and below: the
// line has gaps there, and its band ends beyond the lower edge.
export function drawnValues(spec, index) {
  const { values, low, high } = spec.lines[index];
  if (!spec.log) return { values, low, high };
  const onAxis = (list) => list?.map((v, i) => (values[i] > 0 ? Math.max(v, values[i] / 1e6) : null));
  return { values: onAxis(values), low: onAxis(low), high: onAxis(high) };
}

// plotData returns uPlot's columns.
export function plotData(spec) {
  const columns = [spec.x];
  spec.lines.forEach((_, i) => {
    const { values, low, high } = drawnValues(spec, i);
    columns.push(...(low ? [high, low, values] : [values]));
  });
  return columns;
}

export function plotOptions(chart) {
  const spec = chart.spec;
  const k = printing ? 2 : 1; // paper is finer than a screen; the style sheet halves the size
  const series = [{}];
  const bands = [];
  spec.lines.forEach((l, i) => {
    const at = lineSeries(spec, i);
    const edge = { show: !l.hidden, points: { show: false }, spanGaps: false };
    if (l.low) {
      series.push({ ...edge }, { ...edge, auto: !spec.log });
      bands.push({ series: [at.high, at.low], fill: color(l.color, spec.lines.length > 3 ? 0.12 : 0.18) });
    }
    if (l.over != null) bands.push({ series: [at.mean, lineSeries(spec, l.over).mean], fill: color(l.color, l.fill) });
    series.push({
      ...edge, stroke: color(l.color), width: (l.width ?? 1.75) * k, dash: (l.dash ?? []).map((d) => d * k),
      fill: l.fill && l.over == null ? color(l.color, l.fill) : undefined,
      points: { show: spec.x.length < 3, size: 5 * k, fill: color(l.color) },
    });
  });
  return {
    width: chart.plot.clientWidth * k, height: spec.height * k, series, bands, padding: [20 * k, 26 * k, 0, 0], pxAlign: false,
    legend: { show: false },
    scales: { x: { time: false, distr: spec.logX ? 3 : 1, range: (u, min, max) => xRange(spec, min, max) }, y: { distr: spec.log ? 3 : 1, range: (u, min, max) => yRange(chart, min, max) } },
    focus: { alpha: 0.15 },
    axes: axesOf(spec, k),
    cursor: {
      y: false, drag: { x: true, y: false, dist: 4 },
      points: { show: (u, i) => lineOf(spec, i) && make("div"), size: 8, width: 2, fill: color("--paper"), stroke: (u, i) => lineOf(spec, i) && color(lineOf(spec, i).color) },
      ...(spec.sync && { sync: { key: spec.sync, setSeries: false, scales: ["x", null] } }),
    },
    hooks: {
      drawClear: [(u) => spec.under && fillCells(u, spec.under)],
      drawSeries: [],
      draw: [(u) => drawBurnIn(u, spec, k)],
      setCursor: [(u) => spec.cursor?.(u.cursor.idx ?? null, u)],
      setScale: [(u, key) => key === "x" && chart.u === u && chart.showZoom()],
    },
  };
}

// axesOf returns the axes: rounds below, values on the left.
function axesOf(spec, k) {
  const font = `${12 * k}px ${getComputedStyle(document.body).fontFamily}`;
  const grid = { show: !spec.under, stroke: color("--rule"), width: k };
  const common = { stroke: color("--faded"), font, labelFont: font, gap: 6 * k, grid, ticks: { show: false }, border: { show: false }, filter: (u, list) => list };
  const splits = (u, axis, min, max) => ticks(min, max, axis === 0 ? spec.logX : spec.log, (axis === 0 ? u.bbox.width : u.bbox.height) / devicePixelRatio / k, axis === 0 ? 80 : 40);
  const x = { ...common, splits, label: spec.xLabel, labelSize: 20 * k, size: 30 * k, values: (u, list) => list.map(xTick) };
  const y = { ...common, splits, size: axisWidth, values: (u, list) => yTicks(spec, list, u.scales.y) };
  return [x, y];
}

export const xTick = (v) => (Number.isInteger(v) ? whole(v) : "");
// inDecades reports whether the marks of a logarithmic axis are at powers of ten rather than evenly spaced.
const inDecades = (min, max, logarithmic) => logarithmic && max / min >= 10;

// yTicks returns the texts of marks, with the decimals that tell them apart.
export function yTicks(spec, list, { min, max }) {
  if (spec.tick) return list.map(spec.tick);
  const step = Math.min(...list.slice(1).map((v, i) => v - list[i]));
  return list.map((v) => tick(v, inDecades(min, max, spec.log) || !Number.isFinite(step) ? Math.abs(v) || 1 : step));
}

// ticks returns round values from min to max for an axis of the given length, at about the given distance, both in pixels.
export function ticks(min, max, logarithmic, length, apart) {
  const most = Math.max(Math.floor(length / apart), 2);
  const list = [];
  if (inDecades(min, max, logarithmic)) {
    const decades = Math.log10(max / min);
    const every = Math.ceil(decades / most);
    const within = decades * 3 <= most ? [1, 2, 5] : [1];
    for (let power = Math.floor(Math.log10(min)); power <= Math.log10(max); power++) {
      if (power % every !== 0) continue;
      for (const m of within) {
        const v = Number(`${m}e${power}`);
        if (v >= min * 0.999 && v <= max * 1.001) list.push(v);
      }
    }
    return list;
  }
  const rough = (max - min) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999);
  for (let i = Math.ceil(min / step - 1e-9); i * step <= max + step * 1e-9; i++) list.push(Number((i * step).toPrecision(12)));
  return list;
}

// axisWidth returns the width of the widest label.
function axisWidth(u, values, i) {
  const longest = (values ?? []).reduce((a, b) => (b.length > a.length ? b : a), "");
  u.ctx.save();
  u.ctx.font = u.axes[i].font[0];
  const width = u.ctx.measureText(longest).width / devicePixelRatio;
  u.ctx.restore();
  return Math.ceil(width) + u.axes[i].gap + 4;
}

// xRange returns the range from min to max, or a range around it if it is a single point.
function xRange(spec, min, max) {
  if (min == null) return spec.logX ? [1, 10] : [0, 1];
  return min === max ? (spec.logX ? [min / 2, max * 2] : [min - 0.5, max + 0.5]) : [min, max];
}

// yRange returns the range of all visible values, with zero unless the chart is zoomed or logarithmic. Below a
// logarithmic range, bands are cut off.
function yRange(chart, min, max) {
  const { spec } = chart;
  if (min == null) return spec.log ? [1, 10] : [0, 1];
  if (spec.range) return spec.range;
  if (spec.log) return [min / 1.15, max * 1.15];
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
  u.ctx.strokeStyle = u.ctx.fillStyle = color("--faded");
  u.ctx.lineWidth = ratio;
  u.ctx.setLineDash([2 * ratio, 3 * ratio]);
  u.ctx.beginPath();
  u.ctx.moveTo(x, top);
  u.ctx.lineTo(x, top + height);
  u.ctx.stroke();
  u.ctx.font = `${11 * ratio}px ${getComputedStyle(document.body).fontFamily}`;
  const onLeft = x > left + 0.7 * width;
  u.ctx.textAlign = onLeft ? "right" : "left";
  u.ctx.fillText("burn-in ends", x + (onLeft ? -5 : 5) * ratio, top - 6 * ratio); // above the plot, so that no line crosses it
  u.ctx.restore();
}
