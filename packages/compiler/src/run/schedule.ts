/**
 * schedule: the order of the steps of several results (in XLA: the schedule of a module, and its buffer assignment's aliases of outputs).
 *
 *     loss, w1 - g1, w2 - g2       forward 1, forward 2, loss, backward 2, w2 - g2, backward 1, w1 - g1
 *
 * A result is computed as soon as what it reads exists, so that the stages that only it reads take memory for a short time. One that other
 * steps read is computed in its target and read there.
 *
 * Everything is read before it is overwritten: a result whose target is an operand waits for the other steps that read the operand. It is
 * then computed in place, if that is possible element for element. Otherwise, and if results wait for each other (a swap), it is a stage,
 * which is copied to the target once nothing reads the operand any more.
 */
import type { ExpressionTree } from "@onebuffer/expression";
import { isMap, treeOrder } from "@onebuffer/expression/internal";
import { isRowMajor } from "@onebuffer/storage/internal";
import type { RawPlaces } from "@onebuffer/storage";
import { heldDType, mayNeedRecheck } from "../plan/kernel-support.ts";
import { leafPlaces } from "../plan/leaf-places.ts";
import { lastReaders } from "../places/last-readers.ts";
import { overlapping, overlappingTargets } from "../places/overlaps.ts";
import { isInPlace } from "./stage-memory.ts";
import { copyOfStage } from "./stage-plan.ts";
import type { StagePlan, Step } from "./stage-plan.ts";

/** A step in its place in the order. */
export interface Scheduled {
  readonly step: Step;
  /** The number of the result in whose target the step stores; -1 for a stage in scratch memory. */
  readonly result: number;
}

/** What steps wait for: that the steps that pass it have run. */
interface Gate {
  left: number;
  /** The jobs that wait for it. */
  readonly waiting: Job[];
}

/** A step that is to be scheduled. */
interface Job {
  step: Step;
  readonly result: number;
  /** The gates that it passes: those of the operands that it reads and that some target overlaps, and those of what it stores. */
  passes: Gate[];
  /** The gates that have to be passed by all others before it runs. Null for a stage that runs where the plan has it. */
  waits: Gate[] | null;
  isDone: boolean;
}

/**
 * Returns the steps of results, in order. `targets` are inside the linear memory. Returns null if the order in which the targets were given
 * matters (`isUpdate` is false), because a target overlaps an operand of a later result.
 */
export function schedule(
  plan: StagePlan,
  results: readonly Step[],
  targets: readonly RawPlaces[],
  isUpdate: boolean,
): readonly Scheduled[] | null {
  const trees = results.map(({ tree }) => tree);
  const leaves = treeOrder(trees).filter(isMap);
  const written = overlapping(targets, leaves.map(leafPlaces)).map((each) => each.map((k) => leaves[k]!));
  if (!isUpdate) {
    const last = lastReaders(trees);
    if (written.some((each, r) => each.some((leaf) => last.get(leaf)! > r))) return null;
  }
  return new Scheduler(plan, results, targets, written).run();
}

class Scheduler {
  readonly #scheduled: Scheduled[] = [];
  readonly #jobs: Job[] = [];
  readonly #gates: Map<object, Gate> = new Map();
  /** The trees of the stages: each has one, whatever it is stored as. */
  readonly #stages: Set<ExpressionTree>;
  /** The maps that some target overlaps. */
  readonly #written: ReadonlySet<ExpressionTree>;

  constructor(plan: StagePlan, results: readonly Step[], targets: readonly RawPlaces[], written: readonly (readonly ExpressionTree[])[]) {
    this.#written = new Set(written.flat());
    const groups = overlappingTargets(targets);
    const shared = new Set(groups.flat());
    const numbers = new Map(results.map((step, r) => [step, r]));
    // The stages that are stored in the targets of results: in memory that nothing else reads or writes.
    const placed = new Map<ExpressionTree, number>();
    for (const [r, { way, tree, dtype }] of results.entries()) {
      const isFree = written[r]!.length === 0 && !shared.has(r) && isRowMajor({ offset: 0, ...targets[r]! });
      if (way === "stored" && isFree && heldDType(tree) === dtype && !placed.has(tree)) placed.set(tree, r);
    }
    const order = plan.order(results);
    this.#stages = new Set(order.flatMap(({ tree, isStage }) => (isStage ? [tree] : [])));
    for (const step of order) {
      const r = numbers.get(step);
      if (r === undefined) this.#addStage(step, placed.get(step.tree) ?? -1);
      else if (placed.get(step.tree) !== r) this.#addResult(step, r, written[r]!, () => isInPlace(plan, step, targets[r]!));
    }
    const jobs = new Map(this.#jobs.map((job) => [job.result, job]));
    for (const group of groups) this.#inOrder(group.map((r) => jobs.get(r)!));
    this.#hasten();
    for (const { passes } of this.#jobs) for (const gate of passes) gate.left++;
    for (const job of this.#jobs) for (const gate of job.waits ?? []) gate.waiting.push(job);
  }

  #addStage(step: Step, result: number): void {
    this.#jobs.push({ step, result, passes: [...this.#readBy(step), this.#gate(step.tree)], waits: null, isDone: false });
  }

  #addResult(step: Step, result: number, written: readonly ExpressionTree[], mayStay: () => boolean): void {
    const own = this.#readBy(step);
    const leaves = written.map((leaf) => this.#gate(leaf));
    // A step that may refuse elements leaves them to the evaluator, which needs all operands.
    const waits = written.length === 0 ? [] : [...leaves, this.#gate(this.#written)];
    const isCopied = waits.some((gate) => own.includes(gate)) && !mayStay();
    if (isCopied && !this.#stages.has(step.tree)) {
      this.#stages.add(step.tree);
      this.#addStage({ ...step, isStage: true }, -1);
    }
    const stored = isCopied ? copyOfStage(step) : step;
    waits.push(...stored.needs.map((need) => this.#gate(need)));
    this.#jobs.push({ step: stored, result, passes: isCopied ? [] : own, waits, isDone: false });
  }

  /** Has results whose targets overlap wait for each other. */
  #inOrder(group: readonly Job[]): void {
    let before: Gate | null = null;
    for (const job of group) {
      if (before !== null) job.waits!.push(before);
      before = this.#gate(job);
      job.passes.push(before);
    }
  }

  /** Has stages that only results read run as soon as what they read exists, so that the results can. */
  #hasten(): void {
    const inner = new Set(this.#jobs.flatMap(({ step }) => (step.isStage ? step.needs : [])));
    for (const job of this.#jobs) {
      const { isStage, needs, tree } = job.step;
      if (isStage && needs.length > 0 && !inner.has(tree)) job.waits = needs.map((need) => this.#gate(need));
    }
  }

  #gate(of: object): Gate {
    let gate = this.#gates.get(of);
    if (gate === undefined) this.#gates.set(of, (gate = { left: 0, waiting: [] }));
    return gate;
  }

  /** Returns the gates of what a step reads: maps that targets overlap, and the one of all steps that may refuse elements. */
  #readBy(step: Step): Gate[] {
    if (this.#written.size === 0) return [];
    const gates = leavesOf(step).flatMap((leaf) => (this.#written.has(leaf) ? [this.#gate(leaf)] : []));
    if (mayRefuse(step)) gates.push(this.#gate(this.#written));
    return [...new Set(gates)];
  }

  run(): readonly Scheduled[] {
    for (const job of this.#jobs) if (job.waits === null || isReady(job)) this.#runFrom(job);
    for (const job of this.#jobs) if (!job.isDone && job.step.way !== "stored") this.#split(job);
    return this.#scheduled;
  }

  /** Runs the results that are left, of which each waits for another: this one is stored as a stage first. */
  #split(job: Job): void {
    const { step, passes } = job;
    if (step.isStage || !this.#stages.has(step.tree)) this.#scheduled.push({ step: { ...step, isStage: true }, result: -1 });
    this.#stages.add(step.tree);
    job.step = copyOfStage(step);
    const own = this.#gate(job);
    job.passes = passes.filter((gate) => gate === own);
    for (const next of passesOf(passes.filter((gate) => gate !== own))) this.#runFrom(next);
    if (!job.isDone && isReady(job)) this.#runFrom(job);
  }

  /** Runs a job, and those that become ready by that: what a job makes ready runs before what was ready already. */
  #runFrom(first: Job): void {
    const ready = [first];
    for (let job = ready.pop(); job !== undefined; job = ready.pop()) {
      if (job.isDone) continue;
      job.isDone = true;
      this.#scheduled.push({ step: job.step, result: job.result });
      ready.push(...passesOf(job.passes).reverse());
    }
  }
}

/** Passes gates. Returns the jobs that are ready then. */
function passesOf(gates: readonly Gate[]): Job[] {
  return gates.flatMap((gate) => {
    gate.left--;
    // A job that passes the gate itself does not wait for that.
    return gate.left <= 1 ? gate.waiting.filter((job) => !job.isDone && isReady(job)) : [];
  });
}

const isReady = ({ passes, waits }: Job): boolean => waits!.every((gate) => gate.left === (passes.includes(gate) ? 1 : 0));

/** Returns the maps that a step reads: those of its kernels, or all that are below it and above the stages that it needs. */
function leavesOf({ tree, way, needs, lowered }: Step): ExpressionTree[] {
  if (way === "rows") return tree.inputs.filter(isMap);
  if (lowered === null) return treeOrder([tree], new Set(needs)).filter((node) => isMap(node) && !needs.includes(node));
  return lowered.program.operands.map(({ source }) => source).filter((source) => typeof source === "object" && source !== null);
}

/** Returns true if a step may leave elements to the evaluator, or throw. */
function mayRefuse({ way, lowered, parts }: Step): boolean {
  if (way === "kernels") return mayNeedRecheck(lowered!.program.nodes);
  if (way === "join") return parts.some((part) => part !== null && mayRefuse(part));
  return way === "loops" || way === "alone" || way === "evaluator";
}
