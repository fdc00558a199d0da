// A control stays under the finger while the figure above it grows or shrinks.

const RECENTLY = 2000; // ms in which what was used may still be loading what it shows

/**
 * Keeps the control that was used last where it stands on the screen, by scrolling the page. A
 * browser's own anchoring keeps something else there, if it has any.
 * @param {HTMLElement} root  the figure
 */
export function inPlace(root) {
  /** @type {Element | undefined} */ let used;
  let since = 0; // when it was used
  /** @type {{ control: Element, top: number } | undefined} */ let held;
  const hold = () => {
    if (held || !used?.isConnected || performance.now() - since > RECENTLY) return;
    const holding = { control: used, top: used.getBoundingClientRect().top };
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
    /** Called before anything is drawn: what it waited for may have come long after the event. */
    hold,
    stop() {
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
