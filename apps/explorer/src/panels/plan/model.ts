/** The objects of the panel "Plan and queue": an expression, the steps of its plan, and the parts that a pool's threads claimed. */
import { Tensor, ThreadPoolDevice } from "onebuffer";
import { explain } from "onebuffer/debug";
import { treeOf } from "onebuffer/eigen";
import type { PoolJobRecord } from "onebuffer/eigen";
import type { PanelModel, PanelState, Params } from "../../panel.ts";
import { Computation } from "../../parts/computation.ts";
import { startWorker } from "../../parts/start-worker.ts";
import type { Example } from "../expressions/expression-fields.tsx";
import { TypedExpression } from "../expressions/typed-expression.ts";
import { planSteps } from "./plan-steps.ts";
import type { PlanStep } from "./plan-steps.ts";

/** Expressions to begin with. */
export const kExamples: readonly Example[] = [
  ["a layer", "softmax(relu(x @ w + b))", "x: 256, 128; w: 128, 64; b: 64"],
  ["two branches", "(x @ w) + (y @ w)", "x: 256, 128; y: 256, 128; w: 128, 64"],
  ["one kernel", "(x - y) * 2 + abs(x)", "x: 512, 512; y: 512, 512"],
  ["a chain", "x @ w @ w @ w", "x: 256, 128; w: 128, 128"],
];
const kThreads = 2;

/** The model. */
export class PlanAndQueue implements PanelModel {
  readonly #changed: () => void;
  readonly typed: TypedExpression;
  readonly computation: Computation;
  #pool: ThreadPoolDevice | null = null;
  steps: readonly PlanStep[] = [];
  /** The step that is looked at. */
  step = 0;
  /** What the pool's threads claimed in the last run; null before one. */
  jobs: readonly PoolJobRecord[] | null = null;
  /** The threads of the pool, and why there are fewer than asked for. */
  numThreads = 1;
  reason: string | null = null;

  constructor(params: Params, changed: () => void) {
    this.#changed = changed;
    this.computation = new Computation(changed);
    this.typed = new TypedExpression(params["text"] ?? kExamples[0]![1], params["tensors"] ?? kExamples[0]![2]);
    this.#plan();
    this.choose(Number(params["step"] ?? 1) - 1);
  }

  get isStale(): boolean {
    return this.typed.isStale;
  }

  /** Makes the plan anew: the expression has changed. */
  changed(): void {
    this.#plan();
    this.#changed();
  }

  #plan(): void {
    const { operand, tensors } = this.typed;
    if (operand === null || this.typed.isStale) return;
    this.steps = planSteps(operand, explain(operand), tensors);
    this.step = 0;
    this.jobs = null;
    this.computation.error = "";
  }

  /** Looks at a step. */
  choose(step: number): void {
    this.step = Number.isInteger(step) ? Math.max(0, Math.min(this.steps.length - 1, step)) : 0;
    this.#changed();
  }

  /** Computes the expression on a pool of threads, which writes down who claimed what. */
  async run(): Promise<void> {
    const { operand } = this.typed;
    if (operand === null) return;
    await this.computation.run(async () => {
      this.#pool ??= new ThreadPoolDevice(kThreads, { worker: () => startWorker("pool-worker"), recordsJobs: true, learns: false });
      await this.#pool.ready();
      const { dtype, dimensions } = treeOf(operand);
      using out = Tensor.zeros(dimensions, { dtype: dtype as "float32" });
      // The first run compiles the kernels.
      for (let i = 0; i < 2; i++) await out.device(this.#pool).assign(operand as never);
      this.jobs = this.#pool.jobs;
      this.numThreads = this.#pool.numThreads;
      this.reason = this.#pool.reason;
    });
  }

  params(): Params {
    return { text: this.typed.text, tensors: this.typed.tensorsText, step: String(this.step + 1) };
  }

  state(): PanelState {
    const { step, jobs, numThreads, typed } = this;
    const { isRunning } = this.computation;
    const steps = this.steps.map(({ nodes, ...each }) => ({ ...each, nodes: nodes.length }));
    return {
      text: typed.text,
      steps,
      step,
      jobs,
      numThreads,
      isRunning,
      error: typed.error || typed.tensorsError || this.computation.error,
    };
  }

  dispose(): void {
    this.computation.dispose();
    void this.#pool?.dispose();
    this.typed.dispose();
  }
}
