// A test fails if the engine refuses a module that we wrote: the evaluator then computes the same elements, so that nothing else would show it.
// Tests whose modules are wrong on purpose call `expectMistakes()` from test-support.
import { afterEach, beforeEach } from "@jest/globals";
import { listRefusedModules } from "./tools/refused-modules.mjs";

const EXPECTED = Symbol.for("onebuffer.test.expectsMistakes");
const refused = listRefusedModules(WebAssembly);

beforeEach(() => {
  globalThis[EXPECTED] = false;
});

afterEach(() => {
  const messages = refused.splice(0);
  if (messages.length > 0 && globalThis[EXPECTED] !== true) throw new Error(`the engine refused modules:\n${messages.join("\n")}`);
});
