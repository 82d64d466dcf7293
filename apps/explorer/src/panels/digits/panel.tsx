/** The panel "From a model to its bytes". */
import type { JSX } from "preact";
import { definePanel } from "../../panel.ts";
import { CellGrid } from "../../parts/cell-grid.tsx";
import { Button, Choice, Controls, ErrorNote, Facts, Figure, Select, Spoken } from "../../parts/controls.tsx";
import { hexByte, shortNumber } from "../../parts/number-text.ts";
import { TreePicture } from "../expressions/tree-picture.tsx";
import { Digits, kLevels } from "./model.ts";
import type { Level } from "./model.ts";
import { kInk, kWeights } from "./network.ts";
import type { WeightName } from "./network.ts";

const kSide = 8;
const kListingLines = 200;

/** The picture, whose pixels can be changed, and the probability of each digit. */
function Model({ model }: { model: Digits }): JSX.Element {
  const { probabilities, pixels } = model;
  const best = Math.max(...probabilities);
  const ink = pixels.flat();
  return (
    <div class="views">
      <Figure title="the picture" note="8 by 8 pixels; Enter or a click changes one">
        <CellGrid
          label="pixels"
          look="digit"
          rows={kSide}
          columns={kSide}
          active={null}
          onActive={() => {}}
          onChoose={(row, column) => model.togglePixel(row * kSide + column)}
          cell={(row, column) => {
            const value = ink.at(row * kSide + column);
            return { text: "", label: `pixel ${row}, ${column}: ${value} of ${kInk}`, look: `ink-${Math.ceil(value / 4)}` };
          }}
        />
      </Figure>
      <Figure title="what the network says" note="64 pixels → 64 units → 10 digits">
        <ol class="digit-bars" start={0} aria-label="Probabilities">
          {probabilities.map((each, digit) => (
            <li key={digit} class={each === best ? "is-best" : ""}>
              <b>{digit}</b>
              <span class="bar">
                <i style={{ width: `${Math.max(0.5, 100 * each)}%` }} />
              </span>
              <span>{(100 * each).toFixed(1)} %</span>
            </li>
          ))}
        </ol>
      </Figure>
    </div>
  );
}

/** The tree of operations, and the elements of the chosen one. */
function Operation({ model }: { model: Digits }): JSX.Element {
  const { tree, chosenNode } = model;
  if (tree === null) return <p class="readout">loading</p>;
  return (
    <>
      <Figure title="the operations" note="the same model as a tree: the result above, pixels and weights below">
        <TreePicture
          tree={tree}
          label="Operations of the network"
          nameOf={(node) => model.nameOf(node)}
          isShared={() => false}
          chosen={chosenNode}
          onChoose={(node) => model.chooseNode(node)}
        />
      </Figure>
      <Figure title={`the elements of ${chosenNode?.op ?? ""}`} note={`[${chosenNode?.dimensions.join(", ") ?? ""}], of this picture`}>
        <pre role="group" class="code" tabIndex={0} aria-label="Elements of the operation">
          {model.nodeText}
        </pre>
      </Figure>
    </>
  );
}

/** The steps that the tree becomes, and the code of one. */
function Kernel({ model }: { model: Digits }): JSX.Element {
  const { steps, step, explained } = model;
  const lines = (explained?.listing ?? "").trimEnd().split("\n");
  return (
    <>
      <Controls label="The steps of the plan">
        {steps.map(({ by, text }, i) => (
          <Button key={i} kind="quiet" pressed={i === step} onPress={() => model.look({ step: i })}>
            {i + 1}. {by} <small>{text.length > 48 ? `${text.slice(0, 48)}…` : text}</small>
          </Button>
        ))}
      </Controls>
      <Facts
        label="The step"
        facts={[
          ["loops", explained?.loops.join(" × ") ?? ""],
          ["bytes moved", explained?.bytes.toLocaleString("en") ?? ""],
          ["operations on elements", explained?.flops.toLocaleString("en") ?? ""],
          ["vector instructions in the code", lines.filter((line) => /\b[fi]\d+x\d+\.|v128\./.test(line)).length],
        ]}
      />
      <Figure title="its WebAssembly" note="written for this expression, at this moment">
        <pre role="group" class="code listing" tabIndex={0} aria-label="WebAssembly of the step">
          {lines.slice(0, kListingLines).join("\n")}
          {lines.length > kListingLines ? `\n… ${lines.length - kListingLines} more lines` : ""}
        </pre>
      </Figure>
    </>
  );
}

/** One tensor as bytes. */
function Bytes({ model }: { model: Digits }): JSX.Element {
  const { shown, place, weight, element } = model;
  if (shown === null || place === null) return <p class="readout">loading</p>;
  const columns = Math.min(shown.shape.dimSizes.at(-1) ?? 1, 16);
  const first = Math.floor(element / (4 * columns)) * 4 * columns;
  const count = Math.min(shown.numElements - first, 4 * columns);
  return (
    <>
      <Controls>
        <Select<WeightName>
          label="Tensor"
          value={weight}
          options={kWeights.map((name) => [name, name] as const)}
          onChoice={(name) => model.look({ weight: name, element: 0 })}
        />
        <div class="aligned">
          <Button disabled={first === 0} onPress={() => model.look({ element: first - 4 * columns })}>
            Elements before
          </Button>
          <Button disabled={first + count >= shown.numElements} onPress={() => model.look({ element: first + 4 * columns })}>
            Elements after
          </Button>
        </div>
      </Controls>
      <Figure
        title={`elements ${first} to ${first + count - 1} of ${weight}`}
        note={`${shown.dtype}[${shown.shape.dimSizes.join(", ")}], ${shown.totalBytes} bytes`}
      >
        <CellGrid
          label="elements of the tensor"
          rows={Math.ceil(count / columns)}
          columns={columns}
          active={[Math.floor((element - first) / columns), (element - first) % columns]}
          onActive={(row, column) => model.look({ element: Math.min(shown.numElements - 1, first + row * columns + column) })}
          cell={(row, column) => {
            const at = first + row * columns + column;
            const value = at < shown.numElements ? shortNumber(shown.flat().at(at)) : "";
            return { text: value, label: `element ${at}: ${value}` };
          }}
        />
      </Figure>
      <Facts
        label="The element"
        facts={[
          ["element", element],
          ["value", shortNumber(place.value)],
          ["its four bytes, lowest address first", place.bytes.map(hexByte).join(" ")],
          ["bytes from the beginning of the tensor", place.at],
          ["address of the tensor in memory", place.address],
        ]}
      />
    </>
  );
}

const kViews: Readonly<Record<Level, (props: { model: Digits }) => JSX.Element>> = {
  model: Model,
  operation: Operation,
  kernel: Kernel,
  bytes: Bytes,
};

function View({ model }: { model: Digits }): JSX.Element {
  const { level, digit, error, isReady, probabilities } = model;
  const Level = kViews[level];
  const at = kLevels.indexOf(level);
  return (
    <>
      <Controls>
        <Select
          label="A digit that the network has not been trained with"
          value={String(digit)}
          options={Array.from({ length: 10 }, (_, i) => [String(i), String(i)] as const)}
          onChoice={(each) => model.chooseDigit(Number(each))}
        />
        <Choice<Level>
          label="Zoom"
          value={level}
          options={kLevels.map((each) => [each, each])}
          onChoice={(each) => model.look({ level: each })}
        />
        <div class="aligned">
          <Button disabled={at === 0} onPress={() => model.zoomOut()}>
            Zoom out
          </Button>
          <Button disabled={at === kLevels.length - 1} onPress={() => model.zoomIn()}>
            Zoom in
          </Button>
        </div>
      </Controls>
      <ErrorNote text={error} />
      {!isReady && error === "" && <p class="readout">Loading the weights…</p>}
      <div class={`zoom zoom-${level}`} key={level}>
        <Level model={model} />
      </div>
      <Spoken text={isReady ? `${level}; the network reads ${probabilities.indexOf(Math.max(...probabilities))}` : ""} />
    </>
  );
}

export default definePanel<Digits>({
  title: "From a model to its bytes",
  lead:
    "A small network reads a handwritten digit, live. Zoom in: the model is a tree of operations, the tree becomes kernels, and kernels read bytes. " +
    "Change a pixel at the top and every level follows.",
  shows: [
    {
      name: "Tensor.fromProto",
      here: "packages/core/src/proto/tensor-from-proto.ts",
      there: "Tensor::FromProto in tensorflow/core/framework/tensor.cc",
    },
    { name: "explain", here: "packages/compiler/src/run/explain.ts", there: "" },
    { name: "DigitClassifier", here: "packages/onebuffer/src/tour/digit-classifier.ts", there: "" },
  ],
  open: (params, changed) => new Digits(params, changed),
  View,
});
