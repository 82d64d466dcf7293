/** The panel "Expressions". */
import type { JSX } from "preact";
import type { ExplainedStep } from "onebuffer/debug";
import { definePanel } from "../../panel.ts";
import { Button, Controls, Facts, Figure, Select, Spoken, TextField } from "../../parts/controls.tsx";
import { Listing, linesOf } from "../../parts/listing.tsx";
import { bytesText, timeText } from "../../parts/number-text.ts";
import { kMethods } from "./build-expression.ts";
import { Expressions, kPresets, kWays } from "./model.ts";
import { kDTypes } from "./named-tensors.ts";
import type { TensorDType } from "./named-tensors.ts";
import { Trees } from "./trees.tsx";

const kBy: Readonly<Record<string, string>> = {
  map: "one loop over all elements",
  tile: "tiles, because an operand is transposed",
  rows: "row by row, each row kept in the nearest cache",
  columns: "column by column, many at a time",
  contraction: "a product in packed blocks",
  loops: "plain loops over dense elements",
  philox: "random numbers",
  evaluator: "the plain evaluator",
};

/** The loops of a step as text, as a programmer would write them. */
function loopNest({ loops, accesses, expression }: ExplainedStep): string {
  const [text = "", ...leaves] = expression.split(/ {2}(?=x\d)/);
  const index = loops.map((_, i) => `i${i}`).join(", ");
  const lines = loops.map((count, i) => `${"  ".repeat(i)}for i${i} in 0 .. ${count}`);
  lines.push(`${"  ".repeat(loops.length)}out[${index}] = ${text}`);
  const [target, ...operands] = accesses;
  if (target !== undefined) lines.push("", `out  ${target}`);
  for (const [i, leaf] of leaves.entries())
    lines.push(`${leaf.replace(": ", "   ")}${operands[i] === undefined ? "" : `, ${operands[i]}`}`);
  return lines.join("\n");
}

function Step({ step, number }: { step: ExplainedStep; number: number }): JSX.Element {
  const lines = linesOf(step.listing);
  return (
    <li class="step">
      <h4>
        {number}. {step.by === "contraction" || step.by === "loops" || step.by === "evaluator" ? step.by : `a ${step.by} kernel`}{" "}
        <small>{kBy[step.by] ?? ""}</small>
      </h4>
      <pre role="group" class="code" tabIndex={0} aria-label={`Loop nest of step ${number}`}>
        {loopNest(step)}
      </pre>
      <p class="readout">
        {bytesText(step.bytes)} read and written, {step.flops.toLocaleString("en")} operations
      </p>
      {lines.length > 0 && (
        <details>
          <summary>WebAssembly, {lines.length} lines</summary>
          <Listing text={step.listing} label={`WebAssembly of step ${number}`} />
        </details>
      )}
    </li>
  );
}

function Times({ model }: { model: Expressions }): JSX.Element {
  const { times, isMeasuring } = model;
  const longest = Math.max(...kWays.map((way) => times[way] ?? 0));
  const fused = times.fused;
  return (
    <section aria-labelledby="times-title">
      <h3 id="times-title">How long it takes</h3>
      <p>
        The same result, computed three ways in this page: all calls in fused kernels, each call into a tensor of its own, and by the plain
        evaluator in JavaScript. Each time is that of the fastest run of those that fit into 60 ms; the kernel was compiled before, and no
        time to make the tensors is in it. The factor says how many times as long as the fused one.
      </p>
      <Button kind="main" disabled={isMeasuring || model.error !== ""} onPress={() => void model.measure()}>
        {isMeasuring ? "Measuring…" : "Measure"}
      </Button>
      <ul class="times">
        {kWays.map((way) => {
          const time = times[way];
          const ratio =
            time === undefined || fused === undefined || way === "fused" ? "" : `${(time / fused).toFixed(time / fused < 10 ? 1 : 0)}×`;
          return (
            <li key={way}>
              <span>{way}</span>
              <span class="bar">
                <i style={{ width: `${time === undefined || longest === 0 ? 0 : Math.max(0.5, (100 * time) / longest)}%` }} />
              </span>
              <b>{time === undefined ? "–" : timeText(time)}</b> <small>{ratio}</small>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function View({ model }: { model: Expressions }): JSX.Element {
  const { tree, explanation, error, errorAt, text } = model;
  return (
    <>
      <Controls label="Expressions to try">
        {kPresets.map((preset) => (
          <Button key={preset[1]} kind="quiet" onPress={() => model.choose(preset)}>
            {preset[0]}
          </Button>
        ))}
      </Controls>
      <Controls>
        <TextField label="Expression" value={text} onText={(each) => model.setText(each)} width={44} error={error} />
        <TextField
          label="Tensors"
          value={model.tensorsText}
          onText={(each) => model.setTensors(each)}
          width={28}
          error={model.tensorsError}
          hint="name: shape; …"
        />
        <Select<TensorDType>
          label="Element type"
          value={model.dtype}
          options={kDTypes.map((each) => [each, each])}
          onChoice={(each) => model.setDType(each)}
        />
      </Controls>
      {errorAt >= 0 && (
        <pre class="code caret" aria-hidden="true">
          {text}
          {`\n${" ".repeat(errorAt)}^`}
        </pre>
      )}
      <details>
        <summary>The language: operators, and the methods of expressions</summary>
        <dl class="language">
          <div>
            <dt>operators</dt>
            <dd>
              <code>+ - * / % ** @ &lt; &lt;= &gt; &gt;= == !=</code>
            </dd>
          </div>
          {Object.entries(kMethods).map(([group, names]) => (
            <div key={group}>
              <dt>{group}</dt>
              <dd>
                <code>{names}</code>
              </dd>
            </div>
          ))}
        </dl>
      </details>
      {explanation !== null && tree !== null && (
        <>
          <Facts
            label="The whole expression"
            facts={[
              ["kernels and steps", explanation.steps.length],
              ["read and written", bytesText(explanation.bytes)],
              ["operations", explanation.flops.toLocaleString("en")],
              ["operations per byte", (explanation.flops / Math.max(1, explanation.bytes)).toFixed(2)],
            ]}
          />
          <Trees model={model} tree={tree} />
          <section aria-labelledby="steps-title">
            <h3 id="steps-title">The loops it becomes</h3>
            <ol class="steps">
              {explanation.steps.map((step, i) => (
                <Step key={i} step={step} number={i + 1} />
              ))}
            </ol>
          </section>
          <Figure title="the result" note={model.resultShape}>
            <pre role="group" class="code" tabIndex={0} aria-label="Elements of the result">
              {model.resultText}
            </pre>
          </Figure>
          <Times model={model} />
        </>
      )}
      <Spoken text={error === "" && explanation !== null ? `${explanation.steps.length} steps, result ${model.resultShape}` : ""} />
    </>
  );
}

export default definePanel<Expressions>({
  title: "Expressions",
  lead:
    "An expression over tensors is a tree, and computes nothing until it is assigned. Then it is fused: one pass over memory does the work of many calls, " +
    "in WebAssembly that is written at that moment. Change the text and watch the loops. Choose a tensor, and the gradient is drawn beside it: " +
    "another tree of the same operations.",
  shows: [
    {
      name: "Expression",
      here: "packages/expression/src/tree/expression.ts",
      there: "unsupported/Eigen/CXX11/src/Tensor/TensorBase.h",
    },
    { name: "StagePlan", here: "packages/compiler/src/run/stage-plan.ts", there: "XLA's fusion passes" },
    {
      name: "KernelWriter",
      here: "packages/compiler/src/form/kernel-writer.ts",
      there: "unsupported/Eigen/CXX11/src/Tensor/TensorExecutor.h",
    },
    { name: "explain", here: "packages/compiler/src/run/explain.ts", there: "" },
    { name: "gradients", here: "packages/gradients/src/gradients.ts", there: "tensorflow/python/ops/gradients_util.py" },
  ],
  open: (params, changed) => new Expressions(params, changed),
  View,
});
