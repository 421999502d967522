// This script follows page.js in a page that a command rewrites during a run. It loads the page again, except the last one.
{
  const reloads = Number(document.documentElement.dataset.reloads); // milliseconds, 0 in the last page
  const place = `banditsim ${location.pathname}`; // key of where the reader was before the page was loaded again

  // begins returns where a section begins in the window.
  const begins = (section) => section.getBoundingClientRect().top;

  // loadAgain loads the page, but not in the middle of a drag. The address keeps what was chosen.
  const loadAgain = () => {
    if (document.querySelector(":active")) return setTimeout(loadAgain, 200);
    const open = Array.from(document.querySelectorAll("details"), (d) => d.open);
    // The nearest section says more about the place than the distance from the top of the page, as what is above may grow.
    const shown = Array.from(document.querySelectorAll("section")).filter((s) => s.getClientRects().length > 0);
    const seen = shown.reduce((a, b) => (Math.abs(begins(b)) < Math.abs(begins(a)) ? b : a));
    sessionStorage.setItem(place, JSON.stringify({ open, section: seen.id, top: begins(seen) }));
    history.scrollRestoration = "manual"; // else the browser scrolls to that distance once the page is loaded
    return location.reload();
  };

  const was = JSON.parse(sessionStorage.getItem(place));
  if (was) {
    sessionStorage.removeItem(place);
    document.querySelectorAll("details").forEach((d, i) => { d.open = was.open[i] ?? d.open; });
    const seen = document.getElementById(was.section);
    if (seen) scrollBy({ top: begins(seen) - was.top, behavior: "instant" });
    addEventListener("load", () => setTimeout(() => { history.scrollRestoration = "auto"; }));
  }
  if (reloads > 0) {
    document.getElementById("follows").textContent = "This page follows the run: new trials appear by themselves.";
    setTimeout(loadAgain, reloads);
  }
}
