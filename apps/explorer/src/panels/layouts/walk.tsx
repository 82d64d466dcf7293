/** The order of memory as a line through the array. */
import type { JSX } from "preact";
import { indexOf } from "../../parts/number-text.ts";

const kCell = 42;
const kGap = 22;

interface WalkProps {
  readonly sizes: readonly number[];
  /** The row-major numbers of the elements in the order of memory. */
  readonly order: readonly number[];
  readonly letters: readonly string[];
  readonly active: number | null;
}

/** Draws arrays of up to three dimensions; the planes of dimension 0 stand side by side. */
export function Walk({ sizes, order, letters, active }: WalkProps): JSX.Element | null {
  if (sizes.length > 3) return null;
  const [rows, columns] = [sizes.at(-2) ?? 1, sizes.at(-1) ?? 1];
  const planes = sizes.length === 3 ? sizes[0]! : 1;
  const place = (flat: number): readonly [x: number, y: number] => {
    const index = indexOf(flat, sizes);
    const plane = sizes.length === 3 ? index[0]! : 0;
    return [plane * (columns * kCell + kGap) + (index.at(-1) ?? 0) * kCell + kCell / 2, (index.at(-2) ?? 0) * kCell + kCell / 2];
  };
  const points = order.map(place);
  const width = planes * columns * kCell + (planes - 1) * kGap;
  const height = rows * kCell;
  const last = points.length - 1;
  return (
    <svg
      class="walk"
      viewBox={`-2 -2 ${width + 4} ${height + 4}`}
      width={width + 4}
      height={height + 4}
      role="img"
      aria-label={`In memory the elements follow each other as ${order.map((flat) => letters[flat]).join(" ")}`}
    >
      <polyline points={points.map((point) => point.join(",")).join(" ")} class="walk-line" />
      {order.map((flat, step) => {
        const [x, y] = points[step]!;
        return (
          <g
            key={flat}
            class={`walk-stop ${flat === active ? "is-same" : ""} ${step === 0 ? "is-first" : ""}`}
            style={{ "--tint": last === 0 ? 0 : step / last }}
          >
            <circle cx={x} cy={y} r={13} />
            <text x={x} y={y + 4.5}>
              {letters[flat]}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
