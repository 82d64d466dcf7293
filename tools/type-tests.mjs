// The tests of types: files that expect errors of the compiler, or whose types say what a type must be.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { testSources } from "./test-files.mjs";
import { writeChanged } from "./write-changed.mjs";

/** Where the project of the tests of types is, from the root. */
const kProject = "build/type-tests/tsconfig.json";

/** Tests that the compiler has to see by themselves: those of base give a handle a type of their own, for the whole program that they are part of. */
export const kOwnProgram = "packages/base/test";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Returns the paths of the tests of types, from the root. */
const typeTests = () =>
  testSources().filter(
    (path) =>
      !path.startsWith(kOwnProgram) &&
      (/\btypes\.suite\.ts$/.test(path) || readFileSync(root + path, "utf8").includes("// @ts-expect-error")),
  );

/** Writes the project that checks the tests of types and writes nothing; returns its path from the root. */
export function writeTypeTestsProject() {
  const compilerOptions = {
    ...{ noEmit: true, declaration: true, composite: false, incremental: false, declarationMap: false, sourceMap: false },
    ...{ rewriteRelativeImportExtensions: false, allowImportingTsExtensions: true },
    ...{ isolatedDeclarations: false, types: ["node"], rootDir: "../.." },
  };
  const files = typeTests().map((path) => `../../${path}`);
  const project = { extends: "../../tsconfig.base.json", compilerOptions, files, references: [{ path: "../../packages/onebuffer" }] };
  writeChanged([[root + kProject, `${JSON.stringify(project, null, 2)}\n`]]);
  return kProject;
}
