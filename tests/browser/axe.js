// Runs axe on the page, once for what repeats itself there: a formula is dozens of elements, a cell
// of code hundreds, and axe works out the contrast of each word anew. Changes the page. Returns
// what breaks a rule, and whether a contrast was looked at: to hand over all that axe says is slow.
async (options) => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const LOOK = ["color", "backgroundColor", "backgroundImage", "opacity", "fontSize", "fontWeight"];

  // Else each question about the look of what is not yet laid out lays it out alone, and what takes
  // another theme would keep the look of the first for a while.
  const again = document.adoptedStyleSheets.length > 0;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    "*, ::before, ::after { content-visibility: visible !important; transition: none !important }",
  );
  document.adoptedStyleSheets = [sheet];

  /** What is answered in the other theme of a page that has two. */
  const inOtherTheme = (answer) => {
    const { dataset } = document.documentElement;
    const { theme } = dataset;
    if (!theme) return answer();
    dataset.theme = theme === "dark" ? "light" : "dark";
    const found = answer();
    dataset.theme = theme;
    return found;
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
  const formulas = all(".katex");
  const arePlain = () => formulas.map(plain);
  const [here, there] = again ? [arePlain(), []] : [arePlain(), inOtherTheme(arePlain)];
  const simple = formulas.filter((_, n) => here[n] && (there[n] ?? true));
  for (const { firstChild: spoken, lastChild: shown } of simple) {
    spoken.textContent = spoken.textContent;
    shown.textContent = "formula"; // axe lets one letter alone have any contrast: a decoration
  }

  /** A number for each element that is seen: one for those that look alike, in boxes that do. */
  const looks = (elements) => {
    const kinds = new Map();
    const numbers = new Map();
    const number = (one) => {
      if (!one) return 0;
      if (!numbers.has(one)) {
        const style = getComputedStyle(one);
        // What is lifted out of the flow may stand on anything: it is like no other.
        const lifted = /absolute|fixed/.test(style.position) ? numbers.size : "";
        const kind = [number(one.parentElement), ...LOOK.map((name) => style[name]), lifted].join();
        if (!kinds.has(kind)) kinds.set(kind, kinds.size + 1);
        numbers.set(one, kinds.get(kind));
      }
      return numbers.get(one);
    };
    return elements.map((one) => (one.checkVisibility() ? number(one) : "unseen"));
  };

  // Of words that look alike axe is told the longest.
  const lengths = new Map();
  for (const one of all("body *")) {
    const texts = [...one.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    const length = texts.reduce((n, { data }) => n + data.trim().length, 0);
    const unseen = ".katex > :first-child"; // a formula's second form
    if (length && !one.matches(unseen)) lengths.set(one, length);
  }
  const words = [...lengths.keys()].sort((a, b) => lengths.get(b) - lengths.get(a));
  const alike = looks(words);
  const groups = Map.groupBy(words, (_, n) => alike[n]);
  groups.delete("unseen");
  const first = new Set([...groups.values()].map(([one]) => one));

  // Of those that look alike in both themes, the others are no more than their letters, where they
  // have nothing but their look: also formulas with the same markup.
  const letters = () => {
    const bare = "b, code, em, i, small, span, strong, sub, sup";
    const onlyLooks = (one) => [...one.attributes].every(({ name }) => name === "class");
    const lone = (one) => one.matches(bare) && !one.children.length && onlyLooks(one);
    const markup = (one) => one.outerHTML.replace(/>[^<]+/g, ">…");
    const formulaOf = new Map(simple.map((one) => [one.lastChild, one]));
    const elsewhere = inOtherTheme(() => looks(words));
    const kept = new Set();
    words.forEach((one, n) => {
      const formula = formulaOf.get(one);
      if (!formula && (!lone(one) || one.closest(".katex, svg, math"))) return;
      const kind = [alike[n], elsewhere[n], formula && markup(formula)].join();
      if (first.has(one) || !kept.has(kind)) kept.add(kind);
      else if (formula) formula.replaceWith(formula.firstChild.textContent);
      else one.replaceWith(one.textContent);
    });
  };
  if (!again) letters();

  for (const one of all("[data-first]")) delete one.dataset.first;
  for (const one of first) one.dataset.first = "";
  axe.configure({ rules: [{ id: "color-contrast", selector: "[data-first]" }] });
  const { passes, violations } = await axe.run(options);
  return {
    contrast: passes.some(({ id }) => id === "color-contrast"),
    broken: violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    ),
  };
};
