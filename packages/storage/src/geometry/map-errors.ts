/**
 * The errors of maps. `at` and `set` only detect that something is wrong; these functions find the cause. They return the error and the
 * caller throws it, so that the engine sees the `throw` in the method it compiles.
 *
 * The causes are tested in a fixed order: freed memory, then the indices from the outermost to the innermost, then the value. If none
 * of these applies, the ArrayBuffer was detached (transferred, or replaced by WebAssembly.Memory.grow).
 */
import { FailedPreconditionError, InvalidArgumentError, OutOfRangeError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import type { StatusError } from "@onebuffer/base";
import { isElementInput } from "../memory/element-check.ts";
import type { MapStorage } from "./map-storage.ts";

/** Returns true if `index` is an integer in [0, size). */
export function isIndex(index: unknown, size: number): boolean {
  return Number.isInteger(index) && (index as number) >= 0 && (index as number) < size;
}

/** Returns the FAILED_PRECONDITION error for a map whose owner has freed the memory. */
export function freedError(map: MapStorage): StatusError {
  return new FailedPreconditionError(
    `the memory of this ${map.dtype} map of [${map.dimensions}] was freed: its tensor was disposed before the map, or an expression of it, was used`,
  );
}

/** Returns the FAILED_PRECONDITION error for a map whose array no longer reaches the map's last element. */
export function detachedError(map: MapStorage): StatusError {
  return new FailedPreconditionError(
    `the memory of this ${map.dtype} map of [${map.dimensions}] was detached or has shrunk: the map ends at slot ${map.end}, the array has ${map.array.length} slots`,
  );
}

/** Returns the OUT_OF_RANGE error for one index. */
export function indexError(index: unknown, dimension: number, size: number): StatusError {
  return new OutOfRangeError(`index ${shownValue(index)} of dimension ${dimension} is not in [0, ${size})`);
}

/** Returns the OUT_OF_RANGE error for the argument of the method `dimension`. */
export function dimensionError(dimension: unknown, rank: number): StatusError {
  return new OutOfRangeError(`dimension ${shownValue(dimension)} is not in [0, ${rank})`);
}

/** Returns the error for valid indices that found no element: the memory was freed or detached. */
export function goneError(map: MapStorage): StatusError {
  return map.owner.refs === 0 ? freedError(map) : detachedError(map);
}

/**
 * Returns the error for a failed `at(...indices)`. `count` is the number of arguments that the caller passed; the generated `at` has a
 * fixed number of parameters, so `indices` may be shorter or longer.
 */
export function accessError(map: MapStorage, indices: readonly unknown[], count: number = indices.length): StatusError {
  if (map.owner.refs === 0) return freedError(map);
  return indicesError(map, indices, count) ?? detachedError(map);
}

/** Returns the error for a failed `set(...indices, value)`. `count` is the number of indices that the caller passed, as in accessError. */
export function storeError(map: MapStorage, indices: readonly unknown[], value: unknown, count: number = indices.length): StatusError {
  if (map.owner.refs === 0) return freedError(map);
  const wrong = indicesError(map, indices, count);
  if (wrong !== null) return wrong;
  return isElementInput(map.dtype, value) ? detachedError(map) : elementError(map, value);
}

/** Returns the INVALID_ARGUMENT error for a value that is not an element of the map's dtype. */
export function elementError(map: MapStorage, value: unknown): StatusError {
  return new InvalidArgumentError(`${shownValue(value)} is not an element of dtype ${map.dtype}`);
}

/** Throws FAILED_PRECONDITION if the memory of the map was freed or detached, or has shrunk below the map's end. */
export function checkAlive(map: MapStorage): void {
  if (map.owner.refs === 0) throw freedError(map);
  if (!reaches(map)) throw detachedError(map);
}

/** Throws as checkAlive does, and INVALID_ARGUMENT if `value` is not an element of the map's dtype. */
export function checkStore(map: MapStorage, value: unknown): void {
  checkAlive(map);
  if (!isElementInput(map.dtype, value)) throw elementError(map, value);
}

/** Returns true if the array still reaches the map's end. */
function reaches(map: MapStorage): boolean {
  return map.end <= map.array.length;
}

/** Returns the error for wrong indices, or null if they are valid. */
function indicesError(map: MapStorage, indices: readonly unknown[], count: number): StatusError | null {
  const dims = map.dimensions;
  if (count !== dims.length) return new InvalidArgumentError(`a map of [${dims}] needs ${dims.length} indices, got ${Math.max(count, 0)}`);
  for (let d = 0; d < dims.length; d++) {
    const size = dims[d] as number;
    if (!isIndex(indices[d], size)) return indexError(indices[d], d, size);
  }
  return null;
}
