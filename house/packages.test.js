// The packages as they would be published: versions, dependencies, side effects and export lists.
import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sideEffectsOf } from "../tools/side-effects.mjs";
import { entriesOf, manifestOf, packageNames, root } from "./source-files.mjs";

const rootManifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

test("the root needs exactly three development packages", () => {
  expect(Object.keys(rootManifest.devDependencies).sort()).toEqual(["@types/node", "jest", "typescript"]);
  expect(rootManifest.dependencies).toBeUndefined();
});

test("the root's scripts are the ones the README names", () => {
  expect(Object.keys(rootManifest.scripts).sort()).toEqual([
    "bench",
    "build",
    "conformance",
    "interop",
    "lint",
    "long",
    "pack",
    "reference",
    "sizes",
    "start",
    "test",
  ]);
});

test.each(packageNames)(
  "%s: one version, ESM, no install script, no foreign runtime dependency except protobuf's wire format in proto",
  (name) => {
    const manifest = manifestOf(name);
    expect(manifest.version).toBe("0.1.0");
    expect(manifest.type).toBe("module");
    expect(manifest.license).toBe("Apache-2.0");
    expect(manifest.scripts).toBeUndefined();
    const foreign = Object.keys(manifest.dependencies ?? {}).filter((dep) => !dep.startsWith("@onebuffer/"));
    expect(foreign).toEqual(name === "proto" ? ["@bufbuild/protobuf"] : []);
  },
);

test.each(packageNames)("%s: sideEffects lists the modules that do something when they are loaded, and no other", (name) => {
  expect(manifestOf(name).sideEffects).toEqual(sideEffectsOf(name));
});

const entries = packageNames.flatMap((name) =>
  entriesOf(name).map(([specifier, path]) => [specifier.replace(/^@onebuffer\//, ""), specifier, path]),
);

test.each(entries)("%s: its exports are the listed ones", async (_, specifier, path) => {
  const index = readFileSync(join(root, path), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  const types = [...index.matchAll(/export\s+type\s+\{([^}]*)\}/g)].flatMap((m) =>
    m[1]
      .split(",")
      .map((s) => s.trim())
      .filter(Boolean),
  );
  const values = Object.keys(await import(specifier));
  expect({ values: values.sort(), types: types.sort() }).toMatchSnapshot();
});
