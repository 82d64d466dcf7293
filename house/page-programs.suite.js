// The programs of the Markdown pages, which consist of several files: those for Node print what the page says; all others can be
// parsed. `node tools/pack/check.mjs` runs all of them against the installed package: in Node, Deno, Bun and browsers.
import { expect, test } from "@jest/globals";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SourceTextModule } from "node:vm";
import { pagePaths, programsOf } from "../tools/pages.mjs";
import { root } from "./source-files.mjs";

const programs = pagePaths(root)
  .map((page) => programsOf(root, page))
  .filter((each) => each !== null)
  .map((each) => [each.page, each]);

const isLong = process.env["ONEBUFFER_LONG"] !== undefined;

/** Calls `use` with a folder that has the files of a page, in which `onebuffer` can be imported. */
function inFolder({ files }, use) {
  const folder = mkdtempSync(join(tmpdir(), "onebuffer-page-"));
  try {
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
    for (const [file, code] of files) writeFileSync(join(folder, file), code);
    use((...args) => spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", env: { ...process.env, NODE_OPTIONS: "" } }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Each program is a process, or several, that loads the library: they run in `npm run long`, and with the installed package in `.ci/run`.
if (isLong)
  test.each(programs)("%s: what its programs for Node print", (_, page) => {
    inFolder(page, (node) => {
      for (const [file, expected] of page.outputs) {
        if (!file.endsWith(".mjs")) continue;
        const { stdout, stderr } = node("--no-warnings", file);
        expect({ file, stdout, stderr }).toEqual({ file, stdout: expected, stderr: "" });
      }
    });
  });

test.each(programs)("%s: its programs can be parsed, and each output has a program", (_, { files, outputs }) => {
  expect([...outputs.keys()].filter((file) => !files.has(file))).toEqual([]);
  for (const [file, code] of files) {
    const scripts = file.endsWith(".html")
      ? [...code.matchAll(/<script type="module">([\s\S]*?)<\/script>/g)].map(([, each]) => each)
      : [code];
    for (const script of scripts) expect(() => new SourceTextModule(script, { identifier: file })).not.toThrow();
  }
});
