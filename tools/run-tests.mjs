// `npm test`, with Jest's options behind it. In a clone that has not been built whole, the tests run while the compiler checks types: packages,
// examples and tests only lose their types, which takes three seconds, and the compiler writes the declarations. It checks the packages, the
// examples and the tests of types; the types of all other tests take as long again, and tell nothing about the packages. What it finds is printed
// last, and fails the run.
//
// Every other script builds through tools/build.mjs, which checks all types first, and so does this one in a clone that has been built whole,
// where the compiler looks only at what has changed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile, compileDeclarations } from "./compile.mjs";
import { prepareBuild } from "./prepare-build.mjs";
import { transpile } from "./transpile.mjs";
import { kOwnProgram, writeTypeTestsProject } from "./type-tests.mjs";

/** The compiler writes it when it has compiled the tests of the topmost package, after those of all others. */
const kBuiltWhole = new URL("../packages/onebuffer/dist/test.tsbuildinfo", import.meta.url);

/**
 * What Node does differently for Jest and its workers. All processors compute tests: collecting garbage on several threads at once takes a
 * twentieth more processor time than on one, and gains nothing.
 */
const kNodeOptions = ["--single-threaded-gc"];

/** Runs Jest with the options of this process. Resolves to its exit code. */
async function runJest() {
  const jest = fileURLToPath(new URL("../node_modules/jest/bin/jest.js", import.meta.url));
  const [code] = await once(spawn(process.execPath, [...kNodeOptions, jest, ...process.argv.slice(2)], { stdio: "inherit" }), "exit");
  return code ?? 1;
}

/** Runs the tests after a build of all that has changed, if that finds nothing. Resolves to the exit code. */
const testWhole = async () => (await compile()) || (await runJest());

/** Runs the tests and the compiler at the same time. Resolves to the exit code. */
async function testWhileChecking() {
  const checking = compileDeclarations("packages/onebuffer", "conformance", "examples", kOwnProgram, writeTypeTestsProject());
  try {
    await transpile();
  } catch (error) {
    // Otherwise the compiler would go on writing after the end of this process.
    await checking;
    throw error;
  }
  const tests = await runJest();
  const types = await checking;
  process.stderr.write(types.output);
  return tests || types.code;
}

await prepareBuild();
// Writes the examples of comments and pages as tests.
await import("./doc-examples.mjs");
process.exitCode = existsSync(kBuiltWhole) ? await testWhole() : await testWhileChecking();
