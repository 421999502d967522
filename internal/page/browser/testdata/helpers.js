// Functions that the scripts of tests call.
Object.assign(window, {
  all: (selector) => [...document.querySelectorAll(selector)],
  text: (selector) => document.querySelector(selector).textContent,
  texts: (selector) => all(selector).map((e) => e.textContent),
  attribute: (selector, name) => document.querySelector(selector).getAttribute(name) ?? "",
  visible: (selector) => all(selector).filter((e) => e.offsetHeight > 0),
  // The first cells of the rows that are not hidden.
  names: (rows) => all(rows).filter((r) => !r.hidden).map((r) => r.cells[0].textContent),
  // The environments that are shown.
  environments: () => all("[data-environment]:not([hidden])").map((e) => e.dataset.environment),
  // Whether each policy's button is pressed.
  pressed: () => all(".policy").map((e) => e.getAttribute("aria-pressed")),
  // The focused element.
  focused: () => ((e) => e.className || e.id || e.name || e.tagName)(document.activeElement),
  topOf: (selector) => document.querySelector(selector).getBoundingClientRect().top,
  // How much wider the page is than the window.
  excess: () => document.documentElement.scrollWidth - innerWidth,
  // The picture of a chart as a data URL.
  picture: (chart) => document.querySelector(`[data-chart="${chart}"] canvas`).toDataURL(),
  // Whether the chart of regret shows all rounds, without zoom.
  whole: () => document.querySelector('[data-chart="regret"] .zoom button:nth-child(3)').disabled,
  // The colors of the pixels of a canvas. It reads a copy, because the page's own canvases are not made for reading.
  data: (canvas) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    return copy.getImageData(0, 0, canvas.width, canvas.height).data;
  },
  // The number of charts, and which charts are nearly blank or nearly full.
  drawn: () => {
    const wrong = all("canvas").map((c) => {
      const p = data(c);
      let n = 0;
      for (let i = 3; i < p.length; i += 4) n += p[i] > 0;
      return (400 * n) / p.length;
    }).flatMap((percent, i) => (percent < 1 || percent > 99 ? [`chart ${i}: ${percent} %`] : []));
    return [`${all("canvas").length} charts`, ...wrong];
  },
  // The number of pixels of the chart of regret that have about the color of the line in a row of its legend.
  pixels: (row) => {
    const want = getComputedStyle(document.querySelector(`.legend tbody tr:nth-child(${row}) .swatch`)).stroke.match(/\d+/g).map(Number);
    const p = data(document.querySelector('[data-chart="regret"] canvas'));
    let n = 0;
    for (let i = 0; i < p.length; i += 4) n += p[i + 3] > 100 && want.every((v, k) => Math.abs(v - p[i + k]) < 30);
    return n;
  },
  // The names of curves of single seeds in the chart of regret.
  seeds: async () => {
    document.querySelector('[data-chart="regret"] .numbers').open = true;
    await new Promise((done) => setTimeout(done, 50));
    return texts('[data-chart="regret"] .numbers thead th').slice(4);
  },
  // The horizontal positions of the means in the overview.
  places: () => all(".finals .mean").map((c) => parseFloat(c.getAttribute("cx"))),
  filter: (selector, by) => {
    const box = document.querySelector(selector);
    box.value = by;
    box.dispatchEvent(new Event("input", { bubbles: true }));
  },
});
