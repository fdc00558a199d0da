// Starts a deck. What its slides need beside reveal.js: type and figures as large as there is room
// for, and keys that belong to a live figure while it has the focus.
{
  // The global names that reveal.js and its plugin bring.
  const { Reveal, RevealNotes } =
    /** @type {{ Reveal: typeof import("reveal.js").default, RevealNotes: any }} */ (
      /** @type {unknown} */ (window)
    );

  const pages = ["PageDown", "PageUp"];
  const printed = new URLSearchParams(location.search).has("print-pdf");

  // A slide's words are set in the first of these sizes in which they fit, in pixels. Under a live
  // figure they take a part of the slide.
  const sizes = { alone: [36, 34, 32, 30, 28, 26, 24, 22, 20], beside: [26, 24, 22, 20] };
  const part = 0.25;

  // The widths at which a live figure may be laid out, before it is scaled to the room it has.
  const widths = [760, 860, 960, 1060, 1168];

  // Of a live figure what is drawn; all else is moved or read.
  const drawn =
    ".pex-figure, .pex-note, .pex-chart, .pex-scroll, .pex-head, .pex-dials, .pex-product, " +
    ".pex-strip, .pex-heads";

  /** The live figure that has the focus, if one has. */
  const focused = () => document.activeElement?.closest(".live-figure, .live-link");

  /** @type {(from: ParentNode, what: string) => HTMLElement[]} */
  const all = (from, what) =>
    [...from.querySelectorAll(what)].map((one) => /** @type {any} */ (one));

  const fits = (/** @type {HTMLElement} */ words, /** @type {number} */ height) =>
    words.offsetHeight <= height &&
    words.scrollWidth <= words.clientWidth &&
    all(words, "pre, .katex-display, table").every((one) => one.scrollWidth <= words.clientWidth);

  /** The largest type in which a slide's words fit. */
  const fitWords = (/** @type {HTMLElement} */ slide) => {
    if (slide.matches(".first")) return;
    for (const words of all(slide, ".body > .words")) {
      const body = /** @type {HTMLElement} */ (words.parentElement);
      const height = body.clientHeight * (slide.matches(".live") ? part : 1);
      for (const size of body.children.length > 1 ? sizes.beside : sizes.alone) {
        words.style.fontSize = `${size}px`;
        if (fits(words, height)) break;
      }
    }
  };

  /** How much larger a live figure could be, as it is laid out now. */
  const scale = (/** @type {HTMLElement} */ figure) => {
    const room = /** @type {HTMLElement} */ (figure.parentElement);
    return Math.min(room.clientHeight / figure.offsetHeight, room.clientWidth / figure.offsetWidth);
  };

  /** Lay a live figure out at the largest width that makes it little smaller, and scale it. */
  const fitFigure = (/** @type {HTMLElement} */ figure) => {
    figure.style.zoom = "1";
    const scales = widths.map((width) => {
      figure.style.width = `${width}px`;
      return scale(figure);
    });
    const enough = 0.9 * Math.max(...scales);
    const best = scales.findLastIndex((one) => one >= enough);
    figure.style.width = `${widths[best]}px`;
    figure.style.zoom = String(scales[best]);
  };

  /** Put what is drawn side by side with what is moved and read. */
  const lieWide = (/** @type {Element} */ view) => {
    const pex = view.querySelector(".pex:not(.pex-build)");
    if (!pex) return;
    const parts = [...pex.children];
    const left = document.createElement("div");
    const right = document.createElement("div");
    left.append(...parts.filter((one) => one.matches(drawn)));
    right.append(...parts.filter((one) => !one.matches(drawn)));
    pex.append(left, right);
    pex.classList.add("is-wide");
  };

  const fit = (/** @type {HTMLElement} */ slide) => {
    fitWords(slide);
    if (!printed) for (const figure of all(slide, ".live-figure.is-live")) fitFigure(figure);
  };

  const deck = new Reveal({
    width: 1280,
    height: 720,
    margin: 0,
    center: false,
    hash: true,
    transition: "none",
    backgroundTransition: "none",
    controls: false,
    slideNumber: "c/t",
    defaultTiming: 60, // a slide says its own; without this nobody asks for it
    scrollActivationWidth: 0,
    pdfSeparateFragments: false,
    pdfMaxPagesPerSlide: 1,
    keyboardCondition: () => !focused(),
    plugins: [RevealNotes],
  });

  // A presenter's remote sends these two. They change slides wherever the focus is.
  addEventListener(
    "keydown",
    (event) => {
      if (!pages.includes(event.key) || !focused()) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === "PageDown") deck.next();
      else deck.prev();
    },
    { capture: true },
  );

  // A live figure is there some time after its slide, and some grow while they are moved.
  const sized = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const figure = /** @type {HTMLElement | null} */ (target.closest(".live-figure.is-live"));
      if (!figure?.offsetHeight) continue;
      const room = /** @type {HTMLElement} */ (figure.parentElement);
      if (figure.getBoundingClientRect().height > room.getBoundingClientRect().height + 1) {
        fitFigure(figure);
      }
    }
  });
  const arrived = new MutationObserver((changes) => {
    for (const { target } of changes) {
      const figure = /** @type {HTMLElement} */ (target);
      const view = figure.querySelector(".live-view");
      if (printed || !view || !figure.matches(".is-live") || figure.dataset.sized) continue;
      figure.dataset.sized = "";
      lieWide(view);
      fitFigure(figure);
      sized.observe(view);
    }
  });
  for (const figure of all(document, ".live-figure")) {
    arrived.observe(figure, { attributeFilter: ["class"] });
  }

  deck.on("slidechanged", (/** @type {any} */ { currentSlide }) => {
    fit(currentSlide);
    const focus = /** @type {HTMLElement | null} */ (focused());
    if (focus && !currentSlide.contains(focus)) focus.blur();
  });
  deck.on("pdf-ready", () => all(document, ".slides section").forEach(fit));
  deck.initialize().then(async () => {
    await document.fonts.ready;
    // reveal.js makes an application of it, in which screen readers hand every key to the page.
    document.querySelector(".reveal")?.removeAttribute("role");
    fit(deck.getCurrentSlide());
  });
}
