// The built workspace once more, for engines in which Jest does not run: `@jest/globals` is the harness, and every other import resolves as in
// the workspace. Files are hard links, so the copy is made in a second and takes no room.
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleHarness } from "./harness/bundle.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const kLinked = ["packages", "conformance", "test-support"];
/** Entries of the root that tests never ask for, or that hold the copy itself. */
const kLeftOut = new Set([...kLinked, ".git", "node_modules", "out", "build"]);

function linkFile(from, to) {
  try {
    linkSync(from, to);
  } catch {
    // Another file system.
    copyFileSync(from, to);
  }
}

function linkFolder(from, to) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.name === "node_modules") continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkFolder(source, target);
    else linkFile(source, target);
  }
}

function writeModule(folder, name, text) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ name, type: "module", exports: "./index.js" })}\n`);
  if (text !== undefined) writeFileSync(join(folder, "index.js"), text);
}

/** Links every package that is installed, but those of the workspace and those that tests get from elsewhere. */
function linkModules(target) {
  const installed = join(root, "node_modules");
  const link = (name) => symlinkSync(join(installed, name), join(target, name));
  for (const name of readdirSync(installed)) {
    if (name.startsWith(".") || ["@jest", "@onebuffer", "onebuffer", "fast-check"].includes(name)) continue;
    link(name);
  }
  // Relative links, which lead to the packages of the tree.
  for (const name of ["@onebuffer", "onebuffer"])
    cpSync(join(installed, name), join(target, name), { recursive: true, verbatimSymlinks: true });
}

/** Lays out the tree in `folder`, which is emptied before; returns the path of the program that runs one test file in it. */
export async function layOut(folder) {
  rmSync(folder, { recursive: true, force: true });
  for (const name of kLinked) linkFolder(join(root, name), join(folder, name));
  for (const name of readdirSync(root)) if (!kLeftOut.has(name)) symlinkSync(join(root, name), join(folder, name));
  const modules = join(folder, "node_modules");
  mkdirSync(modules, { recursive: true });
  linkModules(modules);
  writeModule(join(modules, "@jest/globals"), "@jest/globals");
  await bundleHarness(join(modules, "@jest/globals/index.js"));
  // jest-fast-check.js stands for fast-check, and finds the package itself under another name.
  symlinkSync(join(root, "node_modules/fast-check"), join(modules, "fast-check-itself"));
  const settings = readFileSync(join(root, "jest-fast-check.js"), "utf8");
  const own = settings.replaceAll("./node_modules/fast-check/lib/fast-check.js", "fast-check-itself");
  writeModule(join(modules, "fast-check"), "fast-check", own);
  // Modules with imports that must resolve here.
  rmSync(join(folder, "jest-ledger.js"));
  linkFile(join(root, "jest-ledger.js"), join(folder, "jest-ledger.js"));
  const program = join(folder, "run-file.mjs");
  copyFileSync(fileURLToPath(new URL("./harness/run-file.mjs", import.meta.url)), program);
  if (!existsSync(join(folder, "package.json"))) throw new Error(`${folder}: the tree is not whole`);
  return program;
}
