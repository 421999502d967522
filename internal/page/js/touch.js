// Touch: one finger moves the cursor, two zoom. Vertical moves still scroll the page.

export function followTouch(chart) {
  const u = chart.u;
  const fingers = new Map();
  let start = null; // values of x under two fingers when the second came down
  const place = (e) => e.clientX - u.over.getBoundingClientRect().left;
  const pair = () => [...fingers.values()].sort((a, b) => a - b);
  u.over.addEventListener("pointerdown", (e) => {
    if (e.pointerType !== "touch") return;
    fingers.set(e.pointerId, place(e));
    if (fingers.size === 2) start = pair().map((p) => u.posToVal(p, "x"));
  });
  u.over.addEventListener("pointermove", (e) => {
    if (!fingers.has(e.pointerId)) return;
    fingers.set(e.pointerId, place(e));
    if (fingers.size === 1) return u.setCursor({ left: place(e), top: 1 });
    // The values under the fingers stay under them.
    const [a, b] = pair();
    if (b - a < 20 || !start) return;
    const scale = (start[1] - start[0]) / (b - a);
    const min = start[0] - a * scale;
    chart.between(min, min + u.over.clientWidth * scale);
  });
  const lift = (e) => {
    fingers.delete(e.pointerId);
    start = null;
  };
  u.over.addEventListener("pointerup", lift);
  u.over.addEventListener("pointercancel", lift);
}
