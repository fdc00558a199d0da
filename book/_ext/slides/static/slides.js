// Starts a deck. What its slides need beside reveal.js: type and figures as large as there is room
// for, and arrow keys that belong to a live figure while it has the focus.
{
  // The global names that reveal.js and its plugin bring.
  const { Reveal, RevealNotes } =
    /** @type {{ Reveal: typeof import("reveal.js").default, RevealNotes: any }} */ (
      /** @type {unknown} */ (window)
    );

  const pages = ["PageDown", "PageUp"];
  // Keys of the deck, which reveal.js hears in no field.
  const commands = ["b", ".", "f", "o", "s", "?"];
  const fields = "input:not([type=range], [type=checkbox]), select, textarea";
  const printed = new URLSearchParams(location.search).has("print-pdf");

  // A slide's words are set in the first of these sizes in which they fit, in pixels. Under a live
  // figure they take a part of the slide.
  const sizes = { alone: [36, 34, 32, 30, 28, 26, 24, 22, 20], beside: [26, 24, 22, 20] };
  const part = 0.25;

  // What a listing has of the size of the words around it. A letter of its own is as wide as two of
  // theirs, and seen from as far at nine tenths of their size.
  const listings = [1, 0.9, 0.8, 0.72];
  const alike = 0.9;

  // The widths at which a live figure may be laid out, before it is scaled to the room it has:
  // the whole of it, or what is drawn alone.
  const widths = { whole: [760, 860, 960, 1060, 1168], drawn: [480, 560, 640, 720, 800] };
  // How large what is moved and read may be. Where it is not large enough, words make room for it.
  const scales = [1.2, 1.1, 1, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55];
  const enough = 0.95;
  const columns = [360, 430, 500]; // pixels for it, and for the words below it
  const gap = 24;

  // Of a live figure what is drawn; all else is moved or read.
  const drawn =
    ".pex-figure, .pex-note:not(.pex-key), .pex-chart, .pex-scroll, .pex-head, .pex-dials, .pex-product, " +
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

  /** The largest type in which a slide's words fit, and its listings beside them. */
  const fitWords = (/** @type {HTMLElement} */ slide) => {
    if (slide.matches(".first, .beside")) return;
    for (const words of all(slide, ".body > .words")) {
      const body = /** @type {HTMLElement} */ (words.parentElement);
      const height = body.clientHeight * (slide.matches(".live") ? part : 1);
      const tried = body.children.length > 1 ? sizes.beside : sizes.alone;
      const shares = words.querySelector("pre") ? listings : [alike];
      const pairs = tried.flatMap((size) => shares.map((share) => ({ size, share })));
      pairs.sort((one, other) => seen(other) - seen(one) || other.size - one.size);
      for (const { size, share } of pairs) {
        words.style.fontSize = `${size}px`;
        words.style.setProperty("--listing", `${share}em`);
        if (fits(words, height)) break;
      }
    }
  };

  /** The size of what is the hardest to see from afar, words or listings. */
  const seen = (/** @type {{ size: number, share: number }} */ { size, share }) =>
    size * Math.min(1, share / alike);

  /** @typedef {{ width: number, height: number }} Room */

  /** Lay something out at the largest width that makes it little smaller, and scale it. */
  const scaleTo = (
    /** @type {HTMLElement} */ one,
    /** @type {number[]} */ tried,
    /** @type {Room} */ room,
  ) => {
    one.style.zoom = "1";
    const found = tried.map((width) => {
      one.style.width = `${width}px`;
      return Math.min(room.height / one.offsetHeight, room.width / one.offsetWidth);
    });
    const best = found.findLastIndex((scale) => scale >= 0.98 * Math.max(...found));
    one.style.width = `${tried[best]}px`;
    one.style.zoom = String(found[best]);
  };

  /** The two sides of a live figure that lies wide, and the words of its slide. */
  const sides = (/** @type {HTMLElement} */ figure) => {
    const body = /** @type {HTMLElement} */ (figure.closest(".body"));
    const [left, right] = all(figure, ".is-wide > *");
    return { body, left, right, words: all(body, ":scope > .words").at(0) };
  };

  /** Scale a live figure to the room that its slide has. */
  const fitFigure = (/** @type {HTMLElement} */ figure) => {
    const { body, left, right, words } = sides(figure);
    if (!left) {
      const { clientWidth: width, clientHeight: height } = /** @type {HTMLElement} */ (
        figure.parentElement
      );
      scaleTo(figure, widths.whole, { width, height });
      return;
    }
    const { clientWidth: width, clientHeight: height } = body;
    for (const column of columns) {
      scaleTo(left, widths.drawn, { width: width - column - gap, height });
      const free = width - gap - left.offsetWidth * Number(left.style.zoom);
      body.style.setProperty("--side", `${Math.floor(free)}px`);
      if (fitSide(right, words, { width: free, height }) >= enough) break;
    }
  };

  /** The scale at which what is moved and read has room above the words, whose size it sets. */
  const fitSide = (
    /** @type {HTMLElement} */ right,
    /** @type {HTMLElement | undefined} */ words,
    /** @type {Room} */ { width, height },
  ) => {
    right.style.zoom = "1";
    let best = 0;
    for (const size of words ? sizes.beside : [0]) {
      if (words) words.style.fontSize = `${size}px`;
      const room = height - (words ? words.offsetHeight + gap : 0);
      best =
        scales.find((scale) => {
          right.style.width = `${width / scale}px`;
          return scale * right.offsetHeight <= room;
        }) ?? 0;
      if (best >= enough) break;
    }
    right.style.zoom = String(best || scales.at(-1));
    return best;
  };

  /** Whether a live figure has grown out of its room. */
  const overflows = (/** @type {HTMLElement} */ figure) => {
    const { body, left, right, words } = sides(figure);
    const room = (
      left ? body : /** @type {HTMLElement} */ (figure.parentElement)
    ).getBoundingClientRect();
    if (!left) return figure.getBoundingClientRect().height > room.height + 1;
    const end = words ? words.getBoundingClientRect().top : room.bottom;
    return (
      left.getBoundingClientRect().bottom > room.bottom + 1 ||
      right.getBoundingClientRect().bottom > end + 1
    );
  };

  /** Put what is drawn side by side with what is moved and read; fold what is seldom moved. */
  const lieWide = (/** @type {Element} */ view) => {
    const pex = view.querySelector(".pex:not(.pex-build)");
    if (!pex) return;
    const children = [...pex.children];
    const left = document.createElement("div");
    const right = document.createElement("div");
    left.append(...children.filter((one) => one.matches(drawn)));
    right.append(...children.filter((one) => !one.matches(drawn)));
    const settings = all(right, ".pex-sentence ~ .pex-settings");
    if (settings.length) {
      const more = document.createElement("details");
      const name = document.createElement("summary");
      name.textContent = "Settings";
      more.append(name, ...settings);
      right.append(more);
    }
    pex.append(left, right);
    pex.classList.add("is-wide");
    view.closest("section")?.classList.add("beside");
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

  // A presenter's remote sends the first two. They change slides wherever the focus is; the other
  // keys of the deck are its own wherever nothing can be written. The focus is taken away while
  // reveal.js hears them, and comes back to what was moved.
  addEventListener(
    "keydown",
    (event) => {
      const focus = /** @type {HTMLElement | null} */ (focused() && document.activeElement);
      if (!focus || event.altKey || event.ctrlKey || event.metaKey) return;
      if (pages.includes(event.key)) {
        event.preventDefault();
        event.stopPropagation();
        if (event.key === "PageDown") deck.next();
        else deck.prev();
        return;
      }
      const key = event.key.toLowerCase();
      if (key !== "escape" && (!commands.includes(key) || focus.matches(fields))) return;
      focus.blur();
      setTimeout(() => {
        if (!deck.isOverview()) focus.focus({ preventScroll: true });
      });
    },
    { capture: true },
  );

  // A live figure is there some time after its slide, and some grow while they are moved.
  const sized = new ResizeObserver((entries) => {
    const grown = new Set(entries.map(({ target }) => target.closest(".live-figure.is-live")));
    for (const one of grown) {
      const figure = /** @type {HTMLElement | null} */ (one);
      if (figure?.offsetHeight && overflows(figure)) fitFigure(figure);
    }
  });
  const arrived = new MutationObserver((changes) => {
    for (const { target } of changes) {
      const figure = /** @type {HTMLElement} */ (target);
      const view = figure.querySelector(".live-view");
      if (printed || !view || !figure.matches(".is-live") || figure.dataset.sized) continue;
      figure.dataset.sized = "";
      lieWide(view);
      const slide = /** @type {HTMLElement} */ (figure.closest("section"));
      fit(slide);
      for (const one of [view, ...view.querySelectorAll(".is-wide > *")]) sized.observe(one);
    }
  });
  for (const figure of all(document, ".live-figure")) {
    arrived.observe(figure, { attributeFilter: ["class"] });
  }

  deck.on("slidechanged", (/** @type {any} */ { currentSlide }) => {
    fit(currentSlide);
    const focus = /** @type {HTMLElement | null} */ (document.activeElement);
    if (focused() && !currentSlide.contains(focus)) focus?.blur(); // else the browser does it later
  });
  deck.on("pdf-ready", () => all(document, ".slides section").forEach(fit));
  deck.initialize().then(async () => {
    await document.fonts.ready;
    // reveal.js makes an application of it, in which screen readers hand every key to the page.
    document.querySelector(".reveal")?.removeAttribute("role");
    fit(deck.getCurrentSlide());
  });
}
