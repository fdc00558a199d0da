// On paper a page is light, whatever the reader sees.
{
  const { dataset } = document.documentElement;
  let { theme } = dataset;
  addEventListener("beforeprint", () => {
    ({ theme } = dataset);
    dataset.theme = "light";
  });
  addEventListener("afterprint", () => {
    if (theme) dataset.theme = theme;
  });
}
