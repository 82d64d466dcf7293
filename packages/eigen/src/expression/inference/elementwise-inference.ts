/**
 * Inference for elementwise operations: dtype and sizes of the result (the shape functions and type constraints of
 * TensorFlow's op definitions), and the errors of what does not go together.
 */
import type { Complex, DType } from "@onebuffer/base";
import { InvalidArgumentError, isDType, shownValue } from "@onebuffer/base";
import { broadcastDims, shownCall, shownOperand } from "./broadcast-dims.ts";
import { constantValue } from "./constant-value.ts";
import type { ExpressionFields, ExpressionTree } from "../tree/op-attributes.ts";
import { noAttributes } from "../tree/op-attributes.ts";
import type { OpName, OpNameOf } from "../tree/op-table.ts";
import { opNames, opTable } from "../tree/op-table.ts";

/** A plain value that stands for a constant. */
export type PlainValue = number | bigint | boolean | Complex;

/** The mark of every node; a registered symbol is the same in every copy of this package and every realm. */
export const kExpression: symbol = Symbol.for("onebuffer.expression");

/** Whether a value is a node of a tree: a map or an expression, of any copy of this package. */
export function isTree(value: unknown): value is ExpressionTree {
  return typeof value === "object" && value !== null && (value as Readonly<Record<symbol, unknown>>)[kExpression] === true;
}

/** `value` as a node; INVALID_ARGUMENT for anything else. */
export function checkTree(op: string, value: unknown): ExpressionTree {
  if (!isTree(value)) throw new InvalidArgumentError(`${op}: ${shownValue(value)} is not a map and not an expression`);
  return value;
}

/** The accepted dtypes of every operation, for look-ups. */
const accepted: ReadonlyMap<OpName, ReadonlySet<DType>> = new Map(opNames().map((op) => [op, new Set(opTable[op].dtypes)]));

/** Throws INVALID_ARGUMENT unless `op` is defined for the dtype of an operand. */
export function checkDType(op: OpName, operand: ExpressionTree): void {
  if ((accepted.get(op) as ReadonlySet<DType>).has(operand.dtype)) return;
  const { dtypes } = opTable[op];
  throw new InvalidArgumentError(`${op}(${shownOperand(operand)}): ${op} is not defined for ${operand.dtype}${advice(dtypes)}`);
}

/** What to cast to. */
function advice(dtypes: readonly DType[]): string {
  if (dtypes.includes("float32")) return ', cast("float32") first';
  if (dtypes.includes("int32")) return ', cast("int32") first';
  return dtypes.length === 1 ? `, cast("${dtypes[0]}") first` : "";
}

const noInputs: readonly ExpressionTree[] = Object.freeze([]);

/** The fields of a constant without dimensions. */
export function scalarFields(op: string, dtype: DType, value: unknown): ExpressionFields {
  return { op: "constant", inputs: noInputs, attributes: { value: constantValue(op, dtype, value) }, dtype, dimensions: [] };
}

/** The dtype of the real part; itself for other dtypes. */
function realDType(dtype: DType): DType {
  return dtype === "complex64" ? "float32" : dtype === "complex128" ? "float64" : dtype;
}

/** One operand, the same sizes. */
export function unaryFields(op: OpNameOf<"unary">, a: ExpressionTree): ExpressionFields {
  checkDType(op, a);
  const { result } = opTable[op];
  const dtype = result === "bool" ? "bool" : result === "real" ? realDType(a.dtype) : a.dtype;
  return { op, inputs: [a], attributes: noAttributes, dtype, dimensions: a.dimensions };
}

/** Another dtype, the same sizes. */
export function castFields(a: ExpressionTree, dtype: DType, saturate: boolean): ExpressionFields {
  checkDType("cast", a);
  if (!isDType(dtype) || !opTable.cast.dtypes.includes(dtype)) {
    throw new InvalidArgumentError(`cast(${shownOperand(a)}): ${shownValue(dtype)} is no dtype to cast to`);
  }
  return { op: "cast", inputs: [a], attributes: { saturate }, dtype, dimensions: a.dimensions };
}

/** Two operands of one dtype, broadcast. */
export function binaryFields(op: OpNameOf<"binary">, a: ExpressionTree, b: ExpressionTree): ExpressionFields {
  checkDType(op, a);
  const inputs = [a, b];
  if (a.dtype !== b.dtype) checkSameDType(op, inputs, 0);
  const dtype = opTable[op].result === "bool" ? "bool" : a.dtype;
  return { op, inputs, attributes: noAttributes, dtype, dimensions: broadcastDims(op, inputs) };
}

/** A condition and two operands of one dtype, all broadcast. */
export function selectFields(condition: ExpressionTree, then: ExpressionTree, otherwise: ExpressionTree): ExpressionFields {
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

/** Throws INVALID_ARGUMENT unless the operands from number `from` on are of one dtype. */
export function checkSameDType(op: string, operands: readonly ExpressionTree[], from: number): void {
  const { dtype } = operands[from] as ExpressionTree;
  for (let k = from + 1; k < operands.length; k++) {
    const other = operands[k] as ExpressionTree;
    if (other.dtype === dtype) continue;
    throw new InvalidArgumentError(
      `${shownCall(op, operands)}: operands of ${dtype} and ${other.dtype} do not go together, cast("${dtype}") one of them`,
    );
  }
}
