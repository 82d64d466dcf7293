// The build of `npm test`: the packages, the examples and the tests of types are compiled as in tools/build.mjs, the other tests only lose their types.
//
// To check the types of all tests takes as long as to check and write all packages, and tells nothing about the packages that the tests
// of types and the tests themselves do not. Every other script builds through tools/build.mjs, which checks them, and so does this one in a
// clone that has been built whole, where the compiler looks only at what has changed.
import { existsSync } from "node:fs";
import { compile } from "./compile.mjs";
import { prepareBuild } from "./prepare-build.mjs";
import { testSources } from "./test-files.mjs";
import { transpileTests } from "./transpile-tests.mjs";
import { kOwnProgram, writeTypeTestsProject } from "./type-tests.mjs";

/** The compiler writes it when it has compiled the tests of the topmost package, after those of all others. */
const kBuiltWhole = new URL("../packages/onebuffer/dist/test.tsbuildinfo", import.meta.url);

/** Writes the examples of comments and pages as tests. */
const writeExamples = () => import("./doc-examples.mjs");

await prepareBuild();
if (existsSync(kBuiltWhole)) {
  await writeExamples();
  process.exitCode = await compile();
} else {
  const packages = compile("packages/onebuffer", "conformance", "examples", kOwnProgram, writeTypeTestsProject());
  await writeExamples();
  await transpileTests(testSources().filter((path) => !path.startsWith(kOwnProgram)));
  process.exitCode = await packages;
}
