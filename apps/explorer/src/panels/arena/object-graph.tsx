/** The object graph: handles, the buffers they refer to, and the chunks of the arena. */
import type { JSX } from "preact";
import type { Forgotten, Handle } from "./model.ts";
import { rootName } from "./model.ts";

const kRow = 46;
const kBox = 34;
const kColumns = { handle: 0, slice: 220, root: 400, chunk: 600 } as const;
const kWidths = { handle: 150, slice: 120, root: 140, chunk: 150 } as const;
const kWide = kColumns.chunk + kWidths.chunk;

interface Root {
  readonly root: number;
  readonly address: number;
  readonly bytes: number;
  readonly refs: number | null;
  readonly rows: readonly number[];
}

/** Groups the rows of handles by root, and adds a row for each forgotten buffer. */
function rootsOf(handles: readonly Handle[], forgotten: readonly Forgotten[]): Root[] {
  const roots = new Map<number, Root>();
  for (const [row, { root, chunkAddress, rootBytes, rootRefs }] of handles.entries()) {
    const rows = [...(roots.get(root)?.rows ?? []), row];
    roots.set(root, { root, address: chunkAddress, bytes: rootBytes, refs: rootRefs, rows });
  }
  for (const [i, { root, address }] of forgotten.entries())
    roots.set(root, { root, address, bytes: 0, refs: null, rows: [handles.length + i] });
  return [...roots.values()];
}

/** Draws the graph. */
export function ObjectGraph({ handles, forgotten }: { handles: readonly Handle[]; forgotten: readonly Forgotten[] }): JSX.Element {
  const sorted = [...handles].sort((a, b) => a.root - b.root || a.id - b.id);
  const roots = rootsOf(sorted, forgotten);
  const height = Math.max(1, sorted.length + forgotten.length) * kRow;
  const middle = (rows: readonly number[]): number => (rows.reduce((sum, row) => sum + row, 0) / rows.length) * kRow + kBox / 2 + 4;
  const spoken = sorted
    .map(({ name, root, rootRefs }) => `${name} refers to buffer ${rootName(root)} with ${rootRefs} references`)
    .join("; ");
  return (
    <div class="graph-scroll" tabIndex={0} role="group" aria-label="Object graph">
      <svg
        class="graph"
        viewBox={`0 0 ${kWide + 8} ${height}`}
        width={kWide + 8}
        height={height}
        role="img"
        aria-label={spoken === "" ? "no tensors" : spoken}
      >
        {roots.map((each) => {
          const y = middle(each.rows);
          const tone = `dim-${each.root % 6}`;
          return (
            <g key={each.root} class={tone}>
              {each.rows.map((row) => {
                const handle = sorted[row];
                const from = row * kRow + kBox / 2 + 4;
                if (handle === undefined) return null;
                const start = handle.isSlice ? kColumns.slice + kWidths.slice : kColumns.handle + kWidths.handle;
                return (
                  <g key={handle.id}>
                    {handle.isSlice && (
                      <line class="graph-line" x1={kColumns.handle + kWidths.handle} y1={from} x2={kColumns.slice} y2={from} />
                    )}
                    <path
                      class="graph-line"
                      d={`M${start} ${from} C${kColumns.root - 40} ${from} ${kColumns.root - 40} ${y} ${kColumns.root} ${y}`}
                    />
                    <Box x={kColumns.handle} y={from} width={kWidths.handle} title={handle.name} note={`Tensor ${handle.shape}`} />
                    {handle.isSlice && (
                      <Box
                        x={kColumns.slice}
                        y={from}
                        width={kWidths.slice}
                        title="SubBuffer"
                        note={`${handle.bytes} bytes`}
                        count={handle.refs}
                      />
                    )}
                  </g>
                );
              })}
              <line class="graph-line is-memory" x1={kColumns.root + kWidths.root} y1={y} x2={kColumns.chunk} y2={y} />
              <Box
                x={kColumns.root}
                y={y}
                width={kWidths.root}
                title={`Buffer ${rootName(each.root)}`}
                note={each.refs === null ? "forgotten" : `${each.bytes} bytes`}
                count={each.refs}
                isForgotten={each.refs === null}
              />
              <Box x={kColumns.chunk} y={y} width={kWidths.chunk} title="chunk" note={`at ${each.address}`} />
            </g>
          );
        })}
      </svg>
    </div>
  );
}

interface BoxProps {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly title: string;
  readonly note: string;
  readonly count?: number | null;
  readonly isForgotten?: boolean;
}

function Box({ x, y, width, title, note, count, isForgotten = false }: BoxProps): JSX.Element {
  return (
    <g class={`graph-box ${isForgotten ? "is-forgotten" : ""}`}>
      <rect x={x + 1} y={y - kBox / 2} width={width} height={kBox} rx={5} />
      <text class="graph-title" x={x + 11} y={y - 2}>
        {title}
      </text>
      <text class="graph-note" x={x + 11} y={y + 11}>
        {note}
      </text>
      {typeof count === "number" && (
        <>
          <circle class="graph-count" cx={x + width - 14} cy={y} r={10.5} />
          <text class="graph-number" x={x + width - 14} y={y + 4.5}>
            {count}
          </text>
        </>
      )}
    </g>
  );
}
