/** A grid of cells that a pointer or the arrow keys go through, and that can be edited. */
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** How one cell is drawn. */
export interface Cell {
  readonly text: string;
  /** The cell as it is read aloud. */
  readonly label: string;
  /** Class names of the drawing. */
  readonly look?: string;
  /** A tint from 0 to 1 that stays with the element in every drawing. */
  readonly tint?: number;
}

interface CellGridProps {
  /** The name of the grid as it is read aloud. */
  readonly label: string;
  readonly rows: number;
  readonly columns: number;
  readonly cell: (row: number, column: number) => Cell;
  /** The marked cell; null for none of this grid. */
  readonly active: readonly [row: number, column: number] | null;
  readonly onActive: (row: number, column: number) => void;
  /** Takes a new text for a cell; without it the grid is read only. */
  readonly onEdit?: (row: number, column: number, text: string) => void;
  /** Called when Enter, Space or a click chooses a cell of a grid that is read only. */
  readonly onChoose?: (row: number, column: number) => void;
  readonly rowLabels?: readonly string[];
  readonly columnLabels?: readonly string[];
  readonly look?: string;
}

const kMoves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Moves the focus into a field that has just appeared. */
function focusOnce(input: HTMLInputElement | null): void {
  if (input !== null && document.activeElement !== input) input.focus();
}

/** Draws a grid. Arrow keys, Home and End move; Enter, F2 or a digit edits; Escape leaves a cell as it was. */
export function CellGrid(props: CellGridProps): JSX.Element {
  const { label, rows, columns, cell, active, onActive, onEdit, onChoose, rowLabels, columnLabels, look = "" } = props;
  const [edited, setEdited] = useState<{ row: number; column: number; text: string } | null>(null);
  const root = useRef<HTMLDivElement>(null);
  /** False once the edit has ended: a field that is taken out of the page still loses its focus, and must not end it again. */
  const isEditing = useRef(false);
  /** The cell that takes the focus back from the field that is about to go. */
  const left = useRef<readonly [row: number, column: number] | null>(null);
  const [tabRow, tabColumn] = active ?? [0, 0];

  const focusCell = (row: number, column: number): void =>
    root.current?.querySelector<HTMLElement>(`[data-row="${row}"][data-column="${column}"]`)?.focus();
  const edit = (row: number, column: number, text: string): void => {
    isEditing.current = true;
    setEdited({ row, column, text });
  };
  /** Ends the edit. A field that lost the focus leaves it where it went; a field that a key ended gives it to its cell. */
  const finish = (text: string | null, isByKey: boolean): void => {
    if (edited === null || !isEditing.current) return;
    isEditing.current = false;
    const { row, column } = edited;
    if (isByKey) left.current = [row, column];
    setEdited(null);
    if (text !== null) onEdit?.(row, column, text);
  };
  // At once, not in a later frame: by then the visitor may have gone elsewhere.
  useLayoutEffect(() => {
    if (left.current === null || edited !== null) return;
    const [row, column] = left.current;
    left.current = null;
    focusCell(row, column);
  });
  const pressed = (event: KeyboardEvent, row: number, column: number): void => {
    const move = kMoves[event.key] ?? (event.key === "Home" ? [0, -column] : event.key === "End" ? [0, columns - 1 - column] : null);
    if (move !== null) {
      const to = [Math.min(rows - 1, Math.max(0, row + move[0]!)), Math.min(columns - 1, Math.max(0, column + move[1]!))] as const;
      event.preventDefault();
      onActive(...to);
      focusCell(...to);
    } else if (onEdit !== undefined && (event.key === "Enter" || event.key === "F2" || /^[-\d]$/.test(event.key))) {
      event.preventDefault();
      edit(row, column, /^[-\d]$/.test(event.key) ? event.key : cell(row, column).text);
    } else if (onChoose !== undefined && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      onChoose(row, column);
    }
  };

  const drawn = (row: number, column: number): JSX.Element => {
    const { text, label: spoken, look: own = "", tint } = cell(row, column);
    const isActive = active !== null && active[0] === row && active[1] === column;
    if (edited !== null && edited.row === row && edited.column === column)
      return (
        <div role="gridcell" class="cell is-edited" key={column}>
          <input
            type="text"
            aria-label={`new value of ${spoken}`}
            value={edited.text}
            ref={focusOnce}
            onInput={(event) => setEdited({ row, column, text: event.currentTarget.value })}
            onKeyDown={(event) => {
              event.stopPropagation();
              if (event.key === "Enter") finish(event.currentTarget.value, true);
              else if (event.key === "Escape") finish(null, true);
            }}
            onBlur={(event) => finish(event.currentTarget.value, false)}
          />
        </div>
      );
    return (
      <div
        role="gridcell"
        key={column}
        class={`cell ${own} ${isActive ? "is-active" : ""} ${tint === undefined ? "" : "is-tinted"}`}
        {...(tint === undefined ? {} : { style: { "--tint": tint } })}
        tabIndex={row === tabRow && column === tabColumn ? 0 : -1}
        aria-label={spoken}
        data-row={row}
        data-column={column}
        onPointerOver={() => !isActive && onActive(row, column)}
        onFocus={() => !isActive && onActive(row, column)}
        onDblClick={() => onEdit !== undefined && edit(row, column, text)}
        onClick={() => onChoose?.(row, column)}
        onKeyDown={(event) => pressed(event, row, column)}
      >
        {text}
      </div>
    );
  };

  return (
    <div class={`cell-grid ${look}`} role="grid" aria-label={label} ref={root} aria-readonly={onEdit === undefined}>
      {columnLabels !== undefined && (
        <div role="row" class="cell-row">
          {rowLabels !== undefined && <span role="columnheader" class="cell-head" />}
          {columnLabels.map((text) => (
            <span role="columnheader" class="cell-head" key={text}>
              {text}
            </span>
          ))}
        </div>
      )}
      {Array.from({ length: rows }, (_, row) => (
        <div role="row" class="cell-row" key={row}>
          {rowLabels !== undefined && (
            <span role="rowheader" class="cell-head">
              {rowLabels[row]}
            </span>
          )}
          {Array.from({ length: columns }, (_, column) => drawn(row, column))}
        </div>
      ))}
    </div>
  );
}
