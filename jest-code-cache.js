// V8's code of the scripts that Jest loads into the context of every test file: its runner, its matchers and what they need, some seventy files.
// To compile them takes 25 ms of processor time a file, to take over the code of the first time a fifth of that.
import vm from "node:vm";

/** The code of scripts that this worker has compiled, by their texts. */
const codes = new Map();

/** Makes `compileFunction` of node:vm, with which Jest compiles scripts, keep their code and use it again. */
export function keepCode() {
  const { compileFunction } = vm;
  vm.compileFunction = (text, parameters, options) => {
    // With kept code Node 20 does not know whose `import()` it is.
    if (text.includes("import(")) return compileFunction(text, parameters, options);
    const cachedData = codes.get(text);
    const compiled = compileFunction(text, parameters, { ...options, cachedData, produceCachedData: cachedData === undefined });
    if (cachedData === undefined) codes.set(text, compiled.cachedData);
    return compiled;
  };
}
