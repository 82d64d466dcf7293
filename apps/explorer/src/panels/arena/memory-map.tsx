/** The arena's memory: units of 256 bytes in rows, chunks as bars over them. */
import type { JSX } from "preact";
import type { MemChunk } from "onebuffer/allocator";
import { kArenaBytes, kUnitBytes, rootName } from "./model.ts";

const kUnitsPerRow = 32;
const kUnit = 24;
const kHeight = 34;
const kGap = 8;

interface MemoryMapProps {
  readonly chunks: readonly MemChunk[];
  readonly rootIn: (chunk: MemChunk) => number | null;
  readonly forgotten: ReadonlySet<number>;
}

/** The parts of a chunk in the rows of the drawing: row, first unit, number of units. */
function partsOf({ address, size }: MemChunk): { row: number; from: number; units: number }[] {
  const parts = [];
  const end = (address + size) / kUnitBytes;
  for (let at = address / kUnitBytes; at < end; ) {
    const row = Math.floor(at / kUnitsPerRow);
    const to = Math.min(end, (row + 1) * kUnitsPerRow);
    parts.push({ row, from: at % kUnitsPerRow, units: to - at });
    at = to;
  }
  return parts;
}

/** Draws the chunks. A chunk in use is filled as far as its bytes were asked for. */
export function MemoryMap({ chunks, rootIn, forgotten }: MemoryMapProps): JSX.Element {
  const rows = kArenaBytes / kUnitBytes / kUnitsPerRow;
  const spoken = chunks
    .map((chunk) => `${chunk.size} bytes at ${chunk.address} ${chunk.inUse ? `in use by ${rootName(rootIn(chunk) ?? 0)}` : "free"}`)
    .join("; ");
  return (
    <div class="graph-scroll" tabIndex={0} role="group" aria-label="Memory of the arena">
      <svg
        class="arena"
        viewBox={`-1 -1 ${kUnitsPerRow * kUnit + 2} ${rows * (kHeight + kGap)}`}
        width={kUnitsPerRow * kUnit + 2}
        height={rows * (kHeight + kGap)}
        role="img"
        aria-label={spoken}
      >
        {Array.from({ length: rows }, (_, row) => (
          <g key={row}>
            {Array.from({ length: kUnitsPerRow - 1 }, (_, i) => (
              <line
                key={i}
                class="arena-tick"
                x1={(i + 1) * kUnit}
                x2={(i + 1) * kUnit}
                y1={row * (kHeight + kGap)}
                y2={row * (kHeight + kGap) + kHeight}
              />
            ))}
          </g>
        ))}
        {chunks.map((chunk) => {
          const root = rootIn(chunk);
          const used = chunk.inUse ? chunk.requestedSize / kUnitBytes : 0;
          let drawn = 0;
          return (
            <g
              key={chunk.address}
              class={root === null ? "arena-free" : `arena-used dim-${root % 6} ${forgotten.has(chunk.address) ? "is-forgotten" : ""}`}
            >
              {partsOf(chunk).map(({ row, from, units }, i) => {
                const filled = Math.max(0, Math.min(units, used - drawn));
                drawn += units;
                const [x, y] = [from * kUnit, row * (kHeight + kGap)];
                const wide = units * kUnit;
                return (
                  <g key={row}>
                    <rect x={x + 1} y={y} width={wide - 2} height={kHeight} rx={3} class="arena-chunk" />
                    {filled > 0 && (
                      <rect x={x + 1} y={y} width={Math.max(0, filled * kUnit - 2)} height={kHeight} rx={3} class="arena-fill" />
                    )}
                    {i === 0 && wide >= kUnit && (
                      <text x={x + wide / 2} y={y + kHeight / 2 + 4.5} class="arena-label">
                        {root !== null
                          ? wide >= 4 * kUnit
                            ? `${rootName(root)}  ${chunk.size}`
                            : rootName(root)
                          : wide >= 3 * kUnit
                            ? `${chunk.size} free`
                            : ""}
                      </text>
                    )}
                  </g>
                );
              })}
            </g>
          );
        })}
      </svg>
    </div>
  );
}
