// Which suites run in a browser: those whose imports never lead to a module of Node. In the library a module of Node is asked for only where
// there is one, except in the entries for Node, so there only static imports count.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { addresses } from "../../browser/server.mjs";
import { builtFile, testFiles } from "../../test-files.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const kImports = /\b(?:from|import)\s*"([^"]+)"/g;
const kDynamicImports = /\bimport\(\s*"([^"]+)"/g;
/** What only Node has beside its modules, in the code of tests. */
const kNodeOnly = /\bprocess\.(?!env\b|cpuUsage\b)|\bimport\.meta\.url\b|\brequire\(|\bBuffer\.(?!compare\b)[a-z]\w*\(/;
/** Pages that are not isolated do not have this class. */
const kShared = /\bSharedArrayBuffer\b/;

const isTest = (path) => /\/dist\/test\/|\/test-support\//.test(path);

/** Resolves an import to the path of a built file; null for packages of others. */
function resolved(specifier, from, entries) {
  if (specifier.startsWith(".")) return join(dirname(from), specifier);
  if (specifier in entries) return join(root, entries[specifier]);
  const [, name, rest] = /^@onebuffer\/([\w-]+)\/(.+)$/.exec(specifier) ?? [];
  if (name === undefined) return null;
  if (name === "test-support") return join(root, "test-support/dist/src", `${rest}.js`);
  return join(root, "packages", name, "dist", rest.endsWith(".js") ? rest : `${rest}.js`);
}

/** Returns true if a file or what it imports needs Node, or shared memory where there is none. */
function needsMore(path, { entries, isolated, seen }) {
  if (seen.has(path)) return seen.get(path);
  // Import cycles do not exist in this workspace.
  seen.set(path, false);
  if (!existsSync(path)) return false;
  const text = readFileSync(path, "utf8");
  const specifiers = [kImports, ...(isTest(path) ? [kDynamicImports] : [])].flatMap((form) =>
    [...text.matchAll(form)].map((match) => match[1]),
  );
  const needs =
    (isTest(path) && (kNodeOnly.test(text) || (!isolated && kShared.test(text)))) ||
    specifiers.some((specifier) => {
      if (specifier.startsWith("node:")) return true;
      // A test's suites are judged one by one.
      if (specifier.endsWith(".suite.js")) return false;
      const file = specifier === "@onebuffer/test-support" ? null : resolved(specifier, path, entries);
      return file !== null && needsMore(file, { entries, isolated, seen });
    });
  seen.set(path, needs);
  return needs;
}

/** The test files that have tests for a browser: `{ path, built, leftOut }`, the built file of each and those of its suites that need more. */
export function browserSubjects(patterns, isolated) {
  const page = { entries: addresses(), isolated, seen: new Map() };
  return testFiles().flatMap(({ path, suites }) => {
    if (!path.endsWith(".test.ts") || (patterns.length > 0 && !patterns.some((pattern) => path.includes(pattern)))) return [];
    const [built, ...parts] = [path, ...suites].map((each) => join(root, builtFile(each)));
    if (needsMore(built, page)) return [];
    const leftOut = parts.filter((part) => needsMore(part, page));
    return leftOut.length === parts.length && parts.length > 0 ? [] : [{ path, built, leftOut }];
  });
}
