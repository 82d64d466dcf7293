/** The panel "Sixteen bytes". */
import type { JSX } from "preact";
import { definePanel } from "../../panel.ts";
import { Button, Choice, Controls, ErrorNote, Facts, Figure, NumberField, Spoken, TextField } from "../../parts/controls.tsx";
import { hexByte } from "../../parts/number-text.ts";
import { SixteenBytes } from "./model.ts";
import type { ShapeKind } from "./model.ts";

const kPresets: readonly (readonly [label: string, shape: string, why: string])[] = [
  ["[2, 3]", "2,3", "16 bits each"],
  ["[65533]", "65533", "the last of 16 bits"],
  ["[65534]", "65534", "the first of 32 bits"],
  ["six", "1,2,3,4,5,6", "the most for 16 bits"],
  ["seven", "1,2,3,4,5,6,7", "out of line"],
  ["[2, 4294967294]", "2,4294967294", "too large for 32 bits"],
];

const kMeaning: Readonly<Record<string, string>> = {
  seal: "seal",
  dtype: "dtype",
  rank: "rank",
  tag: "tag",
  pointer: "pointer to a list",
  "-": "",
};
const kTag: Readonly<Record<number, string>> = { 0: "REP16", 1: "REP32", 2: "out of line" };

/** On narrow screens the bytes stand in two rows of eight. No field has bytes in both. */
const kHalf = 8;
/** The class of what stands in the second row. */
const half = (byte: number): string => (byte < kHalf ? "" : " is-second");

function Bytes({ model }: { model: SixteenBytes }): JSX.Element {
  const { bytes, fields, rep, outOfLine } = model.description;
  const spoken = fields
    .map(({ name, from, to, value }) => `bytes ${from} to ${to - 1} ${kMeaning[name] ?? `dimension ${name.slice(1)}`} ${value ?? "unused"}`)
    .join("; ");
  const shown = (name: string, value: number | string | null): string => {
    if (value === null) return "unused";
    if (name === "tag") return kTag[Number(value)] ?? String(value);
    if (name === "rank" && value === 255) return "unknown";
    return value === -1 ? "?" : String(value);
  };
  return (
    <>
      <div class="rep-scroll" tabIndex={0} role="group" aria-label="Bytes">
        <div class="rep" role="img" aria-label={`The sixteen bytes: ${bytes.map(hexByte).join(" ")}. ${spoken}`}>
          {bytes.map((byte, i) => {
            const field = fields.findIndex(({ from, to }) => from <= i && i < to);
            const name = fields[field]?.name ?? "-";
            return (
              <span
                key={i}
                class={`rep-byte rep-${name === "-" ? "none" : /^d\d/.test(name) ? `d${field % 6}` : name}${half(i)}`}
                style={{ "--column": i + 1, "--narrow": (i % kHalf) + 1 }}
              >
                <small>{i}</small>
                {hexByte(byte)}
              </span>
            );
          })}
          {fields.map(({ name, from, to, value }, i) => (
            <span
              key={`${name}${from}`}
              class={`rep-field rep-${name === "-" ? "none" : /^d\d/.test(name) ? `d${i % 6}` : name}${half(from)}`}
              style={{ "--column": `${from + 1} / ${to + 1}`, "--narrow": `${(from % kHalf) + 1} / ${((to - 1) % kHalf) + 2}` }}
            >
              <b>{kMeaning[name] ?? name}</b>
              <i>{shown(name, value)}</i>
            </span>
          ))}
        </div>
      </div>
      {rep === "REP_OUT_OF_LINE" && <Heap list={outOfLine} />}
    </>
  );
}

/** The list outside of the sixteen bytes, and the pointer to it: an arrow from the bytes that hold the pointer in TensorFlow. */
function Heap({ list }: { list: readonly number[] }): JSX.Element {
  return (
    <div class="rep-scroll" tabIndex={0} role="group" aria-label="The list on the heap">
      <svg class="rep-arrow" viewBox="0 0 320 44" aria-hidden="true">
        <path d="M4 2 v8 h312 v-8 M160 10 V24 H24 V40 m-5 -7 l5 7 l5 -7" />
      </svg>
      <ol class="rep-heap" aria-label={`The list on the heap: ${list.join(", ")}, 8 bytes each`}>
        {list.map((size, d) => (
          <li key={d} class={`rep-d${d % 6}`}>
            <small>+{8 * d}</small>
            <b>{size}</b>
            <small>d{d}</small>
          </li>
        ))}
      </ol>
      <p class="readout">
        Bytes 0 to 7 are the address of this list, {8 * list.length} bytes of the heap: 8 for each dimension. A copy of such a shape copies
        the list, so it is the only form that allocates. Here the address is shown as zeros: JavaScript has none.
      </p>
    </div>
  );
}

function Dimensions({ model }: { model: SixteenBytes }): JSX.Element {
  const isPartial = model.kind === "PartialTensorShape";
  if (model.unknownRank) return <p class="readout">The rank is unknown, so there are no dimensions to change.</p>;
  return (
    <ul class="dims" aria-label="Dimensions">
      {model.sizes.map((size, d) => (
        <li key={d} class={`dim dim-${d % 6}`}>
          <NumberField
            label={`Dimension ${d}`}
            name={`dim${d}`}
            min={isPartial ? -1 : 0}
            value={size}
            onNumber={(value) => model.setDim(d, value)}
          />
          {isPartial && (
            <Button
              kind="quiet"
              pressed={size === -1}
              onPress={() => model.setDim(d, size === -1 ? 1 : -1)}
              label={`Dimension ${d} is unknown`}
            >
              ?
            </Button>
          )}
          <Button kind="quiet" onPress={() => model.removeDim(d)} label={`Remove dimension ${d}`}>
            ×
          </Button>
        </li>
      ))}
      <li class="dim-add">
        <Button onPress={() => model.addDim(2)}>Add a dimension</Button>
      </li>
    </ul>
  );
}

function Merge({ model }: { model: SixteenBytes }): JSX.Element {
  const { compatible, merged, mostSpecific, error } = model.merge();
  return (
    <section aria-labelledby="merge-title">
      <h3 id="merge-title">Merge two partial shapes</h3>
      <p>A size that is unknown agrees with every size; the merged shape knows what either of the two knows.</p>
      <Controls>
        <TextField label="One shape" value={model.left} onText={(text) => model.setMerge("left", text)} hint="? for unknown" />
        <TextField label="Another" value={model.right} onText={(text) => model.setMerge("right", text)} hint="unknown: no rank" />
      </Controls>
      <Facts
        label="Merged"
        facts={[
          ["isCompatibleWith", compatible === null ? "–" : String(compatible)],
          ["mergeWith", merged === "" ? "–" : <code>{merged}</code>],
          ["mostSpecificCompatibleShape", mostSpecific === "" ? "–" : <code>{mostSpecific}</code>],
        ]}
      />
      <ErrorNote text={error} />
    </section>
  );
}

function View({ model }: { model: SixteenBytes }): JSX.Element {
  const { rep, numElements, shape } = model.description;
  return (
    <>
      <Controls>
        <Choice<ShapeKind>
          label="Class"
          value={model.kind}
          options={[
            ["TensorShape", "TensorShape"],
            ["PartialTensorShape", "PartialTensorShape"],
          ]}
          onChoice={(kind) => model.setKind(kind)}
        />
        <TextField label="Shape" value={model.text} error={model.shapeError} onText={(text) => model.setShape(text)} width={20} />
      </Controls>
      <Controls label="Shapes to try">
        {kPresets.map(([label, text, why]) => (
          <Button key={text} kind="quiet" onPress={() => model.setShape(text)} label={`${label}: ${why}`}>
            {label} <small>{why}</small>
          </Button>
        ))}
      </Controls>
      <Figure
        title={<code>{shape}</code>}
        note={`${rep}${numElements >= 0 ? `, ${numElements} elements` : ", unknown number of elements"}`}
      >
        <Bytes model={model} />
      </Figure>
      <Spoken text={`${shape} is stored as ${rep}`} />
      <Dimensions model={model} />
      <h3 id="history-title">What was called</h3>
      <ol class="history" aria-labelledby="history-title" reversed>
        {model.history.map(({ call, outcome, isError }, i) => (
          <li key={model.history.length - i} class={isError ? "is-error" : ""}>
            <code>{call}</code> <span>{outcome}</span>
          </li>
        ))}
      </ol>
      <Merge model={model} />
    </>
  );
}

export default definePanel<SixteenBytes>({
  title: "Sixteen bytes",
  lead:
    "A shape is sixteen bytes. Twelve hold the dimensions: six of 16 bits, or three of 32, or a pointer to a list for everything larger. " +
    "The last four say if the shape is sealed, the element type, the rank, and which of the three forms is in use. Change a size and watch the form change.",
  shows: [
    { name: "TensorShapeRep", here: "packages/shape/src/tensor-shape-rep.ts", there: "tensorflow/core/framework/tensor_shape.h" },
    { name: "TensorShape", here: "packages/shape/src/tensor-shape.ts", there: "tensorflow/core/framework/tensor_shape.cc" },
    { name: "PartialTensorShape", here: "packages/shape/src/partial-tensor-shape.ts", there: "tensorflow/core/framework/tensor_shape.h" },
  ],
  open: (params, changed) => new SixteenBytes(params, changed),
  View,
});
