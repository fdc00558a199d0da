// Calls a function of a front end: reads {module, name, calls: [arguments]} and prints the results.
import { readFileSync } from "node:fs";

const { module, name, calls } = JSON.parse(readFileSync(0, "utf8"));
const front = await import(`data:text/javascript,${encodeURIComponent(module)}`);
/** Typed arrays as lists, and what JSON has no number for by its name: NaN must not read as none. */
const plain = (/** @type {string} */ _, /** @type {unknown} */ value) =>
  ArrayBuffer.isView(value)
    ? Array.from(/** @type {Float64Array} */ (value))
    : typeof value === "number" && !Number.isFinite(value)
      ? String(value)
      : value;
const results = calls.map((/** @type {unknown[]} */ each) => front[name](...each));
process.stdout.write(JSON.stringify(results, plain));
