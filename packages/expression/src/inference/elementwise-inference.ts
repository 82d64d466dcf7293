/**
 * Checks the operands of elementwise operations and infers dtype and sizes of the result (the shape functions and type constraints of
 * TensorFlow's op definitions). Operands that do not fit together throw INVALID_ARGUMENT.
 */
import type { Complex, DType } from "@onebuffer/base";
import { InvalidArgumentError, isDType } from "@onebuffer/base";
import { dtypeHint, shownValue } from "@onebuffer/base/internal";
import { broadcastDims, shownCall, shownOperand } from "./broadcast-dims.ts";
import { arrayHint, constantValue } from "./constant-value.ts";
import { isComplexDType, isInteger, partDType } from "../tree/dtype-groups.ts";
import type { ExpressionFields, StoredTree } from "../tree/op-attributes.ts";
import { noAttributes } from "../tree/op-attributes.ts";
import type { OperandSource } from "../tree/operand.ts";
import type { OpName, OpNameOf } from "../tree/op-table.ts";
import { opNames, opTable } from "../tree/op-table.ts";

/** A plain value in place of an operand; it becomes a constant. */
export type PlainValue = number | bigint | boolean | Complex;

/** The property that marks every node. A registered symbol is the same in every copy of this package and in every realm. */
export const kExpression: symbol = Symbol.for("onebuffer.expression");

/** Returns true if a value is a node of a tree: a map or an expression of any copy of this package. */
export function isTree(value: unknown): value is StoredTree {
  return typeof value === "object" && value !== null && (value as Readonly<Record<symbol, unknown>>)[kExpression] === true;
}

/**
 * Returns the node that a value stands for: the value itself, or that of an OperandSource such as a tensor. Null for other values. `call`
 * is the operation's name, for the error of a disposed tensor.
 */
export function operandTree(call: string, value: unknown): StoredTree | null {
  if (isTree(value)) return value;
  if (typeof value !== "object" || value === null) return null;
  const source = value as Partial<OperandSource<DType, number>>;
  if (typeof source.asOperand !== "function") return null;
  const operand: unknown = source.asOperand(call);
  return isTree(operand) ? operand : null;
}

/** Returns the node that `value` stands for. Throws INVALID_ARGUMENT if it is no operand. */
export function checkTree(op: string, value: unknown): StoredTree {
  const tree = operandTree(op, value);
  if (tree === null)
    throw new InvalidArgumentError(`${op}: ${shownValue(value)} is not a map, an expression or a tensor${arrayHint(value)}`);
  return tree;
}

/** Returns the dtype of a plain value beside which there is no operand: that which Tensor.from gives it. */
export function dtypeOfScalar(value: unknown): DType {
  return typeof value === "bigint" ? "int64" : typeof value === "boolean" ? "bool" : typeof value === "number" ? "float32" : "complex64";
}

/** The accepted dtypes of every operation, as sets. */
const accepted: ReadonlyMap<OpName, ReadonlySet<DType>> = new Map(opNames().map((op) => [op, new Set(opTable[op].dtypes)]));

/** Throws INVALID_ARGUMENT unless `op` is defined for the dtype of an operand. `call` is the name of the method that was called. */
export function checkDType(op: OpName, operand: StoredTree, call: string = op): void {
  if ((accepted.get(op) as ReadonlySet<DType>).has(operand.dtype)) return;
  const { dtypes } = opTable[op];
  throw new InvalidArgumentError(
    `${call}(${shownOperand(operand)}): ${call} is not defined for ${operand.dtype}${advice(op, operand.dtype, dtypes)}`,
  );
}

/** Throws INVALID_ARGUMENT unless the operand of the method `call` is of floats: of a dtype that has a floor, which no other has. */
export function checkFloats(call: string, operand: StoredTree): void {
  checkDType("floor", operand, call);
}

/** What the operations that do not accept bool, but have a meaning for truth values, are replaced by. */
const truthAdvice: Readonly<Partial<Record<OpName, string>>> = {
  sum: ': .cast("int32").sum() counts the elements that are true',
  mean: ': .cast("float32").mean() is the share of the elements that are true',
};

/** Returns the end of an error message that suggests a dtype to cast to. */
function advice(op: OpName, dtype: DType, dtypes: readonly DType[]): string {
  if (!opTable.cast.dtypes.includes(dtype)) return "";
  if (dtype === "bool" && truthAdvice[op] !== undefined) return truthAdvice[op];
  // A cast would drop the imaginary part.
  if (isComplexDType(dtype)) return ", take .abs() or .real() first";
  if (op === "mean" && isInteger(dtype)) return ': .cast("float32").mean() is the mean, of which TensorFlow gives the integer part';
  if (dtypes.includes("float32")) return ', cast("float32") first';
  if (dtypes.includes("int32")) return ', cast("int32") first';
  return dtypes.length === 1 ? `, cast("${dtypes[0]}") first` : "";
}

const noInputs: readonly StoredTree[] = Object.freeze([]);

/** Returns the fields of a scalar constant. Throws INVALID_ARGUMENT if `value` is not an element of `dtype`. */
export function scalarFields(op: string, dtype: DType, value: unknown): ExpressionFields {
  return { op: "constant", inputs: noInputs, attributes: { value: constantValue(op, dtype, value) }, dtype, dimensions: [] };
}

/** Returns the fields of a unary operation; the result has the operand's sizes. Throws INVALID_ARGUMENT for a wrong dtype. */
export function unaryFields(op: OpNameOf<"unary">, a: StoredTree): ExpressionFields {
  checkDType(op, a);
  const { result } = opTable[op];
  const dtype = result === "bool" || result === "uint8" ? result : result === "real" ? partDType(a.dtype) : a.dtype;
  return { op, inputs: [a], attributes: noAttributes, dtype, dimensions: a.rawDimensions ?? a.dimensions };
}

/** Returns the fields of a cast; the result has the operand's sizes. Throws INVALID_ARGUMENT if either dtype cannot be cast. */
export function castFields(a: StoredTree, dtype: DType, saturate: boolean): ExpressionFields {
  checkDType("cast", a);
  if (!isDType(dtype) || !opTable.cast.dtypes.includes(dtype)) {
    throw new InvalidArgumentError(
      `cast(${shownOperand(a)}): cannot cast to ${shownValue(dtype)}${isDType(dtype) ? "" : dtypeHint(dtype)}`,
    );
  }
  return { op: "cast", inputs: [a], attributes: { saturate }, dtype, dimensions: a.rawDimensions ?? a.dimensions };
}

/** Returns the fields of a binary operation; sizes are broadcast. Throws INVALID_ARGUMENT for wrong dtypes and incompatible sizes. */
export function binaryFields(op: OpNameOf<"binary">, a: StoredTree, b: StoredTree): ExpressionFields {
  checkDType(op, a);
  const inputs = [a, b];
  if (a.dtype !== b.dtype) checkSameDType(op, inputs, 0);
  const dtype = opTable[op].result === "bool" ? "bool" : a.dtype;
  return { op, inputs, attributes: noAttributes, dtype, dimensions: broadcastDims(op, inputs) };
}

/**
 * Returns the fields of `select`; the sizes of all three operands are broadcast. Throws INVALID_ARGUMENT if the condition is not bool, the
 * other two differ in dtype, or the sizes are incompatible.
 */
export function selectFields(condition: StoredTree, then: StoredTree, otherwise: StoredTree): ExpressionFields {
  const inputs = [condition, then, otherwise];
  if (condition.dtype !== "bool") {
    throw new InvalidArgumentError(
      `${shownCall("select", inputs)}: the condition must be bool, got ${condition.dtype}: cast("bool") first`,
    );
  }
  checkDType("select", then);
  checkSameDType("select", inputs, 1);
  return { op: "select", inputs, attributes: noAttributes, dtype: then.dtype, dimensions: broadcastDims("select", inputs) };
}

/** Throws INVALID_ARGUMENT unless the operands with index `from` and above have the same dtype. */
export function checkSameDType(op: string, operands: readonly StoredTree[], from: number): void {
  const { dtype } = operands[from] as StoredTree;
  for (let k = from + 1; k < operands.length; k++) {
    const other = operands[k] as StoredTree;
    if (other.dtype === dtype) continue;
    throw new InvalidArgumentError(
      `${shownCall(op, operands)}: the operands have different dtypes, ${dtype} and ${other.dtype}: cast("${dtype}") one of them`,
    );
  }
}
