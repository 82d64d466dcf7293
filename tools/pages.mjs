// The Markdown pages of the repository and their blocks of code, for the tools and tests that run them or follow their links.
//
//   ```ts                 an example: `doc-examples.mjs` makes a test of it
//   ```js main.mjs        a file of a program; the files of one page belong together
//   ```text main.mjs      what `node main.mjs` prints
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the paths of the pages below a folder of the repository, with `/`, sorted. */
function pagesBelow(root, folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .sort();
}

/** Returns the paths of all pages, relative to the root. */
export function pagePaths(root) {
  return ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", ...pagesBelow(root, "docs"), "examples/README.md"];
}

/** Returns `{ language, file, code }` of each fenced block of a page; `file` is "" for a block without one. */
export function blocksOf(text) {
  return [...text.matchAll(/^```(\w*)(?: ([\w./-]+))?\n([\s\S]*?)^```$/gm)].map(([, language, file = "", code]) => ({
    language,
    file,
    code,
  }));
}

/** Returns the programs of a page: `{ page, files, outputs }`, both maps from a file's name to its text; null if it has none. */
export function programsOf(root, page) {
  const named = blocksOf(readFileSync(join(root, page), "utf8")).filter(({ file }) => file !== "");
  if (named.length === 0) return null;
  const isOutput = ({ language }) => language === "text";
  const entries = (blocks) => new Map(blocks.map(({ file, code }) => [file, code]));
  return { page, files: entries(named.filter((each) => !isOutput(each))), outputs: entries(named.filter(isOutput)) };
}
