// A Chart is uPlot in a figure: lines with bands, a cursor, zoom by drag, by buttons and by
// keys, and the numbers as a table.
//
// It shows a spec:
//   x         values of the x axis, such as rounds; at(i) returns x[i] in words
//   lines     [{name, values, low, high, color, dash, fill, hidden}]; low and high make a band
//   label     of the chart, for screen readers; height in pixels
//   xLabel    title of the x axis, which logX makes logarithmic; columns.x is the name of x in a saved CSV file
//   format(v) returns a value as text; range has the ends of the y axis, which log makes logarithmic
//   burnIn    the round at which to draw a line, 0 for none
//   under(u, rect) calls rect for every cell of a map beneath the lines
//   cursor(i) is called with the index of the point under the pointer, or null
//   sync      charts with the same name share their cursor and zoom

import { data } from "./data.js";
import { make, say, table } from "./elements.js";
import { withInterval } from "./numbers.js";
import { lineSeries, plotData, plotOptions } from "./plot.js";
import { saveButtons } from "./save.js";
import { charts, printing } from "./theme.js";
import { followTouch } from "./touch.js";
import { keep, view } from "./view.js";

export class Chart {
  // zoomKey, if given, is the name under which the address of the page keeps the visible range.
  constructor(figure, zoomKey) {
    this.figure = figure;
    this.zoomKey = zoomKey;
    this.plot = figure.querySelector(".plot");
    this.plot.tabIndex = 0;
    this.plot.setAttribute("role", "application");
    this.plot.setAttribute("aria-roledescription", "chart");
    this.plot.addEventListener("keydown", (e) => this.key(e));
    this.numbers = figure.querySelector(".numbers");
    this.numbers.addEventListener("toggle", () => this.fillNumbers());
    const button = (text, name, act) => {
      const b = make("button", { type: "button", "aria-label": name, title: name }, text);
      b.addEventListener("click", act);
      return b;
    };
    this.all = button("All", "See all rounds", () => this.reset());
    this.buttons = make("div", { className: "zoom", role: "group", "aria-label": "Zoom" },
      button("−", "Zoom out", () => this.zoom(2)), button("+", "Zoom in", () => this.zoom(0.5)), this.all);
    figure.querySelector("figcaption").append(this.buttons);
    this.numbers.before(saveButtons(this));
    new ResizeObserver(() => this.resize()).observe(this.plot);
    charts.add(this);
  }

  // show shows a spec, or nothing for null.
  show(spec) {
    this.spec = spec;
    this.figure.hidden = !spec;
    this.zoomed = null;
    const [min, max] = (view.get(this.zoomKey ?? "") ?? "").split("-").map(Number);
    if (spec && min < max) this.zoomed = { min, max };
    this.draw();
    this.fillNumbers();
  }

  // draw draws the chart again, in the current colors.
  draw() {
    this.u?.destroy();
    this.u = null;
    if (!this.spec || !this.plot.clientWidth) return; // drawn when it gets a size
    this.plot.setAttribute("aria-label", `${this.spec.label}. Arrow keys move, plus and minus zoom, Escape shows all.`);
    const zoomed = this.zoomed;
    this.width = this.plot.clientWidth;
    this.u = new uPlot(plotOptions(this), plotData(this.spec), this.plot);
    if (zoomed) this.u.setScale("x", zoomed);
    if (!printing) followTouch(this);
  }

  resize() {
    const width = this.plot.clientWidth;
    if (!this.u) this.draw();
    else if (width && width !== this.width) {
      this.width = width;
      if (printing) this.draw();
      else this.u.setSize({ width, height: this.spec.height });
    }
  }

  // focus fades all lines but one; null fades none.
  focus(index) {
    if (this.u) this.u.setSeries(index == null ? null : lineSeries(this.spec, index).mean, { focus: index != null });
  }

  // hide hides a line and its band, or shows them.
  hide(index, hidden) {
    if (!this.spec || Boolean(this.spec.lines[index].hidden) === hidden) return;
    this.spec.lines[index].hidden = hidden;
    const at = lineSeries(this.spec, index);
    if (this.u) for (const i of at.all) this.u.setSeries(i, { show: !hidden });
    this.fillNumbers();
  }

  ends() {
    const x = this.spec.x;
    return [x[0], x[x.length - 1]];
  }

  reset() {
    const [min, max] = this.ends();
    this.u.setScale("x", { min, max });
  }

  // zoom multiplies the width of the visible part, around the cursor.
  zoom(factor) {
    const { min, max } = this.u.scales.x;
    const i = this.u.cursor.idx;
    // On a logarithmic axis distances are ratios.
    const [to, from] = this.spec.logX ? [Math.log, Math.exp] : [(v) => v, (v) => v];
    const middle = i == null ? (to(min) + to(max)) / 2 : to(this.spec.x[i]);
    this.between(from(middle - (middle - to(min)) * factor), from(middle + (to(max) - middle) * factor));
  }

  // between shows x from min to max, as far as there are data. It does nothing if that is fewer than three points.
  between(min, max) {
    const [first, last] = this.ends();
    [min, max] = [Math.max(min, first), Math.min(max, last)];
    if (this.spec.x.filter((x) => x >= min && x <= max).length < 3) return;
    this.u.setScale("x", { min, max });
  }

  showZoom() {
    const { min, max } = this.u.scales.x;
    const [first, last] = this.ends();
    const all = !(min > first || max < last);
    this.zoomed = all ? null : { min, max };
    this.all.disabled = all;
    if (this.zoomKey) keep(this.zoomKey, ...(all ? [] : [[min, max].map((v) => Number(v.toPrecision(7))).join("-")]));
  }

  // move puts the cursor on point i.
  move(i) {
    i = Math.min(Math.max(i, 0), this.spec.x.length - 1);
    const { min, max } = this.u.scales.x;
    const x = this.spec.x[i];
    if (x < min || x > max) this.between(x - (max - min) / 2, x + (max - min) / 2);
    this.u.setCursor({ left: this.u.valToPos(x, "x"), top: this.u.over.clientHeight / 2 });
    say(this.describe(i));
  }

  describe(i) {
    const lines = this.spec.lines.filter((l) => !l.hidden && l.name);
    return `${this.spec.at(i)}: ${lines.map((l) => `${l.name} ${this.cell(l, i)}`).join("; ")}`;
  }

  cell(line, i) {
    const f = this.spec.format;
    if (line.half) return withInterval(line.values[i], line.half[i], data.digits).join(" ");
    if (line.low) return line.values[i] == null ? "–" : `${f(line.values[i])} (${f(line.low[i])} to ${f(line.high[i])})`;
    return f((line.shown ?? line.values)[i]);
  }

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey || !this.u) return;
    const at = this.u.cursor.idx ?? this.spec.x.length - 1;
    const step = e.shiftKey ? 10 : 1;
    const actions = {
      ArrowLeft: () => this.move(at - step), ArrowRight: () => this.move(at + step),
      Home: () => this.move(0), End: () => this.move(this.spec.x.length - 1),
      "+": () => this.zoom(0.5), "=": () => this.zoom(0.5), "-": () => this.zoom(2), "_": () => this.zoom(2),
      Escape: () => this.reset(), 0: () => this.reset(),
    };
    if (!actions[e.key]) return;
    e.preventDefault();
    actions[e.key]();
  }

  // fillNumbers writes the table of the numbers, if it is open.
  fillNumbers() {
    if (!this.spec || !this.numbers.open) return;
    const lines = this.spec.lines.filter((l) => !l.hidden && l.name);
    const n = this.spec.x.length;
    const step = Math.max(Math.ceil(n / 25), 1);
    const rows = [];
    for (let i = (n - 1) % step; i < n; i += step) rows.push([this.spec.at(i), ...lines.map((l) => this.cell(l, i))]);
    this.numbers.querySelector(".scroll").replaceChildren(table(this.spec.label, [this.spec.xLabel, ...lines.map((l) => l.name)], rows));
  }
}
