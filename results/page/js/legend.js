// Which policies are shown, in all charts that have a line for each.

const visible = data.policies.map(() => true);
const legends = []; // functions that update a legend
const followers = []; // functions that hide policy i in a chart, or show it

function setVisible(i, on) {
  visible[i] = on;
  for (const f of followers) f(i, !on);
  for (const f of legends) f();
}

// policyButton returns a button that hides and shows a policy.
function policyButton(i) {
  const b = make("button", { type: "button", className: "policy", "aria-pressed": "true" }, swatch(data.policies[i]), data.policies[i].label);
  b.addEventListener("click", () => setVisible(i, !visible[i]));
  legends.push(() => b.setAttribute("aria-pressed", visible[i]));
  return b;
}

// plainLegend has buttons alone.
function plainLegend(box) {
  box.append(...data.policies.map((_, i) => policyButton(i)));
}

// valueLegend has each policy's value at the cursor too; it returns a function that sets the values.
function valueLegend(box) {
  const cells = data.policies.map(() => [make("td"), make("td")]);
  const caption = make("caption");
  box.append(make("table", {}, caption,
    make("thead", { className: "unseen" }, make("tr", {}, ...["policy", "mean", "half of the interval"].map((t) => make("th", { scope: "col" }, t)))),
    make("tbody", {}, ...data.policies.map((_, i) => make("tr", {}, make("th", { scope: "row" }, policyButton(i)), ...cells[i])))));
  const all = (text, on) => {
    const b = make("button", { type: "button" }, text);
    b.addEventListener("click", () => data.policies.forEach((_, i) => setVisible(i, on)));
    return b;
  };
  if (data.policies.length > 1) box.append(make("div", { className: "all" }, all("Show all", true), all("Hide all", false)));
  return (text, values) => {
    caption.textContent = text;
    values.forEach(([mean, half], i) => {
      [cells[i][0].textContent, cells[i][1].textContent = ""] = withInterval(mean, half);
    });
  };
}
