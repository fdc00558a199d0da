// Reads {css, content: [paths]} and prints the CSS without the rules that no content names.
import { PurgeCSS } from "purgecss";
import { readFileSync } from "node:fs";

/** The names in a page's tags that a selector can mean: not its prose, not its addresses. */
const namesInTags = (/** @type {string} */ html) =>
  [...html.matchAll(/<([a-z][\w-]*)([^>]*)>/g)].flatMap(([, tag, attributes]) => [
    tag,
    ...(attributes
      .replace(/\b(alt|title|href|src|content|aria-label|d|style)="[^"]*"/g, " $1 ")
      .match(/[\w-]+/g) ?? []),
  ]);

const { css, content } = JSON.parse(readFileSync(0, "utf8"));
const [result] = await new PurgeCSS().purge({
  content,
  extractors: [{ extensions: ["html"], extractor: namesInTags }],
  css: [{ raw: css }],
  keyframes: true,
  variables: true,
  // Set by scripts on elements that the page already has; bootstrap names them all.
  safelist: { greedy: [/data-theme/, /data-mode/, /tooltip/, /dropdown/, /^show$/, /^fade$/] },
});
process.stdout.write(result.css);
