/** The parts of a job as bands, each in the tone of the thread that ran it, and a table of the threads. */
import type { JSX } from "preact";
import type { PoolJobRecord, PoolPartRecord } from "onebuffer/eigen";
import { Figure } from "../../../parts/controls.tsx";
import { timeText } from "../../../parts/number-text.ts";

/** Returns a number with commas between thousands. */
export const countText = (count: number): string => count.toLocaleString("en-US");

/** Returns what a visitor calls a thread. */
export const threadName = (thread: number): string => (thread === 0 ? "this page" : `worker ${thread}`);

/** What the kernels of a job do, by their form. */
const kForms: Readonly<Record<PoolJobRecord["by"], string>> = {
  map: "an elementwise kernel",
  tile: "a kernel that transposes",
  rows: "a kernel that reduces rows",
  columns: "a kernel that reduces columns",
  windows: "a kernel that reduces windows",
  contraction: "a product of matrices",
};

/** The class that sets the tone of a thread: that of the page is the accent, those of workers the tones of dimensions. */
const toneOf = (thread: number): string => (thread === 0 ? "" : `dim-${(thread - 1) % 6}`);

const percentOf = (share: number): string => `${(100 * share).toFixed(2)}%`;

const volumeOf = ({ begin, end }: PoolPartRecord): number => end.reduce((volume, each, loop) => volume * (each - begin[loop]!), 1);

/** Returns the range of a part in a loop as text; "" where the part is all of the loop. */
function rangesText({ sizes }: PoolJobRecord, { begin, end }: PoolPartRecord): string {
  const names = sizes.length === 1 ? [""] : sizes.length === 2 ? ["rows ", "columns "] : sizes.map((_, loop) => `loop ${loop}: `);
  const ranges = sizes.flatMap((size, loop) =>
    end[loop]! - begin[loop]! === size && sizes.length > 1
      ? []
      : [`${names[loop]}${countText(begin[loop]!)} to ${countText(end[loop]! - 1)}`],
  );
  return ranges.join(", ");
}

/** What one thread did in a job. */
interface ThreadShare {
  readonly thread: number;
  readonly parts: number;
  readonly share: number;
  readonly milliseconds: number;
}

function sharesOf({ sizes, parts }: PoolJobRecord, numThreads: number): readonly ThreadShare[] {
  const all = sizes.reduce((a, b) => a * b, 1);
  const threads = new Set([...Array.from({ length: numThreads }, (_, thread) => thread), ...parts.map(({ thread }) => thread)]);
  return [...threads].map((thread) => {
    const own = parts.filter((part) => part.thread === thread);
    return {
      thread,
      parts: own.length,
      share: own.reduce((sum, part) => sum + volumeOf(part), 0) / all,
      milliseconds: own.reduce((sum, part) => sum + part.milliseconds, 0),
    };
  });
}

/** A rectangle with a band per part: the first loop goes down and the last one to the right; a single loop goes to the right. */
function Bands({ job, label }: { job: PoolJobRecord; label: string }): JSX.Element {
  const { sizes, parts } = job;
  const last = sizes.length - 1;
  const place = ({ begin, end }: PoolPartRecord, loop: number): readonly [at: number, length: number] =>
    sizes.length === 1 && loop === -1 ? [0, 1] : [begin[loop]! / sizes[loop]!, (end[loop]! - begin[loop]!) / sizes[loop]!];
  return (
    <div class={`pool-bands ${last === 0 ? "is-strip" : ""}`} role="img" aria-label={label}>
      {parts.map((part, k) => {
        const [left, width] = place(part, last);
        const [top, height] = place(part, last === 0 ? -1 : 0);
        return (
          <i
            key={k}
            class={toneOf(part.thread)}
            title={`${threadName(part.thread)}: ${rangesText(job, part)}, ${timeText(part.milliseconds)}`}
            style={{ left: percentOf(left), top: percentOf(top), width: percentOf(width), height: percentOf(height) }}
          >
            {part.thread}
          </i>
        );
      })}
    </div>
  );
}

/** One job: its bands, who did how much, and a list of the parts. */
export function Job({ job, numThreads }: { job: PoolJobRecord; numThreads: number }): JSX.Element {
  const { by, sizes, parts } = job;
  const shares = sharesOf(job, numThreads);
  const spoken = shares
    .map(({ thread, parts: count, share }) => `${threadName(thread)} ran ${count}, ${Math.round(100 * share)} %`)
    .join("; ");
  const loops =
    sizes.length === 1
      ? `one loop of ${countText(sizes[0]!)}, left to right`
      : `loops of ${sizes.map(countText).join(" × ")}, the first one downward`;
  return (
    <>
      <Figure title={`${kForms[by]}, in ${parts.length} parts`} note={loops}>
        <Bands job={job} label={`${parts.length} parts of ${sizes.join(" by ")}: ${spoken}`} />
      </Figure>
      <table class="pool-shares">
        <caption>What each thread ran</caption>
        <thead>
          <tr>
            <th scope="col">thread</th>
            <th scope="col">parts</th>
            <th scope="col">share</th>
            <th scope="col">busy</th>
          </tr>
        </thead>
        <tbody>
          {shares.map(({ thread, parts: count, share, milliseconds }) => (
            <tr key={thread}>
              <th scope="row" class={toneOf(thread)}>
                <b>{thread}</b> {threadName(thread)}
              </th>
              <td>{count}</td>
              <td>{(100 * share).toFixed(0)} %</td>
              <td>{count === 0 ? "–" : timeText(milliseconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <details>
        <summary>All {parts.length} parts</summary>
        <ol class="pool-parts" start={0}>
          {parts.map((part, k) => (
            <li key={k}>
              {rangesText(job, part)}: {threadName(part.thread)}, {timeText(part.milliseconds)}
            </li>
          ))}
        </ol>
      </details>
    </>
  );
}

/** The picture of a run that no pool divided: one band, of this page's thread. */
export function Undivided({ why }: { why: string }): JSX.Element {
  return (
    <Figure title="not divided" note={why}>
      <div class="pool-bands is-strip" role="img" aria-label="One part: this page ran all of it">
        <i style={{ left: "0%", top: "0%", width: "100%", height: "100%" }}>0</i>
      </div>
    </Figure>
  );
}
