/** The panel "Plan and queue". */
import type { JSX } from "preact";
import { definePanel } from "../../panel.ts";
import { Button, Controls, ErrorNote, Figure, Spoken } from "../../parts/controls.tsx";
import { bytesText } from "../../parts/number-text.ts";
import { ExpressionFields } from "../expressions/expression-fields.tsx";
import { Job, Undivided } from "../threads/pool/bands.tsx";
import { kExamples, PlanAndQueue } from "./model.ts";

const kRow = 66;
const kArcs = 70;

/** The arrows between steps: from a result down to the step that reads it. */
function Arcs({ model }: { model: PlanAndQueue }): JSX.Element {
  const { steps, step } = model;
  const center = (i: number): number => i * kRow + kRow / 2;
  return (
    <svg class="plan-arcs" viewBox={`0 0 ${kArcs} ${steps.length * kRow}`} width={kArcs} height={steps.length * kRow} aria-hidden="true">
      {steps.flatMap(({ reads }, to) =>
        reads.map((from) => {
          const reach = Math.min(kArcs - 8, 18 + 14 * (to - from));
          const [a, b] = [center(from) + 8, center(to) - 8];
          return (
            <path
              key={`${from}-${to}`}
              class={to === step ? "is-read" : from === step ? "is-given" : ""}
              d={`M${kArcs} ${a} C${kArcs - reach} ${a} ${kArcs - reach} ${b} ${kArcs - 2} ${b} m-6 -4 l6 4 l-6 4`}
            />
          );
        }),
      )}
    </svg>
  );
}

function Steps({ model }: { model: PlanAndQueue }): JSX.Element {
  const { steps, step } = model;
  return (
    <div class="plan">
      <Arcs model={model} />
      <ol class="plan-steps" aria-label="Steps of the plan">
        {steps.map(({ by, text, reads, tensors, bytes }, i) => (
          <li key={i} class={`${i === step ? "is-chosen" : ""} ${steps[step]?.reads.includes(i) === true ? "is-read" : ""}`}>
            <button type="button" aria-pressed={i === step} onClick={() => model.choose(i)}>
              <b>
                {i + 1}. {by}
              </b>{" "}
              <code>{text}</code>
              <small>
                reads {[...tensors, ...reads.map((each) => `step ${each + 1}`)].join(", ") || "nothing"}; {bytesText(bytes)} moved
              </small>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** What the chosen step waits for, in words. */
function waitText({ steps, step }: PlanAndQueue): string {
  const { reads = [] } = steps[step] ?? {};
  const free = steps.flatMap((each, i) => (each.reads.length === 0 ? [i + 1] : []));
  const own = reads.length === 0 ? "waits for no other step" : `waits for ${reads.map((i) => `step ${i + 1}`).join(" and ")}`;
  return `Step ${step + 1} ${own}. ${free.length === 1 ? `Step ${free[0]} reads` : `Steps ${free.join(", ")} read`} tensors only, so ${free.length === 1 ? "it" : "any of them"} could begin.`;
}

function View({ model }: { model: PlanAndQueue }): JSX.Element {
  const { steps, step, jobs, numThreads, reason, computation, typed } = model;
  const { isRunning, error } = computation;
  return (
    <>
      <ExpressionFields typed={typed} examples={kExamples} onChange={() => model.changed()} />
      <Figure title="the plan" note="an ordered list: the steps run from top to bottom; an arrow leads from a result to its reader">
        <Steps model={model} />
      </Figure>
      <Controls>
        <Button disabled={step === 0} onPress={() => model.choose(step - 1)}>
          Step before
        </Button>
        <Button disabled={step + 1 >= steps.length} onPress={() => model.choose(step + 1)}>
          Step after
        </Button>
      </Controls>
      <p class="readout">{waitText(model)}</p>
      <Spoken text={waitText(model)} />
      <section aria-labelledby="queue-title">
        <h3 id="queue-title">The queue of one step</h3>
        <p>
          A pool of threads divides the loops of a step into parts, and each thread claims the next part when it is free. That queue is
          real: the records below are what the threads wrote down.
        </p>
        <Button kind="main" disabled={isRunning || typed.isStale} onPress={() => void model.run()}>
          {isRunning ? "Running…" : "Run the plan on two threads"}
        </Button>
        <ErrorNote text={error} />
        {jobs !== null && reason !== null && <p class="isolation">The pool has one thread here: {reason}.</p>}
        {jobs?.length === 0 && <Undivided why={numThreads === 1 ? "the pool has one thread" : "the work is too small to divide"} />}
        {jobs?.map((job, i) => (
          <Job key={i} job={job} numThreads={numThreads} />
        ))}
      </section>
    </>
  );
}

export default definePanel<PlanAndQueue>({
  title: "Plan and queue",
  lead:
    "An expression that one kernel cannot compute becomes a plan: a list of steps in an order in which every step finds its operands. " +
    "See which step reads which, and how the threads of a pool share the work of each.",
  shows: [
    { name: "explain", here: "packages/compiler/src/run/explain.ts", there: "" },
    {
      name: "StagePlan",
      here: "packages/compiler/src/run/stage-plan.ts",
      there: "ExecutorState in tensorflow/core/common_runtime/executor.cc",
    },
    { name: "PoolRecords", here: "packages/eigen/src/device/pool-records.ts", there: "tsl/platform/threadpool.h" },
  ],
  open: (params, changed) => new PlanAndQueue(params, changed),
  View,
});
