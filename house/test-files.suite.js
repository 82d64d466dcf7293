// No test is left out: every suite is imported by a test file, every test with a long form is part of `npm run long`, and every test that
// may make buffers runs under the ledger.
import { expect, test } from "@jest/globals";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isProxy } from "node:util/types";
import { makesNoBuffers } from "../tools/makes-no-buffers.mjs";
import { kBundlesVariable, takesBundles } from "../tools/test-bundles.mjs";
import { listRefusedModules } from "../tools/refused-modules.mjs";
import { longTestFiles, testFiles } from "../tools/test-files.mjs";
import testTransform from "../tools/test-transform.mjs";

const files = testFiles();

test("every suite belongs to exactly one test file", () => {
  const suites = files.filter(({ path }) => /\.suite\.[jt]s$/.test(path)).map(({ path }) => path);
  expect(files.flatMap((file) => file.suites).sort()).toEqual(suites.sort());
});

test("longTestFiles finds the tests with a long form, also those in suites", () => {
  const found = longTestFiles();
  expect(found).toEqual(expect.arrayContaining(["packages/core/test/threads/share-threads.test.ts", "packages/core/test/tensors.test.ts"]));
  expect(found.every((path) => /\.test\.[jt]s$/.test(path))).toBe(true);
  // By an import of `sampled`, in the test file or in a suite.
  expect(found).toEqual(
    expect.arrayContaining(["packages/core/test/arena/default-arena-faults.test.ts", "packages/eigen/test/expressions.test.ts"]),
  );
  expect(found).toContain("house/pages.test.js");
  // longTestFiles searches for this exact spelling, so no file may read the variable in another way.
  const asking = files.filter(({ text }) => text.includes("ONEBUFFER_LONG"));
  expect(asking.filter(({ text }) => !text.includes('process.env["ONEBUFFER_LONG"]')).map(({ path }) => path)).toEqual([]);
});

test.each(["/u/me/onebuffer", "/srv/house/onebuffer", "/house", "/srv/packages/shape/onebuffer", "/a/packages/eigen/dist/test/b"])(
  "the ledger is on wherever buffers are made, in a clone at %s",
  (root) => {
    const isWatched = (path) => !makesNoBuffers(root, `${root}/${path}`);
    const watched = ["allocator", "core", "io", "onebuffer", "proto", "stablehlo"].map((name) => `packages/${name}/dist/test/a.test.js`);
    expect(watched.concat("conformance/dist/test/house/a.test.js").filter((path) => !isWatched(path))).toEqual([]);
    const plain = ["base", "shape", "wasm", "eigen", "slice", "xla"].map((name) => `packages/${name}/dist/test/core/a.test.js`);
    expect(plain.concat("house/a.test.js").filter(isWatched)).toEqual([]);
  },
);

test("modules that the engine refuses are listed, and only those", () => {
  expect(isProxy(WebAssembly.Module)).toBe(true);
  const errors = [null, new WebAssembly.CompileError("no function body"), new TypeError("code generation is not allowed")];
  const Module = class {
    constructor(k) {
      if (errors[k] !== null) throw errors[k];
    }
  };
  const namespace = { Module };
  const refused = listRefusedModules(namespace);
  expect(new namespace.Module(0)).toBeInstanceOf(Module);
  for (const k of [1, 2]) expect(() => new namespace.Module(k)).toThrow(errors[k]);
  expect(refused).toEqual(["no function body"]);
});

test("a run of all tests has them as bundles, one of certain tests has the modules", () => {
  const whole = { testPathPatterns: { patterns: [] }, runTestsByPath: false, onlyChanged: false, collectCoverage: false, watch: false };
  expect(takesBundles(whole)).toBe(process.env.ONEBUFFER_CHECKED_KERNELS !== "1");
  const others = [
    { testPathPatterns: { patterns: ["house"] } },
    ...["runTestsByPath", "onlyChanged", "collectCoverage", "watch", "watchAll"].map((name) => ({ [name]: true })),
  ];
  expect(others.filter((options) => takesBundles({ ...whole, ...options }))).toEqual([]);
});

test("a test file becomes its bundle, whose own imports are absolute", () => {
  const folder = mkdtempSync(join(tmpdir(), "onebuffer-"));
  const before = process.env[kBundlesVariable];
  const config = { rootDir: "/clone" };
  const codeOf = (name) => testTransform.process("source", `/clone/house/${name}`, { config }).code;
  try {
    mkdirSync(join(folder, "house"));
    writeFileSync(join(folder, "chunk-A.js"), "");
    writeFileSync(join(folder, "house/a.test.js"), 'import { x } from "../chunk-A.js";\nconst text = `from "../absent.js"`;');
    delete process.env[kBundlesVariable];
    expect(codeOf("a.test.js")).toBe("source");
    process.env[kBundlesVariable] = folder;
    expect(codeOf("a.test.js")).toBe(`import { x } from "${join(folder, "chunk-A.js")}";\nconst text = \`from "../absent.js"\`;`);
    expect(codeOf("b.test.js")).toBe("source");
  } finally {
    if (before === undefined) delete process.env[kBundlesVariable];
    else process.env[kBundlesVariable] = before;
    rmSync(folder, { recursive: true });
  }
});
