// The time of as many multiplications and additions in registers as a workload of `npm run bench -- --growth` has.
import { kLeastWork } from "../growth/growth-data.mjs";
import { arithmeticCase } from "../limits.mjs";

export const cases = Object.fromEntries(
  Object.entries(kLeastWork)
    .filter(([, { operations }]) => operations > 0)
    .map(([name, { operations }]) => [name, () => arithmeticCase(operations)]),
);
