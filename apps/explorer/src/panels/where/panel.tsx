/** The panel "Where it is computed". */
import type { JSX } from "preact";
import { definePanel } from "../../panel.ts";
import { Button, Controls, ErrorNote, Facts, Figure, Select, Spoken } from "../../parts/controls.tsx";
import { bytesText, timeText } from "../../parts/number-text.ts";
import { ExpressionFields } from "../expressions/expression-fields.tsx";
import { kExamples, Where } from "./model.ts";
import type { BackendCall } from "./page-backend.ts";

/** The places of this machine, one below the other. */
function Places({ model }: { model: Where }): JSX.Element {
  const { results, steps } = model;
  const { isRunning } = model.computation;
  return (
    <section aria-labelledby="places-title">
      <h3 id="places-title">On this machine</h3>
      <p>
        One thread runs the {steps.length === 1 ? "only step" : `${steps.length} steps`} of the plan ({steps.join(", ")}). A pool divides
        each step over threads that share the memory: nothing is sent, and the bytes of the result are the same.
      </p>
      <Button kind="main" disabled={isRunning || model.isStale} onPress={() => void model.compute()}>
        {isRunning ? "Computing…" : "Compute it in both places"}
      </Button>
      {results.length > 0 && (
        <ul class="places">
          {results.map(({ name, time, isSame }) => (
            <li key={name}>
              <b>{name}</b> <span>{timeText(time)}</span> <span>{isSame ? "the same bytes" : "other bytes"}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** What XLA gets. */
function Xla({ model }: { model: Where }): JSX.Element {
  const { text, operations, error } = model.xla;
  const count = operations.reduce((sum, [, each]) => sum + each, 0);
  return (
    <section aria-labelledby="xla-title">
      <h3 id="xla-title">As text, for XLA</h3>
      <p>
        XLA does not get the tree but a StableHLO module: every operation by itself, with the type of its result. Which of them it then
        computes in one loop is XLA's decision, made from this text for the device at hand. Here the same decision was made for the plan
        above: {model.steps.length === 1 ? "one step" : `${model.steps.length} steps`} for {count} operations.
      </p>
      <ErrorNote text={error} />
      <Facts label="Operations of the module" facts={operations.map(([name, each]) => [name, each] as const)} />
      <pre role="group" class="code listing" tabIndex={0} aria-label="StableHLO">
        {text}
      </pre>
    </section>
  );
}

const kWords: Readonly<Record<BackendCall["call"], string>> = {
  compile: "compile, once for each structure",
  put: "sent there",
  run: "run",
  take: "fetched",
  release: "freed",
};

/** The transfers of a device with memory of its own. */
function Transfers({ model }: { model: Where }): JSX.Element {
  const { calls, kept, typed } = model;
  const sent = calls.reduce((sum, { call, bytes }) => sum + (call === "put" ? bytes : 0), 0);
  const fetched = calls.reduce((sum, { call, bytes }) => sum + (call === "take" ? bytes : 0), 0);
  return (
    <section aria-labelledby="transfers-title">
      <h3 id="transfers-title">On a device with memory of its own</h3>
      <p>
        A device such as <code>XlaDevice</code> has other memory: operands are sent to it and results fetched, unless they stay there. The
        queue below is that of <code>BackendDevice</code>, the part that all such devices share. Behind it stands a backend in this page,
        because a page has no process with XLA; it is asked the same things in the same order.
      </p>
      <Controls>
        <Select
          label="A tensor that stays there"
          value={kept}
          options={[["", "none"], ...[...typed.tensors.keys()].map((name) => [name, name] as const)]}
          onChoice={(name) => model.keep(name)}
        />
        <div class="aligned">
          <Button disabled={model.computation.isRunning || model.isStale} onPress={() => void model.transfer()}>
            Call it twice
          </Button>
        </div>
      </Controls>
      {calls.length > 0 && (
        <>
          <Facts
            label="Transfers"
            facts={[
              ["sent", bytesText(sent)],
              ["fetched", bytesText(fetched)],
            ]}
          />
          <Figure title="the calls in their order" note="two assignments of the same expression">
            <ol class="transfers" aria-label="Calls of the backend">
              {calls.map(({ call, what, bytes }, i) => (
                <li key={i} class={`call-${call}`}>
                  <b>{call}</b> <span>{kWords[call]}</span> <code>{what}</code> <small>{bytes === 0 ? "" : bytesText(bytes)}</small>
                </li>
              ))}
            </ol>
          </Figure>
        </>
      )}
      <Spoken text={calls.length === 0 ? "" : `${bytesText(sent)} sent, ${bytesText(fetched)} fetched`} />
    </section>
  );
}

function View({ model }: { model: Where }): JSX.Element {
  return (
    <>
      <ExpressionFields typed={model.typed} examples={kExamples} onChange={() => model.changed()} />
      <ErrorNote text={model.computation.error} />
      <Places model={model} />
      <Transfers model={model} />
      <Xla model={model} />
    </>
  );
}

export default definePanel<Where>({
  title: "Where it is computed",
  lead:
    "One expression, several places: one thread, a pool of threads, a device with memory of its own, and XLA, which gets it as text. " +
    "See what each place needs, what is sent to it, and what it sends back.",
  shows: [
    {
      name: "ThreadPoolDevice",
      here: "packages/eigen/src/device/thread-pool-device.ts",
      there: "unsupported/Eigen/CXX11/src/Tensor/TensorDeviceThreadPool.h",
    },
    { name: "BackendDevice", here: "packages/eigen/src/resident/backend-device.ts", there: "xla/pjrt/pjrt_client.h" },
    { name: "toStableHLO", here: "packages/stablehlo/src/to-stable-hlo.ts", there: "tensorflow/compiler/tf2xla" },
  ],
  open: (params, changed) => new Where(params, changed),
  View,
});
