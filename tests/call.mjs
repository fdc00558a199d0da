// Calls a function of a front end: reads {module, name, calls: [arguments]} and prints the results.
// A file is handed over as {base64}.
import { readFileSync } from "node:fs";

const { module, name, calls } = JSON.parse(readFileSync(0, "utf8"), (_, value) =>
  value?.base64 ? view(Buffer.from(value.base64, "base64")) : value,
);
/** @param {Buffer} bytes */
function view({ buffer, byteOffset, byteLength }) {
  return new DataView(buffer, byteOffset, byteLength);
}

// Node would print the whole module before the message, and a pipe that is full cuts it off.
process.on("uncaughtException", (error) => {
  process.stderr.write(`${error.name}: ${error.message}\n`);
  process.exitCode = 1;
});

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
