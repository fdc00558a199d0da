// Runs axe on the page, once for what repeats itself there: a formula is dozens of elements, a cell
// of code hundreds, and axe works out the contrast of each word anew. Changes the page. Hands over
// what is found, and whether contrast was looked at: all that axe has to say takes a while to send.
async (options) => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const LOOK = ["color", "backgroundColor", "backgroundImage", "opacity", "fontSize", "fontWeight"];
  const lone = (one) => !one.children.length && one.tabIndex < 0;

  const look = (one) => {
    const style = getComputedStyle(one);
    return LOOK.map((name) => style[name]).join();
  };

  /** Answers in the page's two themes: what is replaced in one is not there in the other. */
  const inBoth = (answer) => {
    const { dataset } = document.documentElement;
    const { theme } = dataset;
    const here = answer();
    if (!theme) return [here, here];
    dataset.theme = theme === "dark" ? "light" : "dark";
    const there = answer();
    dataset.theme = theme;
    return [here, there];
  };

  /** Whether a formula has only letters of its own colour, on its own ground. */
  const plain = (formula) => {
    const { color } = getComputedStyle(formula);
    return all("[aria-hidden] *", formula).every((one) => {
      const own = getComputedStyle(one);
      const clear = own.backgroundColor === "rgba(0, 0, 0, 0)" && own.opacity === "1";
      return clear && own.color === color && one.tabIndex < 0;
    });
  };

  // The first time on a page; no page of ours has such a sheet.
  if (!document.adoptedStyleSheets.length) {
    // Else each question about the look of what is not yet laid out lays it out alone, and what
    // takes another theme would keep the look of the first for a while. It ends transitions, too.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { content-visibility: visible !important; transition: none !important }");
    document.adoptedStyleSheets = [sheet];

    const coloured = all("pre *").filter(lone);
    const formulas = all(".katex");
    // Both at once: to change the theme has every style worked out anew.
    const [here, there] = inBoth(() => ({
      looks: coloured.map(look),
      arePlain: formulas.map(plain),
    }));
    const kind = new Map(coloured.map((word, n) => [word, `${here.looks[n]};${there.looks[n]}`]));
    const repeated = all("pre").flatMap((code) => {
      const longest = (one, other) => other.textContent.length - one.textContent.length;
      const alike = Map.groupBy(all("*", code).filter(lone), (word) => kind.get(word));
      return [...alike.values()].flatMap((words) => words.sort(longest).slice(1));
    });
    const simple = formulas.filter((_, n) => here.arePlain[n] && there.arePlain[n]);
    // axe lets one letter alone have any contrast: a decoration.
    for (const formula of simple) formula.textContent = "formula";
    for (const word of repeated) word.replaceWith(word.textContent);
  }

  // Of words that look alike, and stand in boxes that look alike, axe is told the longest. What is
  // lifted out of the flow may stand on anything.
  const boxes = new Map();
  const chain = (one) => {
    if (!one) return "";
    if (!boxes.has(one)) {
      const lifted = /absolute|fixed/.test(getComputedStyle(one).position);
      boxes.set(one, `${chain(one.parentElement)};${look(one)}${lifted ? boxes.size : ""}`);
    }
    return boxes.get(one);
  };
  const own = (one) =>
    [...one.childNodes].reduce(
      (n, { nodeType, data }) => n + (nodeType === 3 && data.trim().length),
      0,
    );
  const spoken = ".katex > :first-child"; // a formula's second form, which is not seen
  const words = all("body *").filter((one) => own(one) && one.checkVisibility());
  for (const one of all("[data-first]")) delete one.dataset.first;
  for (const alike of Map.groupBy(
    words.filter((one) => !one.matches(spoken)),
    chain,
  ).values())
    alike.reduce((a, b) => (own(b) > own(a) ? b : a)).dataset.first = "";
  axe.configure({ rules: [{ id: "color-contrast", selector: "[data-first]" }] });
  const { passes, violations } = await axe.run(options);
  return {
    contrast: passes.some(({ id }) => id === "color-contrast"),
    found: violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    ),
  };
};
