// The modules of a test file are collected when it ends.
import { expect, test } from "@jest/globals";
import { queryObjects } from "node:v8";
import vm from "node:vm";
import { clearImports, noteModules } from "../jest-modules.js";

/** Each of so many modules imports the next one. Without `clearImports` a collection on Node 20 frees about eight of them. */
const kModules = 20;

class Link extends vm.SourceTextModule {}

/** Evaluates modules of which each imports the next, and returns them. */
async function chain() {
  const modules = Array.from(
    { length: kModules },
    (_, k) => new Link(k + 1 < kModules ? `import "${k + 1}";` : "", { identifier: `${k}` }),
  );
  await modules[0].link((specifier) => modules[Number(specifier)]);
  await modules[0].evaluate();
  return modules;
}

test("modules that import each other are collected at once", async () => {
  await (async () => {
    for (const module of await chain()) clearImports(module);
  })();
  await new Promise((resolve) => setTimeout(resolve, 1));
  expect(queryObjects(Link)).toBe(0);
});

test("a module that is not evaluated is left alone", () => {
  const module = new vm.SourceTextModule('import "absent";', { identifier: "alone" });
  clearImports(module);
  expect(module.status).toBe("unlinked");
});

test("modules are noted, and cleared once", async () => {
  const { SourceTextModule } = vm;
  const clear = noteModules();
  try {
    const module = new vm.SourceTextModule("", { identifier: "noted" });
    await module.link(() => {});
    await module.evaluate();
    let cleared = 0;
    const inner = Object.getOwnPropertySymbols(module).find(({ description }) => description === "kWrap");
    module[inner].instantiate = () => cleared++;
    clear();
    clear();
    expect(cleared).toBe(1);
  } finally {
    vm.SourceTextModule = SourceTextModule;
  }
});
