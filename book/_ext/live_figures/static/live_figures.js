// Runs this page's anywidgets with no kernel. Their state is in #live-figures, each module in a
// script, which file:// allows.

/**
 * @typedef {import("@anywidget/types").AnyModel} View
 * @typedef {{ initialize?: import("@anywidget/types").Initialize,
 *   render?: import("@anywidget/types").Render }} Widget
 * @typedef {Record<string, any>} State
 * @typedef {{ file: string, state: State, buffers: { path: string[], data: string }[],
 *   files?: Record<string, string> }} Stored
 * @typedef {{ name: string, run: (...values: any[]) => void, owner: View }} Listener
 */
{
  const here = /** @type {HTMLScriptElement} */ (document.currentScript);
  const page = new AbortController();
  addEventListener("pagehide", (event) => event.persisted || page.abort());

  /**
   * @template Key, Made
   * @param {(key: Key) => Made} make  called once for each key
   * @returns {(key: Key) => Made}
   */
  const once =
    (make, made = new Map()) =>
    (key) =>
      (made.has(key) ? made : made.set(key, make(key))).get(key);

  /** One message for one failure. */
  const report = once((error) => console.error("[live figures]", error));

  /** @param {Function} run @param {any[]} values */
  const attempt = async (run, ...values) => {
    try {
      await run(...values);
    } catch (error) {
      report(error);
    }
  };

  /** @type {Record<string, Promise<string>>} */ const loads = {};
  /** The text of a script: a module, or data in base64. @type {(file: string) => Promise<string>} */
  const load = (file) =>
    (loads[file] ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = new URL(file, here.src).href;
      script.onload = script.onerror = () => {
        const { module } = /** @type {any} */ (script);
        if (module) return resolve(module);
        delete loads[file];
        reject(new Error(`cannot load ${file}`));
      };
      document.head.append(script);
    }));

  /** Binary data never equals. */
  const text = (/** @type {any} */ value) =>
    JSON.stringify(value, (_, part) => (ArrayBuffer.isView(part) ? Math.random() : part));

  const bytes = (/** @type {string} */ data) =>
    new DataView(Uint8Array.from(atob(data), (c) => c.charCodeAt(0)).buffer);

  class Model {
    /** @type {Listener[]} */
    listeners = [];
    /** @type {Promise<Widget> | undefined} */
    widget;

    constructor(/** @type {Stored} */ { file, state, buffers, files = {} }) {
      this.file = file;
      this.state = state;
      this.files = files;
      for (const { path, data } of buffers) {
        const holder = path.slice(0, -1).reduce((part, key) => part[key], state);
        holder[path[path.length - 1]] = bytes(data);
      }
    }

    /** @param {string | State} name @param {any} [value] */
    set(name, value) {
      const values = typeof name === "string" ? { [name]: value } : name;
      const changed = Object.keys(values).filter(
        (key) => text(values[key]) !== text(this.state[key]),
      );
      Object.assign(this.state, values);
      for (const key of changed) this.emit(`change:${key}`, this.state[key]);
      if (changed.length) this.emit("change");
    }

    /** @param {string} event @param {any[]} values */
    emit(event, ...values) {
      const called = this.listeners.filter(({ name }) => name === event);
      for (const { run, owner } of called) attempt(run, owner, ...values);
    }

    /** The model for one view; `off` removes its listeners. */
    handle() {
      /** @type {View} */
      const owner = {
        get: (name) => this.state[name],
        set: this.set.bind(this),
        save_changes() {},
        send() {},
        on: (/** @type {string} */ names, /** @type {Listener["run"]} */ run) => {
          for (const name of names.split(" ")) this.listeners.push({ name, owner, run });
        },
        off: (names, run) => {
          this.listeners = this.listeners.filter(
            (one) =>
              one.owner !== owner ||
              (names && !names.split(" ").includes(one.name)) ||
              (run && run !== one.run),
          );
        },
        widget_manager: { get_model: async (id) => /** @type {any} */ (the(id).handle()) },
      };
      return owner;
    }

    /** The kernel's answer: a file of the figure's data. */
    invoke = async (/** @type {string} */ name, /** @type {any} */ asked) => {
      if (name !== "file" || !this.files[asked]) throw new Error("no kernel");
      return /** @type {[any, DataView[]]} */ ([null, [bytes(await load(this.files[asked]))]]);
    };

    /** Call initialize or render; each may return a cleanup. */
    async call(/** @type {Function | undefined} */ hook, view = {}) {
      const model = this.handle();
      const experimental = { invoke: this.invoke };
      try {
        const undo = await hook?.({ model, signal: page.signal, experimental, ...view });
        if (undo instanceof Function) page.signal.addEventListener("abort", () => attempt(undo));
      } catch (error) {
        model.off();
        throw error;
      }
    }

    /** @param {string} script @returns {Promise<Widget>} */
    async start(script) {
      const module = new Blob([script], { type: "text/javascript" });
      const { render, default: main } = await import(URL.createObjectURL(module));
      const widget = render ? { render } : main instanceof Function ? await main() : main;
      await this.call(widget.initialize?.bind(widget));
      return widget;
    }

    async render(/** @type {HTMLElement} */ el) {
      const script = await load(this.file);
      const widget = await (this.widget ??= this.start(script));
      if (!widget.render) throw new Error("the module has no render");
      await this.call(widget.render.bind(widget), { el });
    }
  }

  /** @type {[string, Stored][]} */
  const data = JSON.parse(document.getElementById("live-figures")?.textContent ?? "[]");
  const models = new Map(data.map(([id, model]) => [id, new Model(model)]));
  const the = (/** @type {string | undefined} */ id) =>
    /** @type {Model} */ (models.get(/** @type {string} */ (id)));

  const shown = new Map();
  /** Replace the still picture once the live view has rendered; whether it has. */
  const show = once(async (/** @type {HTMLElement} */ figure) => {
    const el = figure.appendChild(document.createElement("div"));
    el.className = "live-view";
    const model = the(figure.dataset.model);
    try {
      await model.render(el);
      figure.classList.add("is-live");
      return true;
    } catch (error) {
      el.remove();
      report(error);
      if (!model.widget) shown.delete(figure); // it may load another time
      return false;
    }
  }, shown);
  const near = new IntersectionObserver(
    (seen) => {
      for (const { isIntersecting, target } of seen) {
        if (isIntersecting) show(/** @type {HTMLElement} */ (target));
      }
    },
    { rootMargin: "100%" },
  );
  const look = () => {
    near.disconnect();
    for (const one of document.querySelectorAll(".live-figure[data-model]")) near.observe(one);
  };
  addEventListener("online", look);
  look();

  // Links that set a figure. Then both are seen, or, where there is no room, the figure is, with a
  // way back.

  /** Where the screen begins, below the bars at its top. */
  const begin = () => parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;

  const scroll = (/** @type {number} */ by) => scrollBy({ top: by, behavior: "instant" });

  const GAP = 8; // px
  const ENOUGH = 2 / 3; // of the figure

  /** The part of the figure on the screen, scrolled down `by`. */
  const seen = (/** @type {DOMRect} */ { top, bottom, height }, by = 0) =>
    (Math.min(bottom - by, innerHeight) - Math.max(top - by, begin())) / height;

  /** Scroll to where both are seen; false where there is no room. */
  const together = (/** @type {HTMLElement} */ link, /** @type {HTMLElement} */ figure) => {
    const at = link.getBoundingClientRect();
    const box = figure.getBoundingClientRect();
    const [above, below] = [at.top - GAP - begin(), at.bottom + GAP - innerHeight];
    const by =
      box.top > at.top
        ? Math.min(above, Math.max(0, box.bottom + GAP - innerHeight))
        : Math.max(below, Math.min(0, box.top - GAP - begin()));
    if (seen(box, by) < ENOUGH) return false;
    // Coming to life, a figure may push its link away.
    if (above < 0 || below > 0 || seen(box) < ENOUGH || seen(box, by) > 0.99) scroll(by);
    return true;
  };

  let leave = () => {};

  /** Go to the figure, with a button that leads back to the link where it was. */
  const visit = (/** @type {HTMLElement} */ link, /** @type {HTMLElement} */ figure, top = 0) => {
    const back = document.createElement("button");
    back.type = "button";
    back.className = "live-back";
    back.textContent = "Back to the text";
    back.style.top = `${begin()}px`;
    const returned = new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && leave());
    leave = () => {
      returned.disconnect();
      if (document.activeElement === back) link.focus({ preventScroll: true });
      back.remove();
      leave = () => {};
    };
    back.onclick = () => {
      leave();
      link.focus({ preventScroll: true });
      scroll(link.getBoundingClientRect().top - top);
    };
    figure.prepend(back);
    figure.scrollIntoView({ behavior: "instant" });
    back.focus({ preventScroll: true });
    returned.observe(link);
  };

  // While a figure moves, sections far from the screen are not drawn (see the style). They keep
  // their size, so first all are laid out at the width.

  const loaded =
    document.readyState === "complete" ||
    new Promise((resolve) => addEventListener("load", resolve));
  const frame = () => new Promise(requestAnimationFrame);
  const { classList } = document.documentElement;
  let width = 0;
  new ResizeObserver(async ([{ contentRect }]) => {
    if (contentRect.width === width) return;
    width = contentRect.width;
    classList.remove("live-rest");
    await Promise.all([loaded, document.fonts.ready]);
    await frame();
    await frame();
    classList.add("live-rest");
  }).observe(/** @type {Element} */ (document.querySelector("section")));

  const status = /** @type {HTMLElement} */ (document.getElementById("live-status"));
  for (const words of document.querySelectorAll(".live-link")) {
    const { figure: id = "", values = "", says = "" } = /** @type {HTMLElement} */ (words).dataset;
    const figure = /** @type {HTMLElement} */ (document.getElementById(id));
    const link = document.createElement("button");
    link.type = "button";
    link.append(...words.childNodes);
    link.onclick = async () => {
      const { top } = link.getBoundingClientRect(); // a fold may open above
      figure.closest("details")?.setAttribute("open", ""); // a folded result
      the(figure.dataset.model).set(JSON.parse(values));
      if (!(await show(figure))) return;
      leave();
      if (!together(link, figure)) visit(link, figure, top);
      status.replaceChildren(says);
    };
    words.append(link);
  }
}
