// The rules of CONTRIBUTING.md that a test can check: file sizes, forbidden words, doc comments with examples.
import { expect, test } from "@jest/globals";
import { existsSync, readFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { entriesOf, packageNames, root, sourceFiles } from "./source-files.mjs";

const kCeiling = 500;
const kPackageCeiling = 15_000;
const files = sourceFiles();
const written = files.filter((file) => !file.generated);
const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\/\/.*$/gm, "");

/** The files of the repository that people write, as git lists them: also those that are not committed yet. */
const kHandWritten = ["ls-files", "-co", "--exclude-standard", "--", "*.ts", "*.tsx", "*.mts", "*.mjs", "*.js", "*.py"];
const isWritten = (path) => !path.split("/").includes("generated") && !path.startsWith("packages/onebuffer/test/doc-examples/");

test(`no file that people write is longer than ${kCeiling} lines`, () => {
  const listed = execFileSync("git", kHandWritten, { cwd: root, encoding: "utf8" }).trim().split("\n");
  // A file that was deleted is listed until that is committed.
  const paths = listed.filter((path) => isWritten(path) && existsSync(join(root, path)));
  const folders = ["packages", "tools", "conformance", "examples", "house", "test-support"];
  expect(folders.filter((folder) => !paths.some((path) => path.startsWith(`${folder}/`)))).toEqual([]);
  const long = paths
    .map((path) => ({ path, lines: readFileSync(join(root, path), "utf8").split("\n").length - 1 }))
    .filter(({ lines }) => lines > kCeiling)
    .map(({ path, lines }) => `${path}: ${lines}`);
  expect(long).toEqual([]);
});

test(`no package has more than ${kPackageCeiling} lines of source that is not generated`, () => {
  const large = packageNames
    .map((name) => ({
      name,
      lines: written.filter((file) => file.name === name).reduce((sum, { text }) => sum + text.split("\n").length - 1, 0),
    }))
    .filter(({ lines }) => lines > kPackageCeiling);
  expect(large).toEqual([]);
});

test("the source has no TODO, FIXME, XXX or HACK", () => {
  const open = files.filter(({ text }) => /\b(TODO|FIXME|XXX|HACK)\b/.test(text)).map(({ path }) => path);
  expect(open).toEqual([]);
});

test("no instanceof on buffers, typed arrays or errors, which fails for objects of other realms", () => {
  const found = files
    .filter(({ text }) => /\binstanceof\s+(ArrayBuffer|SharedArrayBuffer|DataView|[A-Z]\w*Array|\w*Error)\b/.test(withoutComments(text)))
    .map(({ path }) => path);
  expect(found).toEqual([]);
});

test("the source has no `any` and suppresses no compiler errors", () => {
  const found = files
    .filter(({ text }) => /:\s*any\b|<any>|\bas any\b|@ts-(ignore|nocheck|expect-error)/.test(withoutComments(text)))
    .map(({ path }) => path);
  expect(found).toEqual([]);
});

test("the rooms of kernels have no variables of modules: planning has its state in a Planner, and caches are in one file", () => {
  const rooms = written.filter(({ path }) => /^packages\/(eigen\/src\/kernel|(?:compiler|kernels)\/src)\//.test(path));
  expect(rooms.length).toBeGreaterThan(100);
  expect(rooms.filter(({ text }) => /^(export )?(let|var) /m.test(text)).map(({ path }) => path)).toEqual([]);
  const caching = rooms.filter(({ text }) => /^(export )?const \w+[^=]*= new (KernelCache|PlanStore)\b/m.test(text));
  expect(caching.map(({ path }) => path.split("/").slice(-2).join("/"))).toEqual(["run/caches.ts"]);
});

test("every source file begins with a comment", () => {
  const mute = files.filter(({ path, text }) => !path.endsWith("/index.ts") && !/^\s*(\/\*\*|\/\/)/.test(text)).map(({ path }) => path);
  expect(mute).toEqual([]);
});

/** Returns a map from each name that a package's entries export to "value" or "type". */
function exportedNames(name) {
  const text = entriesOf(name)
    .filter(([specifier]) => !specifier.endsWith("/internal"))
    .map(([, path]) => withoutComments(readFileSync(join(root, path), "utf8")))
    .join("\n");
  const names = new Map();
  for (const [, type, list] of text.matchAll(/export\s+(type\s+)?\{([^}]*)\}/g)) {
    for (const part of list
      .split(",")
      .map((p) => p.trim())
      .filter(Boolean)) {
      const words = part.split(/\s+/);
      names.set(words.at(-1), type !== undefined || words[0] === "type" ? "type" : "value");
    }
  }
  return names;
}

/** The beginning of an exported declaration, with its name. */
const kDeclaration = /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:class|function\*?|const|let|interface|type)\s+([\w$]+)/gm;

/** Returns the comment that ends where a declaration begins, or "". */
function commentBefore(text, index) {
  const before = text.slice(0, index).trimEnd();
  return before.endsWith("*/") ? before.slice(before.lastIndexOf("/**")) : "";
}

/** Returns a map from each name that the files of a package declare and export to the comments of its declarations. */
function commentsOf(name) {
  const comments = new Map();
  for (const { text } of files.filter((file) => file.name === name && !file.generated))
    for (const { 1: declared, index } of text.matchAll(kDeclaration))
      comments.set(declared, [...(comments.get(declared) ?? []), commentBefore(text, index)]);
  return comments;
}

test.each(packageNames.filter((name) => name !== "onebuffer"))(
  "every export of %s has a doc comment, every value one with an example",
  (name) => {
    const undocumented = [];
    const found = commentsOf(name);
    for (const [exported, kind] of exportedNames(name)) {
      const comments = found.get(exported) ?? [];
      if (comments.length === 0) continue;
      if (comments.every((c) => c === "")) undocumented.push(`${exported}: no doc comment`);
      else if (kind === "value" && !comments.some((c) => c.includes("@example"))) undocumented.push(`${exported}: no example`);
    }
    expect(undocumented).toEqual([]);
  },
);

test("the tree contains no paths of a machine and no registry addresses", () => {
  const grep = (...args) => {
    try {
      return execFileSync("git", ["grep", "-nIE", ...args], { cwd: root, encoding: "utf8" })
        .split("\n")
        .filter(Boolean);
    } catch {
      return [];
    }
  };
  const paths = grep("/(work|root|home)/[a-z]|/tmp/[a-z]", "--", ".", ":!*.lock", ":!house/source-rules.suite.js").filter(
    (line) => !/mktemp|tmpdir/.test(line),
  );
  const hosts = grep('"resolved": *"https?:', "--", "*package-lock.json");
  expect([...paths, ...hosts]).toEqual([]);
});
