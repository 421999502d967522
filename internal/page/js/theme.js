// Light, dark and print. Charts are drawn on canvases, to which style sheets do not apply: they get their
// colors from color() and are drawn again when the theme changes.

export const root = document.documentElement;
export const charts = new Set(); // all charts on the page
const probe = document.body.appendChild(document.createElement("span"));
probe.hidden = true;
let colors = new Map();
export let printing = false;

// channels returns the current red, green and blue of a custom property such as "--ink".
function channels(name) {
  if (!colors.has(name)) {
    probe.style.color = `var(${name})`;
    colors.set(name, getComputedStyle(probe).color.match(/[\d.]+/g).slice(0, 3).map(Number));
  }
  return colors.get(name);
}

export const color = (name, opacity = 1) => `rgb(${channels(name).join(" ")} / ${opacity})`;

// blend returns the color at a part of the way from one to another.
export function blend(from, to, part) {
  const end = channels(to);
  return `rgb(${channels(from).map((c, i) => Math.round(c + (end[i] - c) * part)).join(" ")})`;
}

const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches);

export function startTheme() {
  const button = document.getElementById("theme");
  const show = () => {
    button.textContent = isDark() ? "Light" : "Dark"; // what it changes to
    button.setAttribute("aria-label", `${button.textContent} colors`);
    colors = new Map();
    for (const c of charts) c.draw();
  };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    show();
  });
  prefersDark.addEventListener("change", show);
  const print = (on) => {
    printing = on;
    root.classList.toggle("printing", on); // the layout of paper, which the charts measure
    show();
  };
  addEventListener("beforeprint", () => print(true));
  addEventListener("afterprint", () => print(false));
  show();
}
