/**
 * PartialTensorShape: a shape whose sizes or rank may be unknown (TensorFlow: class PartialTensorShape of
 * framework/tensor_shape.h).
 *
 * It is stored like a TensorShape; an unknown size is all one bits in Rep16 and Rep32. An argument that may also be a TensorShape
 * has the type TensorShapeBase: in TensorFlow a TensorShape converts implicitly to a PartialTensorShape.
 */
import { InternalError, InvalidArgumentError } from "@onebuffer/base";
import { makeSizes } from "./make-sizes.ts";
import { TensorShapeBase } from "./tensor-shape-base.ts";
import { checkValidShape, protoDebugString, sizesOfProto } from "./tensor-shape-proto.ts";
import type { TensorShapeProto } from "./tensor-shape-proto.ts";
import { TensorShape } from "./tensor-shape.ts";

/**
 * A shape with unknown sizes (-1) or, if made without a list, of unknown rank.
 *
 * Copies the list of sizes. Throws INVALID_ARGUMENT for a size that is fractional, not a number, or beyond
 * 2^53 - 1, for more than 254 sizes, for more than 2^53 - 1 elements, and if the product of the sizes before the first unknown size, taken
 * in order, exceeds 2^63 - 1 at any step.
 *
 * Quirk: any negative size means unknown. In Rep16 and Rep32 it becomes -1; out of line it is kept, and -5 differs from -1. Use only -1.
 *
 * @example
 * const shape = new PartialTensorShape([-1, 3]);
 * shape.debugString(); // => "[?,3]"
 * shape.numElements; // => -1
 * shape.isCompatibleWith(new TensorShape([2, 3])); // => true
 * new PartialTensorShape().debugString(); // => "<unknown>"
 */
export class PartialTensorShape extends TensorShapeBase {
  /** Makes a shape of these sizes, or of unknown rank without an argument. */
  constructor(dims?: readonly number[]) {
    super();
    if (dims === undefined) this.setUnknownRank();
    else this.initDims(dims);
  }

  /** Returns a copy of any shape as a PartialTensorShape, with its data type (TF: the implicit conversion of a TensorShape). */
  static from(shape: TensorShapeBase): PartialTensorShape {
    const copy = new PartialTensorShape();
    copy.copyRep(shape);
    return copy;
  }

  /** Returns the shape of a message. If `unknownRank` is set, the dimensions are ignored. Throws INVALID_ARGUMENT if the message or a size
   * is invalid. */
  static fromProto(proto: TensorShapeProto): PartialTensorShape {
    return new PartialTensorShape(sizesOfProto(proto, true) ?? undefined);
  }

  /**
   * Returns a shape of a list of sizes or of a message (TF: BuildPartialTensorShape, the factory that returns a Status).
   *
   * Quirk: a message, unlike a list, is also refused if the product of its known non-zero sizes overflows.
   */
  static build(source: readonly number[] | TensorShapeProto): PartialTensorShape {
    if (Array.isArray(source)) return new PartialTensorShape(source as readonly number[]);
    const shape = PartialTensorShape.fromProto(source as TensorShapeProto);
    shape.checkNonZeroProduct();
    return shape;
  }

  /** Returns true if the message is a valid shape (TF: IsValid); false if it is not a message. */
  static isValid(proto: TensorShapeProto): boolean {
    try {
      checkValidShape(proto, true);
      return true;
    } catch {
      return false;
    }
  }

  /** Throws INVALID_ARGUMENT with the reason if the message is not a valid shape (TF: IsValidShape). */
  static isValidShape(proto: TensorShapeProto): void {
    checkValidShape(proto, true);
  }

  /** Returns the text of a message: `[2,?]`, `<unknown>` (TF: the static DebugString). */
  static debugString(proto: TensorShapeProto): string {
    return protoDebugString(proto);
  }

  /** Returns an unsealed copy with the same data type. */
  clone(): PartialTensorShape {
    return PartialTensorShape.from(this);
  }

  /** Copies `other` into this shape, data type included (TF: operator=). Throws FAILED_PRECONDITION if this shape is sealed. */
  assign(other: TensorShapeBase): void {
    this.checkUnsealed();
    this.copyRep(other);
  }

  /** Returns a new shape with a size, or the sizes of another shape, appended. Its rank is unknown if either rank is. Throws like addDim. */
  concatenate(other: number | TensorShapeBase): PartialTensorShape {
    const joined = this.clone();
    if (typeof other === "number") {
      joined.addDim(other);
      return joined;
    }
    PartialTensorShape.checkShape(other);
    if (other.unknownRank) joined.setUnknownRank();
    else joined.appendShape(other);
    return joined;
  }

  /**
   * Merges two shapes: takes the known size of each pair. Stores the merged shape in `result` and returns it; `result` is
   * unchanged after an error. Throws INVALID_ARGUMENT if ranks or known sizes differ or the merged shape overflows, INTERNAL if
   * `result` is this shape.
   */
  mergeWith(shape: TensorShapeBase, result: PartialTensorShape = new PartialTensorShape()): PartialTensorShape {
    PartialTensorShape.checkShape(shape);
    PartialTensorShape.checkShape(result);
    if (this.unknownRank || shape.unknownRank) {
      result.assign(this.unknownRank ? shape : this);
      return result;
    }
    if (this.dims !== shape.dims) {
      throw new InvalidArgumentError(`PartialTensorShape: Incompatible ranks during merge: ${this.dims} vs. ${shape.dims}`);
    }
    if (result === this) throw new InternalError("PartialTensorShape::MergeWith: Cannot output result to itself");
    if (!this.isCompatibleWith(shape)) {
      throw new InvalidArgumentError(
        `PartialTensorShape: Incompatible shapes during merge: ${this.debugString()} vs. ${shape.debugString()}`,
      );
    }
    const theirs = shape.dimSizes;
    const merged = this.dimSizes.map((size, d) => (size >= 0 ? size : (theirs[d] ?? -1)));
    result.assign(new PartialTensorShape(merged));
    return result;
  }

  /** Returns true if both have the same rank and sizes; an unknown size equals only an unknown size (TF: IsIdenticalTo, operator==). */
  isIdenticalTo(shape: TensorShapeBase): boolean {
    return this.sameDims(shape);
  }

  /** Returns a shape of the first `n` of `dims`, which may be a list or the elements of an int32 or int64 tensor (TF: MakePartialShape).
   * Throws INVALID_ARGUMENT with the value if they are not a valid shape. */
  static makePartialShape(dims: ArrayLike<number | bigint>, n?: number): PartialTensorShape {
    return new PartialTensorShape(makeSizes(dims, n, -1));
  }

  /** The same as isIdenticalTo. */
  equals(shape: TensorShapeBase): boolean {
    return this.sameDims(shape);
  }

  /** Returns true if one tensor could have both shapes: no pair of known sizes differs, or a rank is unknown. */
  isCompatibleWith(shape: TensorShapeBase): boolean {
    PartialTensorShape.checkShape(shape);
    if (this.unknownRank || shape.unknownRank) return true;
    const rank = this.dims;
    if (rank !== shape.dims) return false;
    for (let d = 0; d < rank; d++) {
      const mine = this.dimSize(d);
      const theirs = shape.dimSize(d);
      if (mine >= 0 && theirs >= 0 && mine !== theirs) return false;
    }
    return true;
  }

  /** Returns the same sizes as a new TensorShape with the same data type, or null unless all sizes are known. */
  asTensorShape(): TensorShape | null {
    return this.isFullyDefined() ? TensorShape.from(this) : null;
  }

  /**
   * Returns the most specific shape that is compatible with both shapes: equal sizes are kept, different sizes become
   * unknown, different ranks give an unknown rank (TensorFlow's Python TensorShape.most_specific_compatible_shape).
   */
  mostSpecificCompatibleShape(shape: TensorShapeBase): PartialTensorShape {
    PartialTensorShape.checkShape(shape);
    if (this.unknownRank || this.dims !== shape.dims) return new PartialTensorShape();
    const theirs = shape.dimSizes;
    return new PartialTensorShape(this.dimSizes.map((size, d) => (size === theirs[d] ? size : -1)));
  }

  protected override get kIsPartial(): boolean {
    return true;
  }
}
