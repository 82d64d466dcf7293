// The packages as they would be published: versions, dependencies and side effects.
import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sideEffectsOf } from "../tools/side-effects.mjs";
import { manifestOf, packageNames, root } from "./source-files.mjs";

const rootManifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

// Jest brings the parser anyway; tools/ways reads the built source with it. tools/bundle-built.mjs bundles with esbuild.
test("the root needs exactly five development packages", () => {
  expect(Object.keys(rootManifest.devDependencies).sort()).toEqual(["@babel/parser", "@types/node", "esbuild", "jest", "typescript"]);
  expect(rootManifest.dependencies).toBeUndefined();
});

test("the root's scripts are the ones the README names", () => {
  expect(Object.keys(rootManifest.scripts).sort()).toEqual([
    "bench",
    "build",
    "build:site",
    "conformance",
    "explorer",
    "fuzz",
    "interop",
    "lint",
    "long",
    "mutation",
    "pack",
    "real-files",
    "reference",
    "sizes",
    "start",
    "test",
    "test:engines",
    "ways",
    "webgpu",
    "xla",
  ]);
});

test.each(packageNames)(
  "%s: one version, ESM, no install script, no foreign runtime dependency but the wire format in proto, the command's progress bar",
  (name) => {
    const manifest = manifestOf(name);
    expect(manifest.version).toBe("0.1.0");
    expect(manifest.type).toBe("module");
    expect(manifest.license).toBe("Apache-2.0");
    expect(manifest.scripts).toBeUndefined();
    const foreign = Object.keys(manifest.dependencies ?? {}).filter((dep) => !dep.startsWith("@onebuffer/"));
    expect(foreign).toEqual({ proto: ["@bufbuild/protobuf"], onebuffer: ["progress"] }[name] ?? []);
  },
);

test.each(packageNames)("%s: sideEffects lists the modules that do something when they are loaded, and no other", (name) => {
  expect(manifestOf(name).sideEffects).toEqual(sideEffectsOf(name));
});
