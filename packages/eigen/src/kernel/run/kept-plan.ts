/**
 * kept-plan: a plan that runs again for other operands of the same sizes and strides (XLA's counterpart is an executable with its buffer
 * assignment).
 *
 *     div(sum(x, 0), 5)        program 0    sum over axis 0      reads map 0                writes scratch + 0
 *                              program 1    div                  reads scratch + 0          writes the target
 *
 * An access is kept as a distance from where a map, the target or the scratch memory of the stages begins. Before each run the starts are
 * computed from the current addresses.
 */
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { linearMemory } from "@onebuffer/wasm";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";
import type { BlockProgram } from "../contraction/each-product.ts";
import type { Kernel } from "./kernel-cache.ts";
import { accessReach } from "./kernel-plan.ts";
import type { KernelCall, KernelRun } from "./kernel-plan.ts";
import { mayNeedRecheck } from "../plan/kernel-support.ts";
import { accessRange } from "../plan/loop-nest.ts";
import type { Access, LoopNest } from "../plan/loop-nest.ts";
import type { Lowered } from "../plan/lowering.ts";
import type { Parameter } from "../plan/program.ts";

/** A program that can be run: the kernels, their calls and the constants; or the kernel of a product in blocks and its one nest. */
export interface ReadyProgram {
  readonly calls: readonly ReadyCall[];
  readonly kernels: readonly Kernel[];
  readonly parameters: readonly Parameter[];
  readonly contraction: BlockProgram | null;
}

/** A call of a kernel, or the loops of a product. */
export type ReadyCall = KernelRun | { readonly spec: null; readonly nest: LoopNest };

/** A plan that can be run: the programs of the stages, each after those that it needs, then the program of the results. */
export interface ReadyPlan {
  readonly programs: readonly ReadyProgram[];
}

/** A program that has been planned for given places. */
export interface PlannedProgram {
  readonly lowered: Lowered;
  /** The places of its targets, and the address of each of its operands. */
  readonly targets: readonly RawPlaces[];
  readonly calls: readonly KernelCall[];
  readonly kernels: readonly Kernel[];
}

/** A product in blocks that has been planned for given places. */
export interface PlannedContraction {
  readonly contraction: BlockProgram;
  readonly nest: LoopNest;
  /** The maps that its operands are read from; null for a stage. */
  readonly sources: readonly (ExpressionTree | null)[];
  readonly targets: readonly RawPlaces[];
  /** The node that is computed. */
  readonly tree: ExpressionTree;
}

/** One step of a plan. */
export type PlannedStep = PlannedProgram | PlannedContraction;

/** The programs of a plan as they are when it is made, and the scratch memory of its stages. */
export interface PlannedPrograms {
  readonly programs: readonly PlannedStep[];
  readonly scratchStart: number;
  readonly scratchBytes: number;
  /** The stage that is stored in the target (stage-in-target.ts); null if there is none. */
  readonly early: ExpressionTree | null;
}

/** The addresses and constants of an expression, which a kept plan leaves open. */
export interface OpenParts {
  /** The maps, each once, and their byte addresses. */
  readonly leaves: readonly ExpressionTree[];
  readonly starts: readonly number[];
  /** The constants, each once. */
  readonly constants: readonly Parameter[];
}

/** An access of a kept call. `start` is set before each run. */
interface KeptAccess extends Access {
  start: number;
  /**
   * What the access is relative to: the index of a map; the number of maps for the scratch memory; one more for a ramp, which has no
   * memory; -1 for the first target, -2 for the second, and so on.
   */
  readonly base: number;
  /** The distance in bytes from there. */
  readonly delta: number;
  /** The range of bytes of the elements, relative to `start`. */
  readonly low: number;
  readonly end: number;
  /** The range of bytes that whole groups of lanes may touch, relative to `start`. */
  readonly touchedLow: number;
  readonly touchedEnd: number;
  /** True if the access may coincide with the first target, element for element. */
  readonly mayBeTarget: boolean;
}

/** A call of which only the starts change. */
type KeptCall = ReadyCall & { readonly nest: { readonly sizes: readonly number[]; readonly accesses: readonly KeptAccess[] } };

/** A program of a kept plan. */
interface KeptProgram extends ReadyProgram {
  readonly calls: readonly KeptCall[];
  readonly parameters: Parameter[];
  /** For each parameter the index of its constant. */
  readonly constantOf: readonly number[];
}

/** A plan that waits for addresses and constants. */
export interface KeptPlan extends ReadyPlan {
  readonly programs: readonly KeptProgram[];
  /** The bytes of scratch memory for all stages. */
  readonly scratchBytes: number;
  /** True if stages may have to be computed again after the result has been written, or if one is stored in the target. */
  readonly rereadsStages: boolean;
  /** True if a stage is stored in the target, before the result is computed from it. */
  readonly storesEarly: boolean;
}

/** Whether a plan suits the current addresses: "outside" if a kernel could read outside the memory, "crosses" if a result overlaps operands. */
export type Suits = "yes" | "outside" | "crosses";

/** Returns the plan to be kept for these programs. Returns null if they read maps or constants that are not among the open parts. */
export function keptPlan(planned: PlannedPrograms, open: OpenParts): KeptPlan | null {
  const last = planned.programs.length - 1;
  const programs: KeptProgram[] = [];
  for (let p = 0; p <= last; p++) {
    const program = keptProgram(planned, p, open);
    if (program === null) return null;
    programs.push(program);
  }
  const result = planned.programs[last]!;
  const rereads = last > 0 && "calls" in result && result.calls.some(({ spec }) => mayNeedRecheck(spec.nodes));
  const storesEarly = planned.early !== null;
  const rereadsStages = storesEarly || rereads;
  return { programs, scratchBytes: planned.scratchBytes, rereadsStages, storesEarly };
}

function keptProgram(planned: PlannedPrograms, p: number, open: OpenParts): KeptProgram | null {
  const step = planned.programs[p]!;
  const isResult = p === planned.programs.length - 1;
  return "contraction" in step ? keptContraction(step, planned, isResult, open) : keptKernels(step, planned, isResult, open);
}

/** Stands for the base of the first target, among bases of operands of which -1 is none. */
const kTarget = -2;

/** What the access of a map is relative to: its index among the maps, -1 if it is not one of them. That of a stage is the scratch memory. */
const baseOf = (source: ExpressionTree | number | null, { leaves }: OpenParts): number =>
  typeof source === "object" && source !== null ? leaves.indexOf(source) : leaves.length;

/** The address from which the accesses of a base count. */
function startOf(base: number, targets: readonly RawPlaces[], scratchStart: number, { leaves, starts }: OpenParts): number {
  if (base < 0) return targets[-1 - base]!.byteOffset;
  return base < leaves.length ? (starts[base] as number) : base === leaves.length ? scratchStart : 0;
}

function keptContraction(
  step: PlannedContraction,
  { scratchStart, early }: PlannedPrograms,
  isResult: boolean,
  open: OpenParts,
): KeptProgram | null {
  const { contraction, nest, sources, targets, tree } = step;
  const bases = [isResult || tree === early ? -1 : open.leaves.length, ...sources.map((source) => baseOf(source, open))];
  if (bases.includes(-1, 1)) return null;
  const accesses = nest.accesses.map(({ start, itemBytes, strides }, a): KeptAccess => {
    const base = bases[a] as number;
    const [low, end] = accessRange({ start: 0, itemBytes, strides }, nest.sizes);
    const delta = start - startOf(base, targets, scratchStart, open);
    return { start, itemBytes, strides, base, delta, low, end, touchedLow: low, touchedEnd: end, mayBeTarget: false };
  });
  const calls = [{ spec: null, nest: { sizes: nest.sizes, accesses } }];
  return { calls, kernels: [], parameters: [], constantOf: [], contraction };
}

function keptKernels(
  step: PlannedProgram,
  { scratchStart, early }: PlannedPrograms,
  isResult: boolean,
  open: OpenParts,
): KeptProgram | null {
  const { lowered, targets, calls, kernels } = step;
  const { leaves, constants } = open;
  const { operands, parameters } = lowered.program;
  const isEarly = (source: ExpressionTree | number): boolean => typeof source === "number" && lowered.stages[source] === early;
  const bases = operands.map(({ source }) => (source === null ? leaves.length + 1 : isEarly(source) ? kTarget : baseOf(source, open)));
  const constantOf = parameters.map(({ dtype, value }) => constants.findIndex((constant) => isSameConstant(constant, dtype, value)));
  if (bases.includes(-1) || constantOf.includes(-1)) return null;
  const reads = bases.map((base) => (base === kTarget ? -1 : base));
  const targetBases = targets.map((_, t) => (isResult ? -1 - t : leaves.length));
  const all = [targetBases[0] as number, ...reads, ...targetBases.slice(1)];
  const keptAccess = ({ spec, nest }: KernelCall, c: number, a: number): KeptAccess => {
    const target = nest.accesses[0]!;
    const { start, itemBytes, strides } = nest.accesses[a]!;
    const base = all[a] as number;
    const isRamp = base > leaves.length;
    const isAlike = itemBytes === target.itemBytes && strides.every((stride, d) => stride === target.strides[d]);
    // A ramp has no memory. Its empty range is below every address.
    const [low, end] = isRamp ? [-start, -start] : accessRange({ start: 0, itemBytes, strides }, nest.sizes);
    const [touchedLow, touchedEnd] = isRamp ? [-start, -start] : accessReach({ spec, nest }, a, kernels[c]!.elements);
    // The fields are listed one by one: engines give objects made by spreading others a separate layout each.
    return {
      start,
      itemBytes,
      strides,
      base,
      delta: start - startOf(base, targets, scratchStart, open),
      low,
      end,
      touchedLow,
      touchedEnd,
      mayBeTarget: isResult && isAlike && !spec.storesRows && calls.length === 1 && !mayNeedRecheck(spec.nodes),
    };
  };
  const keptCalls = calls.map((call, c): KeptCall => {
    const { sizes, accesses } = call.nest;
    const { form, classes, outerLoops } = call.spec;
    return { spec: { form, classes, outerLoops }, nest: { sizes, accesses: accesses.map((_, a) => keptAccess(call, c, a)) } };
  });
  return { calls: keptCalls, kernels, parameters: [...parameters], constantOf, contraction: null };
}

/** Returns true if a constant has this dtype and value. */
export function isSameConstant(constant: Parameter, dtype: Parameter["dtype"], value: unknown): boolean {
  return constant.dtype === dtype && Object.is(constant.value, value);
}

/**
 * Writes the current addresses into a plan: `starts` are those of the maps, then of the scratch memory, then 0. Returns whether the plan
 * suits them.
 */
export function setStarts(
  { programs, rereadsStages, storesEarly }: KeptPlan,
  starts: readonly number[],
  targets: readonly RawPlaces[],
): Suits {
  const { byteLength } = linearMemory().buffer;
  for (let p = 0; p < programs.length; p++) {
    for (const { nest } of programs[p]!.calls) {
      const { accesses } = nest;
      for (let a = 0; a < accesses.length; a++) {
        const access = accesses[a]!;
        const { base, delta } = access;
        access.start = delta + (base < 0 ? targets[-1 - base]!.byteOffset : (starts[base] as number));
        if (access.start + access.touchedLow < 0 || access.start + access.touchedEnd > byteLength) return "outside";
      }
    }
  }
  const { calls } = programs[programs.length - 1]!;
  for (let c = 0; c < calls.length; c++) {
    const { accesses } = calls[c]!.nest;
    for (let a = 0; a < accesses.length; a++) {
      const target = accesses[a]!;
      if (target.base >= 0) continue;
      for (let other = 0; other < calls.length; other++) {
        if (crosses(target, calls[other]!.nest.accesses, other === c && !storesEarly)) return "crosses";
      }
      if (rereadsStages && isReadByStage(target, programs)) return "crosses";
    }
  }
  return "yes";
}

/**
 * Returns true if a target shares bytes with another access in any way other than element for element. Other calls have the same
 * targets, so only their operands count.
 */
function crosses(target: KeptAccess, accesses: readonly KeptAccess[], isOwn: boolean): boolean {
  const from = target.start + target.low;
  const to = target.start + target.end;
  for (let a = 0; a < accesses.length; a++) {
    const access = accesses[a]!;
    const { start, low, end, mayBeTarget } = access;
    if (access === target || start + end <= from || start + low >= to) continue;
    if (isOwn ? !mayBeTarget || start !== target.start : access.base >= 0) return true;
  }
  return false;
}

/** Returns true if a stage reads bytes of a target. */
function isReadByStage(target: KeptAccess, programs: readonly KeptProgram[]): boolean {
  const stages = programs.slice(0, -1);
  return stages.some(({ calls }) => calls.some(({ nest }) => crosses(target, nest.accesses, false)));
}
