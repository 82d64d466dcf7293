/**
 * The options of the methods of maps and expressions.
 */
import type { DType } from "@onebuffer/base";
import type { FloatDType, NumericDType } from "./dtype-groups.ts";
import type { Other } from "./operand.ts";
import type { Scalar } from "./rank-types.ts";
import type { ScatterReduction } from "./op-attributes.ts";

/**
 * How `scatter` combines an update with the existing element; the default is "update", which replaces it.
 *
 * @example
 * const options: ScatterOptions = { reduction: "add" };
 * const counts = tensorMap("int32", new Int32Array(3), [3]);
 * const [indices, ones] = [Int32Array.of(0, 2, 2), Int32Array.of(1, 1, 1)];
 * evaluate(counts.scatter(tensorMap("int32", indices, [3]), tensorMap("int32", ones, [3]), 0, options)).toArray(); // => [1, 0, 2]
 */
export interface ScatterOptions {
  /** How an update is combined with the element, by default "update". */
  readonly reduction?: ScatterReduction;
}

/**
 * Options of reductions over axes. With `keepDims` (default false) the reduced dimensions stay, with size 1.
 *
 * @example
 * const options: ReduceOptions<true> = { keepDims: true };
 * const m = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
 * evaluate(m.div(m.max(1, options))).toArray(); // => [[0.5, 1], [0.75, 1]]
 */
export interface ReduceOptions<K extends boolean = boolean> {
  /** Whether the reduced dimensions stay, with size 1. */
  readonly keepDims?: K;
}

/**
 * Options of sum and prod. `wraps` (default false) accepts 8 and 16-bit integers, whose sums then wrap around as TensorFlow's do.
 *
 * @example
 * const options: SumOptions<false, true> = { wraps: true };
 * item(tensorMap("uint8", Uint8Array.of(200, 100), [2]).sum(0, options)); // => 44
 */
export interface SumOptions<K extends boolean = boolean, W extends boolean = boolean> extends ReduceOptions<K> {
  readonly wraps?: W;
}

/**
 * Options of argmax and argmin: the dtype of the result, int64 unless given.
 *
 * @example
 * const options: PlaceOptions<"int32"> = { outputType: "int32" };
 * item(tensorMap("float32", Float32Array.of(1, 3, 2), [3]).argmax(0, options)); // => 1
 */
export interface PlaceOptions<E extends "int64" | "int32" = "int64" | "int32"> {
  readonly outputType?: E;
}

/**
 * Options of cumsum and cumprod: those of scans, and `wraps` as for sums.
 *
 * @example
 * const options: SumScanOptions<true> = { wraps: true };
 * evaluate(tensorMap("uint8", Uint8Array.of(200, 100), [2]).cumsum(0, options)).toArray(); // => [200, 44]
 */
export interface SumScanOptions<W extends boolean = boolean> extends ScanOptions {
  readonly wraps?: W;
}

/**
 * Options of cumsum, cumprod, cummax and cummin; both default to false.
 *
 * @example
 * const options: ScanOptions = { exclusive: true };
 * evaluate(tensorMap("float32", Float32Array.of(1, 2, 3), [3]).cumsum(0, options)).toArray(); // => [0, 1, 3]
 */
export interface ScanOptions {
  /** Excludes the element itself: the first result is 0, 1 for a product, and the lowest (highest) value for a maximum (minimum). */
  readonly exclusive?: boolean;
  /** Accumulates from the end. */
  readonly reverse?: boolean;
}

/**
 * How `pad` fills: with a constant, with elements mirrored without the edge element ("reflect"), or with it ("symmetric").
 *
 * @example
 * const mode: PadMode = "reflect";
 * evaluate(tensorMap("float32", Float32Array.of(1, 2, 3), [3]).pad([[2, 0]], { mode })).toArray(); // => [3, 2, 1, 2, 3]
 */
export type PadMode = "constant" | "reflect" | "symmetric";

/**
 * Options of pad: how to fill, by default with a constant, and the constant, by default 0 or false.
 *
 * @example
 * const options: PadOptions<"float32"> = { value: 9 };
 * evaluate(tensorMap("float32", Float32Array.of(1, 2), [2]).pad([[1, 0]], options)).toArray(); // => [9, 1, 2]
 */
export interface PadOptions<D extends DType = DType> {
  readonly mode?: PadMode;
  readonly value?: Scalar<D>;
}

/**
 * Options of sort and argsort: ascending unless `descending` is true.
 *
 * @example
 * const options: SortOptions = { descending: true };
 * evaluate(tensorMap("float32", Float32Array.of(1, 3, 2), [3]).sort(0, options)).toArray(); // => [3, 2, 1]
 */
export interface SortOptions {
  readonly descending?: boolean;
}

/**
 * Options of gelu: with `approximate` (default false) it is computed by tanh in place of erf.
 *
 * @example
 * const options: GeluOptions = { approximate: true };
 * item(tensorMap("float32", Float32Array.of(0), [1]).gelu(options)); // => 0
 */
export interface GeluOptions {
  readonly approximate?: boolean;
}

/**
 * Options of layerNorm: factors and summands, by default none, and what is added to the variance, by default 0.001.
 *
 * @example
 * const options: LayerNormOptions<"float32"> = { scale: 2, epsilon: 0 };
 * evaluate(tensorMap("float32", Float32Array.of(1, 3), [2]).layerNorm(options)).toArray(); // => [-2, 2]
 */
export interface LayerNormOptions<D extends FloatDType = FloatDType> {
  readonly scale?: Other<D, number> | null;
  readonly offset?: Other<D, number> | null;
  readonly epsilon?: number;
}

/**
 * Options of l2Normalize: the least sum of squares that is divided by, by default 1e-12.
 *
 * @example
 * const options: L2NormalizeOptions = { epsilon: 4 };
 * evaluate(tensorMap("float32", Float32Array.of(0, 1), [2]).l2Normalize(0, options)).toArray(); // => [0, 0.5]
 */
export interface L2NormalizeOptions {
  readonly epsilon?: number;
}

/**
 * Options of contract. `outputType` is the dtype that both operands are cast to before they are multiplied, and that of the result; the
 * default is their own (`tf.matmul`'s output_type). Products of int8 do not overflow in int32.
 *
 * @example
 * const bytes = tensorMap("int8", Int8Array.of(100, 100), [2]);
 * const options: ContractOptions<"int32"> = { outputType: "int32" };
 * evaluate(bytes.contract(bytes, [[0, 0]], options)).toArray(); // => 20000
 */
export interface ContractOptions<E extends NumericDType = NumericDType> {
  /** The dtype of the products and of the result, by default that of the operands. */
  readonly outputType?: E;
}

/**
 * Options of matMul: those of contract, and whether the operands are transposed; both default to false.
 *
 * @example
 * const options: MatMulOptions = { transposeB: true };
 * const m = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
 * evaluate(m.matMul(m, options)).toArray(); // => [[5, 11], [11, 25]]
 */
export interface MatMulOptions<E extends NumericDType = NumericDType> extends ContractOptions<E> {
  /** Whether the last two dimensions of this operand change places. */
  readonly transposeA?: boolean;
  /** Whether the last two dimensions of the other operand change places. */
  readonly transposeB?: boolean;
}
