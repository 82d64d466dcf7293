/**
 * Assignment by the plain evaluator. All other ways of computing are tested against it, and it runs where WebAssembly SIMD is not
 * available.
 */
import type { PlainValue } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import type { AssignTarget, Update } from "./assignable.ts";
import { checkAssignment } from "./assignable.ts";
import { evaluateInto } from "./evaluate-into.ts";

/** `target = source`, or `target = target update source`. Throws as checkAssignment and evaluateInto do. */
export function assignPlainly(target: AssignTarget, source: ExpressionTree | PlainValue, update: Update | null): void {
  const { places, tree } = checkAssignment(target, source, update);
  evaluateInto(places, tree);
}
