// The modules of a test file are collected when it ends.
import { expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import vm from "node:vm";
import { clearImports, noteModules } from "../jest-modules.js";

/**
 * Evaluates modules of which each imports the next, clears their imports, and prints how many are left after a collection. A process of its
 * own has a small heap, which is soon searched. Without `clearImports` a collection on Node 20 frees about eight of them.
 */
const kChain = `
  import { queryObjects } from "node:v8";
  import vm from "node:vm";
  import { clearImports } from "${new URL("../jest-modules.js", import.meta.url)}";

  class Link extends vm.SourceTextModule {}

  async function evaluated() {
    const modules = Array.from({ length: 20 }, (_, k) => new Link(k + 1 < 20 ? \`import "\${k + 1}";\` : "", { identifier: \`\${k}\` }));
    await modules[0].link((specifier) => modules[Number(specifier)]);
    await modules[0].evaluate();
    for (const module of modules) clearImports(module);
  }

  await evaluated();
  await new Promise((resolve) => setTimeout(resolve, 1));
  process.stdout.write(String(queryObjects(Link)));
`;

test("modules that import each other are collected at once", () => {
  const options = ["--experimental-vm-modules", "--no-warnings", "--input-type=module", "-e", kChain];
  expect(execFileSync(process.execPath, options, { encoding: "utf8" })).toBe("0");
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
