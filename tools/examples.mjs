// The examples of the repository: the `@example` sections of the packages' doc comments, and the `ts` blocks of the Markdown pages.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
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

/** Returns a map from each package folder with examples to the list of `{ name, code }` in its source files. */
export function sourceExamples() {
  const found = new Map();
  for (const name of readdirSync(join(root, "packages"))) {
    const src = join(root, "packages", name, "src");
    const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"));
    const examples = files.flatMap((file) =>
      examplesInSource(readFileSync(join(src, file), "utf8")).map((each) => ({ ...each, name: `${file}: ${each.name}` })),
    );
    if (examples.length > 0) found.set(name, examples);
  }
  return found;
}

/** Returns a map from each Markdown page with `ts` blocks to the list of their texts. */
export function pageExamples() {
  const found = new Map();
  for (const page of pagePaths(root)) {
    const blocks = blocksOf(readFileSync(join(root, page), "utf8")).filter(({ language, file }) => language === "ts" && file === "");
    if (blocks.length > 0)
      found.set(
        page,
        blocks.map(({ code }) => code),
      );
  }
  return found;
}
