/** The panel "Ref counts and the arena". */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { definePanel } from "../../panel.ts";
import { Button, Controls, ErrorNote, Facts, Figure, NumberField, Spoken } from "../../parts/controls.tsx";
import { Arena, kArenaBytes, kUnitBytes } from "./model.ts";
import { MemoryMap } from "./memory-map.tsx";
import { ObjectGraph } from "./object-graph.tsx";

const kSizes: readonly number[] = [256, 700, 1024, 2048, 4096];
/** The bins whose chunks fit into this arena. */
const kBins = Math.log2(kArenaBytes / kUnitBytes) + 1;

function Handles({ model }: { model: Arena }): JSX.Element {
  const handles = model.handles();
  if (handles.length === 0) return <p class="empty">There are no tensors. Make one.</p>;
  return (
    <ul class="handles" aria-label="Tensors">
      {handles.map(({ id, name, root, shape, rootRefs }) => (
        <li key={id} class={`dim-${root % 6}`}>
          <span>
            <b>{name}</b> <code>{shape}</code> <small>references {rootRefs}</small>
          </span>
          <span class="handle-buttons">
            <Button kind="quiet" onPress={() => model.share(id)} label={`share ${name}`}>
              share
            </Button>
            <Button kind="quiet" onPress={() => model.slice(id)} label={`slice ${name}`}>
              slice
            </Button>
            <Button kind="quiet" onPress={() => model.drop(id)} label={`dispose ${name}`}>
              dispose
            </Button>
            <Button kind="quiet" onPress={() => model.forget(id)} label={`forget ${name}`}>
              forget
            </Button>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Bins({ model }: { model: Arena }): JSX.Element {
  const free = model.chunks.filter(({ inUse }) => !inUse);
  return (
    <ol class="bins" aria-label="Bins of free chunks">
      {model.bins.slice(0, kBins).map((_, bin) => {
        const own = free.filter((chunk) => chunk.bin === bin);
        return (
          <li key={bin} class={own.length === 0 ? "is-empty" : ""}>
            <span class="bin-name">{kUnitBytes * 2 ** bin}</span>
            <span class="bin-chunks">
              {own.map(({ address, size }) => (
                <code key={address}>{size}</code>
              ))}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function View({ model }: { model: Arena }): JSX.Element {
  const [bytes, setBytes] = useState(1500);
  const { chunks, stats, fragmentation, forgotten, events } = model;
  const free = chunks.filter(({ inUse }) => !inUse);
  const waste = chunks.reduce((sum, { inUse, size, requestedSize }) => sum + (inUse ? size - requestedSize : 0), 0);
  return (
    <>
      <Controls label="Make a tensor of so many bytes">
        {kSizes.map((size) => (
          <Button key={size} onPress={() => model.make(size)} label={`Make ${size} bytes`}>
            {size}
          </Button>
        ))}
      </Controls>
      <Controls>
        <NumberField label="Bytes" value={bytes} min={1} max={kArenaBytes} onNumber={setBytes} />
        <div class="aligned">
          <Button onPress={() => model.make(bytes)}>Make it</Button>
          <Button kind="quiet" onPress={() => model.fragment()}>
            Fragment
          </Button>
          <Button kind="quiet" onPress={() => model.dropAll()}>
            Dispose of all
          </Button>
          <Button kind="quiet" disabled={model.isCollecting} onPress={() => void model.collect()}>
            {model.isCollecting ? "Collecting…" : "Run the garbage collector"}
          </Button>
        </div>
      </Controls>
      <ErrorNote text={model.error} />
      <Figure title="the arena" note={`${kArenaBytes} bytes in units of ${kUnitBytes}; the pale end of a chunk was not asked for`}>
        <MemoryMap chunks={chunks} rootIn={(chunk) => model.rootIn(chunk)} forgotten={new Set(forgotten.map(({ address }) => address))} />
      </Figure>
      <Facts
        label="The arena in numbers"
        facts={[
          ["bytes in use", stats.bytesInUse],
          ["free chunks", free.length],
          ["largest free", Math.max(0, ...free.map(({ size }) => size))],
          ["fragmentation", `${Math.round(fragmentation * 100)} %`],
          ["not asked for", waste],
          ["reclaimed", model.reclaimed],
        ]}
      />
      <Figure title="the bins" note="free chunks by size: a request looks in the first bin that may have one">
        <Bins model={model} />
      </Figure>
      <h3>Who holds what</h3>
      <ObjectGraph handles={model.handles()} forgotten={forgotten} />
      <Handles model={model} />
      {forgotten.length > 0 && (
        <p class="readout">
          {forgotten.map(({ name }) => name).join(", ")}: forgotten. The garbage collector runs when the browser sees fit; the button above
          provokes it.
        </p>
      )}
      <h3 id="arena-events">What the arena did</h3>
      <ol class="history" aria-labelledby="arena-events">
        {events.map(({ kind, text }, i) => (
          <li key={events.length - i}>
            <b class={`event event-${kind}`}>{kind}</b> {text}
          </li>
        ))}
      </ol>
      <Spoken text={events[0]?.text ?? ""} />
    </>
  );
}

export default definePanel<Arena>({
  title: "Ref counts and the arena",
  lead:
    "A buffer lives as long as something refers to it. Tensors count; the last one to go returns the chunk to the arena, which merges it with its free neighbors. " +
    "Make tensors, share and slice them, dispose of them. Or forget one, and see it reclaimed.",
  shows: [
    { name: "BFCAllocator", here: "packages/allocator/src/bfc/bfc-allocator.ts", there: "tsl/framework/bfc_allocator.h" },
    { name: "RefCounted", here: "packages/allocator/src/refs/ref-counted.ts", there: "tsl/platform/refcount.h" },
    { name: "Buffer, SubBuffer", here: "packages/core/src/buffer/buffer.ts", there: "tensorflow/core/framework/tensor.cc" },
    { name: "the lifetime net", here: "packages/allocator/src/lifetime/lifetime-net.ts", there: "" },
  ],
  open: (params, changed) => new Arena(params, changed),
  View,
});
