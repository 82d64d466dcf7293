/**
 * run-program: runs a lowered program with kernels. Its stages must have been computed before.
 */
import { InternalError } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { overlapWith } from "@onebuffer/evaluator/internal";
import { noAttributes } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { linearMemory } from "@onebuffer/wasm";
import type { RawPlaces } from "@onebuffer/storage";
import { runContraction, withScratch } from "@onebuffer/kernels/internal";
import { kernelCache } from "./caches.ts";
import { kernelsOf, planCalls, runCall } from "./kernel-plan.ts";
import type { KernelCall, KernelRun } from "./kernel-plan.ts";
import { mayNeedRecheck } from "../plan/kernel-support.ts";
import { leafPlaces } from "../plan/leaf-places.ts";
import type { Lowered } from "../plan/lowering.ts";
import type { PlannedStep, ReadyProgram } from "./kept-plan.ts";
import { isInside, throughScratch } from "./scratch-places.ts";
import { storedDType } from "./stage-plan.ts";
import { overwrites, targetAccess } from "./target-access.ts";

/**
 * Runs a program, whose stages are in memory at the places `stored`. Adds the planned program to `planned` if it can run again
 * for other targets with the same strides. `wanted` are the targets that `places` stand for. Returns false if the evaluator has to compute
 * the result; some elements of the target may then have been written and have to be written again.
 */
export function runLowered(
  lowered: Lowered,
  places: readonly RawPlaces[],
  dtype: DType,
  planned: PlannedStep[] | null,
  stored: ReadonlyMap<ExpressionTree, RawPlaces>,
  wanted: readonly RawPlaces[] = places,
): boolean {
  if (!places.every(({ buffer }) => isInside(buffer))) throw new InternalError("a kernel was given a target outside of the linear memory");
  const targets = places.map((each) => targetAccess(lowered, each));
  const { stages, program } = lowered;
  const { buffer } = linearMemory();
  return withScratch(() => {
    const starts = program.operands.map(({ source, offset }) => {
      if (source === null) return offset;
      return offset + (typeof source === "number" ? stored.get(stages[source]!)! : leafPlaces(source)).byteOffset;
    });
    const calls = planCalls(lowered, targets, storedDType(lowered, dtype), starts);
    if (calls === null) return false;
    // A copy overlaps nothing, although operands in another shared buffer seem to.
    if (wanted === places && (overwrites(calls) || losesStages(calls, lowered, places))) {
      if (places.length > 1) return false;
      // The operands are read from where the result goes. So the result is computed elsewhere and moved when it is complete.
      return throughScratch(places[0]!, (copy) => {
        const isAlike = copy.strides.every((stride, d) => stride === places[0]!.strides[d]);
        return runLowered(lowered, [copy], dtype, isAlike ? planned : null, stored, places);
      });
    }
    const kernels = kernelsOf(calls, kernelCache(), buffer.byteLength);
    if (kernels === null) return false;
    planned?.push({ lowered, targets: wanted, moved: wanted[0]!.byteOffset - places[0]!.byteOffset, calls, kernels });
    return runCalls({ calls, kernels, parameters: program.parameters, contraction: null, whole: null, attributes: noAttributes });
  });
}

/**
 * Returns true if the evaluator may have to compute a stage again from operands that the result overlaps. A kernel
 * that finds an invalid element has stored other elements by then.
 */
function losesStages(calls: readonly KernelCall[], { stages }: Lowered, places: readonly RawPlaces[]): boolean {
  if (stages.length === 0 || !calls.some(({ spec }) => mayNeedRecheck(spec.nodes))) return false;
  return stages.some((stage) => places.some((target) => overlapWith(target, stage) !== "apart"));
}

/** Runs kernels on their calls, or a product. Returns false if some element may be invalid. */
export function runCalls({ calls, kernels, parameters, contraction, whole, attributes }: ReadyProgram): boolean {
  if (contraction !== null) {
    runContraction(contraction, calls[0]!.nest);
    return true;
  }
  if (whole !== null) return whole.run(calls[0]!.nest.accesses, parameters, attributes);
  let mayBeInvalid = false;
  for (let c = 0; c < calls.length; c++) mayBeInvalid = runCall(kernels[c]!, calls[c] as KernelRun, parameters) || mayBeInvalid;
  return !mayBeInvalid;
}
