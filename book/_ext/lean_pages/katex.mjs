// Renders a formula for each line {tex, display} of its input, and answers {html} or {error}.
import katex from "katex";
import { createInterface } from "node:readline";

for await (const line of createInterface({ input: process.stdin })) {
  const { tex, display } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(render(tex, display))}\n`);
}

/**
 * @param {string} tex
 * @param {boolean} displayMode
 */
function render(tex, displayMode) {
  try {
    const html = katex.renderToString(tex, { displayMode, throwOnError: true, strict: "error" });
    return { html };
  } catch (error) {
    return { error: String(error) };
  }
}
