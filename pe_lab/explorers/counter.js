// A counter whose digits become hands.

import { LIMITS } from "./from_python.js";
import { chart } from "./kit/bars.js";
import { choice, positionSlider, slider } from "./kit/controls.js";
import { face, RIM, tip } from "./kit/dials.js";
import { fit, html, setAttributes, svg, write } from "./kit/elements.js";
import { between, counted, fixed, grouped } from "./kit/format.js";
import { widget } from "./kit/mount.js";
import { reading, readings } from "./kit/readings.js";
import { digits, numbers } from "./counter.numbers.js";

/** @import { Change } from "./kit/settings.js" */
/** @import { Hand, State } from "./counter.numbers.js" */

const MOST = digits(LIMITS.radix.low); // hands
/** The distance that a whole bar stands for. @type {Record<string, number>} */
const TALLEST = {
  counter: 5, // every hand on the opposite side: 2 √6
  paper: 2, // the fastest hand turns by a radian: neighbours are 0.96 apart
};

/** The places of the digits on the rim, as short lines. @param {number} radix */
function ticks(radix) {
  return Array.from({ length: radix }, (_, n) => {
    const at = (/** @type {number} */ radius) =>
      tip((2 * Math.PI * n) / radix, radius)
        .map((each) => each.toFixed(2))
        .join(" ");
    return `M${at(RIM - 6)}L${at(RIM)}`;
  }).join("");
}

/** A digit and its hand, with the hand of the next position behind it. */
function card() {
  const digit = html("div", { class: "pex-digit" });
  const marks = svg("path", { class: "pex-tick" }),
    next = svg("line", { class: "pex-before" }),
    hand = svg("line", { class: "pex-hand" }),
    end = svg("circle", { r: 4, class: "pex-tip" });
  const dial = face();
  dial.append(marks, next, hand, end);
  dial.removeAttribute("aria-hidden"); // its angle is nowhere else
  setAttributes(dial, { role: "img" });
  const period = html("div", { class: "pex-period" });
  return {
    element: html("li", {}, digit, dial, period),
    /** @param {number} j  which hand @param {Hand} shown @param {State} state */
    show(j, shown, { radix, speed }) {
      const counts = speed === "counter";
      write(digit, String(shown.digit));
      digit.hidden = !counts;
      setAttributes(marks, { d: counts ? ticks(radix) : "" });
      const [x, y] = tip(shown.angle).map((each) => each.toFixed(3));
      const [u, v] = tip(shown.next).map((each) => each.toFixed(3));
      setAttributes(hand, { x2: x, y2: y });
      setAttributes(end, { cx: x, cy: y });
      setAttributes(next, { x2: u, y2: v });
      const degrees = Math.round((180 * shown.angle) / Math.PI) % 360;
      setAttributes(dial, { "aria-label": `hand ${j}, turned by ${counted(degrees, "degree")}` });
      write(period, `once in ${grouped(shown.period, counts ? 0 : 1)}`);
    },
  };
}

/** @param {State} state @param {ReturnType<typeof numbers>} shown */
function says({ position, radix, smooth, speed }, { hands, distance, distances }) {
  const least = Math.min(...distances),
    most = Math.max(...distances);
  const step =
    most - least < 1e-9
      ? `away, as far as any two neighbours are`
      : `away; neighbours are ${between(least, most, 2)} apart`;
  const apart = `Position ${position + 1} is ${fixed(distance, 2)} ${step}.`;
  if (speed === "paper") return `Position ${position}, three hands at the paper's speed. ${apart}`;
  const number = hands.map((each) => each.digit).join(" ");
  const moves =
    smooth === 0 ? "tick" : smooth === 100 ? "glide" : `glide ${smooth} percent of the way`;
  return `Position ${position} in base ${radix}: ${number}. The hands ${moves}. ${apart}`;
}

/** @param {Change} change */
function view(change) {
  const position = positionSlider(change);
  const radix = slider(
    "radix",
    { label: "Base of the counter", words: (b) => `base ${b}` },
    change,
  );
  const smooth = slider(
    "smooth",
    { label: "Smooth", words: (s) => `${s} percent smooth`, short: (s) => `${s} %` },
    change,
  );
  const names = { counter: "of the counter", paper: "of the paper, d_model 6" };
  const speed = choice("speed", "Hands at the speed", names, change);
  const cards = Array.from({ length: MOST }, card);
  const hands = html("ul", { class: "pex-dials pex-counter-hands" });
  const distances = chart(LIMITS.position.high + 1);
  const apart = reading();
  return {
    top: [
      position.element,
      smooth.element,
      html("div", { class: "pex-figure" }, hands),
      html(
        "div",
        { class: "pex-note" },
        "How far each position is from the next, for all 64. The dashed hands are those of the next position.",
      ),
      distances.element,
      readings(["distance from the next position: ", apart.element]),
    ],
    settings: [radix.element, speed.element],
    /** @param {State} state */
    draw(state) {
      const shown = numbers(state);
      for (const each of [position, smooth, radix, speed]) each.show(state);
      // At the paper's speed there is nothing that they could change.
      for (const each of [smooth, radix]) each.element.hidden = state.speed === "paper";
      const slowest = shown.hands.length - 1;
      shown.hands.forEach((each, n) => cards[n].show(slowest - n, each, state));
      fit(
        hands,
        cards.map((each) => each.element),
        shown.hands.length,
      );
      distances.show(shown.distances, state.position, TALLEST[state.speed]);
      apart.show(shown.distance);
      return says(state, shown);
    },
  };
}

export default widget({ name: "counter", label: "Counter explorer", view });
