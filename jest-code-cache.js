// V8's code of what is loaded into the context of every test file: Jest's runner, its matchers and what they need, some seventy scripts, and
// the bundles that test files share (tools/test-bundles.mjs). A worker compiles each of them once, and takes over that code for the next file.
//
// V8 compiles a function when it is first called, for each of some forty test files anew. Here all functions of a text are compiled with it,
// which takes 0.3 s of a worker, and the tests of expressions, gradients, shapes and others took a tenth less processor time.
import { sep } from "node:path";
import { setFlagsFromString } from "node:v8";
import vm from "node:vm";
import { kBundlesVariable } from "./tools/test-bundles.mjs";

/** Makes node:vm keep the code of what Jest loads: of all scripts, and in a run that has bundles that of modules in their folder. */
export function keepCode(folder = process.env[kBundlesVariable]) {
  keepCodeOfScripts();
  if (folder !== undefined) keepCodeOfModules(folder.endsWith(sep) ? folder : folder + sep);
}

/** With kept code Node 20 does not know whose `import()` it is. */
const canBeKept = (text) => !text.includes("import(");

/** `compileFunction` is what Jest compiles scripts with. */
function keepCodeOfScripts() {
  const { compileFunction } = vm;
  /** The code of the scripts that this worker has compiled, by their texts. */
  const codes = new Map();
  vm.compileFunction = (text, parameters, options) => {
    if (!canBeKept(text)) return compileFunction(text, parameters, options);
    const cachedData = codes.get(text);
    const more = { ...options, cachedData, produceCachedData: cachedData === undefined };
    setFlagsFromString("--no-lazy");
    const compiled = compileFunction(text, parameters, more);
    setFlagsFromString("--lazy");
    if (cachedData === undefined) codes.set(text, compiled.cachedData);
    return compiled;
  };
}

function keepCodeOfModules(folder) {
  const { SourceTextModule } = vm;
  /** The code of the modules of the folder that this worker has compiled, by their texts. */
  const codes = new Map();
  vm.SourceTextModule = new Proxy(SourceTextModule, {
    construct(base, [text, options], made) {
      const isKept = options.identifier.startsWith(folder) && canBeKept(text);
      const more = isKept ? { ...options, cachedData: codes.get(text) } : options;
      setFlagsFromString("--no-lazy");
      try {
        const module = Reflect.construct(base, [text, more], made);
        if (isKept && !codes.has(text)) codes.set(text, module.createCachedData());
        return module;
      } catch (error) {
        // A test has changed another flag of V8, and has not changed it back.
        if (!isKept || error.code !== "ERR_VM_MODULE_CACHED_DATA_REJECTED") throw error;
        codes.delete(text);
        return Reflect.construct(base, [text, options], made);
      } finally {
        setFlagsFromString("--lazy");
      }
    },
  });
}
