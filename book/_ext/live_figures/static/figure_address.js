// An address that sets a figure, from another page or a slide: 06_shift.html#live-turn?offset=10.
// Runs before live_figures.js, which then finds the values in the page. What the figure has no
// trait for is left out.
{
  const [id, settings] = location.hash.slice(1).split(/\?(.*)/s);
  const figure = settings && document.getElementById(id);
  const stored = document.getElementById("live-figures");

  /** `text` as a value of the type that the trait has; undefined if it is none. */
  const typed = (/** @type {string} */ text, /** @type {unknown} */ present) => {
    if (typeof present === "string") return text;
    if (typeof present === "number") return text.trim() && isFinite(+text) ? +text : undefined;
    return typeof present === "boolean" ? { true: true, false: false }[text] : undefined;
  };

  if (figure && figure.dataset.model && stored) {
    /** @type {[string, { state: Record<string, unknown> }][]} */
    const models = JSON.parse(stored.textContent ?? "[]");
    const state = models.find(([model]) => model === figure.dataset.model)?.[1].state ?? {};
    for (const [name, text] of new URLSearchParams(settings)) {
      const value = typed(text, state[name]);
      if (value !== undefined) state[name] = value;
    }
    stored.textContent = JSON.stringify(models);
    figure.closest("details")?.setAttribute("open", ""); // a folded result
    // Whoever comes back or loads the page again finds it where it was left, and whoever has begun
    // to read elsewhere stays there.
    const [visit] = performance.getEntriesByType("navigation");
    const type = /** @type {PerformanceNavigationTiming | undefined} */ (visit)?.type;
    let elsewhere = (type ?? "navigate") !== "navigate" && history.scrollRestoration === "auto";
    for (const event of ["wheel", "touchstart", "pointerdown", "keydown"]) {
      addEventListener(event, () => (elsewhere = true), { once: true, passive: true });
    }
    const show = () => elsewhere || figure.scrollIntoView({ behavior: "instant" });
    show();
    // Alive, it may be as high as it was not before.
    const alive = new MutationObserver(() => {
      if (!figure.classList.contains("is-live")) return;
      alive.disconnect();
      show();
    });
    alive.observe(figure, { attributeFilter: ["class"] });
  }

  addEventListener("load", () => setTimeout(() => (history.scrollRestoration = "auto")));
  addEventListener("hashchange", () => {
    if (!location.hash.includes("?")) return;
    history.scrollRestoration = "manual"; // else the place on the page is kept
    location.reload();
  });
}
