// The contour's histogram θ: a map over rounds and bins, and a line for one round.

import { amount, whole } from "./numbers.js";
import { blend } from "./theme.js";

const leastTheta = 1e-6; // less is not visible

// heatColor returns a color between the background and the strongest color, by the logarithm of a share.
function heatColor(v) {
  const depth = Math.min(Math.max(1 - Math.log10(Math.max(v, leastTheta)) / Math.log10(leastTheta), 0), 1);
  return blend("--paper", "--heat", depth);
}

// edges returns the midpoints between neighbors, and one beyond each end.
function edges(x) {
  if (x.length === 1) return [x[0] - 0.5, x[0] + 0.5];
  const inner = x.slice(1).map((v, i) => (v + x[i]) / 2);
  return [2 * x[0] - inner[0], ...inner, 2 * x[x.length - 1] - inner[inner.length - 1]];
}

// drawHeat calls rect(x, y, width, height, color) for every cell, in pixels of the canvas.
function drawHeat(u, theta, rect) {
  const x = edges(theta.rounds).map((v) => Math.round(u.valToPos(v, "x", true)));
  const bins = theta.values[0].length;
  const y = Array.from({ length: bins + 1 }, (_, i) => Math.round(u.valToPos(i + 0.5, "y", true)));
  theta.values.forEach((column, i) => column.forEach((v, bin) => {
    rect(x[i], y[bin + 1], x[i + 1] - x[i] + 1, y[bin] - y[bin + 1] + 1, heatColor(v)); // + 1 hides seams
  }));
}

// fillCells fills the cells for which under, a function of a spec, calls rect. It draws inside the plot alone.
export function fillCells(u, under) {
  const { left, top, width, height } = u.bbox;
  u.ctx.save();
  u.ctx.beginPath();
  u.ctx.rect(left, top, width, height);
  u.ctx.clip();
  under(u, (x, y, w, h, fill) => {
    u.ctx.fillStyle = fill;
    u.ctx.fillRect(x, y, w, h);
  });
  u.ctx.restore();
}

// heatSpecs returns the spec of the map of a policy's θ, and shows in thetaChart the round under the pointer.
export function heatSpecs(env, theta, heatReadout, thetaChart) {
  const bins = theta.values[0].length;
  const numbered = Array.from({ length: bins }, (_, i) => i + 1);
  const heaviest = theta.values.map((column) => 1 + column.indexOf(Math.max(...column)));
  const inRound = (i) => {
    const column = theta.values[i];
    return {
      x: numbered, at: (bin) => `bin ${bin + 1}`, label: `θ in round ${whole(theta.rounds[i])}`, xLabel: "Energy bin", height: 240, format: amount, log: true,
      lines: [{ name: "θ", values: column.map((v) => (v >= leastTheta ? v : null)), shown: column, color: "--accent", fill: 0 }],
      title: `θ in round ${whole(theta.rounds[i])}`,
    };
  };
  const show = (i) => {
    const spec = inRound(i);
    thetaChart.figure.querySelector("h3").textContent = spec.title;
    thetaChart.show(spec);
  };
  let shown = theta.rounds.length - 1;
  show(shown);
  return {
    x: theta.rounds, at: (i) => `round ${whole(theta.rounds[i])}`, label: "Histogram of energies by round: the heaviest bin", xLabel: env.xLabel, height: 240, format: amount,
    lines: [{ name: "heaviest bin", values: heaviest, color: "--alert", width: 1.25 }],
    range: [0.5, bins + 0.5], under: (u, rect) => drawHeat(u, theta, rect), sync: null,
    cursor: (i, u) => {
      const at = i ?? theta.rounds.length - 1;
      if (at !== shown) show((shown = at));
      const bin = i == null ? null : Math.round(u.posToVal(u.cursor.top, "y"));
      const v = bin >= 1 && bin <= bins ? theta.values[at][bin - 1] : null;
      heatReadout.textContent = v == null ? "The line is the bin of the largest share." : `Round ${whole(theta.rounds[at])}, bin ${bin}: ${amount(v)}`;
    },
  };
}
