/** The panel "Slices". */
import type { JSX } from "preact";
import { definePanel } from "../../panel.ts";
import { Button, Choice, Controls, ErrorNote, Facts, Figure, Spoken, TextField } from "../../parts/controls.tsx";
import { NestedGrid } from "../../parts/nested-grid.tsx";
import { hexByte, indexOf, sizesText } from "../../parts/number-text.ts";
import { Alignment } from "./alignment-view.tsx";
import { kSets, Slices } from "./model.ts";
import type { Side } from "./model.ts";

function TwoSlices({ model }: { model: Slices }): JSX.Element {
  const { slices, sizes, active, corner, drawn } = model;
  const sides = (index: readonly number[]): readonly Side[] => (["a", "b"] as const).filter((side) => model.isInside(slices[side], index));
  return (
    <Figure
      title="the tensor"
      note={
        corner === null
          ? `choose two cells, by Enter or a click, to draw ${drawn.toUpperCase()}`
          : `from ${sizesText(corner)}: choose the other corner`
      }
    >
      <NestedGrid
        label="two slices of the tensor"
        sizes={sizes}
        active={active}
        onActive={(flat) => model.mark(flat)}
        onChoose={(flat) => model.chooseCell(indexOf(flat, sizes))}
        cell={(flat, index) => {
          const inside = sides(index);
          return {
            text: String(model.at(flat)),
            label: `${sizesText(index)}: ${model.at(flat)}${inside.length === 0 ? "" : `, in ${inside.join(" and ").toUpperCase()}`}`,
            look: `${inside.map((side) => `in-${side}`).join(" ")} ${corner !== null && String(corner) === String(index) ? "is-corner" : ""}`,
          };
        }}
      />
    </Figure>
  );
}

function Cover({ model }: { model: Slices }): JSX.Element {
  const { stored, covering, sizes, slices } = model;
  return (
    <section aria-labelledby="cover-title">
      <h3 id="cover-title">Stored slices that cover a slice</h3>
      <p>A checkpoint may store a tensor in parts. The set refuses parts that overlap, and says which parts cover slice B.</p>
      <Controls label="Sets to try">
        {kSets.map(([label, texts]) => (
          <Button key={label} kind="quiet" onPress={() => model.chooseSet(texts)}>
            {label}
          </Button>
        ))}
        <Button onPress={() => model.registerA()}>Register slice A</Button>
      </Controls>
      <ul class="parts" aria-label="Stored slices">
        {stored.map(({ tag, slice }, i) => (
          <li key={tag} class={`part-${i % 6}`}>
            <span>
              {tag}: <code>{String(slice)}</code>
            </span>
            <Button kind="quiet" onPress={() => model.unregister(tag)} label={`Remove ${tag}`}>
              ×
            </Button>
          </li>
        ))}
      </ul>
      <ErrorNote text={model.setError} />
      <Figure
        title={<code>queryMeta({String(slices.b)})</code>}
        note={covering === null ? "not covered: null" : covering.length === 0 ? "no elements" : `covered by ${covering.join(", ")}`}
      >
        <NestedGrid
          label="stored slices"
          sizes={sizes}
          active={null}
          onActive={(flat) => model.mark(flat)}
          cell={(_, index) => {
            const part = stored.findIndex(({ slice }) => model.isInside(slice, index));
            const isAsked = model.isInside(slices.b, index);
            const place = part < 0 ? "not stored" : `in ${stored[part]!.tag}`;
            return {
              text: part < 0 ? (isAsked ? "!" : "") : String(part),
              label: `${sizesText(index)}: ${place}${isAsked ? ", asked for" : ""}`,
              look: `${part < 0 ? "" : `part-${part % 6}`} ${isAsked ? (part < 0 ? "is-missing" : "is-asked") : ""}`,
            };
          }}
        />
      </Figure>
    </section>
  );
}

function Key({ model }: { model: Slices }): JSX.Element {
  return (
    <section aria-labelledby="key-title">
      <h3 id="key-title">The key of slice A in a checkpoint</h3>
      <p>The keys of an index are sorted as bytes, so numbers are written in a code that sorts as they do.</p>
      <Controls>
        <TextField label="Name of the tensor" value={model.name} onText={(text) => model.setName(text)} width={24} />
      </Controls>
      <div class="key">
        {model.key().map(({ name, bytes, dim }, i) => (
          <span key={i} class={dim === null ? "" : `dim-${dim % 6}`}>
            {bytes.map(hexByte).join(" ")}
            <small>{name}</small>
          </span>
        ))}
      </div>
    </section>
  );
}

function View({ model }: { model: Slices }): JSX.Element {
  const { intersection, relative, cover, sizes } = model;
  const { isView, text, copied } = model.view();
  return (
    <>
      <Controls>
        <TextField
          label="Shape of the tensor"
          value={sizes.join(", ")}
          error={model.shapeError}
          onText={(shape) => model.setShape(shape)}
          width={10}
        />
        <TextField
          label="Slice A"
          value={String(model.slices.a)}
          error={model.errors.a}
          onText={(each) => model.setSlice("a", each)}
          hint="start,length per dimension; - for all"
        />
        <TextField label="Slice B" value={String(model.slices.b)} error={model.errors.b} onText={(each) => model.setSlice("b", each)} />
        <Choice<Side>
          label="Draw on the grid"
          value={model.drawn}
          options={[
            ["a", "A"],
            ["b", "B"],
          ]}
          onChoice={(side) => model.setDrawn(side)}
        />
      </Controls>
      <p class="legend">
        <span class="dim-0">
          <i class="swatch" />A
        </span>{" "}
        <span class="dim-1">
          <i class="swatch" />B
        </span>{" "}
        <span class="dim-2">
          <i class="swatch" />
          both
        </span>
      </p>
      <TwoSlices model={model} />
      <Facts
        label="Results"
        facts={[
          ["A ∩ B: intersect", intersection === null ? "null" : String(intersection)],
          ["the same, seen from A: computeRelative", relative === null ? "–" : String(relative)],
          ["the smallest slice over both: updateToCover", String(cover)],
        ]}
      />
      <Spoken text={`intersection ${intersection === null ? "none" : String(intersection)}`} />
      <div class={`verdict ${isView ? "is-free" : "is-copy"}`}>
        <p class="verdict-word">{isView ? "a view" : "a copy"}</p>
        <div>
          <p>
            <code>tensor.slice(A)</code>: {isView ? `shape ${text}, the same bytes, because they are contiguous` : text}
          </p>
          <pre class="small-print">{copied}</pre>
        </div>
      </div>
      <Alignment model={model} />
      <Cover model={model} />
      <Key model={model} />
    </>
  );
}

export default definePanel<Slices>({
  title: "Slices",
  lead:
    "A TensorSlice is a rectangular region of a tensor: a start and a length per dimension. Checkpoints use slices to store a large tensor in parts. " +
    "Write two of them or draw them on the grid, and see what they have in common.",
  shows: [
    { name: "TensorSlice", here: "packages/slice/src/tensor-slice.ts", there: "tensorflow/core/framework/tensor_slice.h" },
    {
      name: "isAligned",
      here: "packages/core/src/tensor/tensor-base.ts",
      there: "Tensor::IsAligned in tensorflow/core/framework/tensor.h",
    },
    { name: "TensorSliceSet", here: "packages/slice/src/tensor-slice-set.ts", there: "tensorflow/core/util/tensor_slice_set.h" },
    {
      name: "encodeTensorNameSlice",
      here: "packages/slice/src/tensor-name-slice.ts",
      there: "tensorflow/core/util/saved_tensor_slice_util.h",
    },
  ],
  open: (params, changed) => new Slices(params, changed),
  View,
});
