// The records of the operations (packages/expression/src/ops) by name, as the build writes them for tools in any language.
import { readFileSync } from "node:fs";

/** The records of the elementwise operations, and those of the others. */
export const { elementwise: records, whole } = JSON.parse(
  readFileSync(new URL("../../packages/expression/dist/operations.json", import.meta.url), "utf8"),
);

/** The least size whose unit counts in the errors of an operation. */
export const leastSize = (op) => (Array.isArray(records[op]?.accuracy) ? (records[op].accuracy[2] ?? 0) : 0);
