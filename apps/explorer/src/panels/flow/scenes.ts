/**
 * The scenes of the way from a buffer to a kernel's lanes and back, and where every byte group is drawn in each.
 *
 *     buffer → reshape → slice → for each vector: load, compute, store → result
 */

/** What happens in a scene. */
export type SceneKind = "buffer" | "reshape" | "slice" | "load" | "compute" | "store" | "result";

/** A scene. `vector` is the number of the vector that is in the lanes; -1 for none. */
export interface Scene {
  readonly kind: SceneKind;
  readonly vector: number;
}

/** A place in the drawing, in its own units. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

export const kWide = 640;
export const kHigh = 392;
export const kCellWide = 46;
export const kCellHigh = 34;
const kGap = 4;
const kMemoryTop = 26;
const kLanesTop = 236;
const kResultTop = 338;

/** Returns the scenes for so many vectors. */
export function scenesOf(vectors: number): Scene[] {
  const work = Array.from({ length: vectors }, (_, vector) =>
    (["load", "compute", "store"] as const).map((kind): Scene => ({ kind, vector })),
  );
  return [
    { kind: "buffer", vector: -1 },
    { kind: "reshape", vector: -1 },
    { kind: "slice", vector: -1 },
    ...work.flat(),
    { kind: "result", vector: -1 },
  ];
}

const column = (i: number): number => 8 + i * (kCellWide + kGap);

/** Where an element of the buffer is drawn: in one row first, then in rows of `columns`. */
export function elementSpot(flat: number, columns: number, { kind }: Scene): Spot {
  if (kind === "buffer") return { x: column(flat), y: kMemoryTop };
  return { x: column(flat % columns), y: kMemoryTop + Math.floor(flat / columns) * (kCellHigh + kGap) };
}

/** Where a lane is drawn. */
export const laneSpot = (lane: number): Spot => ({ x: 8 + 3 * (kCellWide + kGap) + lane * (kCellWide + kGap), y: kLanesTop });

/** Where an element of the result is drawn. */
export const resultSpot = (index: number): Spot => ({ x: column(index), y: kResultTop });
