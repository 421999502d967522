// This script follows page.js in a page that a command rewrites during a run. It loads the page again, except the last one.
{
  const reloads = Number(document.documentElement.dataset.reloads); // milliseconds, 0 in the last page
  const place = `banditsim ${location.pathname}`; // key of where the reader was before the page was loaded again

  // loadAgain loads the page, but not in the middle of a drag. The address keeps what was chosen.
  const loadAgain = () => {
    if (document.querySelector(":active")) return setTimeout(loadAgain, 200);
    const open = Array.from(document.querySelectorAll("details"), (d) => d.open);
    sessionStorage.setItem(place, JSON.stringify({ open, top: scrollY }));
    return location.reload();
  };

  const was = JSON.parse(sessionStorage.getItem(place));
  if (was) {
    sessionStorage.removeItem(place);
    document.querySelectorAll("details").forEach((d, i) => { d.open = was.open[i] ?? d.open; });
    scrollTo({ top: was.top, behavior: "instant" });
  }
  if (reloads > 0) {
    document.getElementById("follows").textContent = "This page follows the run: new trials appear by themselves.";
    setTimeout(loadAgain, reloads);
  }
}
