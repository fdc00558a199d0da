// Where the keyboard is. Scripts of others take the focus from what was just used.
{
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = document.querySelectorAll(
    ".theme-switch-button, .search-button, .primary-toggle, .secondary-toggle",
  );
  for (const button of buttons) button.blur = () => {}; // the theme calls it at every click

  addEventListener("click", ({ target }) => {
    if (!(target instanceof Element)) return;
    // What is copied stands in a field for a moment, which has the focus and takes it along.
    const copy = /** @type {HTMLElement | null} */ (target.closest(".copybtn"));
    if (copy) setTimeout(() => copy.focus({ preventScroll: true }));
    // A drawer would stand before the place on this page to which it has led.
    target.closest("a[href^='#']")?.closest("dialog")?.close();
  });
}
