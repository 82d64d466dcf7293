/**
 * The options of reductions, scatter, scans, pad, contract and matMul.
 */
import type { NumericDType } from "./dtype-groups.ts";
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
 * evaluate(tensorMap("float32", Float32Array.of(1, 2, 3), [3]).pad([[2, 0]], mode)).toArray(); // => [3, 2, 1, 2, 3]
 */
export type PadMode = "constant" | "reflect" | "symmetric";

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
  readonly transposeA?: boolean;
  readonly transposeB?: boolean;
}
