/**
 * stage-in-target: finds a product whose elements can be stored where the result goes, for the operations after it to be computed in place
 * (what Eigen's output kernels of contractions and XLA's buffer reuse are for).
 *
 *     out = relu(matMul(a, b) + bias)      the product is stored in out; then out = relu(out + bias), element by element
 */
import { isMap } from "../../expression/tree/node-kinds.ts";
import { treeOrder } from "../../expression/tree/tree-order.ts";
import { product } from "../../geometry/map-geometry.ts";
import { mayOverlap } from "../../geometry/strided-bytes.ts";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";
import { isRowMajor } from "../../geometry/strided-geometry.ts";
import { leafPlaces } from "../plan/leaf-places.ts";
import { planCalls } from "./kernel-plan.ts";
import { isInside } from "./scratch-places.ts";
import { storedDType } from "./stage-plan.ts";
import type { Step } from "./stage-plan.ts";
import { overwrites, targetAccess } from "./target-access.ts";

/** Imagined addresses are multiples of this many bytes. */
const kApart = 2 ** 28;

/** Returns the stage of an assignment that may be stored in its target; null if there is none. The result is the last step. */
export function stageInTarget(order: readonly Step[], target: RawPlaces): Step | null {
  const result = order.at(-1)!;
  const { lowered, needs, dtype, tree } = result;
  const { dims, strides } = target;
  if (lowered === null || order.length < 2 || !isInside(target.buffer) || !isRowMajor({ offset: 0, dims, strides })) return null;
  const isOnlyHere = (stage: Step): boolean => order.every((step) => step === result || !step.needs.includes(stage.tree));
  const stage = order.find((step) => step.way === "contraction" && step.dtype === dtype && needs.includes(step.tree) && isOnlyHere(step));
  if (stage === undefined || product(stage.tree.dimensions) !== product(dims)) return null;
  if (treeOrder([tree]).some((node) => isMap(node) && mayOverlap(leafPlaces(node), target))) return null;
  const index = lowered.stages.indexOf(stage.tree);
  const starts = lowered.program.operands.map(({ source, offset }, k) =>
    source === null ? offset : source === index ? kApart + offset : (k + 2) * kApart,
  );
  const calls = planCalls(lowered, [targetAccess(lowered, { ...target, byteOffset: kApart })], storedDType(lowered, dtype), starts);
  return calls?.length === 1 && !overwrites(calls) ? stage : null;
}
