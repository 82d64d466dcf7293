/**
 * Assignment by the plain evaluator: the reference that every other way of computing is measured against, and what remains without
 * WebAssembly SIMD.
 */
import type { PlainValue } from "../expression/inference/elementwise-inference.ts";
import type { ExpressionTree } from "../expression/tree/op-attributes.ts";
import type { AssignTarget, Update } from "./assignable.ts";
import { checkAssignment } from "./assignable.ts";
import { evaluateInto } from "./evaluate-into.ts";

/** `target = source`, or `target = target update source`. Throws as checkAssignment and evaluateInto do. */
export function assignPlainly(target: AssignTarget, source: ExpressionTree | PlainValue, update: Update | null): void {
  const { places, tree } = checkAssignment(target, source, update);
  evaluateInto(places, tree);
}
