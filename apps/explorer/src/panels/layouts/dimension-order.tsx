/** The list minor_to_major: its entries are dragged, or moved with the arrow keys. */
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";

interface DimensionOrderProps {
  readonly order: readonly number[];
  readonly sizes: readonly number[];
  /** Moves the entry at one place to another. */
  readonly onMove: (from: number, to: number) => void;
}

/** Draws the list. While an entry is dragged, it takes the place that is nearest to the pointer. */
export function DimensionOrder({ order, sizes, onMove }: DimensionOrderProps): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<number | null>(null);

  /** Returns the place whose middle is nearest to a point of the page. */
  const nearest = (x: number, y: number): number => {
    const items = [...(list.current?.children ?? [])];
    const distances = items.map((item) => {
      const { left, top, width, height } = item.getBoundingClientRect();
      return Math.hypot(left + width / 2 - x, top + height / 2 - y);
    });
    return distances.indexOf(Math.min(...distances));
  };
  // The entry is at its new place once onMove returns. To focus it in a later frame would take the focus from where the visitor has gone.
  const focusPlace = (place: number): void => list.current?.children[place]?.querySelector("button")?.focus();
  const move = (from: number, to: number): void => {
    if (to < 0 || to >= order.length) return;
    onMove(from, to);
    focusPlace(to);
  };

  return (
    <div class="order">
      <p class="order-label" id="order-label">
        minor_to_major
      </p>
      <ol ref={list} aria-labelledby="order-label" class="order-list">
        {order.map((d, place) => (
          <li key={d}>
            <button
              type="button"
              class={`order-item dim-${d % 6} ${dragged === d ? "is-dragged" : ""}`}
              aria-label={`Dimension ${d} size ${sizes[d]}, place ${place + 1} of ${order.length}${place === 0 ? ", most minor" : ""}`}
              aria-roledescription="entry that can be moved with the left and right arrow keys"
              onKeyDown={(event) => {
                const step =
                  event.key === "ArrowLeft" || event.key === "ArrowUp"
                    ? -1
                    : event.key === "ArrowRight" || event.key === "ArrowDown"
                      ? 1
                      : 0;
                if (step === 0) return;
                event.preventDefault();
                move(place, place + step);
              }}
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId);
                setDragged(d);
              }}
              onPointerMove={(event) => {
                if (dragged !== d) return;
                const to = nearest(event.clientX, event.clientY);
                if (to !== place) onMove(place, to);
              }}
              onPointerUp={() => setDragged(null)}
              onPointerCancel={() => setDragged(null)}
            >
              <b>{d}</b> <small>size {sizes[d]}</small>
            </button>
          </li>
        ))}
      </ol>
      <p class="order-ends" aria-hidden="true">
        <span>minor: neighbors in memory</span>
        <span>major</span>
      </p>
    </div>
  );
}
