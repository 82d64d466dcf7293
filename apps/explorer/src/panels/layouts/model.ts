/** The objects of the panel "Layouts": a small array of letters in memory under an XLA layout. */
import {
  inversePermutation,
  type Layout,
  layoutView,
  PaddingValue,
  parseShape,
  PrimitiveType,
  relayout,
  ShapeUtil,
  tiledElementCount,
  tiledLinearIndex,
  tiledLinearToIndex,
} from "onebuffer/xla";
import type { LaidOutArray, Shape } from "onebuffer/xla";
import { errorText } from "../../panel.ts";
import type { PanelModel, PanelState, Params } from "../../panel.ts";
import { indexOf, parseSizes, productOf } from "../../parts/number-text.ts";
import { verdictOf } from "./verdict.ts";
import type { Operation, Verdict } from "./verdict.ts";

const kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** The most cells of memory that the page draws. */
const kMostCells = 400;

/** The padding values on offer, with XLA's names. */
export const kPaddings = ["ZERO_PAD", "ONE_PAD", "LOWEST_PAD", "HIGHEST_PAD"] as const;
export type PaddingName = (typeof kPaddings)[number];

/** An arrangement to begin with. */
export interface Preset {
  readonly label: string;
  readonly note: string;
  readonly shape: string;
  readonly pad?: string;
}

/** The worked examples of XLA's page "Shapes and Layout", and of its page on tiles. */
export const kPresets: readonly Preset[] = [
  { label: "{1,0}", note: "rows: a b c d e f", shape: "u8[2,3]{1,0}" },
  { label: "{0,1}", note: "columns: a d b e c f", shape: "u8[2,3]{0,1}" },
  { label: "{0,1} padded to 3 by 5", note: "a d 0 b e 0 c f 0 …", shape: "u8[2,3]{0,1}", pad: "3,5" },
  { label: "{1,0} padded to 3 by 5", note: "rows in a larger array", shape: "u8[2,3]{1,0}", pad: "3,5" },
  { label: "[2,2,3] {2,1,0}", note: "dimension 0 major", shape: "u8[2,2,3]{2,1,0}" },
  { label: "[2,2,3] {0,1,2}", note: "dimension 0 minor", shape: "u8[2,2,3]{0,1,2}" },
  { label: "T(2,2)", note: "tiles of 2 by 2", shape: "u8[3,5]{1,0:T(2,2)}" },
  { label: "T(2,4)(2,1)", note: "tiles in tiles", shape: "u8[4,8]{1,0:T(2,4)(2,1)}" },
];

/** Returns the letter of an element by its code; a cell without an element shows its number. */
export const letterOf = (code: number): string => (kLetters.includes(String.fromCharCode(code)) ? String.fromCharCode(code) : String(code));

/** The model: `array` is the memory, and a shape that says where each element is in it. */
export class Layouts implements PanelModel {
  readonly #changed: () => void;
  #array: LaidOutArray;
  /** The element type that was typed. The letters take one byte each, whatever it is. */
  #elementType: Shape["elementType"] = PrimitiveType.U8;
  /** The marked element by its row-major number; null for none. */
  active: number | null = null;
  operation: Operation = "transpose";
  permutation = "1, 0";
  reshape = "3, 2";
  resultOrder = "";
  shapeError = "";
  /** The bytes that changes of the layout have moved. */
  moved = 0;

  constructor(params: Params, changed: () => void) {
    this.#changed = changed;
    this.#array = lettersIn(parseShape("u8[2,3]{1,0}"));
    this.operation = params["op"] === "reshape" ? "reshape" : "transpose";
    this.permutation = params["perm"] ?? "1, 0";
    this.reshape = params["to"] ?? "3, 2";
    this.resultOrder = params["order"] ?? "";
    this.#set(() => this.#typed(params["shape"] ?? "u8[2,3]{1,0}"));
    const pad = params["pad"];
    if (pad !== undefined)
      this.#set(() => withPadding(this.shape, parseSizes(pad), kPaddings.find((each) => each === params["value"]) ?? "ZERO_PAD"));
    const element = Number(params["element"] ?? Number.NaN);
    if (Number.isInteger(element) && element >= 0 && element < this.count) this.active = element;
  }

  get isStale(): boolean {
    return this.shapeError !== "";
  }

  /** The shape in memory, whose elements are letters of one byte. */
  get shape(): Shape {
    return this.#array.shape;
  }

  /** The shape as XLA writes it, with the element type that was typed. */
  get text(): string {
    return this.#named(this.shape);
  }

  get layout(): Layout {
    return this.shape.layout!;
  }

  get sizes(): readonly number[] {
    return this.shape.dimensions;
  }

  get count(): number {
    return productOf(this.sizes);
  }

  get memory(): Uint8Array {
    return this.#array.data as Uint8Array;
  }

  get paddingName(): PaddingName {
    return kPaddings.find((name) => PaddingValue[name] === this.layout.paddingValue) ?? "ZERO_PAD";
  }

  /** Returns the code of an element, read through the layout. */
  at(index: readonly number[]): number {
    return layoutView(this.shape, this.memory).at(...index);
  }

  cellOf(index: readonly number[]): number {
    return tiledLinearIndex(this.shape, index);
  }

  /** Returns the index of the element in a cell; null for padding. */
  indexIn(cell: number): number[] | null {
    return tiledLinearToIndex(this.shape, cell);
  }

  /** The row-major numbers of the elements in the order of memory. */
  order(): number[] {
    return Array.from({ length: this.count }, (_, flat) => flat).sort(
      (a, b) => this.cellOf(indexOf(a, this.sizes)) - this.cellOf(indexOf(b, this.sizes)),
    );
  }

  /** The number of cells after which the drawing of the memory begins a new group: a tile, or a run along the most minor dimension. */
  get groupCells(): number {
    const { tiles, minorToMajor, paddedDimensions } = this.layout;
    if (tiles.length > 0) return productOf(tiles[0]!.dimensions);
    const minor = minorToMajor[0];
    return minor === undefined ? 1 : (paddedDimensions[minor] ?? this.sizes[minor]!);
  }

  verdict(): Verdict {
    return verdictOf(
      this.shape,
      this.operation,
      parse(this.operation === "transpose" ? this.permutation : this.reshape),
      parse(this.resultOrder),
      letterOf,
      (shape) => this.#named(shape),
    );
  }

  setText(text: string): void {
    this.#set(() => this.#typed(text));
    this.#changed();
  }

  choose({ shape, pad }: Preset): void {
    this.#set(() => this.#typed(shape));
    if (pad !== undefined) this.#set(() => withPadding(this.shape, parseSizes(pad), "ZERO_PAD"));
    const { length } = this.sizes;
    this.permutation = Array.from({ length }, (_, i) => length - 1 - i).join(", ");
    this.reshape = [...this.sizes].reverse().join(", ");
    this.#changed();
  }

  /** Moves the dimension at one place of minor_to_major to another. */
  moveDimension(from: number, to: number): void {
    const order = [...this.layout.minorToMajor];
    if (to < 0 || to >= order.length || from === to) return;
    order.splice(to, 0, ...order.splice(from, 1));
    this.#set(() => this.shape.with({ layout: this.layout.with({ minorToMajor: order }) }));
    this.#changed();
  }

  setPadded(d: number, size: number): void {
    const padded = this.sizes.map((own, i) => (i === d ? size : (this.layout.paddedDimensions[i] ?? own)));
    this.#set(() => withPadding(this.shape, padded, this.paddingName));
    this.#changed();
  }

  setPadding(name: PaddingName): void {
    this.#set(() => withPadding(this.shape, this.layout.paddedDimensions, name));
    this.#changed();
  }

  setTiles(text: string): void {
    this.#set(() => {
      const order = this.layout.minorToMajor.join(",");
      return parseShape(`u8[${this.sizes.join(",")}]{${order}${text.trim() === "" ? "" : `:T${text.replaceAll(" ", "")}`}}`);
    });
    this.#changed();
  }

  mark(flat: number | null): void {
    if (flat === this.active) return;
    this.active = flat;
    this.#changed();
  }

  setOperation(changes: Partial<Pick<Layouts, "operation" | "permutation" | "reshape" | "resultOrder">>): void {
    Object.assign(this, changes);
    this.#changed();
  }

  /** Reads a shape that was typed, and keeps its element type if this page can draw it. */
  #typed(text: string): Shape {
    const shape = parseShape(text);
    const letters = checked(shape);
    this.#elementType = shape.elementType;
    return letters;
  }

  /** Returns a shape of letters as text with the element type that was typed. */
  #named(shape: Shape): string {
    return shape.with({ elementType: this.#elementType }).toString(true);
  }

  /** Takes another shape: copies the elements from one layout to the other if the dimensions are the same, otherwise writes new letters. */
  #set(make: () => Shape): void {
    try {
      const shape = checked(make());
      const next = lettersIn(shape);
      const isSame = String(shape.dimensions) === String(this.sizes);
      if (isSame) {
        relayout(this.#array, next);
        this.moved += this.count;
      }
      this.#array = next;
      if (!isSame) this.active = null;
      this.shapeError = "";
    } catch (error) {
      this.shapeError = errorText(error);
    }
  }

  params(): Params {
    const { layout, active, operation, permutation, reshape, resultOrder } = this;
    const pad = layout.paddedDimensions;
    return {
      shape: this.text,
      ...(pad.length === 0 ? {} : { pad: pad.join(","), value: this.paddingName }),
      ...(active === null ? {} : { element: String(active) }),
      ...(operation === "reshape" ? { op: "reshape", to: reshape.replaceAll(" ", "") } : { perm: permutation.replaceAll(" ", "") }),
      ...(resultOrder === "" ? {} : { order: resultOrder.replaceAll(" ", "") }),
    };
  }

  state(): PanelState {
    const { sizes, layout, memory, active } = this;
    return {
      shape: this.text,
      sizes,
      minorToMajor: layout.minorToMajor,
      paddedDimensions: layout.paddedDimensions,
      padding: this.paddingName,
      memory: [...memory],
      letters: [...memory].map(letterOf).join(" "),
      cells: memory.length,
      active,
      activeCell: active === null ? null : this.cellOf(indexOf(active, sizes)),
      verdict: this.verdict(),
      moved: this.moved,
      error: this.shapeError,
    };
  }

  dispose(): void {}
}

/** Returns sizes, or null for a text that is none. */
function parse(text: string): number[] | null {
  try {
    return parseSizes(text);
  } catch {
    return null;
  }
}

function checked(shape: Shape): Shape {
  if (!shape.isArray() || shape.layout === null) throw new RangeError("this page draws arrays");
  const count = productOf(shape.dimensions);
  if (count < 1 || count > kLetters.length) throw new RangeError(`${count} elements; this page has letters for ${kLetters.length}`);
  if (shape.dimensions.length > 5) throw new RangeError("this page draws up to five dimensions");
  const bytes = shape.with({ elementType: "u8", layout: shape.layout.with({ elementSizeInBits: 0 }) });
  const cells = tiledElementCount(bytes);
  if (cells > kMostCells) throw new RangeError(`${cells} cells of memory; this page draws up to ${kMostCells}`);
  return bytes;
}

/** Returns memory for a shape with a letter per element, row by row. */
function lettersIn(shape: Shape): LaidOutArray {
  const data = new Uint8Array(tiledElementCount(shape));
  const view = layoutView(shape, data);
  view.copyFrom(Array.from(kLetters.slice(0, productOf(shape.dimensions)), (letter) => letter.charCodeAt(0)));
  view.fillPadding();
  return { shape, data };
}

/** Returns a shape padded as in XLA of 2017; without padding if no dimension is larger. */
function withPadding(shape: Shape, padded: readonly number[], name: PaddingName): Shape {
  const isPadded = padded.some((size, d) => size !== shape.dimensions[d]);
  const layout = isPadded
    ? shape.layout!.with({ paddedDimensions: padded, paddingValue: PaddingValue[name] })
    : shape.layout!.with({ paddedDimensions: [], paddingValue: PaddingValue.INVALID_PAD });
  const next = shape.with({ layout });
  ShapeUtil.validateShape(next);
  return next;
}

/** The place of each dimension in a minor-to-major order. */
export const placesOf = (minorToMajor: readonly number[]): readonly number[] => inversePermutation(minorToMajor);
