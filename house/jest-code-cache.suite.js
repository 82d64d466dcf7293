// A script or module that one test file has compiled is taken over by the next.
import { expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import vm from "node:vm";

test("a text that is compiled again takes over its code, in any context", () => {
  const [first, again, elsewhere] = [{}, {}, { parsingContext: vm.createContext({}) }].map((options) =>
    vm.compileFunction("return number + kCompiled;\n// of jest-code-cache.suite.js", ["number", "kCompiled"], options),
  );
  expect([first, again, elsewhere].map((compiled) => compiled(1, 2))).toEqual([3, 3, 3]);
  expect([first.cachedDataProduced, again.cachedDataRejected, elsewhere.cachedDataRejected]).toEqual([true, false, false]);
});

/** Prints which modules took over code, what they export, and whose code the engine has rejected. */
const kProgram = `
  import { setFlagsFromString } from "node:v8";
  import vm from "node:vm";
  import { keepCode } from ${JSON.stringify(new URL("../jest-code-cache.js", import.meta.url).href)};

  const rejected = [];
  vm.SourceTextModule = class extends vm.SourceTextModule {
    constructor(text, options) {
      try {
        super(text, options);
      } catch (error) {
        rejected.push(options.identifier);
        throw error;
      }
      this.took = options.cachedData !== undefined;
    }
  };
  keepCode("/bundles");
  async function taken(identifier, text = "export const count = (() => 3)();") {
    const module = new vm.SourceTextModule(text, { identifier, context: vm.createContext({}) });
    await module.link(() => {});
    await module.evaluate();
    return module.took ? "taken " + module.namespace.count : module.namespace.count;
  }
  const importing = "export const count = 4; export const load = () => import('./a.js');";
  const found = [];
  for (const name of ["bundles/a.js", "bundles/a.js", "bundles/b.js", "others/a.js"]) found.push(await taken("/" + name));
  for (let k = 0; k < 2; k++) found.push(await taken("/bundles/c.js", importing));
  setFlagsFromString("--max-lazy");
  found.push(await taken("/bundles/a.js"), ...rejected);
  setFlagsFromString("--no-max-lazy");
  for (let k = 0; k < 2; k++) found.push(await taken("/bundles/a.js"));
  console.log(JSON.stringify([...found, rejected.length]));`;

test("a module of the folder takes over code, with the same flags of the engine; others do not, nor do those with imports of their own", () => {
  const options = ["--experimental-vm-modules", "--no-warnings", "--input-type=module", "-e", kProgram];
  const found = JSON.parse(execFileSync(process.execPath, options, { encoding: "utf8" }));
  expect(found).toEqual([3, "taken 3", "taken 3", 3, 4, 4, 3, "/bundles/a.js", 3, "taken 3", 1]);
});
