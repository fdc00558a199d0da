// A control stays under the finger while the figure above it grows or shrinks.

/**
 * Keeps what was used last where it stands on the screen, by scrolling the page, until the figure is
 * moved from outside, by a link that goes to it, say. A browser's own anchoring keeps something
 * else there, if it has any.
 * @param {HTMLElement} root  the figure
 */
export function inPlace(root) {
  /** @type {Element | undefined} */ let used;
  /** @type {{ control: Element, top: number } | undefined} */ let held;
  /** @type {{ control: Element, box: DOMRect } | undefined} */ let seen;
  // A thumb that has moved would be laid out twice, if it were asked only then where it stands.
  const look = (/** @type {Event} */ { target }) => {
    const control = /** @type {Element} */ (target);
    seen = { control, box: control.getBoundingClientRect() };
    setTimeout(() => (seen = undefined)); // what the event leads to comes at once
  };
  for (const type of ["keydown", "pointerdown", "pointermove"])
    root.addEventListener(type, look, true);
  const hold = () => {
    if (held || !used?.isConnected) return;
    const { top, bottom } = seen?.control === used ? seen.box : used.getBoundingClientRect();
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
    hold(); // nothing has been written yet, so it is known where it stands
  };
  for (const type of ["input", "click"]) root.addEventListener(type, note, true);
  root.addEventListener("focusin", ({ target }) => {
    if (target !== held?.control) held = undefined; // the browser brings into view what has it
  });
  // It is told after the browser has laid out and anchored, and before anything is painted.
  new ResizeObserver(() => {
    if (!held || held.control.getClientRects().length === 0) return;
    const { top } = held.control.getBoundingClientRect();
    const moved = top - held.top;
    held = undefined;
    if (Math.abs(moved) >= 1) scroll(root, moved);
  }).observe(root);
  return {
    /** Called before something is written later than at the event. */
    hold,
    /** Called before a state is drawn: if nothing is held for it, it came from outside. */
    drawn() {
      if (!held) used = undefined;
    },
  };
}

/**
 * Scrolls what has room for it, from the inside out: in JupyterLab an output, then the notebook.
 * @param {Element} element @param {number} by
 */
function scroll(element, by) {
  const page = document.scrollingElement ?? document.documentElement;
  for (let each = element.parentElement; each && Math.abs(by) >= 1; each = each.parentElement) {
    if (each !== page && !/auto|scroll/.test(getComputedStyle(each).overflowY)) continue;
    const before = each.scrollTop;
    each.scrollBy({ top: by, behavior: "instant" });
    by -= each.scrollTop - before;
  }
}
