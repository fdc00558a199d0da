// Runs this page's anywidgets with no kernel. Their state is in #live-figures, each module in a
// script, which file:// allows.
{
const base = document.currentScript.src;
const page = new AbortController();
addEventListener("pagehide", (event) => event.persisted || page.abort());

const once = (make, made = new Map()) => (key) =>
  (made.has(key) ? made : made.set(key, make(key))).get(key);

/** One message for one failure. */
const report = once((error) => console.error("[live figures]", error));
const attempt = async (run, ...values) => {
  try { await run(...values); } catch (error) { report(error); }
};

const load = once((file) => new Promise((resolve, reject) => {
  const script = document.createElement("script");
  script.src = new URL(file, base);
  script.onload = () => resolve(script.module);
  script.onerror = () => reject(new Error(`cannot load ${file}`));
  document.head.append(script);
}));

// For comparison. Binary data never equals.
const text = (value) =>
  JSON.stringify(value, (_, part) => (ArrayBuffer.isView(part) ? Math.random() : part));

class Model {
  listeners = [];

  constructor({ file, state, buffers }) {
    Object.assign(this, { file, state });
    for (const { path, data } of buffers) {
      const name = path.pop();
      const { buffer } = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
      path.reduce((part, key) => part[key], state)[name] = new DataView(buffer);
    }
  }

  set(name, value) {
    const values = name instanceof Object ? name : { [name]: value };
    const changed = Object.keys(values)
      .filter((key) => text(values[key]) !== text(this.state[key]));
    Object.assign(this.state, values);
    for (const key of changed) this.emit(`change:${key}`, this.state[key]);
    if (changed.length) this.emit("change");
  }

  emit(event, ...values) {
    const called = this.listeners.filter(({ name }) => name === event);
    for (const { run, owner } of called) attempt(run, owner, ...values);
  }

  /** The model for one view; `off` removes only this view's listeners. */
  handle() {
    const owner = {
      get: (name) => this.state[name],
      set: this.set.bind(this),
      save_changes() {}, send() {},
      on: (names, run) => {
        for (const name of names.split(" ")) this.listeners.push({ name, owner, run });
      },
      off: (names, run) => {
        this.listeners = this.listeners.filter((one) => one.owner !== owner
          || (names && !names.split(" ").includes(one.name))
          || (run && run !== one.run));
      },
      widget_manager: { get_model },
    };
    return owner;
  }

  /** Call initialize or render; each may return a cleanup. */
  async call(widget, hook, view) {
    const model = this.handle();
    try {
      const undo = await widget[hook]({ model, signal: page.signal, experimental, ...view });
      if (undo instanceof Function) page.signal.addEventListener("abort", () => attempt(undo));
    } catch (error) {
      model.off();
      throw error;
    }
  }

  async start() {
    const url = URL.createObjectURL(new Blob([await load(this.file)], { type: "text/javascript" }));
    const { render, default: main } = await import(url);
    const widget = render ? { render } : main instanceof Function ? await main() : main;
    if (widget.initialize) await this.call(widget, "initialize");
    return widget;
  }

  async render(el) {
    await this.call(await (this.widget ??= this.start()), "render", { el });
  }
}

const experimental = { invoke: () => Promise.reject(new Error("no kernel")) };
const data = JSON.parse(document.getElementById("live-figures").textContent);
const models = new Map(data.map(([id, model]) => [id, new Model(model)]));
const get_model = async (id) => models.get(id).handle();

/** Replace the still picture once the live view has rendered. */
const show = once(async (figure) => {
  const el = figure.appendChild(document.createElement("div"));
  el.className = "live-view";
  try {
    await models.get(figure.dataset.model).render(el);
    figure.classList.add("is-live");
    return true;
  } catch (error) {
    el.remove();
    report(error);
  }
});
const near = new IntersectionObserver((seen) => {
  for (const entry of seen) if (entry.isIntersecting) show(entry.target);
}, { rootMargin: "100%" });
for (const one of document.querySelectorAll(".live-figure[data-model]")) near.observe(one);

for (const link of document.querySelectorAll(".live-link")) {
  const { values, says } = link.dataset;
  const figure = document.getElementById(link.dataset.figure);
  const button = document.createElement("button");
  button.append(...link.childNodes);
  button.onclick = async () => {
    models.get(figure.dataset.model).set(JSON.parse(values));
    if (!await show(figure)) return;
    const { top, bottom } = figure.getBoundingClientRect();
    if (bottom < 0 || top > innerHeight) figure.scrollIntoView();
    document.getElementById("live-status").replaceChildren(says);
  };
  link.append(button);
}
}
