/**
 * TensorSliceSet: the stored slices of one tensor and their locations (tensorflow/core/util/tensor_slice_set.h).
 *
 * A checkpoint may store a tensor as several slices. The set registers each slice with a tag (in TensorFlow a file name),
 * refuses slices that overlap, and finds the slices that cover a requested slice. It holds no data. TensorFlow once had a
 * `Query` that copied data; here `query` only returns whether the slices cover the request.
 */
import type { DType } from "@onebuffer/base";
import { InternalError, dataTypeOf } from "@onebuffer/base";
import { TensorShape } from "@onebuffer/shape";
import { checkSlice } from "./argument-check.ts";
import { SliceForest } from "./slice-forest.ts";
import { sliceFits } from "./slice-fits.ts";
import type { TensorSlice } from "./tensor-slice.ts";

/**
 * A registered slice, its tag and its size.
 *
 * @example
 * const set = new TensorSliceSet(new TensorShape([4, 5]), "int32");
 * set.register(TensorSlice.parse("0,2:-"), "part-0");
 * const info: SliceInfo | undefined = set.slices.get("0,2:-");
 * info?.numFloats; // => 10
 */
export interface SliceInfo {
  /** The registered slice. */
  readonly slice: TensorSlice;
  /** The location of the slice's data, for example a file name. */
  readonly tag: string;
  /** The number of elements, of any type. TensorFlow's name is from a time when all elements were floats. */
  readonly numFloats: number;
}

/** A registered slice with its number in the order of registration. */
interface Entry extends SliceInfo {
  readonly order: number;
}

/**
 * A set of disjoint slices of a tensor of a given shape and type.
 *
 * The set copies the slices that it takes and returns. The constructor throws INVALID_ARGUMENT for an unknown dtype.
 *
 * @example
 * const set = new TensorSliceSet(new TensorShape([4, 5]), "int32");
 * set.register(TensorSlice.parse("0,2:-"), "top");
 * set.register(TensorSlice.parse("2,2:-"), "bottom");
 * set.queryMeta(TensorSlice.parse("1,2:0,3"))?.map(([, tag]) => tag); // => ["top", "bottom"]
 * set.query(TensorSlice.full(2)); // => true
 * set.register(TensorSlice.parse("1,1:1,1"), "again"); // throws INTERNAL
 */
export class TensorSliceSet {
  readonly #fullShape: TensorShape;
  readonly #type: DType;
  readonly #entries: Map<string, Entry>;
  readonly #forest: SliceForest<Entry>;

  /** Makes an empty set for slices of a tensor of this shape and type. Throws INVALID_ARGUMENT for an unknown dtype. */
  constructor(shape: TensorShape, dtype: DType) {
    this.#fullShape = TensorShape.sealed(shape, dataTypeOf(dtype));
    this.#type = dtype;
    this.#entries = new Map();
    this.#forest = new SliceForest();
  }

  /** The whole tensor's shape, sealed: its mutators throw FAILED_PRECONDITION. */
  get shape(): TensorShape {
    return this.#fullShape;
  }

  /** The tensor's element type. */
  get dtype(): DType {
    return this.#type;
  }

  /** The registered slices by their text, in order of registration. Copies the map and the slices. */
  get slices(): ReadonlyMap<string, SliceInfo> {
    const copy = new Map<string, SliceInfo>();
    for (const [key, { slice, tag, numFloats }] of this.#entries) copy.set(key, { slice: slice.clone(), tag, numFloats });
    return copy;
  }

  /**
   * Registers a slice. Throws INTERNAL if it does not fit the shape or overlaps a registered slice, also if it is registered twice.
   * Quirk: overlap is tested by `intersect`. Therefore a full slice of a tensor without elements is refused the second time,
   * but an unvalidated slice of length 0 overlaps no explicit slice, and registering it again changes nothing.
   */
  register(slice: TensorSlice, tag: string): void {
    checkSlice(slice);
    const numFloats = slice.sliceTensorShape(this.#fullShape).numElements;
    const key = slice.debugString();
    const [existing] = this.#forest.overlapping(slice);
    if (existing !== undefined) {
      throw new InternalError(`Overlapping slices: existing slice = ${existing.slice.debugString()}, new slice = ${key}`);
    }
    if (this.#entries.has(key)) return;
    const entry: Entry = { slice: slice.clone(), tag, numFloats, order: this.#entries.size };
    this.#entries.set(key, entry);
    this.#forest.add(entry);
  }

  /** Returns true if the registered slices cover `slice`; false if it does not fit the shape. */
  query(slice: TensorSlice): boolean {
    return this.#covering(slice) !== null;
  }

  /**
   * Returns copies of the registered slices that together cover `slice`, each with its tag: the slice of the same text if there is one,
   * otherwise all slices that overlap it, in order of registration. Returns null if they do not cover it or it does not fit the shape.
   * Quirk: a slice without elements is always covered, normally by an empty list.
   */
  queryMeta(slice: TensorSlice): [slice: TensorSlice, tag: string][] | null {
    const entries = this.#covering(slice);
    return entries === null ? null : entries.map((entry) => [entry.slice.clone(), entry.tag]);
  }

  #covering(slice: TensorSlice): Entry[] | null {
    checkSlice(slice);
    const exact = this.#entries.get(slice.debugString());
    if (exact !== undefined) return [exact];
    if (!sliceFits(slice, this.#fullShape)) return null;
    const wanted = slice.sliceTensorShape(this.#fullShape).numElements;
    const found = this.#forest.overlapping(slice);
    let covered = 0;
    // The registered slices are disjoint, so the sizes of the intersections add up to the requested size exactly if nothing is missing.
    for (const entry of found) covered += slice.intersect(entry.slice)!.sliceTensorShape(this.#fullShape).numElements;
    return covered === wanted ? found.sort((a, b) => a.order - b.order) : null;
  }
}
