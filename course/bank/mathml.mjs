// Reads a list of formulas in LaTeX, writes a list of them in MathML.
import katex from "katex";
import { text } from "node:stream/consumers";

/** @type {string[]} */
const formulas = JSON.parse(await text(process.stdin));
process.stdout.write(JSON.stringify(formulas.map(render)));

/** @param {string} tex */
function render(tex) {
  const html = katex.renderToString(tex, { output: "mathml", throwOnError: true, strict: "error" });
  return html.replace(/^<span class="katex">|<\/span>$/g, "");
}
