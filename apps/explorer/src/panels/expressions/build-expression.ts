/** From a parsed expression to an expression over tensors: each call is the method of the same name. */
import { constant, isDType, Tensor } from "onebuffer";
import type { DType, Operand } from "onebuffer";
import { opNames, opTable, treeOf } from "onebuffer/eigen";
import type { ExpressionTree } from "onebuffer/eigen";
import { ExpressionError } from "./parse-expression.ts";
import type { Node } from "./parse-expression.ts";

/** An operand of any type and rank. */
export type AnyOperand = Operand<DType, number>;
type Value = AnyOperand | number | boolean | string | readonly number[];

/** Returns the elementwise operations of a class that accept other than complex numbers, of which the explorer has no tensors. */
function elementwise(opClass: "unary" | "binary"): string {
  const names = opNames(opClass).filter((name) => name !== "cast" && opTable[name].dtypes.some((dtype) => !dtype.startsWith("complex")));
  return names.join(" ");
}

/** The methods that the language has, in groups. */
export const kMethods: Readonly<Record<string, string>> = {
  "element by element": `${elementwise("unary")} cast saturateCast relu leakyRelu silu gelu clip`,
  "two operands": `${elementwise("binary")} matMul outer select`,
  reductions: "sum prod mean max min any all variance std norm logSumExp argmax argmin",
  "along an axis": "cumsum cumprod softmax logSoftmax layerNorm l2Normalize sort argsort roll",
  "only the order": "transpose shuffle reshape slice reverse broadcast expandDims squeeze tile diag diagPart tril triu",
};
const kReductions: ReadonlySet<string> = new Set((kMethods["reductions"] as string).split(" "));
const allowed: ReadonlySet<string> = new Set(Object.values(kMethods).flatMap((names) => names.split(" ")));
const kWords: Readonly<Record<string, boolean>> = { true: true, false: false };
const kFolded: Readonly<Record<string, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  pow: (a, b) => a ** b,
};

const isOperand = (value: Value | undefined): value is AnyOperand => typeof value === "object" && !Array.isArray(value);

/** Takes the result of a call, the name of the call and its first operand. Returns what the next call gets. */
export type EachCall = (result: AnyOperand, name: string, first: AnyOperand) => AnyOperand;

/**
 * Returns the expression of a parsed text over tensors. `each` takes the result of every call and returns what the next call gets: the
 * expression itself, or a tensor that holds its elements. Throws an ExpressionError with the place of the call that failed.
 */
export function buildExpression(node: Node, tensors: ReadonlyMap<string, AnyOperand>, each: EachCall): AnyOperand {
  const value = valueOf(node, tensors, each);
  if (!isOperand(value)) throw new ExpressionError("there is no tensor in it", node.at);
  return value;
}

function valueOf(node: Node, tensors: ReadonlyMap<string, AnyOperand>, each: EachCall): Value {
  if (node.kind === "number") return node.value;
  if (node.kind === "list") return node.values;
  if (node.kind === "name") return namedValue(node.name, node.at, tensors);
  const { name, at } = node;
  if (!allowed.has(name)) throw new ExpressionError(`there is no operation ${name}`, at);
  const values = node.inputs.map((input) => valueOf(input, tensors, each));
  const [first, second] = values;
  const fold = kFolded[name];
  if (typeof first === "number" && typeof second === "number" && fold !== undefined) return fold(first, second);
  const model = values.find(isOperand);
  if (model === undefined) throw new ExpressionError(`${name} needs a tensor`, at);
  const receiver = typeof first === "number" ? constant(model.dtype as "float32", first) : first;
  try {
    const method = (receiver as unknown as Record<string, ((...inputs: Value[]) => AnyOperand) | undefined>)[name];
    if (method === undefined) throw new RangeError(`${name} is no operation of this operand`);
    return each(method.apply(receiver, argumentsOf(name, values.slice(1))), name, receiver as AnyOperand);
  } catch (error) {
    if (error instanceof ExpressionError) throw error;
    const { code, message } = error as { code?: string; message: string };
    throw new ExpressionError(code === undefined ? message : `${code}: ${message}`, at);
  }
}

/** Returns the arguments of a method: after its axes a reduction takes an object, which the language writes as its one value. */
function argumentsOf(name: string, values: readonly Value[]): Value[] {
  const [axes, option, ...others] = values;
  if (option === undefined || !kReductions.has(name)) return [...values];
  const options = name.startsWith("arg") ? { outputType: option } : { keepDims: option };
  return [axes as Value, options as unknown as Value, ...others];
}

function namedValue(name: string, at: number, tensors: ReadonlyMap<string, AnyOperand>): Value {
  const tensor = tensors.get(name);
  if (tensor !== undefined) return tensor;
  if (name in kWords) return kWords[name]!;
  if (isDType(name)) return name;
  throw new ExpressionError(`there is no tensor ${name}`, at);
}

/** Returns a function that computes every operand at once, and the tensors that it has made. */
export function materializer(): { readonly each: EachCall; readonly made: Tensor[] } {
  const made: Tensor[] = [];
  return {
    made,
    each: (operand) => {
      const tensor = Tensor.evaluate(operand);
      made.push(tensor);
      return tensor.asOperand();
    },
  };
}

/** A call of an operation that consists of several, and has a gradient as a whole. */
export interface ComposedCall {
  readonly name: string;
  readonly operand: ExpressionTree;
}

const kComposed: readonly string[] = ["softmax", "logSoftmax", "logSumExp", "relu"];

/** Returns a function that keeps every result as an expression, and the calls of composed operations by their last node. */
export function composedCalls(): { readonly each: EachCall; readonly composed: ReadonlyMap<ExpressionTree, ComposedCall> } {
  const composed = new Map<ExpressionTree, ComposedCall>();
  return {
    composed,
    each: (result, name, first) => {
      if (kComposed.includes(name)) composed.set(treeOf(result), { name, operand: treeOf(first) });
      return result;
    },
  };
}
