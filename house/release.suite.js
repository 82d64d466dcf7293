// A release: the tree as it stands could be one but for its date, and each fault of a tree is found.
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { notesOf, releaseFaults } from "../tools/release/release-faults.mjs";
import { root } from "./source-files.mjs";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "onebuffer-release-"));
  writePackage("onebuffer", { dependencies: { "@onebuffer/base": "1.2.0" } });
  writePackage("base", {});
  writeChangelog("1.2.0 (2027-01-31)");
});
afterEach(() => rmSync(folder, { recursive: true }));

function writePackage(name, manifest) {
  mkdirSync(join(folder, "packages", name), { recursive: true });
  writeFileSync(join(folder, "packages", name, "package.json"), JSON.stringify({ version: "1.2.0", ...manifest }));
}

const writeChangelog = (heading, text = "- Faster.\n") =>
  writeFileSync(join(folder, "CHANGELOG.md"), `# Changelog\n\n## ${heading}\n\n${text}\n## 1.1.0 (2026-12-01)\n\n- First.\n`);

test("this tree can be released once it has a date", () => {
  expect(releaseFaults(root, null)).toEqual([]);
});

test("a tree with its date lacks only the tarball; its notes are those of its version", () => {
  expect(releaseFaults(folder, "v1.2.0")).toEqual(["there is no tarball: `npm run pack` makes it"]);
  expect(notesOf(folder, "1.2.0")).toEqual({ date: "2027-01-31", text: "- Faster." });
});

test.each([
  ["a package of another version", () => writePackage("base", { version: "1.1.0" }), "packages/base has version 1.1.0, not 1.2.0"],
  [
    "a dependency of another version",
    () => writePackage("onebuffer", { dependencies: { "@onebuffer/base": "1.1.0" } }),
    "packages/onebuffer asks for @onebuffer/base 1.1.0, not 1.2.0",
  ],
  [
    "an install script",
    () => writePackage("base", { scripts: { postinstall: "node x.js" } }),
    "packages/base has the install script postinstall",
  ],
  ["a changelog without the version", () => writeChangelog("1.2.1 (2027-02-01)"), "CHANGELOG.md has no section for 1.2.0"],
  ["a version without notes", () => writeChangelog("1.2.0 (2027-01-31)", ""), "CHANGELOG.md has no section for 1.2.0"],
  ["a version without a date", () => writeChangelog("1.2.0 (unreleased)"), 'CHANGELOG.md says "unreleased" for 1.2.0, not its date'],
])("%s is a fault", (_, change, fault) => {
  change();
  expect(releaseFaults(folder, "v1.2.0")).toContain(fault);
});

test("a tag of another version is a fault", () => {
  expect(releaseFaults(folder, "v1.3.0")).toContain("the tag is v1.3.0, the packages have 1.2.0");
});
