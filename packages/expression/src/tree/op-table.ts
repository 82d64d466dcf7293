/**
 * The op table: for every operation that an expression can contain its class, its number of operands, the dtypes it accepts and the
 * dtype of its result (in TensorFlow: the REGISTER_OP declarations).
 *
 * The evaluator, the kernel generator, the tests, the documentation and the list of fallbacks are driven by this table. An operation that
 * is not in it does not exist; an operation that is in it must be evaluated for every dtype listed. Operations composed of others
 * (softmax, pad, oneHot …) are not in it; they are functions that build trees. The rows come from the records in expression/ops.
 */
import type { DType } from "@onebuffer/base";
import { arities } from "../generated/op-facts.ts";
import type { NamesByClass, OpDTypes } from "../generated/op-names.ts";
import { facts } from "../generated/op-names.ts";
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
 *     custom       the node carries the record of its operation (custom-record.ts)
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
  | "ordering"
  | "custom";

/**
 * The dtype of the result: `same` the first operand's, `second` the second operand's, `bool` and `uint8` always
 * that, `real` the first operand's, or
 * that of the real part if it is complex, `asked` the dtype that the call gives.
 */
export type ResultRule = "same" | "second" | "bool" | "uint8" | "real" | "asked";

/** One operation. */
export interface OpSpec {
  readonly class: OpClass;
  /** The number of operands; -1 for one or more. */
  readonly arity: number;
  /** The dtypes accepted for the first operand, for `select` the second. For operations without operands: the result's dtypes. */
  readonly dtypes: readonly DType[];
  readonly result: ResultRule;
}

/**
 * The name of an operation, which is also the name of the method or function that makes it.
 *
 * @example
 * const op: OpName = treeOf(tensorMap("int8", new Int8Array(2), [2]).neg()).op;
 * op; // => "neg"
 */
export type OpName = OpNameOf<OpClass>;

/** The names of the operations of a class. */
export type OpNameOf<C extends OpClass> = (NamesByClass & { readonly custom: "customCall" })[C];

/** The groups of dtypes by the words of the records. */
const groups = {
  any: rawDTypes,
  numbers: numericDTypes,
  reals: realDTypes,
  floats: floatDTypes,
  "float32, float64": ["float32", "float64"],
  "floats, complex": [...floatDTypes, ...complexDTypes],
  integers: integerDTypes,
  "int32, int64, uint32, uint64": ["int32", "int64", "uint32", "uint64"],
  complex: complexDTypes,
  bool: ["bool"],
  "numbers, bool": [...numericDTypes, "bool"],
  "numbers, narrow, bool": castDTypes,
} satisfies Readonly<Record<OpDTypes, readonly DType[]> & Record<string, readonly DType[]>>;

/** The numbers of operands of the classes whose operations all have as many. */
const classArities: Readonly<Record<Exclude<OpClass, "movement" | "scan" | "custom">, number>> = {
  leaf: 0,
  generator: 0,
  random: 0,
  unary: 1,
  binary: 2,
  ternary: 3,
  reduction: 1,
  contraction: 2,
  ordering: 1,
};

/** Returns the rows of all operations. */
function rows(): Record<OpName, OpSpec> {
  const specs = {} as Record<OpName, OpSpec>;
  for (const opClass of Object.keys(facts) as Exclude<OpClass, "custom">[]) {
    for (const [name, words] of Object.entries(facts[opClass]) as [OpName, string][]) {
      const [dtypes, result = "same"] = words.split(":") as [OpDTypes, ResultRule?];
      const arity = opClass === "movement" || opClass === "scan" ? arities[name as OpNameOf<"movement" | "scan">] : classArities[opClass];
      specs[name] = { class: opClass, arity, dtypes: groups[dtypes], result };
    }
  }
  specs.customCall = { class: "custom", arity: -1, dtypes: rawDTypes, result: "asked" };
  return specs;
}

const table: Readonly<Record<OpName, OpSpec>> = rows();

/**
 * The table of all operations. It is frozen. `customCall` stands for the operations of other packages, whose nodes carry their records.
 *
 * @example
 * opTable.exp.class; // => "unary"
 * opTable.less.result; // => "bool"
 * opTable.invert.dtypes.includes("float32"); // => false
 */
export const opTable: { readonly [K in OpName]: OpSpec } = Object.freeze(table);

/**
 * Returns the names of all operations in the order of the table, or those of one class. Without a class `customCall` is left out, because it
 * is no operation of its own.
 *
 * @example
 * opNames("scan"); // => ["cumsum", "cumprod", "cummax", "cummin", "scaledCumsum", "markedCumsum"]
 * opNames().length === Object.keys(opTable).length - 1; // => true
 */
export function opNames(opClass?: OpClass): OpName[] {
  const names = Object.keys(table) as OpName[];
  return names.filter((name) => (opClass === undefined ? table[name].class !== "custom" : table[name].class === opClass));
}
