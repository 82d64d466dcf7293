/** The panel "One operation, many kernels". */
import type { JSX } from "preact";
import { opTable } from "onebuffer/eigen";
import { definePanel } from "../../panel.ts";
import { Controls, Select, Spoken } from "../../parts/controls.tsx";
import { KernelChoices, kOperations } from "./model.ts";
import type { KernelChoice } from "./model.ts";

const kBy: Readonly<Record<string, string>> = {
  map: "a kernel over all elements",
  rows: "a kernel over rows",
  loops: "plain loops",
  evaluator: "the plain evaluator",
};

function Row({ choice }: { choice: KernelChoice }): JSX.Element {
  const { dtype, isRegistered, kernel, lines, result, xla, hasXla, refusal } = choice;
  return (
    <tr class={refusal === "" ? "" : "is-refused"}>
      <th scope="row">{dtype}</th>
      <td>{isRegistered ? "registered" : "–"}</td>
      <td>{refusal === "" ? `${kBy[kernel] ?? kernel}${lines === 0 ? "" : `, ${lines} lines of WebAssembly`}` : refusal}</td>
      <td>{result}</td>
      <td>{refusal === "" ? hasXla ? <code>{xla}</code> : `refused: ${xla}` : ""}</td>
    </tr>
  );
}

function View({ model }: { model: KernelChoices }): JSX.Element {
  const { choices, op } = model;
  const able = choices.filter(({ refusal }) => refusal === "").length;
  return (
    <>
      <Controls>
        <Select
          label="Operation"
          value={op}
          options={kOperations.map((name) => [name, name] as const)}
          onChoice={(name) => model.setOp(name)}
        />
      </Controls>
      <p class="readout">
        {op} is a {opTable[op].class} operation. It has a kernel for {able} of these {choices.length} dtypes; the others are refused when
        the expression is written, before anything is computed.
      </p>
      <div class="table-scroll" tabIndex={0} role="group" aria-label="Kernels by dtype">
        <table class="tensors kernels">
          <thead>
            <tr>
              <th scope="col">dtype</th>
              <th scope="col">record</th>
              <th scope="col">here, on this processor</th>
              <th scope="col">result</th>
              <th scope="col">as text for XLA</th>
            </tr>
          </thead>
          <tbody>
            {choices.map((choice) => (
              <Row key={choice.dtype} choice={choice} />
            ))}
          </tbody>
        </table>
      </div>
      <Spoken text={`${op}: ${able} of ${choices.length} dtypes`} />
    </>
  );
}

export default definePanel<KernelChoices>({
  title: "One operation, many kernels",
  lead:
    "An operation is a name with a record: what it takes and what it returns. What computes it depends on the dtype and on the place. " +
    "Choose an operation and see what is chosen for each dtype: asked of a real tensor, not listed by hand.",
  shows: [
    { name: "opTable", here: "packages/expression/src/tree/op-table.ts", there: "REGISTER_OP in tensorflow/core/framework/op.h" },
    {
      name: "explain",
      here: "packages/compiler/src/run/explain.ts",
      there: "REGISTER_KERNEL_BUILDER in tensorflow/core/framework/op_kernel.h",
    },
    {
      name: "xlaCapabilities",
      here: "packages/stablehlo/src/lowering/xla-capabilities.ts",
      there: "tensorflow/compiler/tf2xla/xla_op_registry.h",
    },
  ],
  open: (params, changed) => new KernelChoices(params, changed),
  View,
});
