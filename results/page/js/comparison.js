// The comparison with a chosen baseline, as 'banditsim compare --baseline' computes it.

// compareWith returns the differences of all other policies to the baseline, the smallest first, with their p-values.
function compareWith(compared, metric, baseline) {
  const { policies, constants } = compared;
  const base = policies.findIndex((p) => p.label === baseline);
  const regretOf = new Map(policies[base].seeds.map((seed, i) => [seed, policies[base].regret[metric][i]]));
  const differences = [];
  policies.forEach((p, k) => {
    if (k === base) return;
    const values = [];
    const seeds = p.seeds.filter((seed, i) => regretOf.has(seed) && values.push(p.regret[metric][i] - regretOf.get(seed)));
    const flip = compared.signFlip[metric][Math.max(k, base)][Math.min(k, base)] ?? NaN;
    const d = { policy: p, seeds, flip, ...estimate(values, constants.confidence) };
    const [tested, needed] = [d.n >= constants.minSeeds, seedsNeeded(d, constants)];
    differences.push({ ...d, tested, needed: needed && Math.max(needed, constants.minSeeds), p: tested ? d.p : NaN });
  });
  const [p, flip] = [holm(differences.map((d) => d.p)), holm(differences.map((d) => d.flip))];
  differences.forEach((d, i) => Object.assign(d, { holm: p[i], flipHolm: flip[i] }));
  const last = (d) => Number.isNaN(d.mean);
  differences.sort((a, b) => last(a) - last(b) || (last(a) ? 0 : a.mean - b.mean));
  return { baseline: policies[base], differences, tests: differences.filter((d) => !Number.isNaN(d.p)).length };
}

// comparisonCells returns the texts of the rows: the table's columns but the picture, as package report writes them.
function comparisonCells(compared, metric, c) {
  const ranks = (p) => {
    const r = p.ranks[metric];
    if (!r) return ["–", "–", "–"];
    return [fixed(r.mean, 2), `${r.best}/${compared.commonSeeds}`, probability(r.probability)];
  };
  const rows = [[c.baseline.label, "–", "baseline", "–", "–", "–", "–", "–", "", "–", ...ranks(c.baseline)]];
  for (const d of c.differences) {
    const digits = decimalsOf(d.mean, (d.high - d.low) / 2);
    const one = d.n < 2;
    rows.push([d.policy.label, String(d.n), amountTo(d.mean, digits), one ? "–" : `[${amountTo(d.low, digits)}, ${amountTo(d.high, digits)}]`,
      pValue(d.p), pValue(d.flip), pValue(d.holm), pValue(d.flipHolm), one ? "–" : !d.tested ? "?" : d.holm < compared.constants.significance ? "" : "~",
      one ? "–" : d.needed === 0 ? "~" : whole.format(d.needed), ...ranks(d.policy)]);
  }
  return rows;
}

// comparisonCaption returns the lines of a caption that depend on the baseline: the first three, and that of the sign-flip
// test.
function comparisonCaption({ constants }, metric, c) {
  const base = c.baseline.label;
  const most = Math.max(0, ...c.differences.map((d) => d.n));
  return [
    `Cumulative ${metric} regret less that of ${base}, paired by seed: mean, 95 % t-interval`,
    `above 0: ${base} is better; ~: not significant, p (t) not below ${constants.significance}${c.differences.every((d) => d.tested) ? "" : `; ?: under ${constants.minSeeds} pairs, no test`}`,
    c.tests === 0 ? `p: none, as a test needs ${constants.minSeeds} pairs` : `p: two-sided, corrected for ${count(c.tests, "test")} (Holm)`,
    `t: paired t-test; flip: ${most <= constants.maxExactPairs ? "exact sign-flip test" : `sign-flip test, exact up to ${constants.maxExactPairs} seeds, else of ${whole.format(constants.signFlips)} random flips`}`,
  ];
}

// comparisonNotes returns the warnings that the page can tell.
function comparisonNotes(compared, c) {
  const { constants } = compared;
  const notes = [...compared.notes];
  const most = Math.max(0, ...c.differences.map((d) => d.n));
  for (const d of c.differences) {
    const name = d.policy.label;
    if (d.n < 2) notes.push(`warning: ${name}: ${count(d.n, "seed")} in common with ${c.baseline.label}: no interval, need at least 2`);
    else if (d.n < Math.min(most, constants.minSeeds)) notes.push(`warning: ${name}: ${count(d.n, "pair")} settle nothing: need at least ${constants.minSeeds} for a test and for its interval to be trusted`);
    if (d.n > 1 && isPoint(d.mean, d.error)) notes.push(`warning: ${name}: the difference is ${amountTo(d.mean, decimals(d.mean))} on each of ${count(d.n, "seed")}: as it does not vary, its interval is a point`);
  }
  if (most >= 2 && most < constants.minSeeds) notes.push(`warning: ${count(most, "seed")} settle nothing: need at least ${constants.minSeeds} for tests and for intervals to be trusted`);
  const least = (seeds) => Math.min(c.tests * 2 ** (1 - seeds), 1);
  if (most >= constants.minSeeds && least(most) >= constants.significance) {
    let enough = constants.minSeeds;
    while (least(enough) >= constants.significance) enough++;
    notes.push(`warning: the sign-flip test cannot go below p = ${pValue(least(most))} with ${count(most, "seed")} and ${count(c.tests, "test")}: it needs ${enough} seeds`);
  }
  notes.push(...compared.policies.flatMap((p) => p.notes));
  notes.push(`Outliers and skewed differences are named by: banditsim compare DIR --baseline '${c.baseline.label}'`);
  return notes;
}

// comparisonBar returns the picture of a difference, as the template draws it.
function comparisonBar(c, d) {
  const ends = c.differences.flatMap((o) => [o.low, o.mean, o.high]).filter((v) => !Number.isNaN(v));
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  if (low === high || Number.isNaN(d.mean)) return "";
  const at = (v) => Math.round(10 * (6 + (148 * (v - low)) / (high - low))) / 10;
  const svg = element("svg", { class: "interval", viewBox: "0 0 160 16", "aria-hidden": "true" }, element("path", { class: "zero", d: `M${at(0)} 0v16` }));
  if (d.n > 1) svg.append(element("path", { d: `M${at(d.low)} 8H${at(d.high)}M${at(d.low)} 4v8M${at(d.high)} 4v8` }));
  svg.append(element("circle", { cx: at(d.mean), cy: 8, r: 3.5 }));
  return svg;
}

// showComparison fills the table of a metric, of which bars says whether it has pictures.
function showComparison(box, compared, metric, c) {
  const cells = comparisonCells(compared, metric, c);
  const hasBars = box.querySelector("thead tr").childElementCount > cells[0].length;
  const rows = cells.map(([label, ...rest], i) => {
    const { style } = i === 0 ? c.baseline : c.differences[i - 1].policy;
    const bar = hasBars ? [make("td", {}, i === 0 ? "" : comparisonBar(c, c.differences[i - 1]))] : [];
    return make("tr", {}, make("th", { scope: "row" }, ...(style >= 0 ? [swatch({ style })] : []), label), ...bar, ...rest.map((t) => make("td", {}, t)));
  });
  box.querySelector("tbody").replaceChildren(...rows);
  const spans = box.querySelectorAll(".caption span");
  comparisonCaption(compared, metric, c).forEach((line, i) => (spans[i < 3 ? i : 4].textContent = line));
  const notes = comparisonNotes(compared, c).map((n) => make("li", { className: n.startsWith("warning: ") ? "warning" : "" }, n));
  box.querySelector(".notes")?.remove();
  box.append(make("ul", { className: "notes" }, ...notes));
}

// comparisonCSV returns a comparison with all digits.
function comparisonCSV(metric, c) {
  return csv([["policy", "baseline", "metric", "seeds", "difference", "low", "high", "p", "p_holm", "sign_flip_p", "sign_flip_p_holm", "seeds_needed"],
    ...c.differences.map((d) => [d.policy.label, c.baseline.label, metric, d.n, d.mean, d.low, d.high, d.p, d.holm, d.flip, d.flipHolm, d.needed || null])]);
}

function startComparison(env) {
  const box = env.box.querySelector('[data-section="comparison"]');
  const form = box.querySelector("form");
  const tables = Array.from(box.querySelectorAll("[data-compared]"));
  const asMade = tables.map((t) => Array.from(t.childNodes, (n) => n.cloneNode(true)));
  const update = () => {
    const { baseline } = choices(form);
    tables.forEach((table, i) => {
      table.replaceChildren(...asMade[i].map((n) => n.cloneNode(true)));
      if (baseline) showComparison(table, env.compared, table.dataset.compared, compareWith(env.compared, table.dataset.compared, baseline));
    });
  };
  form.addEventListener("change", update);
  update();
  const button = make("button", { type: "button" }, "CSV");
  button.setAttribute("aria-label", "Save the differences as CSV");
  button.addEventListener("click", () => {
    const { compared: metric, baseline } = choices(form);
    const best = baseline || box.querySelector(`[data-compared="${metric}"] tbody th`).textContent;
    saveAs([env.name, metric, "differences to", best], "csv", new Blob([comparisonCSV(metric, compareWith(env.compared, metric, best))], { type: "text/csv" }));
  });
  form.append(button);
}
