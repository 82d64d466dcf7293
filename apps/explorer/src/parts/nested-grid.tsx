/** An array of any rank as grids: one per matrix of its two innermost dimensions. */
import type { JSX } from "preact";
import { CellGrid } from "./cell-grid.tsx";
import type { Cell } from "./cell-grid.tsx";
import { flatOf, indexOf, productOf } from "./number-text.ts";

interface NestedGridProps {
  readonly label: string;
  readonly sizes: readonly number[];
  /** Draws the element at a row-major number. */
  readonly cell: (flat: number, index: readonly number[]) => Cell;
  /** The row-major number of the marked element. */
  readonly active: number | null;
  readonly onActive: (flat: number) => void;
  readonly onEdit?: (flat: number, text: string) => void;
  readonly onChoose?: (flat: number) => void;
  readonly look?: string;
}

/** Draws an array: a scalar and a vector in one row, and for each index of the outer dimensions a matrix with its index above it. */
export function NestedGrid({ label, sizes, cell, active, onActive, onEdit, onChoose, look }: NestedGridProps): JSX.Element {
  const outer = sizes.slice(0, -2);
  const rows = sizes.length < 2 ? 1 : sizes.at(-2)!;
  const columns = sizes.at(-1) ?? 1;
  const blocks = productOf(outer);
  if (rows * columns * blocks === 0) return <p class="empty">no elements</p>;
  const perBlock = rows * columns;
  return (
    <div class="nested">
      {Array.from({ length: blocks }, (_, block) => {
        const first = block * perBlock;
        const lead = indexOf(block, outer);
        const mark = active !== null && active >= first && active < first + perBlock ? active - first : null;
        const name = outer.length === 0 ? label : `${label}, ${lead.join(", ")}`;
        return (
          <div class="nested-block" key={block}>
            {outer.length > 0 && <span class="nested-lead">[{lead.join(", ")}, :, :]</span>}
            <CellGrid
              label={name}
              rows={rows}
              columns={columns}
              look={look ?? ""}
              cell={(row, column) => {
                const flat = first + row * columns + column;
                return cell(flat, indexOf(flat, sizes));
              }}
              active={mark === null ? null : [Math.floor(mark / columns), mark % columns]}
              onActive={(row, column) => onActive(first + flatOf([row, column], [rows, columns]))}
              {...(onChoose === undefined ? {} : { onChoose: (row: number, column: number) => onChoose(first + row * columns + column) })}
              {...(onEdit === undefined
                ? {}
                : { onEdit: (row: number, column: number, text: string) => onEdit(first + row * columns + column, text) })}
            />
          </div>
        );
      })}
    </div>
  );
}
