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
import { noAttributes } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { linearMemory } from "@onebuffer/wasm";
import type { RawPlaces } from "@onebuffer/storage";
import { accessRange, workSplitter } from "@onebuffer/kernels/internal";
import type { Access, BlockProgram, LoopNest } from "@onebuffer/kernels/internal";
import { ConstantIndex } from "../plan/constant-index.ts";
import type { Kernel } from "./kernel-cache.ts";
import { accessReach, argumentImage } from "./kernel-plan.ts";
import type { KernelCall, KernelRun } from "./kernel-plan.ts";
import type { WholeStep } from "../array-loops/whole-step.ts";
import { mayNeedRecheck } from "../plan/kernel-support.ts";
import type { Lowered } from "../plan/lowering.ts";
import type { Parameter } from "../plan/program.ts";
import { readsBeforeWrites } from "../places/reads-before-writes.ts";
import type { CheckedAccess, CheckedPlan } from "../places/reads-before-writes.ts";

/** A program that can be run: the kernels, their calls and the constants; or a product in blocks, or another step, and its one nest. */
export interface ReadyProgram {
  readonly calls: readonly ReadyCall[];
  readonly kernels: readonly Kernel[];
  readonly parameters: readonly Parameter[];
  readonly contraction: BlockProgram | null;
  readonly whole: WholeStep | null;
  /** The attributes for a whole step that has none of its own. */
  readonly attributes: object;
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
  /** The places of its targets. */
  readonly targets: readonly RawPlaces[];
  /** The distance to them from where the calls store: not 0 if the result was first computed elsewhere, because it overlapped operands. */
  readonly moved: number;
  readonly calls: readonly KernelCall[];
  readonly kernels: readonly Kernel[];
}

/** What an operand is read from: a map or a stage. */
export type PlannedSource = ExpressionTree | { readonly stage: ExpressionTree };

/** A product in blocks that has been planned for given places. */
export interface PlannedContraction {
  readonly contraction: BlockProgram;
  readonly nest: LoopNest;
  /** What its operands are read from. */
  readonly sources: readonly PlannedSource[];
  readonly targets: readonly RawPlaces[];
  /** As in a PlannedProgram. */
  readonly moved: number;
}

/** A whole step that has been planned for given places. */
export interface PlannedWhole {
  readonly whole: WholeStep;
  /** The places that it writes and reads, in the order of its accesses. */
  readonly places: readonly { readonly places: RawPlaces; readonly source: PlannedSource | "target" }[];
  readonly parameters: readonly Parameter[];
  /** The node whose attributes change from run to run: that of random elements; null if there is none. */
  readonly open: ExpressionTree | null;
}

/** One step of a plan. */
export type PlannedStep = PlannedProgram | PlannedContraction | PlannedWhole;

/** The programs of a plan as they are when it is made, and the scratch memory of its stages. */
export interface PlannedPrograms {
  readonly programs: readonly PlannedStep[];
  readonly scratchStart: number;
  readonly scratchBytes: number;
  /** The stages that are stored in targets (schedule.ts, stage-memory.ts), and the numbers of those results. */
  readonly inTargets: ReadonlyMap<ExpressionTree, number>;
  /** The addresses of the results. */
  readonly results: readonly number[];
  /** For each program the number of the first result that it writes; any number for the program of a stage. */
  readonly resultOf: readonly number[];
}

/** The addresses and constants of an expression, which a kept plan leaves open. */
export interface OpenParts {
  /** For each map the number of the last tree that reads it, if the trees are to be computed as if one after the other; otherwise null. */
  readonly lastReaders: readonly number[] | null;
  /** The maps, each once, and their byte addresses. */
  readonly leaves: readonly ExpressionTree[];
  readonly starts: readonly number[];
  /** The constants, each once. */
  readonly constants: readonly Parameter[];
  /** The nodes of random elements, each once. */
  readonly randoms: readonly ExpressionTree[];
}

/** An access of a kept call. `start` is set before each run. */
interface KeptAccess extends Access, CheckedAccess {
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
  /** The index of the node of random elements that gives the attributes; -1 if there is none. */
  readonly randomOf: number;
  attributes: object;
}

/** A plan that waits for addresses and constants. */
export interface KeptPlan extends ReadyPlan, CheckedPlan {
  readonly programs: readonly KeptProgram[];
  /** The bytes of scratch memory for all stages. */
  readonly scratchBytes: number;
  /** The addresses that were set last, of the maps and so on and then of the results, and whether they suit the plan. */
  readonly addresses: Float64Array<ArrayBuffer>;
  suits: Suits;
  /** True if the plan was made while a pool computed: it has long reductions in blocks (split/reduce-in-blocks.ts). */
  readonly isOfPool: boolean;
}

/** What programs are kept relative to: the open parts, to be looked up, and the results and scratch memory. */
interface Origins extends OpenParts {
  readonly planned: PlannedPrograms;
  /** The number of the first result that the program writes. */
  readonly result: number;
  readonly indexOfLeaf: ReadonlyMap<ExpressionTree, number>;
  readonly indexOfConstant: ConstantIndex;
}

/** Whether a plan suits the current addresses: "outside" if a kernel could read outside the memory, "crosses" if a result overlaps operands. */
export type Suits = "yes" | "outside" | "crosses";

/** Returns the plan to be kept for these programs. Returns null if they read maps or constants that are not among the open parts. */
export function keptPlan(planned: PlannedPrograms, open: OpenParts): KeptPlan | null {
  const programs: KeptProgram[] = [];
  const indexOfLeaf = new Map(open.leaves.map((leaf, k) => [leaf, k]));
  const indexOfConstant = new ConstantIndex();
  open.constants.forEach(({ dtype, value }, k) => {
    indexOfConstant.add(dtype, value, k);
  });
  for (const [p, step] of planned.programs.entries()) {
    const program = keptProgram(step, { ...open, planned, result: planned.resultOf[p]!, indexOfLeaf, indexOfConstant });
    if (program === null) return null;
    programs.push(program);
  }
  const numResults = planned.results.length;
  return {
    programs,
    scratchBytes: planned.scratchBytes,
    numResults,
    lastRefusal: planned.programs.findLastIndex(mayRefuse),
    lastReaders: open.lastReaders,
    isOfPool: workSplitter() !== null,
    addresses: new Float64Array(open.leaves.length + 2 + numResults).fill(NaN),
    suits: "outside",
  };
}

/** Returns true if a step may leave elements to the evaluator. */
function mayRefuse(step: PlannedStep): boolean {
  return "whole" in step ? step.whole.isSure !== true : "calls" in step && step.calls.some(({ spec }) => mayNeedRecheck(spec.nodes));
}

function keptProgram(step: PlannedStep, origins: Origins): KeptProgram | null {
  if ("whole" in step) return keptWhole(step, origins);
  return "contraction" in step ? keptContraction(step, origins) : keptKernels(step, origins);
}

/** Returns the base of the program's target t: the scratch memory for a stage; -1 for the first result, -2 for the second, and so on. */
function targetBase({ byteOffset }: RawPlaces, t: number, { planned: { scratchStart, scratchBytes }, leaves, result }: Origins): number {
  return byteOffset >= scratchStart && byteOffset < scratchStart + scratchBytes ? leaves.length : -1 - result - t;
}

/**
 * What the access of an operand is relative to: the index of a map, the scratch memory or a result for a stage; NaN for a map that is not
 * open.
 */
function baseOf(source: PlannedSource, { planned: { inTargets }, leaves, indexOfLeaf }: Origins): number {
  if (!("stage" in source)) return indexOfLeaf.get(source) ?? NaN;
  const result = inTargets.get(source.stage);
  return result === undefined ? leaves.length : -1 - result;
}

/** Returns the indices of the constants that are parameters, with -1 for one that is not listed. */
const constantsOf = (parameters: readonly Parameter[], { indexOfConstant }: Origins): readonly number[] =>
  parameters.map(({ dtype, value }) => indexOfConstant.get(dtype, value));

/** The address from which the accesses of a base count. */
function startOf(base: number, { planned: { results, scratchStart }, leaves, starts }: Origins): number {
  if (base < 0) return results[-1 - base] as number;
  return base < leaves.length ? (starts[base] as number) : base === leaves.length ? scratchStart : 0;
}

/** Returns an access of which nothing but the elements themselves is touched. */
function plainAccess(access: Access, sizes: readonly number[], base: number, origins: Origins): KeptAccess {
  const { start, itemBytes, strides } = access;
  const [low, end] = accessRange({ start: 0, itemBytes, strides }, sizes);
  const delta = start - startOf(base, origins);
  return { start, itemBytes, strides, sizes, base, delta, low, end, touchedLow: low, touchedEnd: end, mayBeTarget: false };
}

function keptContraction({ contraction, nest, sources, targets, moved }: PlannedContraction, origins: Origins): KeptProgram | null {
  const bases = [targetBase(targets[0]!, 0, origins), ...sources.map((source) => baseOf(source, origins))];
  if (bases.includes(NaN)) return null;
  const stored = (access: Access, a: number): Access => (a > 0 ? access : { ...access, start: access.start + moved });
  const accesses = nest.accesses.map((access, a) => plainAccess(stored(access, a), nest.sizes, bases[a] as number, origins));
  return oneNest({ spec: null, nest: { sizes: nest.sizes, accesses } }, contraction, null);
}

/** Returns the kept program of a step with one nest and without constants. */
function oneNest(call: KeptCall, contraction: BlockProgram | null, whole: WholeStep | null): KeptProgram {
  return { calls: [call], kernels: [], parameters: [], constantOf: [], contraction, whole, randomOf: -1, attributes: noAttributes };
}

function keptWhole({ whole, places, parameters, open: random }: PlannedWhole, origins: Origins): KeptProgram | null {
  const accesses: KeptAccess[] = [];
  for (const { places: each, source } of places) {
    const base = source === "target" ? targetBase(each, 0, origins) : baseOf(source, origins);
    if (Number.isNaN(base)) return null;
    const { byteOffset: start, itemBytes, dims, strides } = each;
    accesses.push(plainAccess({ start, itemBytes, strides: strides.map((stride) => stride * itemBytes) }, dims, base, origins));
  }
  const constantOf = constantsOf(parameters, origins);
  const randomOf = random === null ? -1 : origins.randoms.indexOf(random);
  if (constantOf.includes(-1) || (random !== null && randomOf < 0)) return null;
  return { ...oneNest({ spec: null, nest: { sizes: [], accesses } }, null, whole), parameters: [...parameters], constantOf, randomOf };
}

function keptKernels({ lowered, targets, moved, calls, kernels }: PlannedProgram, origins: Origins): KeptProgram | null {
  const { leaves } = origins;
  const { operands, parameters } = lowered.program;
  const bases = operands.map(({ source }) =>
    source === null ? leaves.length + 1 : baseOf(typeof source === "number" ? { stage: lowered.stages[source]! } : source, origins),
  );
  const constantOf = constantsOf(parameters, origins);
  if (bases.includes(NaN) || constantOf.includes(-1)) return null;
  const targetBases = targets.map((target, t) => targetBase(target, t, origins));
  const isResult = (targetBases[0] as number) < 0;
  const all = [targetBases[0] as number, ...bases, ...targetBases.slice(1)];
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
      sizes: nest.sizes,
      base,
      delta: start + (a === 0 ? moved : 0) - startOf(base, origins),
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
    const nest = { sizes, accesses: accesses.map((_, a) => keptAccess(call, c, a)) };
    return { spec: { form, classes, outerLoops }, nest, image: argumentImage(kernels[c]!, call) };
  });
  const own = { parameters: [...parameters], constantOf, randomOf: -1, attributes: noAttributes };
  return { calls: keptCalls, kernels, ...own, contraction: null, whole: null };
}

/**
 * Writes the current addresses into a plan: `starts` are those of the maps, then of the scratch memory, then 0; `targets` are addresses, too.
 * Returns whether the plan suits them.
 */
export function setStarts(plan: KeptPlan, starts: readonly number[], targets: readonly number[]): Suits {
  const { programs, addresses, numResults } = plan;
  const numStarts = addresses.length - numResults;
  let isNew = false;
  for (let k = 0; k < addresses.length; k++) {
    const address = (k < numStarts ? starts[k] : targets[k - numStarts]) as number;
    if (addresses[k] === address) continue;
    addresses[k] = address;
    isNew = true;
  }
  if (isNew) plan.suits = setAll(programs, starts, targets) ? (readsBeforeWrites(plan) ? "yes" : "crosses") : "outside";
  return plan.suits;
}

/** Sets the starts of all accesses. Returns false if a kernel could read outside the memory. */
function setAll(programs: readonly KeptProgram[], starts: readonly number[], targets: readonly number[]): boolean {
  const { byteLength } = linearMemory();
  for (let p = 0; p < programs.length; p++) {
    const { calls } = programs[p]!;
    for (let c = 0; c < calls.length; c++) {
      const { accesses } = calls[c]!.nest;
      for (let a = 0; a < accesses.length; a++) {
        const access = accesses[a]!;
        const { base, delta } = access;
        access.start = delta + (base < 0 ? (targets[-1 - base] as number) : (starts[base] as number));
        if (access.start + access.touchedLow < 0 || access.start + access.touchedEnd > byteLength) return false;
      }
    }
  }
  return true;
}
