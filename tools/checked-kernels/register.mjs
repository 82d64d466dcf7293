// The address check of kernels for programs: `node --import ./tools/checked-kernels/register.mjs program.js`. At the end it prints how many
// accesses were checked, and the program fails if one was a fault.
import { AddressChecker } from "./checker.mjs";
import { watchAssignments } from "./watch-assignments.mjs";

/** The most faults that are printed. */
const kShown = 5;

const checker = new AddressChecker();
globalThis.WebAssembly = checker.namespace(globalThis.WebAssembly);
watchAssignments(checker, await import("./eigen.mjs"));
process.on("exit", () => {
  process.stdout.write(`${checker.checked} accesses of kernels checked, ${checker.faults.length} faults\n`);
  for (const fault of checker.faults.slice(0, kShown)) process.stdout.write(`${fault}\n`);
  if (checker.faults.length > 0) process.exitCode = 1;
});
