// Lets the modules of a test file go when it ends.
//
// Node 20 keeps, for each module of node:vm, handles to the modules that it imports. They are outside of the heap, where the garbage collector
// cannot see that they are part of a cycle, and last until the module's own object is collected, or until the module is instantiated: `link` does
// that for the module that it is called on, and for none of those below it. So a full collection freed a few layers of the library's 600 modules,
// and each of those left held its context, with all that the tests had made. Workers grew with each file and were replaced by new ones, ten in
// a run: a tenth of the processor time of all tests.
import vm from "node:vm";

/** Drops Node's handles to the modules that an evaluated module imports: to instantiate it once more does nothing else. */
export function clearImports(module) {
  if (module.status !== "evaluated") return;
  const inner = Object.getOwnPropertySymbols(module).find(({ description }) => description === "kWrap");
  module[inner]?.instantiate?.();
}

/** Notes all modules from now on. Returns a function that does the above for those that were made since its last call. */
export function noteModules() {
  const { SourceTextModule } = vm;
  let noted = [];
  // Jest looks the class up for each module.
  vm.SourceTextModule = class extends SourceTextModule {
    constructor(text, options) {
      super(text, options);
      noted.push(new WeakRef(this));
    }
  };
  return () => {
    for (const module of noted.map((each) => each.deref())) if (module !== undefined) clearImports(module);
    noted = [];
  };
}
