/** The panel "Bytes on their way". */
import type { JSX } from "preact";
import { definePanel } from "../../panel.ts";
import { Button, Choice, Controls, Facts, Figure, Spoken } from "../../parts/controls.tsx";
import { hexByte, shortNumber } from "../../parts/number-text.ts";
import { Flow, kDTypes } from "./model.ts";
import type { FlowDType, Pace } from "./model.ts";
import { elementSpot, kCellHigh, kCellWide, kHigh, kWide, laneSpot, resultSpot } from "./scenes.ts";
import type { Spot } from "./scenes.ts";

const kColumns = 4;

interface TokenProps {
  readonly spot: Spot;
  readonly text: string;
  readonly note: string;
  readonly look: string;
}

/** A cell that moves to where it belongs. */
function Token({ spot, text, note, look }: TokenProps): JSX.Element {
  return (
    <g class={`flow-token ${look}`} style={{ transform: `translate(${spot.x}px, ${spot.y}px)` }}>
      <rect width={kCellWide} height={kCellHigh} rx={4} />
      <text x={kCellWide / 2} y={16}>
        {text}
      </text>
      <text class="flow-note" x={kCellWide / 2} y={28}>
        {note}
      </text>
    </g>
  );
}

/** What happens in the scene, in a sentence. */
function sentenceOf(model: Flow): string {
  const { current, lanes, lines, results, copied } = model;
  const first = current.vector * lanes;
  switch (current.kind) {
    case "buffer":
      return "Twelve numbers lie in one buffer, one behind the other.";
    case "reshape":
      return `reshape([3, 4]): the same bytes, read as three rows of four. ${copied} bytes were copied; only the drawing moves.`;
    case "slice":
      return "slice(1, 3): the last two rows. Their bytes are neighbors, so the slice is a view that begins in the middle of the buffer.";
    case "load":
      return `Vector ${current.vector + 1}: one instruction loads ${lanes} numbers, 16 bytes, into the lanes (${lines.load}).`;
    case "compute":
      return `All ${lanes} lanes at once: times 10 plus 1 (${lines.compute}).`;
    case "store":
      return `One instruction stores the lanes: elements ${first} to ${first + lanes - 1} of the result (${lines.store}).`;
    default:
      return `All ${results.length} numbers of the result are there, after ${results.length / lanes} vectors. The product was never stored in between.`;
  }
}

/** Draws the tokens of the scene. A token keeps its key, so that it moves from the place of the scene before. */
function Stage({ model }: { model: Flow }): JSX.Element {
  const { current, values, results, bytes, lanes, sliceBegin, scene, scenes } = model;
  const size = bytes.length / values.length;
  const bytesOf = (i: number): string => Array.from(bytes.subarray(i * size + size - 2, i * size + size), hexByte).join(" ");
  const isSliced = current.kind !== "buffer" && current.kind !== "reshape";
  const storedOf = (vector: number): boolean => scenes.findIndex(({ kind, vector: each }) => kind === "store" && each === vector) <= scene;
  return (
    <svg class="flow" viewBox={`0 0 ${kWide} ${kHigh}`} role="img" aria-label={sentenceOf(model)}>
      <text class="flow-label" x={8} y={16}>
        the buffer, read as {current.kind === "buffer" ? "[12]" : isSliced ? "[3, 4], sliced to rows 1 and 2" : "[3, 4]"}
      </text>
      <text class="flow-label" x={8} y={228}>
        a vector of {lanes} lanes: 16 bytes
      </text>
      <text class="flow-label" x={8} y={330}>
        the result
      </text>
      {Array.from({ length: lanes }, (_, lane) => (
        <rect
          key={`hole${lane}`}
          class="flow-hole"
          x={laneSpot(lane).x - 2}
          y={laneSpot(lane).y - 2}
          width={kCellWide + 4}
          height={kCellHigh + 4}
          rx={5}
        />
      ))}
      {values.map((value, i) => (
        <Token
          key={`e${i}`}
          spot={elementSpot(i, kColumns, current)}
          text={shortNumber(value)}
          note={`…${bytesOf(i)}`}
          look={isSliced && i < sliceBegin ? "is-outside" : "is-memory"}
        />
      ))}
      {results.map((value, i) => {
        const vector = Math.floor(i / lanes);
        const isIn = vector === current.vector && current.kind !== "store";
        const isStored = storedOf(vector);
        const home = elementSpot(i + sliceBegin, kColumns, current);
        const isShown = isIn || isStored;
        const isOld = isIn && current.kind === "load";
        return (
          <Token
            key={`r${i}`}
            spot={isStored ? resultSpot(i) : isIn ? laneSpot(i % lanes) : home}
            text={shortNumber(isOld ? values[i + sliceBegin] : value)}
            note={isStored ? `[${i}]` : `lane ${i % lanes}`}
            look={`is-lane ${isShown ? "" : "is-hidden"}`}
          />
        );
      })}
    </svg>
  );
}

function View({ model }: { model: Flow }): JSX.Element {
  const { scene, scenes, isPlaying, dtype, pace, copied, lanes, loops } = model;
  const last = scenes.length - 1;
  return (
    <>
      <Controls>
        <Button kind="main" onPress={() => (isPlaying ? model.pause() : model.play())}>
          {isPlaying ? "Stop" : scene === last ? "Play again" : "Play"}
        </Button>
        <Button disabled={scene === 0} onPress={() => model.goTo(scene - 1)}>
          Scene before
        </Button>
        <Button disabled={scene === last} onPress={() => model.goTo(scene + 1)}>
          Next scene
        </Button>
        <Choice<Pace>
          label="Pace"
          value={pace}
          options={[
            ["slow", "slow"],
            ["normal", "normal"],
            ["fast", "fast"],
          ]}
          onChoice={(each) => model.setPace(each)}
        />
        <Choice<FlowDType>
          label="Element type"
          value={dtype}
          options={kDTypes.map((each) => [each, each])}
          onChoice={(each) => model.setDType(each)}
        />
      </Controls>
      <Figure title={`scene ${scene + 1} of ${scenes.length}`} note={<code>t.reshape([3, 4]).slice(1, 3).matrix().mul(10).add(1)</code>}>
        <Stage model={model} />
      </Figure>
      <p class="flow-sentence">{sentenceOf(model)}</p>
      <Spoken text={isPlaying ? "" : sentenceOf(model)} />
      <Facts
        label="What the runtime says"
        facts={[
          ["bytes copied by reshape and slice", copied],
          ["lanes of a vector", lanes],
          ["loops of the kernel", loops.join(" × ")],
        ]}
      />
    </>
  );
}

export default definePanel<Flow>({
  title: "Bytes on their way",
  lead:
    "From a buffer through a reshape and a slice into the lanes of a kernel, and back into memory: the same few bytes in every scene. " +
    "Play it, stop it, or go through it step by step.",
  shows: [
    { name: "reshape, slice", here: "packages/core/src/tensor/tensor.ts", there: "tensorflow/core/framework/tensor.cc" },
    { name: "KernelWriter", here: "packages/compiler/src/form/kernel-writer.ts", there: "Eigen's PacketMath.h" },
  ],
  open: (params, changed) => new Flow(params, changed),
  View,
});
