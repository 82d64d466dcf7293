/** The panel "One buffer, many shapes". */
import type { JSX } from "preact";
import { definePanel } from "../../panel.ts";
import { Choice, Controls, ErrorNote, Facts, Figure, Select, Spoken, TextField } from "../../parts/controls.tsx";
import { NestedGrid } from "../../parts/nested-grid.tsx";
import { CellGrid } from "../../parts/cell-grid.tsx";
import { flatOf, hexByte, indexOf, shortNumber, sizesText } from "../../parts/number-text.ts";
import { kDTypes, OneBuffer } from "./model.ts";
import type { PanelDType, View as BufferView } from "./model.ts";

const kShapes: readonly (readonly [string, string])[] = [
  ["12", "[12]"],
  ["3,4", "[3, 4]"],
  ["2,6", "[2, 6]"],
  ["2,2,3", "[2, 2, 3]"],
  ["3,1,2,2", "[3, 1, 2, 2]"],
];

function View({ model }: { model: OneBuffer }): JSX.Element {
  const { active, elementSize, dtype, shape } = model;
  const views = model.views();
  const [bytes, ...others] = views as [BufferView, ...BufferView[]];
  const from = active === null ? 0 : active * elementSize;
  const where =
    active === null
      ? "Point at an element, or move to it with Tab and the arrow keys."
      : `Element ${active}: bytes ${from} to ${from + elementSize - 1}, value ${shortNumber(valueAt(others[0]!, active))}. ` +
        others.map(({ call, sizes }) => `${call} at ${sizesText(indexOf(active, sizes))}`).join(", ");
  return (
    <>
      <Controls>
        <TextField
          label="Shape"
          value={shape.join(", ")}
          error={model.shapeError}
          hint="such as 3, 4"
          onText={(text) => model.setShape(text, false)}
          onDone={(text) => model.setShape(text, true)}
        />
        <Select<PanelDType>
          label="Element type"
          value={dtype}
          options={kDTypes.map((each) => [each, each])}
          onChoice={(each) => model.setDType(each)}
        />
        <TextField
          label="shaped(…)"
          value={model.asText}
          error={model.asError}
          hint="a view of your own"
          onText={(text) => model.setAs(text)}
        />
      </Controls>
      <Choice label="Shapes to try" value={shape.join(",")} options={kShapes} onChoice={(text) => model.setShape(text, true)} />
      <Facts
        label="The buffer"
        facts={[
          ["elements", model.count],
          ["bytes", model.bytes.length],
          ["references", model.refs],
          ["bytes copied by reshaping", model.copied],
        ]}
      />
      <p class="readout">{where}</p>
      <Spoken text={active === null ? "" : where} />
      <ErrorNote text={model.editError} />
      <div class="views">
        <Figure title={<>the buffer</>} note={`${elementSize} bytes per element, lowest address first, in hexadecimal`}>
          <CellGrid
            label="bytes of the buffer"
            look="flow bytes"
            rows={model.count}
            columns={elementSize}
            cell={(row, column) => {
              const byte = model.bytes[row * elementSize + column]!;
              return {
                text: hexByte(byte),
                label: `byte ${row * elementSize + column}: ${hexByte(byte)}`,
                look: `${active === row ? "is-same" : ""} ${byte === 0 ? "is-zero" : ""}`,
                tint: tintOf(row, model.count),
              };
            }}
            active={null}
            onActive={(row) => model.mark(row)}
            onEdit={(row, column, text) => model.edit(bytes, [row, column], text)}
          />
        </Figure>
        {others.map((view) => (
          <Figure key={view.key} title={<code>{view.call}</code>} note={`${sizesText(view.sizes)}: ${view.note}`}>
            <NestedGrid
              label={view.call}
              sizes={view.sizes}
              active={active}
              onActive={(flat) => model.mark(flat)}
              onEdit={(flat, text) => model.edit(view, indexOf(flat, view.sizes), text)}
              cell={(_, index) => {
                const value = shortNumber(view.map.at(...index));
                const same = active !== null && flatOf(index, view.sizes) === active;
                return {
                  text: value,
                  label: `${sizesText(index)}: ${value}`,
                  look: same ? "is-same" : "",
                  tint: tintOf(flatOf(index, view.sizes), model.count),
                };
              }}
            />
          </Figure>
        ))}
      </div>
    </>
  );
}

const tintOf = (flat: number, count: number): number => (count < 2 ? 0 : flat / (count - 1));
const valueAt = (view: BufferView, flat: number): unknown => view.map.at(...indexOf(flat, view.sizes));

export default definePanel<OneBuffer>({
  title: "One buffer, many shapes",
  lead:
    "A tensor is a shape and a reference to a buffer. Every view below reads and writes the same bytes; none of them is a copy. " +
    "Point at an element to find it in all of them. Press Enter, or click twice, to change it.",
  shows: [
    { name: "Tensor, TensorMap", here: "packages/core/src/tensor/tensor.ts", there: "tensorflow/core/framework/tensor.h" },
    {
      name: "flatInnerDims, flatOuterDims",
      here: "packages/core/src/tensor/tensor-views.ts",
      there: "tensorflow/core/framework/tensor.cc",
    },
    { name: "TensorBuffer", here: "packages/core/src/buffer/tensor-buffer.ts", there: "tensorflow/core/framework/tensor.h" },
  ],
  open: (params, changed) => new OneBuffer(params, changed),
  View,
});
