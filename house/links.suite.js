// The Markdown pages: every link inside the repository leads to a file, and its anchor to a heading; every page is reachable from
// README.md; pages that comments and messages name exist; every block of code is one that a test runs or parses.
import { expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { blocksOf, pagePaths } from "../tools/pages.mjs";
import { root } from "./source-files.mjs";

const read = (path) => readFileSync(join(root, path), "utf8");
const pages = new Map(pagePaths(root).map((path) => [path, read(path)]));

/** Returns a page without its blocks of code and code in backticks, in which brackets are no links. */
const prose = (text) => text.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ""));

/** Returns the anchors of a page's headings, as GitHub makes them. */
function anchorsOf(text) {
  const headings = [...text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** Returns the links of a page that stay in the repository, as `{ link, path, anchor }` with a path relative to the root. */
function linksOf(page, text) {
  return [...prose(text).matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)]
    .map(([, inline, referenced]) => inline ?? referenced)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path, anchor = ""] = link.split("#");
      return { link, path: path === "" ? page : posix.normalize(posix.join(posix.dirname(page), path)), anchor };
    });
}

test.each([...pages])("%s: its links lead to files and headings that exist", (page, text) => {
  const broken = linksOf(page, text).filter(
    ({ path, anchor }) => !existsSync(join(root, path)) || (anchor !== "" && !anchorsOf(pages.get(path) ?? "").includes(anchor)),
  );
  expect(broken.map(({ link }) => link)).toEqual([]);
});

// What the package has of the repository, as tools/pack/run.mjs copies it. Other files are named without a link.
test.each([...pages])("%s: its links lead to files that are in the package, too", (page, text) => {
  const packed = /^(?:(?:README|CHANGELOG|ARCHITECTURE|CONTRIBUTING)\.md|LICENSE|(?:docs|examples)(?:\/.*)?)$/;
  expect(linksOf(page, text).filter(({ path }) => !packed.test(path))).toEqual([]);
});

test("every page can be reached from README.md by links", () => {
  const reached = new Set(["README.md"]);
  for (const page of reached) for (const { path } of linksOf(page, pages.get(page) ?? "")) if (pages.has(path)) reached.add(path);
  expect([...pages.keys()].filter((page) => !reached.has(page))).toEqual([]);
});

test("the index has every page of docs, that of the course its chapters", () => {
  const linked = ["docs/README.md", "docs/course/README.md"].flatMap((index) => linksOf(index, pages.get(index)).map(({ path }) => path));
  expect([...pages.keys()].filter((page) => page.startsWith("docs/") && page !== "docs/README.md" && !linked.includes(page))).toEqual([]);
});

test("pages that the repository's files name exist", () => {
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.ts", "*.mjs", "*.js", "*.md", "*.json", ".ci/*"], {
    cwd: root,
    encoding: "utf8",
  });
  const missing = files
    .trim()
    .split("\n")
    .filter((path) => existsSync(join(root, path)) && !path.startsWith("conformance/vectors/") && path !== "house/links.suite.js")
    .flatMap((path) =>
      [...read(path).matchAll(/(?<![\w/.])(docs\/[\w/-]+\.md)(?! of openxla)/g)]
        .filter(([, name]) => !existsSync(join(root, name)))
        .map(([, name]) => `${path}: ${name}`),
    );
  expect(missing).toEqual([]);
});

test.each([...pages])("%s: its TypeScript, JavaScript, HTML and JSON blocks are run by a test", (_, text) => {
  const untested = blocksOf(text).filter(({ language, file }) => {
    const isCode = ["js", "mjs", "javascript", "typescript", "tsx", "jsx", "html", "json"].includes(language);
    return isCode && file === "";
  });
  expect(untested.map(({ code }) => code)).toEqual([]);
});
