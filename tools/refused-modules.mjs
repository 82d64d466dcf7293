// Which modules of WebAssembly an engine has refused, for jest-kernels.js.

/**
 * Replaces the constructor of modules in a namespace `WebAssembly` by one that lists what the engine says of the modules that it refuses.
 * Returns the list. Engines that allow no code at all throw another error than a CompileError, which tests imitate: it is not listed.
 */
export function listRefusedModules(namespace) {
  const refused = [];
  namespace.Module = new Proxy(namespace.Module, {
    construct(Module, [bytes]) {
      try {
        return new Module(bytes);
      } catch (error) {
        if (error.name === "CompileError") refused.push(error.message);
        throw error;
      }
    },
  });
  return refused;
}
