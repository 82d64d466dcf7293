/** The part "An expression on a pool of threads" of the panel "Threads". */
import type { JSX } from "preact";
import { Button, Choice, Controls, ErrorNote, Facts, Select, Spoken } from "../../../parts/controls.tsx";
import { timeText } from "../../../parts/number-text.ts";
import { countText, Job, Undivided } from "./bands.tsx";
import { threadChoices } from "./model.ts";
import type { PoolResult, PoolRuns } from "./model.ts";
import { kWorkNames, kWorks } from "./works.ts";

/** Returns how many times as fast the pool was; "–" if it has one thread, or if the page's clock is too coarse to tell. */
const ratioText = ({ alone, together, numThreads }: PoolResult): string =>
  numThreads > 1 && alone > 0 && together > 0 ? `${(alone / together).toFixed(2)} ×` : "–";

const clockText = (milliseconds: number): string => (milliseconds > 0 ? timeText(milliseconds) : "below the clock's step");

function verdictOf({ bytes, different, runs, numThreads }: PoolResult): string {
  if (different === 0) {
    const pool = numThreads === 1 ? "; both have one thread" : ` with ${threadsText(numThreads)}`;
    return `All ${countText(bytes)} bytes of the result are the same as with one thread, in each of ${runs} runs${pool}.`;
  }
  return `${countText(different)} of ${countText(bytes)} bytes differ from those of one thread.`;
}

const threadsText = (count: number): string => (count === 1 ? "1 thread" : `${count} threads`);

function Result({ result }: { result: PoolResult }): JSX.Element {
  const { numThreads, reason, alone, together, jobs, runs, different } = result;
  const why =
    numThreads === 1
      ? "the pool has one thread"
      : "the pool divides neither running sums nor work that is too small: this page computed it";
  return (
    <>
      {reason !== null && (
        <p class="isolation">
          The pool has {threadsText(numThreads)} here: {reason}. The expression is computed all the same.
        </p>
      )}
      <Facts
        label="Times"
        facts={[
          ["one thread", clockText(alone)],
          [`the pool, ${threadsText(numThreads)}`, clockText(together)],
          ["the speed of one thread", ratioText(result)],
        ]}
      />
      <p class="readout">
        The fastest of {runs} runs each.
        {numThreads > 1 &&
          " Waking the workers is part of the pool's time. Other programs that use the processors slow the pool down first."}
      </p>
      <p class={`pool-verdict ${different === 0 ? "is-same" : "is-different"}`}>{verdictOf(result)}</p>
      {jobs.length === 0 && <Undivided why={why} />}
      {jobs.map((job, k) => (
        <Job key={k} job={job} numThreads={numThreads} />
      ))}
    </>
  );
}

/** Draws the choices, and what the last run gave. */
export function PoolView({ model }: { model: PoolRuns }): JSX.Element {
  const { work, threads, result } = model;
  const { isRunning, error } = model.computation;
  const processors = navigator.hardwareConcurrency || 1;
  const spoken = result === null ? "" : `${verdictOf(result)} Speed: ${ratioText(result)}`;
  return (
    <section aria-labelledby="pool-title">
      <h3 id="pool-title">An expression on a pool of threads</h3>
      <p>
        A <code>ThreadPoolDevice</code> divides the loops of an expression into parts. Its threads, this page and its workers, claim them
        one by one. Who gets which part differs from run to run; the bytes of the result do not.
      </p>
      <Controls>
        <Select
          label="Expression"
          value={work}
          options={kWorkNames.map((name) => [name, kWorks[name].title] as const)}
          onChoice={(name) => model.setWork(name)}
        />
        <Choice
          label="Threads"
          value={String(threads)}
          options={threadChoices().map((count) => [String(count), String(count)] as const)}
          onChoice={(count) => model.setThreads(Number(count))}
        />
        <div class="aligned">
          <Button kind="main" onPress={() => void model.run()}>
            {isRunning ? "Running…" : "Run on the pool"}
          </Button>
        </div>
      </Controls>
      <p class="pool-code">
        <code>
          await out.device(new ThreadPoolDevice({threads})).assign({kWorks[work].code})
        </code>
      </p>
      <p class="readout">{kWorks[work].note}</p>
      {threads > processors && (
        <p class="field-note">
          This machine has {processors} processors, so {threads} threads take turns.
        </p>
      )}
      <ErrorNote text={error} />
      {result !== null && <Result result={result} />}
      <Spoken text={isRunning ? "running" : spoken} />
    </section>
  );
}
