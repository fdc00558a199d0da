// A control stays under the finger while the figure above it grows or shrinks.

const RECENTLY = 2000; // ms in which what was used may still move what stands above it

/**
 * Keeps what was used last where it stands on the screen, by scrolling the page, until something
 * else on the page is used: a link, say, that goes to the figure. A browser's own anchoring keeps
 * something else there, if it has any.
 * @param {HTMLElement} root  the figure
 */
export function inPlace(root) {
  /** @type {Element | undefined} */ let used;
  let since = 0; // when it was used
  /** @type {{ control: Element, top: number } | undefined} */ let held;
  const hold = () => {
    if (held || !used?.isConnected || performance.now() - since > RECENTLY) return;
    const { top, bottom } = used.getBoundingClientRect();
    if (bottom <= 0 || top >= innerHeight) return; // hidden, or the reader has gone on
    const holding = { control: used, top };
    held = holding;
    const release = () => {
      if (held === holding) held = undefined;
    };
    requestAnimationFrame(() => setTimeout(release)); // after this frame
  };
  const note = (/** @type {Event} */ { target }) => {
    used = /** @type {Element} */ (target);
    since = performance.now();
    hold(); // nothing has been written yet, so it is known where it stands
  };
  for (const type of ["keydown", "input", "change", "click"])
    root.addEventListener(type, note, true);
  const elsewhere = (/** @type {Event} */ event) => {
    if (!event.composedPath().includes(root)) used = held = undefined;
  };
  const listening = new AbortController();
  for (const type of ["pointerdown", "keydown", "click", "popstate"])
    addEventListener(type, elsewhere, { capture: true, signal: listening.signal });
  // It is told after the browser has laid out and anchored, and before anything is painted.
  const sizes = new ResizeObserver(() => {
    if (!held || held.control.getClientRects().length === 0) return;
    const { top } = held.control.getBoundingClientRect();
    const moved = top - held.top;
    held = undefined;
    if (Math.abs(moved) >= 1) scrollerOf(root).scrollBy({ top: moved, behavior: "instant" });
  });
  sizes.observe(root);
  return {
    /** Called before the figure is drawn: that may be long after the event. */
    hold,
    /** Called when what the figure waited for has come, however late. */
    renew() {
      since = performance.now();
    },
    stop() {
      listening.abort();
      sizes.disconnect();
    },
  };
}

/** What scrolls: the page, or in JupyterLab the notebook. @param {Element} element */
function scrollerOf(element) {
  for (let each = element.parentElement; each; each = each.parentElement) {
    const scrolls = /auto|scroll/.test(getComputedStyle(each).overflowY);
    if (scrolls && each.scrollHeight > each.clientHeight) return each;
  }
  return document.scrollingElement ?? document.documentElement;
}
