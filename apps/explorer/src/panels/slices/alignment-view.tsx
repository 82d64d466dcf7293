/** Which rows begin at a multiple of 64 bytes, what TensorFlow would refuse, and what it costs here. */
import type { JSX } from "preact";
import { Button, Facts } from "../../parts/controls.tsx";
import { timeText } from "../../parts/number-text.ts";
import { kAlignment } from "./alignment.ts";
import type { Slices } from "./model.ts";

/** Draws the rows of the tensor on a ruler with a mark at every multiple of 64 bytes. */
export function Alignment({ model }: { model: Slices }): JSX.Element {
  const places = model.rows;
  const { cost } = model;
  const refused = places.filter(({ isAligned }) => !isAligned).length;
  return (
    <section aria-labelledby="align-title">
      <h3 id="align-title">Where rows begin: alignment</h3>
      <p>
        A view of rows has an address of its own. TensorFlow's typed views (<code>flat</code>, <code>matrix</code>, <code>tensor</code>)
        want a multiple of {kAlignment} bytes and stop the program otherwise; only <code>unaligned_flat</code> and{" "}
        <code>unaligned_shaped</code> accept the rest. Here every multiple of the element size will do.
      </p>
      <ul class="rows-places" tabIndex={0} aria-label="Rows and where they begin">
        {places.map(({ row, offset, isAligned }) => (
          <li key={row} class={isAligned ? "is-aligned" : ""}>
            <code>
              slice({row}, {row + 1})
            </code>
            <span>
              byte {offset} = {Math.floor(offset / kAlignment)} × {kAlignment}
              {offset % kAlignment === 0 ? "" : ` + ${offset % kAlignment}`}
            </span>
            <b>{isAligned ? "aligned" : "TensorFlow refuses typed views"}</b>
          </li>
        ))}
      </ul>
      <p class="readout">
        isAligned() is true for {places.length - refused} of {places.length} rows.
      </p>
      <Button onPress={() => model.measureAlignment()}>Measure what it costs here</Button>
      {cost !== null && (
        <Facts
          label="The cost of an odd beginning"
          facts={[
            [`x * 2 + 1 over ${cost.elements.toLocaleString("en")} float32 at a multiple of 64`, timeText(cost.aligned)],
            [`the same, 4 bytes further: ${(cost.odd / cost.aligned).toFixed(2)}×`, timeText(cost.odd)],
            ["to copy it to an aligned place first, as TensorFlow needs", timeText(cost.copy)],
          ]}
        />
      )}
    </section>
  );
}
