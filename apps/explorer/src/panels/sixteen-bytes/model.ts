/** The objects of the panel "Sixteen bytes": one shape that is changed in place, and two partial shapes that are merged. */
import { PartialTensorShape, TensorShape } from "onebuffer";
import { describe } from "onebuffer/debug";
import { errorText } from "../../panel.ts";
import type { PanelModel, PanelState, Params } from "../../panel.ts";
import { parseSizes } from "../../parts/number-text.ts";

/** The class of the shape on show. */
export type ShapeKind = "TensorShape" | "PartialTensorShape";
type ShapeDescription = ReturnType<typeof describeShape>;

/** The lines of history that are kept. */
const kHistory = 8;

/** A call and what it did. */
export interface HistoryLine {
  readonly call: string;
  readonly outcome: string;
  readonly isError: boolean;
}

/** The result of merging two shapes. */
export interface Merged {
  readonly compatible: boolean | null;
  readonly merged: string;
  readonly mostSpecific: string;
  readonly error: string;
}

const describeShape = (shape: TensorShape | PartialTensorShape) => describe(shape).data;

/** The model. */
export class SixteenBytes implements PanelModel {
  readonly #changed: () => void;
  #shape: TensorShape | PartialTensorShape;
  #kind: ShapeKind = "TensorShape";
  readonly history: HistoryLine[] = [];
  left: string;
  right: string;
  shapeError = "";

  constructor(params: Params, changed: () => void) {
    this.#changed = changed;
    this.left = params["left"] ?? "?, 3";
    this.right = params["right"] ?? "2, ?";
    this.#shape = new TensorShape([2, 3]);
    const kind = params["kind"] === "partial" ? "PartialTensorShape" : "TensorShape";
    this.#make(kind, params["shape"] ?? "2,3");
  }

  get isStale(): boolean {
    return this.shapeError !== "";
  }

  get kind(): ShapeKind {
    return this.#kind;
  }

  get description(): ShapeDescription {
    return describeShape(this.#shape);
  }

  get unknownRank(): boolean {
    return this.#shape.unknownRank;
  }

  get sizes(): readonly number[] {
    return this.unknownRank ? [] : this.#shape.dimSizes;
  }

  get text(): string {
    return this.unknownRank ? "unknown" : this.sizes.map((size) => (size < 0 ? "?" : size)).join(", ");
  }

  setKind(kind: ShapeKind): void {
    this.#make(kind, kind === "TensorShape" ? this.text.replaceAll("?", "1").replace("unknown", "") : this.text);
    this.#changed();
  }

  setShape(text: string): void {
    this.#make(this.kind, text);
    this.#changed();
  }

  addDim(size: number): void {
    this.#run(`addDim(${size})`, () => this.#shape.addDim(size));
  }

  setDim(d: number, size: number): void {
    if (this.sizes[d] === size) return;
    this.#run(`setDim(${d}, ${size})`, () => this.#shape.setDim(d, size));
  }

  removeDim(d: number): void {
    this.#run(`removeDim(${d})`, () => this.#shape.removeDim(d));
  }

  setDataType(dataType: number): void {
    this.#run(`setDataType(${dataType})`, () => this.#shape.setDataType(dataType));
  }

  setMerge(side: "left" | "right", text: string): void {
    this[side] = text;
    this.#changed();
  }

  /** Merges the two partial shapes. */
  merge(): Merged {
    const none = { compatible: null, merged: "", mostSpecific: "" };
    try {
      const left = partial(this.left);
      const right = partial(this.right);
      const compatible = left.isCompatibleWith(right);
      const mostSpecific = left.mostSpecificCompatibleShape(right).debugString();
      try {
        return { compatible, merged: left.mergeWith(right).debugString(), mostSpecific, error: "" };
      } catch (error) {
        return { compatible, merged: "", mostSpecific, error: errorText(error) };
      }
    } catch (error) {
      return { ...none, error: errorText(error) };
    }
  }

  #make(kind: ShapeKind, text: string): void {
    try {
      this.#shape = kind === "PartialTensorShape" ? partial(text) : new TensorShape(parseSizes(text));
      this.#kind = kind;
      this.shapeError = "";
      this.#note(`new ${kind}(${this.unknownRank ? "" : `[${this.#shape.dimSizes.join(", ")}]`})`, this.#shape.rep, false);
    } catch (error) {
      this.shapeError = errorText(error);
    }
  }

  #run(call: string, change: () => void): void {
    const before = this.#shape.rep;
    try {
      change();
      const { rep } = this.#shape;
      this.#note(call, rep === before ? rep : `${before} becomes ${rep}`, false);
    } catch (error) {
      this.#note(call, errorText(error), true);
    }
    this.#changed();
  }

  #note(call: string, outcome: string, isError: boolean): void {
    this.history.unshift({ call, outcome, isError });
    this.history.length = Math.min(this.history.length, kHistory);
  }

  params(): Params {
    const { left, right } = this;
    return {
      shape: this.text.replaceAll(" ", ""),
      ...(this.kind === "PartialTensorShape" ? { kind: "partial" } : {}),
      ...(left === "?, 3" && right === "2, ?" ? {} : { left: left.replaceAll(" ", ""), right: right.replaceAll(" ", "") }),
    };
  }

  state(): PanelState {
    const { shape, dims, numElements, rep, bytes, outOfLine, dataType } = this.description;
    const { unknownRank, kind } = this;
    return {
      kind,
      shape,
      dims,
      unknownRank,
      numElements,
      rep,
      bytes,
      outOfLine,
      dataType,
      merge: this.merge(),
      history: [...this.history],
    };
  }

  dispose(): void {}
}

/** Reads a partial shape; the word `unknown` is one of unknown rank. */
function partial(text: string): PartialTensorShape {
  return /^\s*<?unknown>?\s*$/i.test(text) ? new PartialTensorShape() : new PartialTensorShape(parseSizes(text));
}
