// The mutants of compiled modules. StrykerJS's instrumenter writes all mutants of a module into one text, which asks at each place whether its
// mutant is the active one, and counts which places are reached.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, join } from "node:path";
import { sourceOf } from "./subjects.mjs";

/** The code that TypeScript writes for `using`: no line of the source. */
const kDisposal = /\benv_\d+\b|__(?:addDisposableResource|disposeResources)/;
const kDisposalBlock = /^\s*(?:catch \(e_\d+\)|finally) \{$/;

/** More mutants than a subject has: the size of the table in which their places are counted. */
export const kMostMutants = 2 ** 16;

/** StrykerJS's functions, which each module has, for the active mutant and for counting by name in objects. */
const kHelpers = /function stryNS_9fa48\(\) \{[\s\S]*?\n {2}return isActive\(id\);\n\}/;

/** The same with numbers and one table, which takes a small part of the time. `__stryker__` is what the environment provides. */
const kQuickHelpers = `const stryShared = globalThis.__stryker__, stryCounts = stryShared.counts;
function stryCov_9fa48() { for (let k = 0; k < arguments.length; k++) stryCounts[arguments[k]]++; }
function stryMutAct_9fa48(id) {
  if (stryShared.activeMutant !== id) return false;
  if (++stryShared.hitCount > stryShared.hitLimit) throw new Error("a mutant without end");
  return true;
}
`;

const quiet = Object.fromEntries(["trace", "debug", "info", "warn", "error", "fatal", "isDebugEnabled"].map((name) => [name, () => false]));

/** Returns the text of a mutant's place in one line, at most 120 characters long. */
function originalOf({ location: { start, end } }, compiled) {
  const lines = compiled.slice(start.line, end.line + 1);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column);
  lines[0] = lines[0].slice(start.column);
  return lines.join(" ").replace(/\s+/g, " ").slice(0, 120);
}

/** Returns an instrumented text with the quick functions, and without its source map: with that, every stack trace would be wrong, and slow. */
function quickText(text) {
  if (!text.includes("stryMutAct_9fa48")) return text;
  if (!kHelpers.test(text)) throw new Error("the instrumenter has written other functions than those which are replaced here");
  const numbered = text.replace(
    /\b(stry(?:MutAct|Cov)_9fa48)\(((?:"\d+"(?:, )?)+)\)/g,
    (_, name, ids) => `${name}(${ids.replaceAll('"', "")})`,
  );
  return numbered.replace(kHelpers, kQuickHelpers).replace(/^\/\/# sourceMappingURL=.*$/m, "");
}

/** Returns where in the TypeScript source a mutant is: `{ line, code }`, or null if the compiler wrote the code by itself. */
function placeOf({ location: { start } }, compiled, map, lines) {
  const written = compiled[start.line];
  if (kDisposal.test(written) || kDisposalBlock.test(written)) return null;
  const { originalLine } = map.findEntry(start.line, start.column);
  return originalLine === undefined ? null : { line: originalLine + 1, code: (lines[originalLine] ?? "").trim() };
}

/**
 * Instruments modules, paths relative to `root`, and writes them by the same paths into `folder`. Returns the mutants:
 * `{ id, package, file, line, code, mutator, original, replacement }`, where `file` is the TypeScript file and `code` the text of its line.
 */
export async function mutantsOf(name, root, paths, folder) {
  const { Instrumenter } = await import("@stryker-mutator/instrumenter");
  const texts = new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
  const options = { plugins: null, excludedMutations: [], ignorers: [] };
  const inputs = [...texts].map(([path, content]) => ({ name: path, content, mutate: true }));
  const { files, mutants } = await new Instrumenter(quiet).instrument(inputs, options);
  for (const { name: path, content } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), quickText(content));
  }
  if (mutants.length > kMostMutants) throw new Error(`${name} has ${mutants.length} mutants, more than ${kMostMutants}`);
  const sources = new Map();
  for (const [path, text] of texts) {
    if (!existsSync(join(root, `${path}.map`))) throw new Error(`${path} has no source map: run npm run build`);
    const map = new SourceMap(JSON.parse(readFileSync(join(root, `${path}.map`), "utf8")));
    const lines = readFileSync(join(root, sourceOf(path)), "utf8").split("\n");
    sources.set(path, { map, lines, compiled: text.split("\n") });
  }
  return mutants.flatMap((mutant) => {
    const { map, lines, compiled } = sources.get(mutant.fileName);
    const place = placeOf(mutant, compiled, map, lines);
    if (place === null) return [];
    const { mutatorName: mutator, fileName } = mutant;
    const id = Number(mutant.id);
    const replacement = mutant.replacement.replace(/\s+/g, " ");
    return [{ id, package: name, file: sourceOf(fileName), ...place, mutator, original: originalOf(mutant, compiled), replacement }];
  });
}
