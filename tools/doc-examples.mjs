// Turns every `@example` of the packages' doc comments, and every `ts` block of the Markdown pages, into a TypeScript test, so that
// `npm test` fails if an example no longer compiles or its result is wrong.
//
//   EXPR; // => EXPECTED      becomes   expect(EXPR).toEqual(EXPECTED);
//   EXPR; // throws CODE      becomes   an assertion that a StatusError of that code is thrown
//
// The tests are written to packages/onebuffer/test/doc-examples/, which git ignores: a suite per package and page, and one test file
// that imports them, so that the library is loaded only once. Examples in doc comments need no imports: every
// name is imported from where a user finds it, `onebuffer` or a sub-path; plumbing from the `internal` of its package. Markdown blocks
// keep their own imports.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeOperations } from "../packages/expression/tools/generate-operations.mjs";
import { asAssertion } from "./example-assertions.mjs";
import { pageExamples, sourceExamples } from "./examples.mjs";
import { exportsOf, publicNames } from "./public-names.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "packages/onebuffer/test/doc-examples");

// The comments of generated methods have examples, too.
await writeOperations();

/** Where each name is imported from: the path where a user finds it, or for plumbing the entry of its package that only packages use. */
const places = publicNames();
for (const path of readdirSync(join(root, "packages")).flatMap((name) => [`@onebuffer/${name}/internal`, `@onebuffer/${name}/node`]))
  for (const [each, kind] of exportsOf(path)) if (!places.has(each)) places.set(each, { path, kind });

/** Source of `expectStatus`. It tells the ledger of jest-ledger.js that mistakes in the example are intended. */
const kExpectStatus = `async function expectStatus(act: () => Promise<void>, code: string): Promise<void> {
  let caught: unknown;
  (globalThis as unknown as Record<symbol, boolean>)[Symbol.for("onebuffer.test.expectsMistakes")] = true;
  try { await act(); } catch (error) { caught = error; }
  expect(isStatusErrorForExamples(caught) ? caught.code : caught).toBe(code);
}
`;

/** Returns import statements for the names used in `code`. */
function importsFor(code) {
  const lines = new Map();
  for (const [name, { path, kind }] of places) {
    if (!new RegExp(`(?<![\\w$]|(?<!\\.\\.)\\.)${name.replace("$", "\\$")}(?![\\w$])`).test(code)) continue;
    const key = `${kind === "type" ? "import type" : "import"} % from "${path}";`;
    lines.set(key, [...(lines.get(key) ?? []), name]);
  }
  return [...lines].map(([line, names]) => line.replace("%", `{ ${names.join(", ")} }`)).join("\n");
}

const kHeader = `import { expect, test } from "@jest/globals";
import { isStatusError as isStatusErrorForExamples } from "onebuffer";
`;

function suite(examples, imports) {
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

let count = 0;
const suites = [];

for (const [name, examples] of sourceExamples()) {
  count += examples.length;
  const code = examples.map((example) => example.code).join("\n");
  keep(join(target, `${name}.suite.ts`), suite(examples, importsFor(code)));
  suites.push(name);
}

/** `docs/contributing/maps.md` as the name of its suite: `docs-contributing-maps-page`. */
const suiteNameOf = (page) => `${page.slice(0, -".md".length).replaceAll("/", "-").toLowerCase()}-page`;

for (const [page, blocks] of pageExamples()) {
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
  keep(join(target, `${suiteNameOf(page)}.suite.ts`), suite(examples, `${lines.join("\n")}\n${quiet}`));
  suites.push(suiteNameOf(page));
}
keep(join(target, "examples.test.ts"), suites.map((each) => `import "./${each}.suite.ts";\n`).join(""));
for (const file of readdirSync(target)) if (!written.has(join(target, file))) rmSync(join(target, file));
process.stdout.write(`${count} examples written as tests\n`);
