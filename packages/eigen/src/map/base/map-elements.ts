/** The elements of a map of any class by their row-major number, for its text in a console and in JSON. */
import type { DType } from "@onebuffer/base";
import { isStatusError } from "@onebuffer/base";
import { inspectedElements, nestedElements } from "@onebuffer/storage/internal";
import type { PrintedArray, PrintOptions } from "@onebuffer/storage";
import { numpyText } from "@onebuffer/storage";
import type { KindMap } from "./map-kind.ts";

/** The part of a map that is read here. */
interface ReadMap {
  readonly dtype: DType;
  readonly dimensions: readonly number[];
  /** The kind, dtype and geometry as a text, without elements. */
  description(): string;
}

/** Returns the map's sizes, dtype, and a function that reads an element by its row-major number. */
export function elementsOfMap(map: ReadMap): PrintedArray {
  const { dtype, dimensions: dims } = map;
  const reader = map as unknown as { at(...indices: readonly number[]): unknown };
  const at = (index: number): unknown => {
    const indices = new Array<number>(dims.length);
    for (let d = dims.length - 1, left = index; d >= 0; d--) {
      const size = dims[d] as number;
      indices[d] = left % size;
      left = Math.floor(left / size);
    }
    return reader.at(...indices);
  };
  return { dims, dtype, at };
}

/** Returns the elements of a map, whose memory the caller has checked, in nested arrays. Throws as nestedElements does. */
export function nestedOfMap(map: KindMap & { places(): () => number }): unknown {
  const { kind } = map;
  const place = map.places();
  return nestedElements(map.dimensions, () => kind.load(map as never, place()));
}

/** Returns the elements as a tensor's text has them; on freed memory the map's description. */
export function textOfMap(map: ReadMap, options?: PrintOptions): string {
  try {
    return numpyText(elementsOfMap(map), options);
  } catch (error) {
    if (isStatusError(error, "FAILED_PRECONDITION")) return map.description();
    throw error;
  }
}

/** Returns a map's text in a console. */
export function inspectedMap(map: ReadMap, inside: boolean): string {
  return inspectedElements(map.description(), elementsOfMap(map), inside);
}
