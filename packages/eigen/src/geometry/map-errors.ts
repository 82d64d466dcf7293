/**
 * The errors of maps, made on the slow path: `at` and `set` only find that something is wrong, and these functions
 * find out what. They return the error; the caller throws, so that `throw` stands where the engine sees it.
 *
 * The order is fixed: freed memory first, then the indices from the outermost on, then the value; what remains is
 * an ArrayBuffer that was detached (transferred, or replaced by WebAssembly.Memory.grow).
 */
import { FailedPreconditionError, InvalidArgumentError, OutOfRangeError, shownValue } from "@onebuffer/base";
import type { StatusError } from "@onebuffer/base";
import { isElementInput } from "../memory/element-check.ts";
import type { MapStorage } from "./map-storage.ts";

/** Whether `index` counts something in [0, size). */
export function isIndex(index: unknown, size: number): boolean {
  return Number.isInteger(index) && (index as number) >= 0 && (index as number) < size;
}

/** FAILED_PRECONDITION: the owner has freed the memory. */
export function freedError(map: MapStorage): StatusError {
  return new FailedPreconditionError(`the memory of this ${map.dtype} map of [${map.dimensions}] was freed`);
}

/** FAILED_PRECONDITION: the array no longer reaches as far as the map. */
export function detachedError(map: MapStorage): StatusError {
  return new FailedPreconditionError(
    `the memory of this ${map.dtype} map of [${map.dimensions}] was detached or has shrunk: ${map.array.length} places are left, the map ends at ${map.end}`,
  );
}

/** OUT_OF_RANGE for one index. */
export function indexError(index: unknown, dimension: number, size: number): StatusError {
  return new OutOfRangeError(`index ${shownValue(index)} of dimension ${dimension} is not in [0, ${size})`);
}

/** OUT_OF_RANGE for the argument of `dimension`. */
export function dimensionError(dimension: unknown, rank: number): StatusError {
  return new OutOfRangeError(`dimension ${shownValue(dimension)} is not in [0, ${rank})`);
}

/** Why a valid index found no element: freed or detached. */
export function goneError(map: MapStorage): StatusError {
  return map.owner.refs === 0 ? freedError(map) : detachedError(map);
}

/** Why `at(...indices)` failed; `count` is how many indices were given, of which `indices` may hold too few or too many. */
export function accessError(map: MapStorage, indices: readonly unknown[], count: number = indices.length): StatusError {
  if (map.owner.refs === 0) return freedError(map);
  return indicesError(map, indices, count) ?? detachedError(map);
}

/** Why `set(...indices, value)` failed; `count` as for `at`. */
export function storeError(map: MapStorage, indices: readonly unknown[], value: unknown, count: number = indices.length): StatusError {
  if (map.owner.refs === 0) return freedError(map);
  const wrong = indicesError(map, indices, count);
  if (wrong !== null) return wrong;
  return isElementInput(map.dtype, value) ? detachedError(map) : elementError(map, value);
}

/** INVALID_ARGUMENT for a value that is no element of the map's dtype. */
export function elementError(map: MapStorage, value: unknown): StatusError {
  return new InvalidArgumentError(`${shownValue(value)} is not an element of dtype ${map.dtype}`);
}

/** Throws unless the whole map can be read and written now. */
export function checkAlive(map: MapStorage): void {
  if (map.owner.refs === 0) throw freedError(map);
  if (!reaches(map)) throw detachedError(map);
}

/** As checkAlive, and refuses a value that is no element. */
export function checkStore(map: MapStorage, value: unknown): void {
  checkAlive(map);
  if (!isElementInput(map.dtype, value)) throw elementError(map, value);
}

/** Whether the array still reaches the map's end. */
function reaches(map: MapStorage): boolean {
  return map.end <= map.array.length;
}

/** What is wrong with the indices, or null. */
function indicesError(map: MapStorage, indices: readonly unknown[], count: number): StatusError | null {
  const dims = map.dimensions;
  if (count !== dims.length) return new InvalidArgumentError(`a map of [${dims}] needs ${dims.length} indices, got ${Math.max(count, 0)}`);
  for (let d = 0; d < dims.length; d++) {
    const size = dims[d] as number;
    if (!isIndex(indices[d], size)) return indexError(indices[d], d, size);
  }
  return null;
}
