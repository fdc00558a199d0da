// The menus in the bar above a page. The theme leaves them to Bootstrap, whose listeners search the
// whole page at every click and every key.
{
  /** @type {NodeListOf<HTMLElement>} */
  const menus = document.querySelectorAll(".bd-header-article .dropdown");
  for (const menu of menus) {
    const button = /** @type {HTMLElement} */ (menu.querySelector("[aria-expanded]"));
    const list = /** @type {HTMLElement} */ (menu.querySelector(".dropdown-menu"));
    /** @type {NodeListOf<HTMLElement>} */
    const items = list.querySelectorAll("a, button");

    const isOpen = () => button.ariaExpanded === "true";
    const open = (/** @type {boolean} */ now) => {
      button.ariaExpanded = String(now);
      list.classList.toggle("show", now);
    };
    const leave = (/** @type {EventTarget | null} */ to) => {
      if (to instanceof Node && !menu.contains(to)) open(false);
    };
    button.addEventListener("click", () => open(!isOpen()));
    list.addEventListener("click", () => {
      if (list.contains(document.activeElement)) button.focus(); // what is hidden has no focus
      open(false);
    });
    addEventListener("pointerdown", ({ target }) => leave(target));
    menu.addEventListener("focusout", ({ relatedTarget }) => leave(relatedTarget));
    menu.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && isOpen()) {
        open(false);
        button.focus();
      }
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault(); // the page stays where it is
      open(true);
      const at = [...items].findIndex((item) => item === document.activeElement);
      const next = event.key === "ArrowDown" ? at + 1 : at - 1;
      items[Math.min(Math.max(next, 0), items.length - 1)].focus();
    });
  }
}
