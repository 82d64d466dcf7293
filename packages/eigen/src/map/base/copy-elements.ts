/**
 * copyFrom: elements into a map from another map, from raw elements or from plain values (what `map = other` does in
 * Eigen, without conversions: the dtypes must agree).
 *
 * Raw elements go as bytes (raw-places.ts), which is right for overlapping memory, too. Everything is checked before the
 * first element is stored. Targets and sources are maps with or without strides.
 */
import type { DType, ObjectDType, RawDType } from "@onebuffer/base";
import {
  arraySlots,
  FailedPreconditionError,
  InvalidArgumentError,
  isObjectDType,
  shownValue,
  typedArrayConstructor,
  typedArrayKind,
  viewPlace,
} from "@onebuffer/base";
import { isElementInput } from "../../memory/element-check.ts";
import { checkAlive, elementError } from "../../geometry/map-errors.ts";
import { memoryOwnerOf } from "../../memory/memory-owner.ts";
import { storeObjectsAt } from "../../memory/object-element.ts";
import { copyPlaces, densePlaces } from "../../geometry/strided-bytes.ts";
import { StridedMapBase } from "./strided-map-base.ts";
import { TensorMapBase } from "./tensor-map-base.ts";

/** A map of this package. */
type AnyTarget = TensorMapBase<DType, number> | StridedMapBase<DType, number>;

/** What copying needs from a map of any package copy. */
interface AnyMap extends Iterable<unknown> {
  readonly dtype: DType;
  readonly size: number;
}

/** Copies `source` into `target`. */
export function copyElements(target: AnyTarget, source: unknown): void {
  checkAlive(target);
  if (isMap(source)) return copyMap(target, source);
  if (ArrayBuffer.isView(source)) return copyRaw(target, source);
  if (Array.isArray(source)) return copyValues(target, source);
  throw new InvalidArgumentError(`cannot copy ${shownValue(source)} into a ${target.dtype} map: give a map, its typed array or an array`);
}

/** A map has `dimension`, which no array has. */
function isMap(source: unknown): source is AnyMap {
  return typeof source === "object" && source !== null && typeof (source as { dimension?: unknown }).dimension === "function";
}

function copyMap(target: AnyTarget, source: AnyMap): void {
  if (source.dtype !== target.dtype) {
    throw new InvalidArgumentError(`cannot copy a ${shownValue(source.dtype)} map into a ${target.dtype} map`);
  }
  checkCount(target, source.size);
  // Another copy of this package has classes of its own: its elements are read one by one.
  const from = source instanceof TensorMapBase || source instanceof StridedMapBase ? source.rawPlaces() : null;
  const to = target.rawPlaces();
  if (from !== null && to !== null) copyPlaces(from, to);
  else copyValues(target, [...source]);
}

/** Raw elements: the array class must be the dtype's own. */
function copyRaw(target: AnyTarget, source: ArrayBufferView): void {
  const places = target.rawPlaces();
  if (places === null || isObjectDType(target.dtype)) {
    throw new InvalidArgumentError(`cannot copy a typed array into a ${target.dtype} map: give an array of its elements`);
  }
  const dtype: RawDType = target.dtype as RawDType;
  const constructor = typedArrayConstructor(dtype);
  const expected = (constructor as unknown as { readonly name: string }).name;
  const got = typedArrayKind(source) || "DataView";
  if (got !== expected) throw new InvalidArgumentError(`the raw elements of ${dtype} come in a ${expected}, got a ${got}`);
  if (memoryOwnerOf(source).refs === 0) throw new FailedPreconditionError(`the memory of the ${got} to copy from was freed`);
  const { buffer, byteOffset, byteLength } = viewPlace(source);
  const count = byteLength / constructor.BYTES_PER_ELEMENT / arraySlots(dtype);
  checkCount(target, count);
  copyPlaces(densePlaces(new Uint8Array(buffer, byteOffset, byteLength), 0, places.itemBytes, [count]), places);
}

/** Plain elements: all are checked, then all are stored. */
function copyValues(target: AnyTarget, source: readonly unknown[]): void {
  checkCount(target, source.length);
  const values = source.slice();
  const { dtype } = target;
  for (const value of values) if (!isElementInput(dtype, value)) throw elementError(target, value);
  if (target.kind.store !== null) target.storeList(values);
  else storeObjectsAt(target.array as unknown as unknown[], target.places(), dtype as ObjectDType, values);
}

function checkCount(target: AnyTarget, count: number): void {
  if (count !== target.size) {
    throw new InvalidArgumentError(`cannot copy ${count} elements into a map of [${target.dimensions}], which has ${target.size}`);
  }
}
