/** The panel "Shards". */
import type { JSX } from "preact";
import { definePanel } from "../../panel.ts";
import { Button, Choice, Controls, ErrorNote, Facts, Figure, NumberField, Spoken } from "../../parts/controls.tsx";
import { bytesText, shortNumber } from "../../parts/number-text.ts";
import { kMostDevices, kMostRows, Shards } from "./model.ts";
import type { Division } from "./model.ts";

const kCell = 26;

/** The batch with the part of each device in its tone. */
function Batch({ model }: { model: Shards }): JSX.Element {
  const { rows, columns, division, shards } = model;
  const shown = division === "whole" ? shards.slice(0, 1) : shards;
  const spoken = shards.map(({ device, row, rows: height }) => `device ${device}: rows ${row} to ${row + height - 1}`).join("; ");
  return (
    <svg
      class="shards-batch"
      viewBox={`0 0 ${columns * kCell + 110} ${rows * kCell}`}
      style={{ width: `min(100%, ${columns * kCell + 110}px)` }}
      role="img"
      aria-label={`The batch of ${rows} rows. ${spoken}`}
    >
      {shown.map(({ device, row, rows: height, column, columns: width }) => (
        <g key={device} class={`dim-${device % 6}`}>
          <rect x={column * kCell} y={row * kCell} width={width * kCell} height={height * kCell} />
          {division !== "columns" && (
            <text x={columns * kCell + 8} y={(row + height / 2) * kCell + 4}>
              {division === "whole" ? "every device" : `device ${device}`}
            </text>
          )}
        </g>
      ))}
      {Array.from({ length: columns - 1 }, (_, i) => (
        <line key={`c${i}`} x1={(i + 1) * kCell} x2={(i + 1) * kCell} y1={0} y2={rows * kCell} />
      ))}
      {Array.from({ length: rows - 1 }, (_, i) => (
        <line key={`r${i}`} x1={0} x2={columns * kCell} y1={(i + 1) * kCell} y2={(i + 1) * kCell} />
      ))}
    </svg>
  );
}

const listText = (list: readonly number[]): string => `[${list.map(shortNumber).join(", ")}]`;

function Collective({ model }: { model: Shards }): JSX.Element {
  const { added, devices, shards, whole, sum, ringBytes } = model;
  return (
    <section aria-labelledby="collective-title">
      <h3 id="collective-title">The collective step</h3>
      <p>
        Each device has the gradient of its own rows. The gradient of the whole batch is their sum, and every device needs it: an
        all-reduce.
      </p>
      <ol class="shards-gradients" start={0} aria-label="Gradients of the devices">
        {shards.map(({ device, gradient }) => (
          <li key={device} class={`dim-${device % 6} ${device < added ? "is-added" : ""}`}>
            <b>device {device}</b> <code>{listText(gradient)}</code>
          </li>
        ))}
      </ol>
      <Controls>
        <Button disabled={added === 0} onPress={() => model.setAdded(added - 1)}>
          One part less
        </Button>
        <Button disabled={added === devices} onPress={() => model.setAdded(added + 1)}>
          Add the next part
        </Button>
      </Controls>
      <Facts
        label="Sums"
        facts={[
          [`the sum of ${added} of ${devices} parts`, <code>{listText(sum)}</code>],
          ["the gradient of the whole batch, computed at once", <code>{listText(whole)}</code>],
          ["the largest difference", shortNumber(model.difference)],
          ["bytes that each device sends in a ring", bytesText(ringBytes)],
        ]}
      />
      <Spoken text={`${added} of ${devices} parts added, difference ${shortNumber(model.difference)}`} />
    </section>
  );
}

function View({ model }: { model: Shards }): JSX.Element {
  const { rows, devices, division, shards, error } = model;
  return (
    <>
      <Controls>
        <NumberField
          label="Rows of the batch"
          name="rows"
          min={1}
          max={kMostRows}
          value={rows}
          onNumber={(value) => model.setRows(value)}
        />
        <NumberField
          label="Devices"
          name="devices"
          min={1}
          max={kMostDevices}
          value={devices}
          onNumber={(value) => model.setDevices(value)}
        />
        <Choice<Division>
          label="Divided over the devices"
          value={division}
          options={[
            ["rows", "the rows"],
            ["columns", "the columns"],
            ["whole", "nothing"],
          ]}
          onChoice={(value) => model.setDivision(value)}
        />
      </Controls>
      <ErrorNote text={error} />
      {shards.length > 0 && (
        <>
          <Figure title="who has which part" note={`a batch of ${rows} rows of ${model.columns} numbers, over ${devices} devices`}>
            <Batch model={model} />
          </Figure>
          {division === "rows" && <Collective model={model} />}
          <Figure title="what XLA gets" note="the mesh and the shardings; its partitioner inserts the transfers">
            <pre role="group" class="code listing" tabIndex={0} aria-label="StableHLO with shardings">
              {model.text}
            </pre>
          </Figure>
        </>
      )}
    </>
  );
}

export default definePanel<Shards>({
  title: "Shards",
  lead:
    "A batch that is too large for one device is divided: each has a part, its shard. What every device needs, such as the gradient of the " +
    "whole batch, takes a collective step. The parts here are views of one tensor, and each gradient is computed on its part alone.",
  shows: [
    { name: "shardingText", here: "packages/stablehlo/src/text/sharding.ts", there: "the dialect sdy of openxla/shardy" },
    { name: "XlaMap", here: "packages/stablehlo/src/device/xla-map.ts", there: "jax.Array, with jax.sharding.NamedSharding" },
    { name: "gradients", here: "packages/gradients/src/gradients.ts", there: "tensorflow/python/ops/gradients_util.py" },
  ],
  open: (params, changed) => new Shards(params, changed),
  View,
});
