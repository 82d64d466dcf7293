// A script that one test file has compiled is taken over by the next.
import { expect, test } from "@jest/globals";
import vm from "node:vm";

test("a text that is compiled again takes over its code, in any context", () => {
  const [first, again, elsewhere] = [{}, {}, { parsingContext: vm.createContext({}) }].map((options) =>
    vm.compileFunction("return number + kCompiled;\n// of jest-code-cache.suite.js", ["number", "kCompiled"], options),
  );
  expect([first, again, elsewhere].map((compiled) => compiled(1, 2))).toEqual([3, 3, 3]);
  expect([first.cachedDataProduced, again.cachedDataRejected, elsewhere.cachedDataRejected]).toEqual([true, false, false]);
});
