// Stands before all other scripts of a page: notes what goes wrong, and finds what can be used.
// `use` (engines.py) calls it between the keys that it presses.
{
  const PATIENCE = 10000; // ms
  const noted = [];

  addEventListener(
    "error",
    ({ message, target }) => {
      // With time to spare Firefox fetches the next page ahead, and drops that when there is none.
      if (target.localName === "link" && target.rel === "next") return;
      noted.push(message ?? `not loaded: ${target.src ?? target.href ?? target.localName}`);
    },
    true,
  );
  addEventListener("unhandledrejection", ({ reason }) => noted.push(`unhandled: ${reason}`));
  addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective }) => {
    noted.push(`asked for ${blockedURI} (${effectiveDirective})`);
  });
  for (const kind of ["error", "warn"]) {
    const report = console[kind];
    console[kind] = (...all) => {
      noted.push(`${kind}: ${all.join(" ")}`);
      report(...all);
    };
  }

  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  const until = async (what, holds) => {
    const deadline = performance.now() + PATIENCE;
    while (!holds()) {
      if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
      await new Promise((done) => setTimeout(done, 20));
    }
  };

  /** One number for what is drawn there: a picture in PNG takes many times as long. */
  const drawn = (canvas) => {
    const { width, height } = canvas;
    const copy = Object.assign(document.createElement("canvas"), { width, height });
    const paper = copy.getContext("2d", { willReadFrequently: true }); // else Chromium warns
    paper.drawImage(canvas, 0, 0);
    const pixels = new Uint32Array(paper.getImageData(0, 0, width, height).data.buffer);
    return pixels.reduce((sum, pixel) => Math.imul(sum ^ pixel, 16777619), 0);
  };

  /** All that a figure shows but its controls and its sentence, which repeat the settings. */
  const reading = (figure) => {
    const copy = figure.querySelector(".live-view").cloneNode(true);
    for (const each of all(".pex-slider, .pex-sentence", copy)) each.remove();
    return copy.innerHTML + all("canvas", figure).map(drawn);
  };

  /** Puts the focus where the next key should go. */
  const focus = (control) => {
    control.scrollIntoView({ block: "center" });
    control.focus();
    if (document.activeElement !== control) throw new Error(`no focus: ${control.outerHTML}`);
  };

  const firsts = (found, kind) => [...Map.groupBy(found, kind).values()].map(([first]) => first);

  const ground = (each) => getComputedStyle(each).backgroundColor;
  let figures, sliders, links, folds, happened;

  window.witness = {
    noted: () => noted,

    /** Waits until so many elements are such. */
    there: (selector, n) => until(`${n} ${selector}`, () => all(selector).length === n),

    /** What a form says to the next answer. */
    async said(id) {
      const output = document.querySelector(`#${id} output`);
      await until("a word about the answer", () => output.textContent);
      return output.textContent;
    },

    /**
     * Starts every live figure; says how much of each kind there is to use: every slider, the first
     * fold of each class, and every link, or the first to each figure.
     */
    async survey(everyLink) {
      const late = all("script[src]", document.getElementById("late-scripts")?.content).map(
        ({ src }) => new URL(src, location).href,
      );
      await until("late scripts", () => late.every((src) => loadedScripts.has(src)));
      for (const each of all("details:has(.live-figure)")) each.open = true;
      figures = all(".live-figure[data-model]");
      for (const figure of figures) {
        // Scrolled as by hand: WebKit's scrollIntoView does not reach a section not yet laid out.
        await until(`${figure.id} to be live`, () => {
          const { top, bottom } = figure.getBoundingClientRect();
          if (bottom < 0 || top > innerHeight) scrollBy({ top, behavior: "instant" });
          return figure.classList.contains("is-live");
        });
      }
      // A hidden one has nothing to change at these settings.
      sliders = all(".live-figure input[type=range]").filter((each) => !each.closest("[hidden]"));
      links = all(".live-link button");
      folds = all("details:not([open]) > summary, .toggle-hidden .toggle-button");
      folds = firsts(folds, ({ parentElement }) => parentElement.className);
      if (!everyLink) links = firsts(links, ({ parentElement }) => parentElement.dataset.figure);
      return [figures, sliders, folds, links].map((each) => each.length);
    },

    /** Takes hold of a slider; returns the key that moves it. */
    slider(n) {
      const slider = sliders[n];
      const figure = slider.closest(".live-figure");
      const { value } = slider;
      const before = reading(figure);
      focus(slider);
      happened = async () => {
        await until("the slider", () => slider.value !== value);
        await until("its figure", () => reading(figure) !== before);
      };
      return Number(value) < Number(slider.max) ? "ArrowRight" : "ArrowLeft";
    },

    link(n) {
      const { says, figure } = links[n].parentElement.dataset;
      for (let box = links[n]; (box = box.parentElement.closest("details"));) box.open = true;
      const status = document.getElementById("live-status");
      status.replaceChildren();
      focus(links[n]);
      happened = () => until(`"${says}" of ${figure}`, () => status.textContent.includes(says));
    },

    fold(n) {
      const { dataset, parentElement } = folds[n];
      const box = document.getElementById(dataset.target) ?? parentElement;
      const height = box.offsetHeight;
      focus(folds[n]);
      happened = () => until("what was folded", () => box.offsetHeight > height);
    },

    /** Takes hold of the theme's switch; the next page shall know nothing of it. */
    theme() {
      const painted = [document.body, ...all(".pex")];
      const before = painted.map(ground);
      focus(all(".theme-switch-button").find((each) => each.checkVisibility()));
      happened = async () => {
        await until("other colours", () => painted.every((each, n) => ground(each) !== before[n]));
        localStorage.clear();
      };
    },

    /** Waits for what the key should cause. */
    happened: () => happened(),
  };
}
