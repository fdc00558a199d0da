// What a keyboard and a screen reader need. Scripts of others take the focus from what was just used,
// and change the colours without a word.
{
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = document.querySelectorAll(
    ".theme-switch-button, .search-button, .primary-toggle, .secondary-toggle",
  );
  for (const button of buttons) button.blur = () => {}; // the theme calls it at every click

  const { dataset } = document.documentElement;
  /** @type {NodeListOf<HTMLImageElement>} */
  const forms = document.querySelectorAll(".light-form, .dark-form");
  const tell = () => {
    for (const button of document.querySelectorAll(".theme-switch-button"))
      button.ariaLabel = `Color mode: ${dataset.mode}`;
    // What is not displayed is read all the same, in a section that has not been drawn.
    for (const form of forms)
      form.ariaHidden = String(form.matches(".dark-form") !== (dataset.theme === "dark"));
  };
  new MutationObserver(tell).observe(document.documentElement, {
    attributeFilter: ["data-mode", "data-theme"],
  });
  tell();

  addEventListener("click", ({ target }) => {
    if (!(target instanceof Element)) return;
    // What is copied stands in a field for a moment, which has the focus and takes it along.
    const copy = /** @type {HTMLElement | null} */ (target.closest(".copybtn"));
    if (copy) setTimeout(() => copy.focus({ preventScroll: true }));
    // A drawer would stand before the place on this page to which it has led.
    target.closest("a[href^='#']")?.closest("dialog")?.close();
  });
}
