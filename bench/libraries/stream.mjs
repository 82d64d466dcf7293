// The time to read and write as many bytes as a workload of `npm run bench -- --growth` must.
import { kLeastWork } from "../growth/growth-data.mjs";
import { streamCase } from "../limits.mjs";

export const cases = Object.fromEntries(
  Object.entries(kLeastWork).map(([name, { readBytes, writtenBytes }]) => [name, () => streamCase(readBytes, writtenBytes)]),
);
