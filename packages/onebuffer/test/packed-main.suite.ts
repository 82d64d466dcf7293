// The command of a clone runs the package in build/ only if it was made of what the compiler wrote last.
import { expect, test } from "@jest/globals";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

interface PackedMain {
  readonly mainFile: (root: URL) => string;
  readonly notingPack: (root: URL) => () => void;
}

const { mainFile, notingPack } = (await import(new URL("../../../../tools/packed-main.mjs", import.meta.url).href)) as PackedMain;

test("a clone runs dist until it is packed, the package until the compiler writes, and dist while it is packed again", () => {
  const folder = mkdtempSync(join(tmpdir(), "onebuffer-clone-"));
  const root = pathToFileURL(`${folder}/`);
  const write = (path: string): void => {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), "");
  };
  const isPacked = (): boolean => mainFile(root) === new URL("build/package/node/main.js", root).href;
  try {
    for (const name of ["base", "eigen"]) write(`packages/${name}/dist/src.tsbuildinfo`);
    expect(mainFile(root)).toBe(new URL("packages/onebuffer/dist/src/main.js", root).href);
    const pack = (): void => {
      const note = notingPack(root);
      write("build/package/node/main.js");
      expect(isPacked()).toBe(false);
      note();
    };
    pack();
    expect(isPacked()).toBe(true);
    utimesSync(join(folder, "packages/eigen/dist/src.tsbuildinfo"), 1, 1);
    expect(isPacked()).toBe(false);
    pack();
    expect(isPacked()).toBe(true);
    write("packages/io/dist/src.tsbuildinfo");
    expect(isPacked()).toBe(false);
    pack();
    rmSync(join(folder, "build/package"), { recursive: true });
    expect(isPacked()).toBe(false);
    // The compiler writes while the package is made.
    const note = notingPack(root);
    write("build/package/node/main.js");
    utimesSync(join(folder, "packages/base/dist/src.tsbuildinfo"), 2, 2);
    note();
    expect(isPacked()).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
