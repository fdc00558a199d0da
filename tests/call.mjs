// Calls functions of front ends: each line of the input is {module, name, calls: [arguments]}, and
// is answered by a line, {results} or {error}. A file is handed over as {base64}.
import { createInterface } from "node:readline";

/** @param {Buffer} bytes */
function view({ buffer, byteOffset, byteLength }) {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Typed arrays as lists, and what JSON has no number for by its name: NaN must not read as none. */
const plain = (/** @type {string} */ _, /** @type {unknown} */ value) =>
  ArrayBuffer.isView(value)
    ? Array.from(/** @type {Float64Array} */ (value))
    : typeof value === "number" && !Number.isFinite(value)
      ? String(value)
      : value;

/** @param {string} line */
async function answer(line) {
  const { module, name, calls } = JSON.parse(line, (_, value) =>
    value?.base64 ? view(Buffer.from(value.base64, "base64")) : value,
  );
  try {
    const front = await import(`data:text/javascript,${encodeURIComponent(module)}`);
    const results = calls.map((/** @type {unknown[]} */ each) => front[name](...each));
    return JSON.stringify({ results }, plain);
  } catch (error) {
    return JSON.stringify({ error: String(error) });
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${await answer(line)}\n`);
}
