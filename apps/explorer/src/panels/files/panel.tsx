/** The panel "Files". */
import { printable } from "@onebuffer/base/internal";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { definePanel } from "../../panel.ts";
import { Button, Controls, ErrorNote, Facts, Figure, Spoken, TextField } from "../../parts/controls.tsx";
import { bytesText, shortNumber, sizesText, timeText } from "../../parts/number-text.ts";
import type { GivenFile, OpenedFile, TensorFacts } from "./messages.ts";
import { Files } from "./model.ts";
import { adviceOf } from "./verdict.ts";
import { Histogram, MatrixImage } from "./pictures.tsx";
import { HexDump, RegionList } from "./region-list.tsx";

const kSamples = ["checkpoint", ".npy", ".npz", "safetensors", "TFRecord", "TensorProto", "broken checkpoint"] as const;
/** The most rows of the list of tensors. */
const kMostRows = 200;

/** Returns a text of a file, which may have several lines, as it is shown. */
const shownLines = (text: string): string => text.replaceAll(/[^\n]+/g, printable);

/** The files of a field. Those of a folder have names that begin below it. */
const given = (list: FileList | null | undefined): GivenFile[] =>
  Array.from(list ?? [], (file) => ({ name: file.webkitRelativePath.replace(/^[^/]*\//, "") || file.name, blob: file }));

function DropZone({ model }: { model: Files }): JSX.Element {
  const [isOver, setIsOver] = useState(false);
  return (
    <label
      class={`drop ${isOver ? "is-over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        void model.open(given(event.dataTransfer?.files));
      }}
    >
      <b>Drop files here, or choose them</b>
      <span>.index with its .data files, .npy, .npz, .safetensors, TFRecord, a TensorProto, under any name. They stay in this page.</span>
      <input
        type="file"
        multiple
        onChange={(event) => {
          void model.open(given(event.currentTarget.files));
        }}
      />
    </label>
  );
}

/** The field for a folder, such as a SavedModel. */
function FolderField({ model }: { model: Files }): JSX.Element {
  return (
    <label class="folder-field">
      <span>Or a folder, such as a SavedModel</span>
      <input
        type="file"
        multiple
        ref={(input) => {
          if (input !== null) input.webkitdirectory = true;
        }}
        onChange={(event) => {
          void model.open(given(event.currentTarget.files));
        }}
      />
    </label>
  );
}

function Tensors({ model }: { model: Files }): JSX.Element {
  const { listed, tensor, opened } = model;
  return (
    <section aria-labelledby="tensors-title">
      <h3 id="tensors-title">
        Tensors <small>{opened?.tensors.length}</small>
      </h3>
      <Controls>
        <TextField label="Filter" value={model.filter} onText={(text) => model.setFilter(text)} hint="part of a name, or a dtype" />
      </Controls>
      <div class="table-scroll" tabIndex={0} role="group" aria-label="List of tensors">
        <table class="tensors">
          <thead>
            <tr>
              <th scope="col">name</th>
              <th scope="col">dtype</th>
              <th scope="col">shape</th>
              <th scope="col">bytes</th>
              <th scope="col">checksum</th>
            </tr>
          </thead>
          <tbody>
            {listed.slice(0, kMostRows).map((each) => (
              <tr key={each.key} class={each === tensor ? "is-chosen" : ""}>
                <td>
                  <button type="button" class="link" aria-pressed={each === tensor} onClick={() => void model.choose(each)}>
                    {printable(each.key)}
                  </button>
                </td>
                <td>{each.dtype}</td>
                <td>{each.dtype === "" ? "" : sizesText(each.shape)}</td>
                <td class="number">{each.bytes === 0 ? "" : bytesText(each.bytes)}</td>
                <td title={each.reason}>
                  {each.checksum ?? "–"}
                  {each.reason !== "" && <small> {each.reason.split(":")[0]}</small>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {listed.length > kMostRows && <p class="readout">{listed.length - kMostRows} more: write more of the name.</p>}
    </section>
  );
}

function Elements({ facts, name, size }: { facts: TensorFacts; name: string; size: number }): JSX.Element {
  const { numbers, dtype, shape, text, bytesRead, readMilliseconds, countMilliseconds } = facts;
  return (
    <>
      <Facts
        label="Elements"
        facts={[
          ["read", `${dtype}${sizesText(shape)}`],
          ["bytes of data read for it", `${bytesText(bytesRead)} of ${bytesText(size)}`],
          ["time to read and decode them", timeText(readMilliseconds)],
          ["time for the statistics and the picture", timeText(countMilliseconds)],
          ...(numbers === null
            ? []
            : ([
                ["least", shortNumber(numbers.min)],
                ["greatest", shortNumber(numbers.max)],
                ["mean", shortNumber(numbers.mean)],
                ["standard deviation", shortNumber(numbers.std)],
                ["zeros", numbers.zeros],
                ["NaN", numbers.nans],
                ["infinite", numbers.infinities],
              ] as const)),
        ]}
      />
      <div class="views">
        {numbers !== null && numbers.count > 0 && (
          <Figure title="how the elements are spread">
            <Histogram numbers={numbers} />
          </Figure>
        )}
        {numbers?.image && (
          <Figure title="as an image" note={`the innermost two dimensions, ${numbers.image.width} by ${numbers.image.height} points`}>
            <MatrixImage image={numbers.image} label={`${printable(name)} as an image`} />
          </Figure>
        )}
      </div>
      <pre role="group" class="code" tabIndex={0} aria-label="Elements as text">
        {shownLines(text)}
      </pre>
    </>
  );
}

/** The verdict on a file, which `onebuffer inspect` shares. */
function Verdict({ model, opened }: { model: Files; opened: OpenedFile }): JSX.Element {
  const { verdict, error, errorAt, name, isChecked, tensors } = opened;
  const bad = tensors.filter(({ checksum }) => checksum === "bad").length;
  const good = tensors.filter(({ checksum }) => checksum === "ok").length;
  const isHarmless = verdict === "sound" || verdict === "not a file of tensors" || verdict === "other types" || verdict === "incomplete";
  const place = errorAt >= 0 && !isHarmless ? ` at byte ${errorAt}` : "";
  return (
    <div class={isHarmless ? `judged ${verdict === "sound" ? "is-sound" : ""}` : "broken"} role="status">
      <p class="verdict-word">
        {verdict}
        {place}
      </p>
      {error !== "" && <p>{shownLines(error)}</p>}
      {bad > 0 && <p>{bad} wrong checksums</p>}
      {verdict === "sound" && <p>{isChecked ? soundText(tensors.length, good) : "The index is whole; no tensor was read yet."}</p>}
      {adviceOf(verdict, name) !== "" && <p>{adviceOf(verdict, name)}</p>}
      {error === "" && !isChecked && <Button onPress={() => void model.check()}>Read all tensors and verify them</Button>}
    </div>
  );
}

const soundText = (count: number, good: number): string =>
  good > 0 ? `${good} of ${count} tensors have a checksum, and it matches.` : "The format has no checksums; all bytes are there.";

function OpenFile({ model, opened }: { model: Files; opened: OpenedFile }): JSX.Element {
  const { tensor, facts, region, regionBytes } = model;
  const total = opened.tensors.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <>
      <Facts
        label="The file"
        facts={[
          ["format", opened.format],
          [opened.dataSize > 0 ? "size of the index" : "size of the file", bytesText(opened.size)],
          ...(opened.dataSize > 0 ? ([["size of its data files", bytesText(opened.dataSize)]] as const) : []),
          ...(opened.error === "" ? ([["read to list the tensors", bytesText(opened.indexBytes)]] as const) : []),
          ...(opened.tensors.length === 0 ? [] : ([["bytes of tensors", bytesText(total)]] as const)),
          ...opened.notes.slice(0, 8).map(([name, value]) => [shownLines(name), shownLines(value)] as const),
        ]}
      />
      <Verdict model={model} opened={opened} />
      {opened.tensors.length > 0 && <Tensors model={model} />}
      {tensor !== null && (
        <section aria-labelledby="elements-title">
          <h3 id="elements-title">{printable(tensor.key)}</h3>
          <Controls>
            <TextField
              label="Slice"
              value={model.slice}
              onText={() => {}}
              onDone={(text) => text !== model.slice && void model.read(text)}
              hint="start,length per dimension; - for all; Enter reads"
              width={18}
            />
          </Controls>
          {facts !== null && <Elements facts={facts} name={tensor.key} size={Math.max(total, opened.dataSize)} />}
        </section>
      )}
      {opened.regions.length > 0 && (
        <section aria-labelledby="bytes-title">
          <h3 id="bytes-title">The bytes of the file itself</h3>
          <p>Each piece of {printable(opened.name)} with the offset of its first byte. Choose one to see its bytes.</p>
          <div class="anatomy">
            <RegionList regions={opened.regions} chosen={region} onChoose={(each) => void model.chooseRegion(each)} />
            {region !== null && <HexDump bytes={regionBytes} offset={region.offset} length={region.length} />}
          </div>
        </section>
      )}
    </>
  );
}

function View({ model }: { model: Files }): JSX.Element {
  const { files, busy, progress, opened } = model;
  return (
    <>
      <DropZone model={model} />
      <FolderField model={model} />
      <Controls label="Or a sample, written in this page">
        {kSamples.map((sample) => (
          <Button key={sample} kind="quiet" onPress={() => void model.openSample(sample)}>
            {sample}
          </Button>
        ))}
      </Controls>
      <div class="busy" aria-live="polite">
        {busy !== "" && (
          <>
            <progress value={progress} max={1} aria-label={printable(busy)} />
            <span>{printable(busy)}…</span>
            <Button onPress={() => model.cancel()}>Cancel</Button>
          </>
        )}
      </div>
      <ErrorNote text={shownLines(model.error)} />
      {files.length > 1 && (
        <Controls label="Files">
          {files.map(({ name, verdict }, i) => (
            <Button key={name} kind="quiet" pressed={i === model.file} onPress={() => model.chooseFile(i)}>
              {printable(name)}
              {verdict === "sound" ? "" : ` (${verdict})`}
            </Button>
          ))}
        </Controls>
      )}
      {opened !== null && (
        <>
          <h3 class="file-name">{printable(opened.name)}</h3>
          <OpenFile model={model} opened={opened} />
        </>
      )}
      <Spoken
        text={
          opened === null
            ? ""
            : `${printable(opened.name)}: ${opened.verdict}, ${opened.error === "" ? `${opened.tensors.length} tensors` : shownLines(opened.error)}`
        }
      />
    </>
  );
}

export default definePanel<Files>({
  title: "Files",
  lead:
    "Checkpoints, .npy, .npz, safetensors: look into your own files, down to the bytes of the format. A worker reads them, and of a large tensor only the slice that you ask for. " +
    "Nothing leaves your computer.",
  shows: [
    {
      name: "BundleReader",
      here: "packages/io/src/checkpoint/bundle-reader.ts",
      there: "tensorflow/core/util/tensor_bundle/tensor_bundle.h",
    },
    { name: "TableReader", here: "packages/io/src/table/table-reader.ts", there: "tsl/lib/io/table.h" },
    { name: "NpyFile, NpzFile", here: "packages/io/src/npy/npy-file.ts", there: "" },
    { name: "SafetensorsFile", here: "packages/io/src/safetensors/safetensors-file.ts", there: "" },
    {
      name: "Tensor.fromProto",
      here: "packages/core/src/proto/tensor-from-proto.ts",
      there: "Tensor::FromProto in tensorflow/core/framework/tensor.cc",
    },
  ],
  open: (params, changed) => new Files(params, changed),
  View,
});
