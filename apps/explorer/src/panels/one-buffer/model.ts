/** The objects of the panel "One buffer, many shapes": a vector, the same buffer with another shape, and the maps over it. */
import { bytesCopied, Tensor } from "onebuffer";
import type { RawDType } from "onebuffer";
import { errorText } from "../../panel.ts";
import type { PanelModel, PanelState, Params } from "../../panel.ts";
import { indexOf, parseSizes, productOf } from "../../parts/number-text.ts";

/** The dtypes on offer. */
export const kDTypes = ["float32", "float64", "bfloat16", "int32", "int16", "uint8", "int64"] as const satisfies readonly RawDType[];
export type PanelDType = (typeof kDTypes)[number];

/** The most elements that the page draws. */
const kMostElements = 64;

/** The members of a TensorMap of any rank that the panel uses. */
interface AnyMap {
  readonly dimensions: readonly number[];
  at(...index: number[]): unknown;
  set(...indexAndValue: unknown[]): void;
}

/** One view: the call that makes it, and the map. */
export interface View {
  readonly key: string;
  readonly call: string;
  readonly note: string;
  readonly sizes: readonly number[];
  readonly map: AnyMap;
}

/** The model: `vector` owns the buffer, `shaped` shares it. */
export class OneBuffer implements PanelModel {
  #vector: Tensor;
  #shaped: Tensor;
  readonly #changed: () => void;
  shapeText: string;
  asText: string;
  shapeError = "";
  asError = "";
  editError = "";
  /** The marked element, counted from the first; null for none. */
  active: number | null = null;
  /** The bytes that reshapes have copied since the panel was opened: always 0. */
  copied = 0;

  constructor(params: Params, changed: () => void) {
    this.#changed = changed;
    const dtype = kDTypes.find((each) => each === params["dtype"]) ?? "float32";
    this.shapeText = params["shape"] ?? "3, 4";
    this.asText = params["as"] ?? "2, 6";
    let shape: number[];
    try {
      shape = checkedShape(this.shapeText);
    } catch (error) {
      this.shapeError = errorText(error);
      shape = [3, 4];
    }
    this.#vector = numbers(dtype, productOf(shape));
    this.#shaped = this.#vector.reshape(shape);
    const written = params["values"]?.split(",") ?? [];
    for (const [i, text] of written.entries()) if (i < this.#vector.numElements) this.#write(this.views()[1]!.map, [i], text);
    const active = Number(params["element"] ?? Number.NaN);
    if (Number.isInteger(active) && active >= 0 && active < this.count) this.active = active;
  }

  get isStale(): boolean {
    return this.shapeError !== "";
  }

  get dtype(): PanelDType {
    return this.#vector.dtype as PanelDType;
  }

  get count(): number {
    return this.#vector.numElements;
  }

  get elementSize(): number {
    return this.count === 0 ? 0 : this.#vector.totalBytes / this.count;
  }

  get shape(): readonly number[] {
    return this.#shaped.shape.dimSizes;
  }

  /** The references to the buffer that are held now. */
  get refs(): number {
    return this.#vector.refCount;
  }

  get bytes(): Uint8Array {
    return this.#vector.tensorData;
  }

  /** Returns the views of the tensor, each made by the call that it shows. */
  views(): View[] {
    const tensor = this.#shaped;
    const rank = tensor.dims;
    const size = this.elementSize;
    const list: View[] = [
      view(
        "bytes",
        `bitCastedShaped("uint8", [${this.count}, ${size}])`,
        "the bytes themselves",
        tensor.bitCastedShaped("uint8", [this.count, size]),
      ),
      view("vec", "flat()", "all elements in one row", tensor.flat()),
      view(
        "tensor",
        rank === 2 ? "matrix()" : rank === 1 ? "vec()" : rank === 0 ? "scalar()" : `tensor(${rank})`,
        "the tensor's own shape",
        tensor.tensor(rank),
      ),
    ];
    if (rank > 2) {
      list.push(view("inner", "flatInnerDims()", "all but the last dimension joined", tensor.flatInnerDims()));
      list.push(view("outer", "flatOuterDims()", "all but the first dimension joined", tensor.flatOuterDims()));
    }
    try {
      const sizes = parseSizes(this.asText);
      list.push(view("shaped", `shaped([${sizes.join(", ")}])`, "the shape you choose", tensor.shaped(sizes)));
      this.asError = "";
    } catch (error) {
      this.asError = errorText(error);
    }
    return list;
  }

  /** Gives the buffer another shape if it has as many elements; otherwise only `mayReplace` makes a new buffer. */
  setShape(text: string, mayReplace: boolean): void {
    this.shapeText = text;
    try {
      const shape = checkedShape(text);
      const count = productOf(shape);
      if (count !== this.count && !mayReplace)
        throw new RangeError(`${count} elements; the buffer has ${this.count}. Enter makes a new one`);
      if (count !== this.count) this.#replace(numbers(this.dtype, count));
      const before = bytesCopied();
      const shaped = this.#vector.reshape(shape);
      this.#shaped.dispose();
      this.#shaped = shaped;
      this.copied += bytesCopied() - before;
      this.shapeError = "";
      if (this.active !== null && this.active >= count) this.active = null;
    } catch (error) {
      this.shapeError = errorText(error);
    }
    this.#changed();
  }

  setAs(text: string): void {
    this.asText = text;
    this.#changed();
  }

  /** Starts anew with numbers of another type. */
  setDType(dtype: PanelDType): void {
    const shape = this.shape;
    this.#replace(numbers(dtype, this.count));
    this.#shaped.dispose();
    this.#shaped = this.#vector.reshape(shape);
    this.#changed();
  }

  mark(flat: number | null): void {
    if (this.active === flat) return;
    this.active = flat;
    this.#changed();
  }

  /** Writes an element through one of the views. `hex` reads the text as a byte. */
  edit({ key, map }: View, index: readonly number[], text: string): void {
    this.editError = "";
    this.#write(map, index, text, key === "bytes" ? 16 : 10);
    this.#changed();
  }

  #write(map: AnyMap, index: readonly number[], text: string, base: 10 | 16 = 10): void {
    try {
      map.set(...index, base === 16 ? parsedByte(text) : this.dtype === "int64" ? BigInt(text.trim()) : Number(text));
    } catch (error) {
      this.editError = errorText(error);
    }
  }

  #replace(vector: Tensor): void {
    this.#vector.dispose();
    this.#vector = vector;
  }

  params(): Params {
    const { dtype, asText, active } = this;
    const values = [...(this.#vector.flat() as Iterable<unknown>)].map(String).join(",");
    const isNew = values === startValues(this.count).join(",");
    return {
      shape: this.shape.join(","),
      dtype,
      as: asText.replaceAll(" ", ""),
      ...(isNew ? {} : { values }),
      ...(active === null ? {} : { element: String(active) }),
    };
  }

  state(): PanelState {
    const { dtype, refs, active, shape } = this;
    return {
      dtype,
      shape,
      refs,
      active,
      values: [...(this.#shaped.flat() as Iterable<unknown>)],
      bytes: [...this.bytes],
      copied: this.copied,
      sharesBuffer: this.#shaped.sharesBufferWith(this.#vector),
      views: this.views().map(({ key, sizes }) => ({ key, sizes })),
      activeIndex: active === null ? null : indexOf(active, shape),
      error: this.shapeError || this.asError || this.editError,
    };
  }

  dispose(): void {
    this.#shaped.dispose();
    this.#vector.dispose();
  }
}

const view = (key: string, call: string, note: string, map: unknown): View => {
  const each = map as AnyMap;
  return { key, call, note, sizes: each.dimensions, map: each };
};

const startValues = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

/** Returns a vector of the numbers from 1 to count. */
function numbers(dtype: PanelDType, count: number): Tensor {
  const values = startValues(count);
  return Tensor.from(dtype === "int64" ? values.map(BigInt) : values, { dtype, shape: [count] });
}

function checkedShape(text: string): number[] {
  const shape = parseSizes(text);
  const count = productOf(shape);
  if (shape.some((size) => size < 1)) throw new RangeError("each dimension here is 1 or more");
  if (count > kMostElements) throw new RangeError(`${count} elements; this page draws up to ${kMostElements}`);
  if (shape.length > 6) throw new RangeError("this page draws up to six dimensions");
  return shape;
}

function parsedByte(text: string): number {
  if (!/^[\da-f]{1,2}$/i.test(text.trim())) throw new RangeError(`${JSON.stringify(text)} is no byte: two hexadecimal digits`);
  return Number.parseInt(text, 16);
}
