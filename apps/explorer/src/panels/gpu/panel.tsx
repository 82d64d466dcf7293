/** The panel "On a GPU". */
import type { JSX } from "preact";
import { definePanel } from "../../panel.ts";
import { Button, ErrorNote, Facts, Figure, Spoken } from "../../parts/controls.tsx";
import { Listing, linesOf } from "../../parts/listing.tsx";
import { shortNumber, timeText } from "../../parts/number-text.ts";
import { ExpressionFields } from "../expressions/expression-fields.tsx";
import { kExamples, OnGpu } from "./model.ts";
import type { PlaceResult } from "./model.ts";

/** Whether the browser has a GPU for pages, and what its arithmetic does. */
function Adapter({ model }: { model: OnGpu }): JSX.Element {
  const { search, missing, numerics, isRelaxed } = model;
  if (numerics === null)
    return (
      <p class="readout" role="status">
        {search === "looking"
          ? "Looking for a GPU…"
          : `This page has no GPU: ${missing}. What follows is computed on the processor; the shaders are written all the same, which needs no GPU.`}
      </p>
    );
  return (
    <>
      <p class="readout" role="status">
        This page has a GPU. A shader tried its arithmetic:
      </p>
      <Facts
        label="The arithmetic of the GPU"
        facts={[
          ["denormals", numerics.denormals],
          ["NaN", numerics.nan ? "kept" : "lost"],
          ["quotients", `${numerics.divisionUlp} ulp off`],
          ["square roots", `${numerics.sqrtUlp} ulp off`],
          ["a product and a sum", numerics.contracts ? "rounded once" : "rounded twice"],
          ["on this processor", isRelaxed ? "rounded once" : "rounded twice"],
        ]}
      />
    </>
  );
}

/** Returns the largest difference in words. */
function ulpText({ differing, ulp }: PlaceResult): string {
  if (ulp === null || differing === 0) return "–";
  return ulp === Infinity ? "NaN beside a number" : `${ulp.toLocaleString("en")} ulp`;
}

/** The places with their times, and how their elements compare with those of one thread. */
function Places({ model }: { model: OnGpu }): JSX.Element {
  const { results } = model;
  const { isRunning } = model.computation;
  const apart = results.find(({ differing }) => differing > 0);
  return (
    <section aria-labelledby="elements-title">
      <h3 id="elements-title">The elements, bit by bit</h3>
      <p>
        Each place computes the same expression over the same tensors. Its elements are compared with those of one thread: how many have the
        same bits, and how far the others are away, in ulp, the steps between neighboring float32 values. The time of the GPU has the copies
        of the operands and of the result in it.
      </p>
      <Button kind="main" disabled={isRunning || model.isStale || model.search === "looking"} onPress={() => void model.compute()}>
        {isRunning ? "Computing…" : "Compute it in all places"}
      </Button>
      {results.length > 0 && (
        <div class="table-scroll" tabIndex={0} role="group" aria-label="Elements of each place">
          <table class="tensors">
            <thead>
              <tr>
                <th scope="col">place</th>
                <th scope="col">fastest run</th>
                <th scope="col">equal</th>
                <th scope="col">differing</th>
                <th scope="col">at most</th>
              </tr>
            </thead>
            <tbody>
              {results.map((result) => (
                <tr key={result.name}>
                  <th scope="row">{result.name}</th>
                  <td>{timeText(result.time)}</td>
                  <td>{result.equal.toLocaleString("en")}</td>
                  <td>{result.differing.toLocaleString("en")}</td>
                  <td>{ulpText(result)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {apart !== undefined && (
        <Figure title="the first elements that differ" note={`on one thread, then ${apart.name}`}>
          <Facts
            facts={apart.listed.map(({ index, here, there }) => [
              `element ${index}`,
              <code key={index}>
                {exactText(here)} {exactText(there)}
              </code>,
            ])}
          />
        </Figure>
      )}
      <Spoken text={results.map((each) => `${each.name}: ${each.differing} elements differ`).join(", ")} />
    </section>
  );
}

/** Returns a number with all digits that tell float32 values apart. */
const exactText = (value: unknown): string =>
  typeof value === "number" && !Number.isInteger(value) ? value.toPrecision(9) : shortNumber(value);

interface CodesProps {
  readonly id: string;
  readonly title: string;
  readonly language: string;
  readonly codes: readonly (readonly [name: string, text: string])[];
  readonly refusal?: string;
}

/** The codes of the steps in one language. */
function Codes({ id, title, language, codes, refusal = "" }: CodesProps): JSX.Element {
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <ErrorNote text={refusal} />
      <ol class="steps">
        {codes.map(([name, text], i) => (
          <li key={i} class="step">
            <h4>
              {i + 1}. {name} <small>{text === "" ? `no ${language} of its own` : `${linesOf(text).length} lines of ${language}`}</small>
            </h4>
            {text !== "" && <Listing text={text} label={`${language} of step ${i + 1}`} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

function View({ model }: { model: OnGpu }): JSX.Element {
  const { steps, refusal } = model.shaders;
  return (
    <>
      <ExpressionFields typed={model.typed} examples={kExamples} onChange={() => model.changed()} />
      <ErrorNote text={model.computation.error} />
      <Adapter model={model} />
      <Places model={model} />
      <div class="two-codes">
        <Codes
          id="kernels-title"
          title="For this processor"
          language="WebAssembly"
          codes={model.kernels.map(({ by, listing }) => [by, listing])}
        />
        <Codes id="shaders-title" title="For a GPU" language="WGSL" codes={steps.map(({ form, wgsl }) => [form, wgsl])} refusal={refusal} />
      </div>
    </>
  );
}

export default definePanel<OnGpu>({
  title: "On a GPU",
  lead:
    "One expression on one thread, on a pool of threads and on the GPU: its WebAssembly beside its WGSL, written from the same formulas, " +
    "and the elements of all places compared bit by bit.",
  shows: [
    {
      name: "WebGpuDevice",
      here: "packages/webgpu/src/web-gpu-device.ts",
      there: "tensorflow/core/common_runtime/gpu/gpu_device.h",
    },
    { name: "planProgram", here: "packages/webgpu/src/plan/plan-program.ts", there: "XLA's fusion passes" },
    { name: "WgslSource", here: "packages/webgpu/src/wgsl/wgsl-source.ts", there: "xla/service/gpu/llvm_gpu_backend" },
    { name: "explain", here: "packages/compiler/src/run/explain.ts", there: "" },
  ],
  open: (params, changed) => new OnGpu(params, changed),
  View,
});
