/**
 * run-program: a lowered program, its stages being there, by kernels.
 */
import { InternalError } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { overlapWith } from "../../evaluator/overlap.ts";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { linearMemory } from "@onebuffer/wasm";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";
import { kernelCache } from "./kernel-cache.ts";
import { kernelsOf, planCalls, runCall } from "./kernel-plan.ts";
import type { KernelCall } from "./kernel-plan.ts";
import { mayNeedRecheck } from "../plan/kernel-support.ts";
import { leafPlaces } from "../plan/leaf-places.ts";
import type { Lowered } from "../plan/lowering.ts";
import { keepPlan } from "./plan-cache.ts";
import type { PlanSubject, ReadyPlan } from "./plan-cache.ts";
import { isInside, throughScratch } from "./scratch-places.ts";
import { releaseScratch, scratchMark } from "../plan/scratch.ts";
import { storedDType } from "./stage-plan.ts";
import { overwrites, targetAccess } from "./target-access.ts";

/** For programs without stages. */
export function noStages(stage: ExpressionTree): RawPlaces {
  throw new InternalError(`${stage.op} is no stage`);
}

/**
 * Runs a program, whose stages are there, and keeps its plan for expressions like `subject`. Unless it was done, nothing is but for
 * elements of the target that the evaluator writes again.
 */
export function runLowered(
  lowered: Lowered,
  places: readonly RawPlaces[],
  dtype: DType,
  subject: PlanSubject | null,
  placesOf: (stage: ExpressionTree) => RawPlaces,
): boolean {
  if (!places.every(({ buffer }) => isInside(buffer))) throw new InternalError("a kernel was given a target outside of the linear memory");
  const targets = places.map((each) => targetAccess(lowered, each));
  const { stages, program } = lowered;
  const { buffer } = linearMemory();
  const mark = scratchMark();
  try {
    const starts = program.operands.map(({ source, offset }) => {
      if (source === null) return offset;
      return offset + (typeof source === "number" ? placesOf(stages[source]!) : leafPlaces(source)).byteOffset;
    });
    const calls = planCalls(lowered, targets, storedDType(lowered, dtype), starts);
    if (calls === null) return false;
    if (overwrites(calls) || losesStages(calls, lowered, places)) {
      if (places.length > 1) return false;
      // The operands are read from where the result goes: it is made elsewhere, and moved when it is complete.
      return throughScratch(places[0]!, (copy) => runLowered(lowered, [copy], dtype, null, placesOf));
    }
    const kernels = kernelsOf(calls, kernelCache(), buffer.byteLength);
    if (kernels === null) return false;
    if (subject !== null) keepPlan(places, subject, lowered, calls, kernels);
    return runCalls({ calls, kernels, parameters: program.parameters });
  } finally {
    releaseScratch(mark);
  }
}

/**
 * Whether the evaluator may have to compute a stage once more from operands that the result lies over: a kernel that finds elements
 * which it does not take has stored others by then.
 */
function losesStages(calls: readonly KernelCall[], { stages }: Lowered, places: readonly RawPlaces[]): boolean {
  if (stages.length === 0 || !calls.some(({ spec }) => mayNeedRecheck(spec.nodes))) return false;
  return stages.some((stage) => places.some((target) => overlapWith(target, stage) !== "apart"));
}

/** Runs kernels on their calls; false when something was suspect. */
export function runCalls({ calls, kernels, parameters }: ReadyPlan): boolean {
  let suspect = false;
  for (let c = 0; c < calls.length; c++) suspect = runCall(kernels[c]!, calls[c]!, parameters) || suspect;
  return !suspect;
}
