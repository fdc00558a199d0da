// Reads {css, names, scripts: [paths]}, prints the CSS without the rules that none of them names.
import { readFileSync } from "node:fs";
import postcss from "postcss";
import { PurgeCSS } from "purgecss";

// Comments are passed over: a lone quote in one would begin a string that ends in the script.
const COMMENT_OR_STRING =
  /(?<!\\)\/\/[^\n]*|(?<!\\)\/\*.*?\*\/|(["'])((?:\\.|(?!\1)[^\\\n])*)\1|`((?:\\.|[^\\`])*)`/gs;

/**
 * What a script may call a class, an id, a tag or an attribute: what its selectors name, the values
 * of class attributes, single words that it adds or asks for. Of its other strings, many words are
 * names too.
 * @param {string} script
 */
const namesInScript = (script) =>
  [...script.matchAll(COMMENT_OR_STRING)]
    .map(([, , quoted, template]) => quoted ?? template ?? "")
    .flatMap((text) => [
      ...(text.match(/^[\w-]+$/) ?? []),
      ...(text.match(/(?<=[.#[])[A-Za-z_][\w-]*/g) ?? []),
      ...[...text.matchAll(/class(?:Name)?=\\?["']([^"'\\]*)/g)].flatMap(([, list]) =>
        list.split(/\s+/),
      ),
    ])
    .concat(
      [...script.matchAll(/\bdataset\.(\w+)/g)].map(
        ([, name]) => `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      ),
    )
    .filter((name) => !ABSENT.some((absent) => absent.test(name)));

// What scripts of the theme name; where a page has it, its rules stay.
const ABSENT = [
  /^(margin|margin-caption|marginnote|sidenote)$/,
  /^sidebar$/,
  /^pst-(squeeze|collapse-sidebar|expand-sidebar)/,
  /^(linenos|highlight-link|context|option-list|field-list|glossary|citation)$/,
  /^(row|navbar-nav|toggle|toggle-hidden|searchbox|search-summary|h2)$/,
  /^(hide|base|error|toctree-wrapper|scrolled)$/,
  /^(bd-footer-article|below-input|full-width|jp-RenderedHTMLCommon|noprint|thebe-launch-button|toggler)$/,
];

const { css, names, scripts } = JSON.parse(readFileSync(0, "utf8"));
const [result] = await new PurgeCSS().purge({
  content: [...scripts, { raw: JSON.stringify(names), extension: "names" }],
  extractors: [
    { extensions: ["names"], extractor: JSON.parse },
    { extensions: ["js"], extractor: namesInScript },
  ],
  css: [{ raw: css }],
  keyframes: true,
  variables: true,
  // Set by the script that stands in every page's head.
  safelist: { greedy: [/data-begins/] },
  // Parts of the theme that scripts name and the book does not have.
  blocklist: [
    /popover/,
    /^bd-header(-announcement)?$/,
    /version-switcher/,
    /announcement/,
    /version-warning/,
    /^dropdown-menu-dark$/,
    /^list-group/,
  ],
});

const sheet = postcss.parse(result.css);
sheet.walk((node) => {
  const licence = node.type === "comment" && node.text.startsWith("!");
  const empty = node.type === "comment" || (node.type === "rule" && !node.nodes.length);
  if (empty && !licence) node.remove();
  // No space but inside selectors and values.
  node.raws.before = node.raws.after = "";
  node.raws.between = node.type === "decl" ? ":" : "";
  node.raws.semicolon = false;
});
// Every browser that runs the live figures reads woff2.
sheet.walkDecls("src", (source) => {
  source.value = source.value.replace(/,\s*url\([^)]*\.(?:woff|ttf)\)\s*format\("\w+"\)/g, "");
});
process.stdout.write(sheet.toString());
