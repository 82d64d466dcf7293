// Turns every `@example` of the packages' doc comments, and every `ts` block of the Markdown pages, into a TypeScript test, so that
// `npm test` fails if an example no longer compiles or its result is wrong.
//
//   EXPR; // => EXPECTED      becomes   expect(EXPR).toEqual(EXPECTED);
//   EXPR; // throws CODE      becomes   an assertion that a StatusError of that code is thrown
//
// The tests are written to packages/*/test/doc-examples/, which git ignores. Examples in doc comments need no imports: names that
// the package or a package below it exports are imported automatically. An example that also uses names of a higher package (a
// count of buffers, with a Tensor) is tested in the umbrella package. Markdown blocks keep their own imports.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { asAssertion } from "./example-assertions.mjs";
import { blocksOf, pagePaths } from "./pages.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Returns the lines of the `@example` sections of one doc comment, a list of lines per section. */
function examplesOf(comment) {
  const found = [];
  let current = null;
  for (const raw of comment.split("\n")) {
    const line = raw.replace(/^\s*\/?\*+\/?\s?/, "").replace(/\s*\*\/\s*$/, "");
    if (/^@example\b/.test(line)) found.push((current = []));
    else if (/^@\w/.test(line)) current = null;
    else if (current) current.push(line);
  }
  return found.map((lines) => lines.join("\n").trim()).filter((text) => text !== "");
}

/** Returns `{ name, code }` of each example in a source file; the name is that of the declaration after the comment. */
function examplesInSource(text) {
  const found = [];
  for (const match of text.matchAll(/\/\*\*[\s\S]*?\*\//g)) {
    const after = text.slice(match.index + match[0].length).trimStart();
    const name =
      /^(?:export\s+)?(?:declare\s+)?(?:(?:abstract|static|override|get|set|async|readonly|public|protected)\s+)*(?:class|function|const|interface|type)?\s*([\w$[\].]+)/.exec(
        after,
      )?.[1];
    for (const code of examplesOf(match[0])) found.push({ name: name ?? "example", code });
  }
  return found;
}

const manifestOf = (name) => JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));

/** Returns `[specifier, names]` of each entry of a package: its index and its sub-paths. */
function entriesOf(name) {
  const manifest = manifestOf(name);
  return Object.entries(manifest.exports)
    .filter(([, { source }]) => source !== undefined)
    .map(([path, { source }]) => [manifest.name + path.slice(1), exportsOf(name, source)]);
}

/** Returns the value and type names that an entry of a package exports. */
function exportsOf(name, source) {
  const index = join(root, "packages", name, source);
  const values = new Set();
  const types = new Set();
  if (!existsSync(index)) return { values, types };
  const text = readFileSync(index, "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  for (const match of text.matchAll(/export\s+(type\s+)?\{([^}]*)\}/g)) {
    for (const part of match[2].split(",")) {
      const words = part.trim().split(/\s+/).filter(Boolean);
      if (words.length === 0) continue;
      const isType = match[1] !== undefined || words[0] === "type";
      (isType ? types : values).add(words.at(-1));
    }
  }
  return { values, types };
}

/** Source of `expectStatus`. It tells the ledger of jest-ledger.js that mistakes in the example are intended. */
const kExpectStatus = `async function expectStatus(act: () => Promise<void>, code: string): Promise<void> {
  let caught: unknown;
  (globalThis as unknown as Record<symbol, boolean>)[Symbol.for("onebuffer.test.expectsMistakes")] = true;
  try { await act(); } catch (error) { caught = error; }
  expect(isStatusErrorForExamples(caught) ? caught.code : caught).toBe(code);
}
`;

/** Returns import statements for the names used in `code`, each from the first of `packages` that exports it. */
function importsFor(code, packages) {
  const lines = [];
  const taken = new Set();
  for (const [specifier, { values, types }] of packages) {
    const used = (names) =>
      [...names].filter((name) => !taken.has(name) && new RegExp(`(?<![\\w$.])${name.replace("$", "\\$")}(?![\\w$])`).test(code));
    const usedValues = used(values);
    usedValues.forEach((name) => taken.add(name));
    const usedTypes = used(types);
    usedTypes.forEach((name) => taken.add(name));
    if (usedValues.length > 0) lines.push(`import { ${usedValues.join(", ")} } from "${specifier}";`);
    if (usedTypes.length > 0) lines.push(`import type { ${usedTypes.join(", ")} } from "${specifier}";`);
  }
  return lines.join("\n");
}

const kHeader = `import { expect, test } from "@jest/globals";
import { isStatusError as isStatusErrorForExamples } from "@onebuffer/base";
`;

function testFile(examples, imports) {
  const tests = examples.map(({ name, code }, i) => {
    const body = code
      .split("\n")
      .map((line) => `  ${asAssertion(line)}`)
      .join("\n");
    return `test(${JSON.stringify(`${name} (${i + 1})`)}, async () => {\n${body}\n});\n`;
  });
  const helper = tests.some((text) => text.includes("expectStatus(")) ? kExpectStatus : "export const guard = isStatusErrorForExamples;\n";
  return `${kHeader}${imports}\n\n${helper}\n${tests.join("\n")}`;
}

const written = new Set();

/** Writes a test file unless its content is the same, because the compiler would otherwise compile it again. */
function keep(path, text) {
  written.add(path);
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Removes the tests of examples that no longer exist; tools/build.mjs removes their compiled form. */
function removeOrphans(name) {
  const folder = join(root, "packages", name, "test/doc-examples");
  for (const file of existsSync(folder) ? readdirSync(folder) : []) if (!written.has(join(folder, file))) rmSync(join(folder, file));
}

/** Returns `base` for `@onebuffer/base`. */
const folderOf = (specifier) => specifier.slice("@onebuffer/".length);

const codeOf = (examples) => examples.map((example) => example.code).join("\n");

/** Returns the elements for which `test` holds, and the others. */
const divide = (list, test) => [list.filter(test), list.filter((each) => !test(each))];

const packages = readdirSync(join(root, "packages"));
const exported = new Map(packages.map((name) => [name, entriesOf(name)]));
let count = 0;

for (const name of packages) {
  const target = join(root, "packages", name, "test/doc-examples");
  const src = join(root, "packages", name, "src");
  const manifest = manifestOf(name);
  const below = Object.keys(manifest.dependencies ?? {}).filter((dep) => dep.startsWith("@onebuffer/"));
  const scope = [name, ...below.map(folderOf)].flatMap((each) => exported.get(each) ?? []);
  const examples = [];
  for (const file of existsSync(src) ? readdirSync(src, { recursive: true }) : []) {
    if (!file.endsWith(".ts") || file.endsWith(".d.ts")) continue;
    for (const each of examplesInSource(readFileSync(join(src, file), "utf8"))) examples.push({ ...each, name: `${file}: ${each.name}` });
  }
  count += examples.length;
  const above = packages
    .filter((each) => !["onebuffer", name, ...below.map(folderOf)].includes(each))
    .flatMap((each) => exported.get(each));
  const [own, higher] = divide(
    examples,
    ({ code }) => importsFor(code, above) === "" || importsFor(code, scope.concat(above)) === importsFor(code, scope),
  );
  if (own.length > 0) keep(join(target, "source.test.ts"), testFile(own, importsFor(codeOf(own), scope)));
  if (higher.length > 0)
    keep(
      join(root, "packages/onebuffer/test/doc-examples", `${name}.test.ts`),
      testFile(higher, importsFor(codeOf(higher), scope.concat(above))),
    );
}

/** `docs/contributing/maps.md` as the name of its test: `docs-contributing-maps`. */
const testNameOf = (page) => page.slice(0, -".md".length).replaceAll("/", "-").toLowerCase();

// The `ts` blocks of the Markdown pages become tests of the umbrella package.
for (const page of pagePaths(root)) {
  const blocks = blocksOf(readFileSync(join(root, page), "utf8"))
    .filter(({ language, file }) => language === "ts" && file === "")
    .map(({ code }) => code);
  if (blocks.length === 0) continue;
  count += blocks.length;
  const imports = new Map();
  const examples = blocks.map((block) => ({
    name: `${page}: block`,
    code: block.replace(/^import (type )?\{([^}]*)\} from "([^"]+)";\n/gm, (_, type, names, from) => {
      for (const each of names.split(",")) imports.set(`${type ?? ""}${each.trim()}`, { type: type ?? "", name: each.trim(), from });
      return "";
    }),
  }));
  const lines = [...imports.values()].filter((i) => i.name !== "").map((i) => `import ${i.type}{ ${i.name} } from "${i.from}";`);
  const quiet = "const console = { log: (..._: readonly unknown[]): void => undefined };";
  const path = join(root, "packages/onebuffer/test/doc-examples", `${testNameOf(page)}.test.ts`);
  keep(path, testFile(examples, `${lines.join("\n")}\n${quiet}`));
}
packages.forEach(removeOrphans);
process.stdout.write(`${count} examples written as tests\n`);
