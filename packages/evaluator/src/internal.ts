/**
 * Exports for other packages of onebuffer. Users do not import this file, and its names may change in any version.
 */
export { assignPlainly } from "./assign.ts";
export type { Assignment, AssignTarget, Update } from "./assignable.ts";
export { checkAssignment } from "./assignable.ts";
export { evaluateInto } from "./evaluate-into.ts";
export { denseMoves } from "./index-map.ts";
export { overlapWith } from "./overlap.ts";
export { reducerOf } from "./reductions.ts";
export { checkedRow } from "./whole-operations.ts";
