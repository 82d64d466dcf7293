/**
 * Runs the mutants: ten one-line changes to the sources of the packages (`mutants.json`), each of which must make a vector fail.
 *
 * Run it as `node conformance/dist/src/mutants.js` after a build. Every change is made in a temporary copy of the built packages, compiled
 * there and tested with the committed vectors; the working tree is only read. The exit code is 1 if a vector fails in the unchanged copy,
 * a change does not compile, or no vector fails with it.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { applyMutant, readMutants } from "./mutant.ts";
import type { Mutant } from "./mutant.ts";

const kWorkspace = new URL("../../", import.meta.url);
const kRoot = fileURLToPath(new URL("../", kWorkspace));
const kTsc = join(kRoot, "node_modules", "typescript", "bin", "tsc");

/** The packages that the copy needs: all of them. */
const kPackages = readdirSync(join(kRoot, "packages"));

/** The files and folders that the copy needs of each package and of `conformance`. */
const kParts = ["package.json", "tsconfig.json", "src", "dist/src", "dist/src.tsbuildinfo", "vectors", "exceptions.json", "later.json"];

/** Makes a copy of everything that the runner needs, linked as npm links workspaces. Returns its path. */
function makeCopy(): string {
  const copy = mkdtempSync(join(tmpdir(), "onebuffer-mutants-"));
  cpSync(join(kRoot, "tsconfig.base.json"), join(copy, "tsconfig.base.json"), { preserveTimestamps: true });
  for (const folder of [...kPackages.map((name) => `packages/${name}`), "conformance"]) {
    for (const part of kParts) {
      const from = join(kRoot, folder, part);
      if (existsSync(from)) cpSync(from, join(copy, folder, part), { recursive: true, preserveTimestamps: true });
    }
  }
  mkdirSync(join(copy, "node_modules", "@onebuffer"), { recursive: true });
  for (const name of kPackages) symlinkSync(join(copy, "packages", name), join(copy, "node_modules", "@onebuffer", name), "junction");
  // The types of Node, and the only library that a package depends on.
  for (const name of ["@types", "@bufbuild"]) symlinkSync(join(kRoot, "node_modules", name), join(copy, "node_modules", name), "junction");
  return copy;
}

/** Runs a script in the copy, for at most 60 seconds. */
function runNode(copy: string, args: readonly string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: copy,
    encoding: "utf8",
    timeout: 60_000,
    maxBuffer: 2 ** 26,
  });
  return { status, output: stdout + stderr };
}

function build(copy: string): string | null {
  const { status, output } = runNode(copy, [kTsc, "-b", "conformance"]);
  return status === 0 ? null : output;
}

/** Runs the committed vectors in the copy. */
function runSuite(copy: string): { green: boolean; failures: string[]; output: string } {
  const { status, output } = runNode(copy, ["conformance/dist/src/main.js"]);
  return { green: status === 0, failures: output.split("\n").filter((line) => line.startsWith("FAIL ")), output };
}

/** Makes the change of a mutant in the copy and undoes it. Returns null if a vector failed, otherwise the problem. */
function tryMutant(copy: string, mutant: Mutant): string | null {
  const file = join(copy, mutant.file);
  const source = readFileSync(file, "utf8");
  try {
    writeFileSync(file, applyMutant(mutant, source));
    const errors = build(copy);
    if (errors !== null) return `does not compile:\n${errors}`;
    const { green, failures } = runSuite(copy);
    if (green || failures.length === 0) return "no vector notices it";
    console.log(`RED ${mutant.name}: ${failures.length} vectors, first ${(failures[0] ?? "").slice(5)}`);
    return null;
  } finally {
    writeFileSync(file, source);
  }
}

function main(): number {
  const mutants = readMutants(kWorkspace);
  const copy = makeCopy();
  try {
    const broken = build(copy);
    if (broken !== null) {
      console.error(`the copy does not build:\n${broken}`);
      return 1;
    }
    const start = runSuite(copy);
    if (!start.green) {
      console.error(`the copy is not green before any change:\n${start.failures.join("\n") || start.output}`);
      return 1;
    }
    let survivors = 0;
    for (const mutant of mutants) {
      const wrong = tryMutant(copy, mutant);
      if (wrong === null) continue;
      survivors++;
      console.log(`SURVIVED ${mutant.name} (${mutant.breaks}): ${wrong}`);
    }
    console.log(`${mutants.length - survivors} of ${mutants.length} mutants turned a vector red`);
    return survivors === 0 ? 0 : 1;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

process.exitCode = main();
