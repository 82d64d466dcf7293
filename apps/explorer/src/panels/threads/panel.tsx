/** The panel "Threads". */
import type { JSX } from "preact";
import { definePanel } from "../../panel.ts";
import { Button, Choice, Controls, ErrorNote, Facts, Figure, Spoken } from "../../parts/controls.tsx";
import { bytesText, timeText } from "../../parts/number-text.ts";
import { kColumns, kRows } from "./messages.ts";
import { Threads } from "./model.ts";
import { Picture } from "./picture.tsx";
import { PoolView } from "./pool/view.tsx";

function Holders({ model }: { model: Threads }): JSX.Element {
  const { painters, isolated, isOnlyHolder, census, hasHandle } = model;
  const blocks = Math.max(1, ...painters.map((each) => each.blocks));
  return (
    <ul class="threads" aria-label="Threads">
      <li class="is-page">
        <b>this page</b>
        <span class="hold is-held">holds the tensor</span>
        <span>
          {isolated && (isOnlyHolder ? "the only holder: refCountIsOne() is true" : "not the only holder: refCountIsOne() is false")}
          {hasHandle && `; a handle is in flight (${census.tickets})`}
        </span>
      </li>
      {painters.map(({ number, joined, holds, blocks: own, milliseconds, block }) => (
        <li key={number} class={`dim-${number % 6}`}>
          <b>worker {number}</b>
          <span class={`hold ${holds ? "is-held" : ""}`}>
            {!joined ? "starting" : holds ? "holds the tensor" : isolated ? "holds nothing" : "gets copies"}
          </span>
          <span class="thread-work">
            <span class="bar">
              <i style={{ width: `${(100 * own) / blocks}%` }} />
            </span>
            <small>
              {own} blocks, {timeText(milliseconds)}
              {block >= 0 ? `, now row ${block}` : ""}
            </small>
          </span>
          <span class="handle-buttons">
            {isolated && (
              <Button
                kind="quiet"
                disabled={!joined || holds}
                onPress={() => model.give(number)}
                label={`Give worker ${number} the tensor`}
              >
                give
              </Button>
            )}
            {isolated && (
              <Button
                kind="quiet"
                disabled={!holds || model.isPainting}
                onPress={() => model.take(number)}
                label={`Worker ${number} disposes of it`}
              >
                dispose
              </Button>
            )}
            <Button kind="quiet" onPress={() => model.end(number)} label={`End worker ${number}`}>
              end
            </Button>
          </span>
        </li>
      ))}
    </ul>
  );
}

function View({ model }: { model: Threads }): JSX.Element {
  const { isolated, census, isPainting, milliseconds, copied, painters } = model;
  return (
    <>
      {!isolated && (
        <p class="isolation">
          Threads cannot share memory in this page, because it is not cross-origin isolated. Each block of rows is sent to a worker as a
          copy and comes back as another.
        </p>
      )}
      <Controls>
        <Choice
          label="Workers"
          value={String(model.workersWanted)}
          options={[
            ["1", "1"],
            ["2", "2"],
            ["3", "3"],
            ["4", "4"],
          ]}
          onChoice={(count) => model.setWorkers(Number(count))}
        />
        <div class="aligned">
          <Button onPress={() => model.start()} disabled={painters.length === model.workersWanted}>
            Start the workers
          </Button>
          {isolated && (
            <Button onPress={() => (model.hasHandle ? model.revoke() : model.makeHandle())}>
              {model.hasHandle ? "Revoke the handle" : "Make a handle"}
            </Button>
          )}
          <Button kind="main" disabled={isPainting} onPress={() => model.paint()}>
            {isPainting ? "Painting…" : "Split the work"}
          </Button>
        </div>
      </Controls>
      <ErrorNote text={model.error} />
      <Facts
        label="The arena, over all threads"
        facts={[
          ["threads in the arena", census.threads],
          ["shared buffers", census.blocks],
          ["handles in flight", census.tickets],
          ["bytes copied between threads", copied === 0 ? 0 : bytesText(copied)],
          ["time for all rows", milliseconds === 0 ? "–" : timeText(milliseconds)],
        ]}
      />
      <Holders model={model} />
      <Figure title="the tensor" note={`float32 [${kRows}, ${kColumns}], as it is in memory now`}>
        <Picture model={model} />
      </Figure>
      <Spoken
        text={isPainting ? "painting" : milliseconds > 0 ? `painted by ${painters.length} workers in ${timeText(milliseconds)}` : ""}
      />
      <PoolView model={model.pool} />
    </>
  );
}

export default definePanel<Threads>({
  title: "Threads",
  lead:
    "A worker joins the page's arena and then sees the same memory. A handle of a few bytes is enough to share a tensor; the counts are kept in the memory itself, " +
    "so a worker that ends, even without a word, gives its references back. Split some work, and see who painted which rows. Below, the library " +
    "itself divides an expression over threads.",
  shows: [
    { name: "shareTensor, receiveTensor", here: "packages/core/src/tensor/share-tensor.ts", there: "" },
    { name: "joinArena", here: "packages/allocator/src/arena/arena-invitation.ts", there: "" },
    { name: "ArenaProtocol", here: "packages/allocator/src/threads/arena-protocol.ts", there: "" },
    {
      name: "ThreadPoolDevice",
      here: "packages/eigen/src/device/thread-pool-device.ts",
      there: "unsupported/Eigen/CXX11/src/Tensor/TensorDeviceThreadPool.h",
    },
    { name: "ThreadPool", here: "packages/eigen/src/device/thread-pool.ts", there: "tsl/platform/threadpool.h" },
    { name: "partsOfCall", here: "packages/compiler/src/split/call-parts.ts", there: "tensorflow/core/util/work_sharder.h" },
  ],
  open: (params, changed) => new Threads(params, changed),
  View,
});
