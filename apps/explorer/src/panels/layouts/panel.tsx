/** The panel "Layouts". */
import type { JSX } from "preact";
import { definePanel } from "../../panel.ts";
import { CellGrid } from "../../parts/cell-grid.tsx";
import { Button, Choice, Controls, ErrorNote, Facts, Figure, NumberField, Select, Spoken, TextField } from "../../parts/controls.tsx";
import { NestedGrid } from "../../parts/nested-grid.tsx";
import { flatOf, indexOf, sizesText } from "../../parts/number-text.ts";
import { DimensionOrder } from "./dimension-order.tsx";
import { kPaddings, kPresets, Layouts, letterOf } from "./model.ts";
import type { PaddingName } from "./model.ts";
import type { Operation } from "./verdict.ts";
import { Walk } from "./walk.tsx";

function Memory({ model, ranks }: { model: Layouts; ranks: ReadonlyMap<number, number> }): JSX.Element {
  const { memory, groupCells, sizes, active, count } = model;
  const groups = Math.ceil(memory.length / groupCells);
  return (
    <CellGrid
      label="linear memory"
      look="flow memory"
      rows={groups}
      columns={groupCells}
      active={null}
      onActive={(row, column) => {
        const index = model.indexIn(row * groupCells + column);
        model.mark(index === null ? null : flatOf(index, sizes));
      }}
      cell={(row, column) => {
        const cell = row * groupCells + column;
        const index = model.indexIn(cell);
        const code = memory[cell]!;
        if (index === null) return { text: String(code), label: `cell ${cell}: padding ${code}`, look: "is-padding" };
        const flat = flatOf(index, sizes);
        return {
          text: letterOf(code),
          label: `cell ${cell}: ${letterOf(code)}, element ${sizesText(index)}`,
          look: flat === active ? "is-same" : "",
          tint: (ranks.get(flat) ?? 0) / Math.max(1, count - 1),
        };
      }}
    />
  );
}

function Question({ model }: { model: Layouts }): JSX.Element {
  const { free, result, before, after, why } = model.verdict();
  const isTranspose = model.operation === "transpose";
  const strip = (letters: readonly string[], other: readonly string[]): JSX.Element => (
    <span class="strip">
      {letters.map((letter, i) => (
        <span key={`${i}${letter}`} class={letter === other[i] ? "" : "is-moved"}>
          {letter}
        </span>
      ))}
    </span>
  );
  return (
    <section aria-labelledby="free-title">
      <h3 id="free-title">Is it free?</h3>
      <p>A transpose or reshape is free if no element has to move. That depends on the layout before, and on the one that is asked for.</p>
      <Controls>
        <Choice<Operation>
          label="Operation"
          value={model.operation}
          options={[
            ["transpose", "transpose"],
            ["reshape", "reshape"],
          ]}
          onChoice={(operation) => model.setOperation({ operation })}
        />
        {isTranspose ? (
          <TextField
            label="Permutation"
            value={model.permutation}
            onText={(permutation) => model.setOperation({ permutation })}
            hint="the old dimension at each place"
          />
        ) : (
          <TextField label="New dimensions" value={model.reshape} onText={(reshape) => model.setOperation({ reshape })} />
        )}
        <TextField
          label="Layout of the result"
          value={model.resultOrder}
          onText={(resultOrder) => model.setOperation({ resultOrder })}
          hint="minor_to_major; empty: row-major"
        />
      </Controls>
      <div class={`verdict ${free === null ? "" : free ? "is-free" : "is-copy"}`}>
        <p class="verdict-word">{free === null ? "–" : free ? "free" : "a copy"}</p>
        <div>
          {free !== null && (
            <>
              <p class="strip-line">
                <code>{model.text}</code> {strip(before, before)}
              </p>
              <p class="strip-line">
                <code>{result}</code> {strip(after, before)}
              </p>
            </>
          )}
          <p>{why}</p>
        </div>
      </div>
      <Spoken text={free === null ? why : `${free ? "Free" : "A copy"}. ${why}`} />
    </section>
  );
}

function View({ model }: { model: Layouts }): JSX.Element {
  const { sizes, layout, active, count, memory } = model;
  const order = model.order();
  const ranks = new Map(order.map((flat, rank) => [flat, rank]));
  const letters = Array.from({ length: count }, (_, flat) => letterOf(model.at(indexOf(flat, sizes))));
  const mark = (flat: number): void => model.mark(flat);
  const where =
    active === null
      ? "Point at an element to find its cell."
      : `${letters[active]} is element ${sizesText(indexOf(active, sizes))}, in cell ${model.cellOf(indexOf(active, sizes))} of ${memory.length}.`;
  const isTiled = layout.tiles.length > 0;
  return (
    <>
      <Controls label="The worked examples of XLA's page “Shapes and Layout” (TensorFlow and OpenXLA authors, CC BY 3.0), and tiles">
        {kPresets.map((preset) => (
          <Button key={preset.label} kind="quiet" onPress={() => model.choose(preset)} label={`Example ${preset.label}: ${preset.note}`}>
            {preset.label} <small>{preset.note}</small>
          </Button>
        ))}
      </Controls>
      <Controls>
        <TextField
          label="Shape with layout"
          value={model.text}
          error={model.shapeError}
          onText={(text) => model.setText(text)}
          width={26}
          hint="as XLA writes it; each element is drawn as a letter, whatever its type"
        />
        <TextField
          label="Tiles"
          value={layout.tiles.map(String).join("")}
          onText={(text) => model.setTiles(text)}
          hint="such as (2,2)"
          width={10}
        />
      </Controls>
      <Controls>
        <DimensionOrder order={layout.minorToMajor} sizes={sizes} onMove={(from, to) => model.moveDimension(from, to)} />
        <div class="paddings" role="group" aria-label="Padding">
          {sizes.map((size, d) => (
            <NumberField
              key={d}
              label={`Pad dimension ${d} to`}
              name={`pad${d}`}
              min={size}
              value={layout.paddedDimensions[d] ?? size}
              onNumber={(value) => model.setPadded(d, value)}
            />
          ))}
          {layout.paddedDimensions.length > 0 && (
            <Select<PaddingName>
              label="Padding value"
              value={model.paddingName}
              options={kPaddings.map((name) => [name, name])}
              onChoice={(name) => model.setPadding(name)}
            />
          )}
        </div>
      </Controls>
      <p class="readout">{where}</p>
      <Spoken
        text={active === null ? `minor_to_major ${layout.minorToMajor.join(", ")}: ${order.map((flat) => letters[flat]).join(" ")}` : where}
      />
      <div class="views">
        <Figure title="the array" note={`${sizesText(sizes)}, as indices see it`}>
          <NestedGrid
            label="logical array"
            sizes={sizes}
            active={active}
            onActive={mark}
            cell={(flat, index) => ({
              text: letters[flat]!,
              label: `${sizesText(index)}: ${letters[flat]}`,
              look: flat === active ? "is-same" : "",
              tint: (ranks.get(flat) ?? 0) / Math.max(1, count - 1),
            })}
          />
        </Figure>
        {sizes.length <= 3 && (
          <Figure title="the way of memory through it" note="from the first cell to the last">
            <Walk sizes={sizes} order={order} letters={letters} active={active} />
          </Figure>
        )}
      </div>
      <Figure title="linear memory" note={isTiled ? "a group per tile" : "a group per run along the most minor dimension"}>
        <Memory model={model} ranks={ranks} />
      </Figure>
      <Facts
        label="Numbers"
        facts={[
          ["elements", count],
          ["cells", memory.length],
          ["padding", memory.length - count],
          ["linear index", active === null ? "–" : model.cellOf(indexOf(active, sizes))],
        ]}
      />
      <ErrorNote text={model.shapeError} />
      <Question model={model} />
    </>
  );
}

export default definePanel<Layouts>({
  title: "Layouts",
  lead:
    "An XLA layout says where each element of an array is in memory. minor_to_major lists the dimensions from the one whose elements are neighbors to the slowest. " +
    "Drag its entries, or move them with the arrow keys, and the bytes below are copied into the new order.",
  shows: [
    { name: "Layout", here: "packages/xla/src/model/layout.ts", there: "xla/layout.h" },
    {
      name: "tiledLinearIndex, IndexUtil",
      here: "packages/xla/src/address/tiled-index.ts",
      there: "xla/index_util.cc, xla/layout_util.cc",
    },
    { name: "reshapeIsBitcast, transposeIsBitcast, alignLayouts", here: "packages/xla/src/surgery/bitcast.ts", there: "xla/shape_util.cc" },
    { name: "relayout", here: "packages/xla/src/view/relayout.ts", there: "Literal::Relayout in xla/literal.cc" },
  ],
  open: (params, changed) => new Layouts(params, changed),
  View,
});
