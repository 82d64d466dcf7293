// Watches the assignments of a test file whose kernels are checked (tests.mjs). A test fails if one of its kernels touched a byte that it
// may not touch, even if the error was caught.
import { afterEach } from "@jest/globals";
import * as eigen from "./eigen.mjs";
import { kChecker } from "./tests.mjs";
import { watchAssignments } from "./watch-assignments.mjs";

const checker = globalThis[kChecker];
watchAssignments(checker, eigen);

afterEach(() => {
  const faults = checker.faults.splice(0);
  if (faults.length > 0) throw new Error(faults.slice(0, 3).join("\n"));
});
