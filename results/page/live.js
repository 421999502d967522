// Follows page.js in a page that is served, and is not in the page of a file: loads the page again when there are new trials.
{
  const { served } = document.documentElement.dataset; // the version of this page
  const place = "banditsim place"; // where the reader was before the page was loaded again
  const say = (text) => { document.getElementById("served").textContent = text; };

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
  const events = new EventSource(`events?${served}`);
  events.onopen = () => say("This page follows the run: new trials appear by themselves.");
  events.onerror = () => say("Nothing serves this page any more: it shows the trials that there were.");
  events.onmessage = ({ data }) => { if (data !== served) loadAgain(); };
  events.addEventListener("end", () => {
    events.close();
    say("The run has ended: these are its trials.");
  });
}
