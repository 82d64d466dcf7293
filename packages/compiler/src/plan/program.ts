/**
 * Program: the computation of one kernel as a list of values, in which each value comes after its inputs (in TensorFlow: the
 * fused computation of an XLA loop or input fusion).
 *
 *     softmax of x [R, C]      0 load x          element
 *                              1 max of 0        row        a reduction: one value per row
 *                              2 sub 0 1         element
 *                              3 exp 2           element
 *                              4 sum of 3        row
 *                              5 div 3 4         element    the result
 *
 * All values live in one index space, `dims`. `axes` are the axes over which its reductions go, together the "row". A value's level
 * says how often it is computed: once per call, per row or per element. Equal values are one value: `ProgramBuilder` looks a value up
 * before it adds it.
 */
import type { Complex, DType } from "@onebuffer/base";
import { isComplexDType, partDType } from "@onebuffer/expression/internal";
import type { ExpressionTree, OpName } from "@onebuffer/expression";
import { RoundedValues } from "./rounded-values.ts";

/** How often a value is computed. */
export const levels = { call: 0, row: 1, element: 2 } as const;

/**
 * The operations of kernels: those of trees; expNonPositive, the exponential of a value that is known not to be positive; and complex, the
 * complex number of two parts, of which there are no lanes: it is only stored, or taken apart again.
 */
export type KernelOp = OpName | "expNonPositive" | "complex";

/**
 * The reductions of kernels: those of trees; maxNumber, the largest of the elements that are not NaN; and count, the number of bytes that are
 * not 0. any and all reduce masks, or bytes of which any value but 0 is true.
 */
export type ReduceOp = "sum" | "prod" | "mean" | "count" | "max" | "maxNumber" | "min" | "any" | "all" | "argmax" | "argmin";

/** One value of a program. `inputs` are the indices of earlier values. */
export interface ProgramNode {
  /**
   * load: an element of operand `index`, or with `op` real or imag a part of it. literal: the number `index`. ramp: a value computed from
   * the index in the space, by the offset and strides of operand `index`, which is not read. parameter: constant `index`. op: operation
   * `op` of the inputs. reduce: reduction `op` of the input over the row.
   */
  readonly kind: "load" | "ramp" | "parameter" | "literal" | "op" | "reduce";
  readonly op: KernelOp | ReduceOp;
  readonly dtype: DType;
  readonly inputs: readonly number[];
  readonly index: number;
  /** For casts: true if values out of range become the nearest end. */
  readonly saturate: boolean;
  /** The largest number of reductions, each depending on the one before, that this value needs; a reduction counts itself. */
  readonly pass: number;
}

/** The elements of a load: a map's memory or an intermediate result, and bytes per step of each dimension of the space. */
export interface Operand {
  /** The map, or the number of the stage whose result is read; null for a ramp. */
  readonly source: ExpressionTree | number | null;
  /** The bytes from the source's first element to the space's first; for a ramp its first value. */
  readonly offset: number;
  readonly itemBytes: number;
  readonly strides: readonly number[];
}

/** A constant of a program. It is passed with each call, so that kernels do not depend on it. */
export interface Parameter {
  readonly dtype: DType;
  readonly value: unknown;
}

/** A complete program. */
export interface Program {
  readonly dims: readonly number[];
  /** The axes of the row, ascending; empty for elementwise programs. */
  readonly axes: readonly number[];
  readonly nodes: readonly ProgramNode[];
  readonly operands: readonly Operand[];
  readonly parameters: readonly Parameter[];
  /** The index of the value that is stored. */
  readonly result: number;
  /** The indices of further values that are stored, one element per row, each into a target of its own. */
  readonly also: readonly number[];
}

/** Collects the values of a program. Its methods return the index of the value, which is an earlier one if an equal value exists. */
export class ProgramBuilder {
  readonly nodes: ProgramNode[] = [];
  readonly operands: Operand[] = [];
  readonly parameters: Parameter[] = [];
  readonly #known: Map<string, number> = new Map();
  readonly #rounded: RoundedValues = new RoundedValues(this.nodes);

  /** Adds the elements of an operand; those of a complex one as a pair of parts. */
  load(source: ExpressionTree | number, offset: number, itemBytes: number, strides: readonly number[], dtype: DType): number {
    const index = this.#operand({ source, offset, itemBytes, strides });
    if (!isComplexDType(dtype)) return this.#add("load", "map", dtype, [], index, false);
    const part = (op: "real" | "imag"): number => this.#add("load", op, partDType(dtype), [], index, false);
    return this.op("complex", dtype, [part("real"), part("imag")]);
  }

  /** Adds a ramp: first + the sum of index times step over the dimensions of the space. */
  ramp(first: number, steps: readonly number[], dtype: DType): number {
    const index = this.#operand({ source: null, offset: first, itemBytes: 1, strides: steps });
    return this.#add("ramp", "iota", dtype, [], index, false);
  }

  /** Returns the bytes of a value of dtype bool that is loaded; -1 for any other value. */
  bytesOf(value: number): number {
    const { kind, op, dtype, index } = this.nodes[value]!;
    return kind === "load" && dtype === "bool" ? this.#add(kind, op, "uint8", [], index, false) : -1;
  }

  /** Adds a number that is part of the kernel's structure, unlike a parameter. It must not be -0. */
  literal(dtype: DType, value: number): number {
    return this.#add("literal", "constant", dtype, [], value, false);
  }

  /** Adds a constant; a complex one as a pair of parts. */
  parameter(dtype: DType, value: unknown): number {
    if (isComplexDType(dtype)) {
      const parts = (value as Complex).map((part) => this.parameter(partDType(dtype), part));
      return this.op("complex", dtype, parts);
    }
    const same = (other: Parameter): boolean => other.dtype === dtype && Object.is(other.value, value);
    let index = this.parameters.findIndex(same);
    if (index < 0) index = this.parameters.push({ dtype, value }) - 1;
    return this.#add("parameter", "constant", dtype, [], index, false);
  }

  /** Adds an operation on earlier values. */
  op(op: KernelOp, dtype: DType, inputs: readonly number[], saturate: boolean = false): number {
    return this.#add("op", op, dtype, inputs, 0, saturate);
  }

  /** Returns a value rounded to `dtype`: the value itself if it is known to be rounded, otherwise a cast of it. */
  rounded(dtype: DType, value: number): number {
    return this.#rounded.has(dtype, value) ? value : this.op("cast", dtype, [value]);
  }

  /** Adds a reduction over the row. */
  reduce(op: ReduceOp, dtype: DType, input: number): number {
    return this.#add("reduce", op, dtype, [input], 0, false);
  }

  #operand(operand: Operand): number {
    const { source, offset, itemBytes, strides } = operand;
    const found = this.operands.findIndex(
      (other) =>
        other.source === source &&
        other.offset === offset &&
        other.itemBytes === itemBytes &&
        other.strides.every((stride, d) => stride === strides[d]),
    );
    return found >= 0 ? found : this.operands.push(operand) - 1;
  }

  #add(
    kind: ProgramNode["kind"],
    op: ProgramNode["op"],
    dtype: DType,
    inputs: readonly number[],
    index: number,
    saturate: boolean,
  ): number {
    const key = `${kind} ${op} ${dtype} ${inputs} ${index} ${saturate}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const node = { kind, op, dtype, inputs, index, saturate, pass: this.#pass(kind, inputs) };
    const at = this.nodes.push(node) - 1;
    this.#known.set(key, at);
    return at;
  }

  #pass(kind: ProgramNode["kind"], inputs: readonly number[]): number {
    const before = inputs.reduce((pass, input) => Math.max(pass, this.nodes[input]!.pass), 0);
    return kind === "reduce" ? before + 1 : before;
  }
}

/** Returns the nodes without those that no result needs, and the indices of the results among them. */
export function withoutUnused(
  nodes: readonly ProgramNode[],
  results: readonly number[],
): { readonly nodes: readonly ProgramNode[]; readonly results: readonly number[] } {
  const used = new Set(results);
  for (let i = nodes.length - 1; i >= 0; i--) if (used.has(i)) for (const input of nodes[i]!.inputs) used.add(input);
  const places = new Map<number, number>();
  nodes.forEach((_, i) => used.has(i) && places.set(i, places.size));
  const at = (i: number): number => places.get(i)!;
  const kept = nodes.filter((_, i) => used.has(i)).map((node) => ({ ...node, inputs: node.inputs.map(at) }));
  return { nodes: kept, results: results.map(at) };
}

/**
 * Returns the level of every value. `varies` says for each operand whether it moves within a row. Loads that do not are done once per row,
 * and so is every operation that uses only such loads.
 */
export function valueLevels(nodes: readonly ProgramNode[], varies: readonly boolean[]): number[] {
  const result: number[] = [];
  for (const { kind, inputs, index } of nodes) {
    if (kind === "parameter" || kind === "literal") result.push(levels.call);
    else if (kind === "reduce") result.push(levels.row);
    else if (kind === "op") result.push(inputs.reduce((level, input) => Math.max(level, result[input] as number), levels.call as number));
    else result.push(varies[index] === true ? levels.element : levels.row);
  }
  return result;
}
