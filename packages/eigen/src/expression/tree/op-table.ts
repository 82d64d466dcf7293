/**
 * The op table: for every operation that an expression can contain its class, its number of operands, the dtypes it accepts and the
 * dtype of its result (in TensorFlow: the REGISTER_OP declarations).
 *
 * The evaluator, the kernel generator, the tests, the documentation and the list of fallbacks are driven by this table. An operation that
 * is not in it does not exist; an operation that is in it must be evaluated for every dtype listed. Operations composed of others
 * (softmax, pad, oneHot …) are not in it; they are functions that build trees. The rows of elementwise operations come from their records
 * (expression/ops).
 */
import type { DType } from "@onebuffer/base";
import type { BinaryName, DTypeWords, Facts, UnaryName } from "../generated/elementwise-names.ts";
import { binaryFacts, unaryFacts } from "../generated/elementwise-names.ts";
import { castDTypes, floatDTypes, integerDTypes, numericDTypes, rawDTypes, realDTypes, complexDTypes } from "./dtype-groups.ts";

/**
 * The class of an operation: how an element of the result depends on elements of the operands.
 *
 *     leaf         reads memory: a map
 *     generator    an element is a function of its index
 *     random       an element is a function of its index, computed by Philox
 *     unary, binary, ternary   an element depends on the operands' elements at the same, broadcast, index
 *     movement     an element is one of an operand's elements
 *     reduction    an element depends on all of an operand's elements along some axes
 *     scan         an element depends on all elements before it along an axis
 *     contraction  an element is a sum of products
 *     ordering     elements change places by their values
 */
export type OpClass =
  | "leaf"
  | "generator"
  | "random"
  | "unary"
  | "binary"
  | "ternary"
  | "movement"
  | "reduction"
  | "scan"
  | "contraction"
  | "ordering";

/**
 * The dtype of the result: `same` the first operand's, `second` the second operand's, `bool` always bool, `real` the first operand's, or
 * that of the real part if it is complex, `asked` the dtype that the call gives.
 */
export type ResultRule = "same" | "second" | "bool" | "real" | "asked";

/** One operation. */
export interface OpSpec {
  readonly class: OpClass;
  /** The number of operands; -1 for one or more. */
  readonly arity: number;
  /** The dtypes accepted for the first operand, for `select` the second. For operations without operands: the result's dtypes. */
  readonly dtypes: readonly DType[];
  readonly result: ResultRule;
}

/** The names of the operations of each class. */
interface NamesByClass {
  readonly leaf: "map";
  readonly generator: "constant" | "iota" | "linspace";
  readonly random: "randomUniform" | "randomUniformInt" | "randomNormal";
  readonly unary: UnaryName | "cast";
  readonly binary: BinaryName;
  readonly ternary: "select";
  readonly movement:
    | "reshape"
    | "shuffle"
    | "slice"
    | "chip"
    | "reverse"
    | "broadcast"
    | "extractPatches"
    | "concatenate"
    | "gather"
    | "scatter";
  readonly reduction: "sum" | "prod" | "mean" | "max" | "min" | "any" | "all" | "argmax" | "argmin";
  readonly scan: "cumsum" | "cumprod" | "cummax" | "cummin";
  readonly contraction: "matMul";
  readonly ordering: "sort" | "argsort" | "nthElements";
}

/**
 * The name of an operation, which is also the name of the method or function that makes it.
 *
 * @example
 * const op: OpName = treeOf(tensorMap("int8", new Int8Array(2), [2]).neg()).op;
 * op; // => "neg"
 */
export type OpName = NamesByClass[OpClass];

/** The names of the operations of a class. */
export type OpNameOf<C extends OpClass> = NamesByClass[C];

/** The class of an operation. */
type ClassOf<K extends OpName> = { [C in OpClass]: K extends NamesByClass[C] ? C : never }[OpClass];

type SpecOf<C extends OpClass> = OpSpec & { readonly class: C };

/** The groups of dtypes by the words of the records. */
const groups: Readonly<Record<DTypeWords, readonly DType[]>> = {
  numbers: numericDTypes,
  reals: realDTypes,
  floats: floatDTypes,
  "floats, complex": [...floatDTypes, ...complexDTypes],
  integers: integerDTypes,
  complex: complexDTypes,
  bool: ["bool"],
  "numbers, bool": [...numericDTypes, "bool"],
};

/** Returns the rows of the operations of a class that have records. */
function rows<C extends "unary" | "binary", K extends OpNameOf<C>>(opClass: C, facts: Readonly<Record<K, Facts>>): Record<K, SpecOf<C>> {
  const specs = {} as Record<K, SpecOf<C>>;
  for (const name in facts) {
    const [words, result = "same"] = facts[name].split(":") as [DTypeWords, ResultRule?];
    specs[name] = { class: opClass, arity: opClass === "unary" ? 1 : 2, dtypes: groups[words], result };
  }
  return specs;
}

function reduction(dtypes: readonly DType[], result: ResultRule = "same"): SpecOf<"reduction"> {
  return { class: "reduction", arity: 1, dtypes, result };
}

function movement(arity: number = 1): SpecOf<"movement"> {
  return { class: "movement", arity, dtypes: rawDTypes, result: "same" };
}

const table: { readonly [K in OpName]: SpecOf<ClassOf<K>> } = {
  map: { class: "leaf", arity: 0, dtypes: rawDTypes, result: "asked" },

  constant: { class: "generator", arity: 0, dtypes: rawDTypes, result: "asked" },
  iota: { class: "generator", arity: 0, dtypes: realDTypes, result: "asked" },
  linspace: { class: "generator", arity: 0, dtypes: floatDTypes, result: "asked" },
  randomUniform: { class: "random", arity: 0, dtypes: floatDTypes, result: "asked" },
  randomUniformInt: { class: "random", arity: 0, dtypes: ["int32", "int64", "uint32", "uint64"], result: "asked" },
  randomNormal: { class: "random", arity: 0, dtypes: floatDTypes, result: "asked" },

  ...rows("unary", unaryFacts),
  cast: { class: "unary", arity: 1, dtypes: castDTypes, result: "asked" },

  ...rows("binary", binaryFacts),

  select: { class: "ternary", arity: 3, dtypes: rawDTypes, result: "second" },

  reshape: movement(),
  shuffle: movement(),
  slice: movement(),
  chip: movement(),
  reverse: movement(),
  broadcast: movement(),
  extractPatches: movement(),
  concatenate: movement(-1),
  gather: movement(2),
  scatter: movement(3),

  sum: reduction(numericDTypes),
  prod: reduction(numericDTypes),
  mean: reduction(numericDTypes),
  max: reduction(realDTypes),
  min: reduction(realDTypes),
  any: reduction(["bool"]),
  all: reduction(["bool"]),
  argmax: reduction(realDTypes, "asked"),
  argmin: reduction(realDTypes, "asked"),

  cumsum: { class: "scan", arity: 1, dtypes: numericDTypes, result: "same" },
  cumprod: { class: "scan", arity: 1, dtypes: numericDTypes, result: "same" },
  cummax: { class: "scan", arity: 1, dtypes: realDTypes, result: "same" },
  cummin: { class: "scan", arity: 1, dtypes: realDTypes, result: "same" },

  matMul: { class: "contraction", arity: 2, dtypes: numericDTypes, result: "same" },

  // The last axis of the result may be shorter than that of the operand: topK keeps the first elements.
  sort: { class: "ordering", arity: 1, dtypes: realDTypes, result: "same" },
  argsort: { class: "ordering", arity: 1, dtypes: realDTypes, result: "asked" },
  nthElements: { class: "ordering", arity: 1, dtypes: realDTypes, result: "same" },
};

/**
 * The table of all operations. It is frozen.
 *
 * @example
 * opTable.exp.class; // => "unary"
 * opTable.less.result; // => "bool"
 * opTable.invert.dtypes.includes("float32"); // => false
 */
export const opTable: { readonly [K in OpName]: OpSpec } = Object.freeze(table);

/**
 * Returns the names of all operations in the order of the table, or those of one class.
 *
 * @example
 * opNames("scan"); // => ["cumsum", "cumprod", "cummax", "cummin"]
 * opNames().length === Object.keys(opTable).length; // => true
 */
export function opNames(opClass?: OpClass): OpName[] {
  const names = Object.keys(table) as OpName[];
  return opClass === undefined ? names : names.filter((name) => table[name].class === opClass);
}
