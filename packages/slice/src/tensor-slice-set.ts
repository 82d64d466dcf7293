/**
 * TensorSliceSet: which slices of one tensor exist, and where (tensorflow/core/util/tensor_slice_set.h).
 *
 * A checkpoint may hold a tensor in pieces. The set takes each piece's slice and tag (TensorFlow's tag is a file name),
 * refuses pieces that overlap, and answers which pieces make up a wanted slice. It holds no data. TensorFlow's older
 * `Query`, which copied data, is gone there too; here `query` is the bare question whether the pieces suffice.
 */
import type { DType } from "@onebuffer/base";
import { InternalError, dataTypeOf } from "@onebuffer/base";
import { TensorShape } from "@onebuffer/shape";
import { checkSlice } from "./argument-check.ts";
import { SliceForest } from "./slice-forest.ts";
import { sliceFits } from "./slice-fits.ts";
import type { TensorSlice } from "./tensor-slice.ts";

/**
 * One registered slice.
 *
 * @example
 * const set = new TensorSliceSet(new TensorShape([4, 5]), "int32");
 * set.register(TensorSlice.parse("0,2:-"), "part-0");
 * const info: SliceInfo | undefined = set.slices.get("0,2:-");
 * info?.numFloats; // => 10
 */
export interface SliceInfo {
  /** The region. */
  readonly slice: TensorSlice;
  /** Where it is: a file name, say. */
  readonly tag: string;
  /** How many elements it has; TensorFlow's name is older than its other element types. */
  readonly numFloats: number;
}

/** A registered slice and its place in the order of registration. */
interface Entry extends SliceInfo {
  readonly order: number;
}

/**
 * The slices of one tensor of a given shape and type that exist, none overlapping another.
 *
 * The set keeps copies of what it is given and hands out copies. Throws INVALID_ARGUMENT for an unknown dtype.
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

  /** An empty set for slices of a tensor of this shape and type. Throws INVALID_ARGUMENT for an unknown dtype. */
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

  /** What is registered, by each slice's text, in order of registration. Copies: the map and the slices. */
  get slices(): ReadonlyMap<string, SliceInfo> {
    const copy = new Map<string, SliceInfo>();
    for (const [key, { slice, tag, numFloats }] of this.#entries) copy.set(key, { slice: slice.clone(), tag, numFloats });
    return copy;
  }

  /**
   * Adds a slice. Throws INTERNAL when it does not fit the shape or overlaps a registered one, itself included.
   * Quirk: overlap is a matter of geometry, so a full slice of a tensor without elements is refused the second time,
   * while an unvalidated slice of length 0 overlaps no explicit one and, registered again, changes nothing.
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

  /** Whether the registered slices cover all of `slice`; false when it does not fit the shape. */
  query(slice: TensorSlice): boolean {
    return this.#covering(slice) !== null;
  }

  /**
   * The registered slices that together cover `slice`, each with its tag: the one of the same text if there is one,
   * else all that meet it, in order of registration. Null when they do not cover it or it does not fit the shape.
   * Quirk: a slice without elements is always covered, normally by nothing. Copies: the slices.
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
    // What is registered is disjoint, so the parts' sizes add up to the wanted size exactly when nothing is missing.
    for (const entry of found) covered += slice.intersect(entry.slice)!.sliceTensorShape(this.#fullShape).numElements;
    return covered === wanted ? found.sort((a, b) => a.order - b.order) : null;
  }
}
