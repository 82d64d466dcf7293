/**
 * PartialTensorShape: a shape of which sizes, or the rank, may be unknown (TensorFlow: class PartialTensorShape of
 * framework/tensor_shape.h).
 *
 * The storage is TensorShape's; an unknown size is all ones in Rep16 and Rep32. Where an argument may also be a TensorShape
 * its type is TensorShapeBase: in TensorFlow a TensorShape converts to a PartialTensorShape for free.
 */
import { InternalError, InvalidArgumentError } from "@onebuffer/base";
import { makeSizes } from "./make-sizes.ts";
import { TensorShapeBase } from "./tensor-shape-base.ts";
import { checkValidShape, protoDebugString, sizesOfProto } from "./tensor-shape-proto.ts";
import type { TensorShapeProto } from "./tensor-shape-proto.ts";
import { TensorShape } from "./tensor-shape.ts";

/**
 * A shape with unknown sizes (-1) or, made without a list, of unknown rank.
 *
 * Copies: the list it is made from. Throws INVALID_ARGUMENT for a size that is fractional, no number, or beyond
 * 2^53 - 1, for more than 254 of them, and when known sizes before the first unknown one make more than 2^53 - 1 elements.
 *
 * Quirk: any negative size means unknown; beyond Rep16 and Rep32 it is kept as given, and -5 then differs from -1. Use -1 only.
 *
 * @example
 * const shape = new PartialTensorShape([-1, 3]);
 * shape.debugString(); // => "[?,3]"
 * shape.numElements; // => -1
 * shape.isCompatibleWith(new TensorShape([2, 3])); // => true
 * new PartialTensorShape().debugString(); // => "<unknown>"
 */
export class PartialTensorShape extends TensorShapeBase {
  /** Unknown rank when no sizes are given. */
  constructor(dims?: readonly number[]) {
    super();
    if (dims === undefined) this.setUnknownRank();
    else this.initDims(dims);
  }

  /** A copy of any shape as a partial one, data type kept (TF: the free conversion of a TensorShape). */
  static from(shape: TensorShapeBase): PartialTensorShape {
    const copy = new PartialTensorShape();
    copy.copyRep(shape);
    return copy;
  }

  /** The shape of a message; the dimensions of one with `unknownRank` are ignored. INVALID_ARGUMENT for a malformed message or bad sizes. */
  static fromProto(proto: TensorShapeProto): PartialTensorShape {
    return new PartialTensorShape(sizesOfProto(proto, true) ?? undefined);
  }

  /**
   * A shape of sizes or of a message, TensorFlow's status-returning factory (TF: BuildPartialTensorShape).
   *
   * Quirk: a message, other than a list, is refused when the product of its known non-zero sizes alone overflows.
   */
  static build(source: readonly number[] | TensorShapeProto): PartialTensorShape {
    if (Array.isArray(source)) return new PartialTensorShape(source as readonly number[]);
    const shape = PartialTensorShape.fromProto(source as TensorShapeProto);
    shape.checkNonZeroProduct();
    return shape;
  }

  /** Whether a shape can be made of the message (TF: IsValid); false for what is no message. */
  static isValid(proto: TensorShapeProto): boolean {
    try {
      checkValidShape(proto, true);
      return true;
    } catch {
      return false;
    }
  }

  /** Throws INVALID_ARGUMENT saying why no shape can be made of the message (TF: IsValidShape). */
  static isValidShape(proto: TensorShapeProto): void {
    checkValidShape(proto, true);
  }

  /** The text of a message: `[2,?]`, `<unknown>`; TF: the static DebugString. */
  static debugString(proto: TensorShapeProto): string {
    return protoDebugString(proto);
  }

  /** An unsealed copy, data type kept. */
  clone(): PartialTensorShape {
    return PartialTensorShape.from(this);
  }

  /** Becomes a copy of `other`, data type included (TF: operator=). FAILED_PRECONDITION when this is sealed. */
  assign(other: TensorShapeBase): void {
    this.checkUnsealed();
    this.copyRep(other);
  }

  /** A new shape with a size, or the sizes of another shape, appended; of unknown rank if either is. Throws as addDim does. */
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
   * What both shapes together say: the known one of each pair of sizes. Written to `result` if one is given, which is
   * unchanged after an error. INVALID_ARGUMENT when ranks or known sizes differ or the merged shape overflows, INTERNAL when
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

  /** Whether both say the same: the same rank and sizes, unknown only like unknown (TF: IsIdenticalTo, operator==). */
  isIdenticalTo(shape: TensorShapeBase): boolean {
    return this.sameDims(shape);
  }

  /** The shape of int32 or int64 sizes as a tensor holds them (TF: MakePartialShape); INVALID_ARGUMENT, naming the value, when they make no shape. */
  static makePartialShape(dims: ArrayLike<number | bigint>, n?: number): PartialTensorShape {
    return new PartialTensorShape(makeSizes(dims, n, -1));
  }

  /** The same as isIdenticalTo. */
  equals(shape: TensorShapeBase): boolean {
    return this.sameDims(shape);
  }

  /** Whether one tensor could have both shapes: no pair of known sizes differs, or a rank is unknown. */
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

  /** The same sizes as a new TensorShape, data type kept, or null unless all are known. */
  asTensorShape(): TensorShape | null {
    return this.isFullyDefined() ? TensorShape.from(this) : null;
  }

  /**
   * The most that can be said about a tensor that has this shape or the other: sizes both agree on, unknown where they
   * differ, unknown rank where ranks differ (TensorFlow's Python TensorShape.most_specific_compatible_shape).
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
