/** The objects of the panel "Slices": two slices of a tensor, and a set of stored slices. */
import { Tensor, TensorShape, TensorSlice } from "onebuffer";
import { decodeTensorNameSlice, encodeTensorNameSlice, TensorSliceSet } from "onebuffer/slice";
import { errorText } from "../../panel.ts";
import type { PanelModel, PanelState, Params } from "../../panel.ts";
import { parseSizes, productOf } from "../../parts/number-text.ts";
import { measureAlignment, rowPlaces } from "./alignment.ts";
import type { AlignmentCost, RowPlace } from "./alignment.ts";

/** The name of one of the two slices. */
export type Side = "a" | "b";

const kMostElements = 240;

/** Sets of stored slices to begin with. */
export const kSets: readonly (readonly [label: string, slices: string])[] = [
  ["two halves", "0,3:- 3,3:-"],
  ["four quarters", "0,3:0,4 0,3:4,4 3,3:0,4 3,3:4,4"],
  ["a corner is missing", "0,3:- 3,3:0,5"],
];

/** A field of a key. */
export interface KeyField {
  readonly name: string;
  readonly bytes: readonly number[];
  readonly dim: number | null;
}

/** The model. */
export class Slices implements PanelModel {
  readonly #changed: () => void;
  #tensor: Tensor<"int32">;
  #set!: TensorSliceSet;
  readonly texts: Record<Side, string> = { a: "1,3:2,4", b: "2,4:0,5" };
  readonly slices: Record<Side, TensorSlice>;
  readonly errors: Record<Side, string> = { a: "", b: "" };
  shapeError = "";
  setError = "";
  /** The slice that two chosen cells set. */
  drawn: Side = "a";
  /** The first chosen corner. */
  corner: readonly number[] | null = null;
  name = "dense/kernel";
  active: number | null = null;
  /** What an odd beginning costs; null until measured. */
  cost: AlignmentCost | null = null;

  constructor(params: Params, changed: () => void) {
    this.#changed = changed;
    this.#tensor = Tensor.arange(0, 48, 1, { dtype: "int32" }).reshape([6, 8]) as Tensor<"int32">;
    this.slices = { a: TensorSlice.parse(this.texts.a), b: TensorSlice.parse(this.texts.b) };
    if (params["shape"] !== undefined) this.#setShape(params["shape"]);
    for (const side of ["a", "b"] as const) this.#setSlice(side, params[side] ?? this.texts[side]);
    this.name = params["name"] ?? this.name;
    this.#register((params["set"] ?? kSets[0]![1]).split(/[\s;]+/).filter(Boolean));
  }

  get isStale(): boolean {
    return this.shapeError !== "" || this.errors.a !== "" || this.errors.b !== "";
  }

  get sizes(): readonly number[] {
    return this.#tensor.shape.dimSizes;
  }

  /** Returns the value of an element by its row-major number. */
  at(flat: number): number {
    return this.#tensor.flat().at(flat);
  }

  /** True if an index is inside a slice. */
  isInside(slice: TensorSlice, index: readonly number[]): boolean {
    return index.every((i, d) => slice.isFullAt(d) || (i >= slice.start(d) && i < slice.end(d)));
  }

  /** Where each row of the tensor begins. */
  get rows(): readonly RowPlace[] {
    return rowPlaces(this.#tensor);
  }

  measureAlignment(): void {
    this.cost = measureAlignment();
    this.#changed();
  }

  get intersection(): TensorSlice | null {
    return this.slices.a.intersect(this.slices.b);
  }

  /** The intersection with starts counted from slice A. */
  get relative(): TensorSlice | null {
    const common = this.intersection;
    return common === null ? null : this.slices.a.computeRelative(common);
  }

  /** The smallest slice that covers both. */
  get cover(): TensorSlice {
    const cover = this.slices.a.clone();
    cover.updateToCover(this.slices.b);
    return cover;
  }

  /** Asks the tensor for slice A: a view where it is contiguous, otherwise only a copy. */
  view(): { readonly isView: boolean; readonly text: string; readonly copied: string } {
    const { a } = this.slices;
    try {
      using copy = this.#tensor.copySlice(a);
      try {
        using view = this.#tensor.slice(a);
        return { isView: view.sharesBufferWith(this.#tensor), text: view.shape.debugString(), copied: copy.toString() };
      } catch (error) {
        return { isView: false, text: errorText(error), copied: copy.toString() };
      }
    } catch (error) {
      return { isView: false, text: errorText(error), copied: "" };
    }
  }

  /** The registered slices. */
  get stored(): readonly { readonly tag: string; readonly slice: TensorSlice }[] {
    return [...this.#set.slices.values()];
  }

  /** The tags of the stored slices that cover slice B; null if they do not. */
  get covering(): readonly string[] | null {
    return this.#set.queryMeta(this.slices.b)?.map(([, tag]) => tag) ?? null;
  }

  /** The key of slice A in a checkpoint's index, as fields. */
  key(): KeyField[] {
    const { a } = this.slices;
    const lengthOf = (slice: TensorSlice): number => encodeTensorNameSlice(this.name, slice).length;
    const encoded = [...encodeTensorNameSlice(this.name, a)];
    const head = lengthOf(TensorSlice.full(0)) - 1; // the rank 0 takes one byte, every other rank two
    const fields: KeyField[] = [
      { name: "0: a slice follows", bytes: encoded.slice(0, 1), dim: null },
      { name: "the name, and its end", bytes: encoded.slice(1, head), dim: null },
      { name: `rank ${a.dims}`, bytes: encoded.slice(head, head + 2), dim: null },
    ];
    let at = head + 2;
    for (const [d, extent] of [...a].entries()) {
      const bytes = lengthOf(TensorSlice.fromExtents([extent])) - head - 2;
      fields.push({ name: a.isFullAt(d) ? "all" : extent.join(", "), bytes: encoded.slice(at, at + bytes), dim: d });
      at += bytes;
    }
    return fields;
  }

  setShape(text: string): void {
    this.#setShape(text);
    if (this.shapeError === "") this.#register([]);
    this.#changed();
  }

  setSlice(side: Side, text: string): void {
    this.#setSlice(side, text);
    this.#changed();
  }

  setDrawn(side: Side): void {
    this.drawn = side;
    this.corner = null;
    this.#changed();
  }

  setName(name: string): void {
    this.name = name;
    this.#changed();
  }

  mark(flat: number | null): void {
    if (this.active === flat) return;
    this.active = flat;
    this.#changed();
  }

  /** Takes a cell as the first or the second corner of the slice that is drawn. */
  chooseCell(index: readonly number[]): void {
    const { corner } = this;
    if (corner === null) this.corner = index;
    else {
      this.corner = null;
      this.#setSlice(this.drawn, index.map((i, d) => `${Math.min(i, corner[d]!)},${Math.abs(i - corner[d]!) + 1}`).join(":"));
    }
    this.#changed();
  }

  /** Registers slice A in the set. */
  registerA(): void {
    try {
      this.#set.register(this.slices.a, this.#freeTag());
      this.setError = "";
    } catch (error) {
      this.setError = errorText(error);
    }
    this.#changed();
  }

  /** Makes the set anew without one of its slices. */
  unregister(tag: string): void {
    this.#register(this.stored.filter((each) => each.tag !== tag).map(({ slice }) => String(slice)));
    this.#changed();
  }

  chooseSet(texts: string): void {
    this.#register(texts.split(" "));
    this.#changed();
  }

  #freeTag(): string {
    const tags = new Set(this.stored.map(({ tag }) => tag));
    let i = 0;
    while (tags.has(`part-${i}`)) i++;
    return `part-${i}`;
  }

  #register(texts: readonly string[]): void {
    this.#set = new TensorSliceSet(new TensorShape(this.sizes), "int32");
    this.setError = "";
    for (const text of texts) {
      try {
        this.#set.register(TensorSlice.parse(text), this.#freeTag());
      } catch (error) {
        this.setError = errorText(error);
      }
    }
  }

  #setSlice(side: Side, text: string): void {
    this.texts[side] = text;
    try {
      const slice = TensorSlice.parse(text);
      slice.sliceTensorShape(this.#tensor.shape);
      this.slices[side] = slice;
      this.errors[side] = "";
    } catch (error) {
      this.errors[side] = errorText(error);
    }
  }

  #setShape(text: string): void {
    try {
      const sizes = parseSizes(text);
      const count = productOf(sizes);
      if (sizes.length === 0 || sizes.length > 3 || sizes.some((size) => size < 1))
        throw new RangeError("this page draws one to three dimensions of 1 or more");
      if (count > kMostElements) throw new RangeError(`${count} elements; this page draws up to ${kMostElements}`);
      const isOtherRank = sizes.length !== this.sizes.length;
      this.#tensor.dispose();
      using flat = Tensor.arange(0, count, 1, { dtype: "int32" });
      this.#tensor = flat.reshape(sizes);
      this.shapeError = "";
      this.corner = null;
      this.active = null;
      for (const side of ["a", "b"] as const) this.#setSlice(side, isOtherRank ? sizes.map(() => "-").join(":") : this.texts[side]);
    } catch (error) {
      this.shapeError = errorText(error);
    }
  }

  params(): Params {
    const { sizes, name, slices } = this;
    const set = this.stored.map(({ slice }) => String(slice)).join(";");
    return { shape: sizes.join(","), a: String(slices.a), b: String(slices.b), set, name };
  }

  state(): PanelState {
    const { sizes, slices, intersection, relative, cover, covering, errors } = this;
    const encoded = encodeTensorNameSlice(this.name, slices.a);
    return {
      sizes,
      a: String(slices.a),
      b: String(slices.b),
      intersection: intersection === null ? null : String(intersection),
      relative: relative === null ? null : String(relative),
      cover: String(cover),
      view: this.view(),
      rows: this.rows,
      cost: this.cost,
      stored: this.stored.map(({ tag, slice }) => [tag, String(slice)]),
      covering,
      key: [...encoded],
      decoded: slices.a.dims === 0 ? "" : String(decodeTensorNameSlice(encoded).slice),
      fields: this.key(),
      error: errors.a || errors.b || this.setError || this.shapeError,
    };
  }

  dispose(): void {
    this.#tensor.dispose();
  }
}
