// Source maps: every file has one, all lead to sources in the package, and positions agree.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, join } from "node:path";

/** Files without a map: they are written by hand or bundled from elsewhere, and say so. */
const NO_MAP = /^(?:bin\/onebuffer|esm\/vendor\/[\w-]+)\.js$/;

/** Whole words of at least six letters, which compilers do not invent. */
const wordAt = (line, column) => /^[A-Za-z]{6,}\b/.exec(line?.slice(column) ?? "")?.[0];

/** What TypeScript writes before a member's name, and JavaScript has not: the map of a member leads to its beginning. */
const kModifiers = /^(?:(?:private|protected|override|readonly|abstract) )+/;

/** Positions where a word begins that stands in the source as well, about `count` of them. Statements are joined, so keywords do not. */
function* positions(text, count) {
  const words = [...text.matchAll(/(?<![\w$#"'.])(?!function\b|return\b|import\b|export\b|switch\b)[A-Za-z]{6,}\b(?!:\(\)=>)/g)];
  const step = Math.max(1, Math.floor(words.length / count));
  for (let i = 0; i < words.length; i += step) yield words[i].index;
}

/** How many of a file's positions lead to the same word of a source, of how many that have an entry of their own. */
function agreeing(folder, file) {
  const text = readFileSync(join(folder, file), "utf8");
  const map = new SourceMap(JSON.parse(readFileSync(join(folder, `${file}.map`), "utf8")));
  const lines = text.split("\n");
  const starts = [0];
  for (const line of lines) starts.push(starts.at(-1) + line.length + 1);
  let [same, asked] = [0, 0];
  for (const at of positions(text, 200)) {
    let line = starts.findIndex((start) => start > at) - 1;
    if (line < 0) line = lines.length - 1;
    const column = at - starts[line];
    const entry = map.findEntry(line, column);
    if (entry.originalSource === undefined || entry.generatedLine !== line || entry.generatedColumn !== column) continue;
    const source = readFileSync(join(folder, dirname(file), entry.originalSource), "utf8").split("\n")[entry.originalLine];
    asked++;
    const original = source?.slice(entry.originalColumn);
    // Declarations have the modifiers, too.
    if ([original, original?.replace(kModifiers, "")].some((text) => wordAt(text, 0) === wordAt(lines[line], column))) same++;
  }
  return { same, asked };
}

export const SOURCE_MAP_CHECKS = {
  "source maps lead from every file to the sources that ship"({ package: folder }) {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((file) => file.replaceAll("\\", "/"))
      .filter((file) => /^(?:bin|browser|esm|node)\/.*\.(?:js|d\.ts)$/.test(file) && !NO_MAP.test(file));
    for (const file of files) {
      if (!existsSync(join(folder, `${file}.map`))) throw new Error(`${file} has no map`);
      const { sources, sourcesContent } = JSON.parse(readFileSync(join(folder, `${file}.map`), "utf8"));
      if (sourcesContent !== undefined) throw new Error(`${file}.map holds sources`);
      for (const source of sources) {
        const path = join(dirname(file), source).replaceAll("\\", "/");
        if (!(path.startsWith("src/") || path.startsWith("esm/vendor/")) || !existsSync(join(folder, path)))
          throw new Error(`${file}.map leads to ${source}, which is not in the package`);
      }
    }
    return `${files.length} files`;
  },
  "positions in source maps agree with the sources"({ package: folder }) {
    const chunks = readdirSync(join(folder, "node")).filter((name) => /^chunk-.*\.js$/.test(name));
    const files = [
      "browser/onebuffer.js",
      ...chunks.map((name) => `node/${name}`),
      ...["core/tensor/tensor", "evaluator/evaluate-into", "shape/tensor-shape"].flatMap((name) => [`esm/${name}.js`, `esm/${name}.d.ts`]),
    ].filter((file) => existsSync(join(folder, file)));
    let all = 0;
    for (const file of files) {
      const { same, asked } = agreeing(folder, file);
      all += asked;
      if (same < 0.97 * asked) throw new Error(`${file}: ${same} of ${asked} positions lead to the same word`);
    }
    if (all < 500) throw new Error(`only ${all} positions have an entry`);
    return `${all} positions in ${files.length} files`;
  },
};
