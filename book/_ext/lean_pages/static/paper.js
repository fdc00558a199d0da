// On paper a page is light, whatever the reader sees.
{
  const { dataset } = document.documentElement;
  /** @type {string | undefined} */
  let theme; // while it is printed
  addEventListener("beforeprint", () => {
    theme ??= dataset.theme;
    dataset.theme = "light";
  });
  addEventListener("afterprint", () => {
    if (theme) dataset.theme = theme;
    theme = undefined;
  });
}
