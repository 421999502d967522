// Starts all parts of the page.

root.classList.add("scripted");
for (const form of document.querySelectorAll("form")) form.addEventListener("submit", (e) => e.preventDefault());
choose("#comparison form", "compared", "[data-compared]", (e) => e.dataset.compared);
if (data.policies.length > 0) {
  startRegret();
  startSampler();
  startMistakes();
}
startTheme();

