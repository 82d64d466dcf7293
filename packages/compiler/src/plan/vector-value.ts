/**
 * vector-value: the arithmetic of formulas (expression/formulas) as vector programs: an operation that is a formula becomes the instructions
 * of its steps.
 */
import type { Vector } from "@onebuffer/wasm/internal";
import { laneBytes } from "@onebuffer/wasm/internal";
import { ElementValue } from "@onebuffer/expression/internal";
import type { ElementFormula, FloatSteps, FormulaOperand, FormulaValue } from "@onebuffer/expression/internal";
import type { OpName } from "@onebuffer/expression";

/** Writes an operation on vectors. */
export type VectorOperation = (x: Vector, y: Vector) => Vector;
/** Vector programs by operation. */
type Operations = Readonly<Record<string, VectorOperation>>;

/** A vector of floats or integers, or the mask of a comparison. */
class VectorValue extends ElementValue {
  readonly #operations: Operations;
  readonly vector: Vector;

  constructor(operations: Operations, vector: Vector) {
    super();
    this.#operations = operations;
    this.vector = vector;
  }

  get isSingle(): boolean {
    return this.vector.kind === "f32x4";
  }

  #with(vector: Vector): VectorValue {
    return new VectorValue(this.#operations, vector);
  }

  number(value: number): VectorValue {
    return this.#with(this.vector.source.constant(this.vector.kind, value));
  }

  #vectorOf(operand: FormulaOperand): Vector {
    return (typeof operand === "number" ? this.number(operand) : (operand as VectorValue)).vector;
  }

  to(op: OpName, other: FormulaOperand = this): VectorValue {
    return this.#with(this.#operations[op]!(this.vector, this.#vectorOf(other)));
  }

  is(op: OpName, other: FormulaOperand): VectorValue {
    return this.to(op, other);
  }

  /** Floats of 32 bits become two vectors of float64, for which the steps are written one after the other. */
  inFloat64(steps: FloatSteps, other: FormulaValue = this): VectorValue {
    if (!this.isSingle) return steps(this, other) as VectorValue;
    const { vector } = other as VectorValue;
    const low = steps(this.#with(this.vector.lowToF64()), this.#with(vector.lowToF64())) as VectorValue;
    const high = steps(this.#with(this.vector.highToF64()), this.#with(vector.highToF64())) as VectorValue;
    return this.#with(low.vector.demote(high.vector));
  }

  get itemBytes(): number {
    return laneBytes[this.vector.kind];
  }

  bits(): VectorValue {
    return this.#with(this.vector.as(this.vector.maskKind));
  }

  floatOf(bits: FormulaValue): VectorValue {
    return this.#with((bits as VectorValue).vector.as(this.vector.kind));
  }

  repeated(byte: number): VectorValue {
    return this.#with(this.vector.source.constant("i8x16", byte).as(this.vector.kind));
  }

  shiftRight(value: FormulaValue, count: number): VectorValue {
    return this.#with((value as VectorValue).vector.shr(count));
  }

  select(then: FormulaOperand, otherwise: FormulaOperand): VectorValue {
    const like = (typeof then === "number" ? otherwise : then) as VectorValue;
    return like.#with(this.vector.select(like.#vectorOf(then), like.#vectorOf(otherwise)));
  }
}

/** Returns the vector program of a formula whose steps are `operations`. */
export function formulaProgram(formula: ElementFormula, operations: Operations): VectorOperation {
  return (x, y) => (formula(new VectorValue(operations, x), new VectorValue(operations, y)) as VectorValue).vector;
}
