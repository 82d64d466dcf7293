// The properties of the lifetime net (packages/allocator/src/lifetime), one function for each. run-property.ts runs them in a process of
// plain Node, because a test runner keeps objects alive that nothing else refers to. mutants.ts has the changes of the library that must
// make them fail.
import { ballastProperties } from "./ballast-properties.ts";
import type { Property } from "./property-state.ts";
import { reclaimProperties } from "./reclaim-properties.ts";
import { sweepProperties } from "./sweep-properties.ts";

export const properties: Readonly<Record<string, Property>> = { ...reclaimProperties, ...sweepProperties, ...ballastProperties };
