/**
 * Operand: the data that all maps and expressions share, without their methods and without the fields of the tree (ExpressionTree).
 * Assignments: the methods of a map that take expressions.
 */
import type { DType } from "@onebuffer/base";
import type { Device, SyncDevice } from "./device.ts";
import type { ExpressionTree } from "./op-attributes.ts";
import type { Scalar } from "./rank-types.ts";

/**
 * An operand of an operation: a TensorMap, a StridedMap or an Expression of dtype `D` and rank `R`.
 *
 * @example
 * const operand: Operand<"float32", 1> = tensorMap("float32", Float32Array.of(1, 2), [2]);
 * [operand.dtype, operand.rank, operand.size, operand.dimensions]; // => ["float32", 1, 2, [2]]
 */
export interface Operand<D extends DType, R extends number = number> {
  /** The element type's name. */
  readonly dtype: D;
  /** The number of dimensions. */
  readonly rank: R;
  /** The number of elements. */
  readonly size: number;
  /** All sizes, outermost first. */
  readonly dimensions: readonly number[];
}

/**
 * Returns an operand as a node of its tree, with its operation and operands. Users compute with expressions and rarely look inside, so
 * those fields are not part of the type Expression. Copies: nothing.
 *
 * @example
 * const a = tensorMap("float32", Float32Array.of(1, 2), [2]);
 * const { op, inputs, depth } = treeOf(a.mul(2));
 * [op, inputs.length, inputs[0] === treeOf(a), depth]; // => ["mul", 2, true, 1]
 */
export function treeOf(operand: Operand<DType, number>): ExpressionTree {
  return operand as unknown as ExpressionTree;
}

/**
 * An object that stands for an operand wherever one may be given, such as a Tensor. Its rank may be known only at run time.
 *
 * @example
 * const map = tensorMap("float32", Float32Array.of(1, 2), [2]);
 * const source: OperandSource<"float32", 1> = { asOperand: () => map };
 * evaluate(map.add(source)).toArray(); // => [2, 4]
 */
export interface OperandSource<D extends DType, R extends number = number> {
  /**
   * Returns the map or expression. Throws FAILED_PRECONDITION if there is none any more, as for a disposed tensor; `call` is the operation's
   * name for the message.
   */
  asOperand(call?: string): Operand<D, R>;
}

/**
 * The operands that functions and methods accept: a map, an expression or a tensor.
 *
 * @example
 * const operand: OperandLike<"int32", 1> = tensorMap("int32", Int32Array.of(1, 2), [2]);
 * evaluate(concatenate([operand, operand])).toArray(); // => [1, 2, 1, 2]
 */
export type OperandLike<D extends DType, R extends number = number> = Operand<D, R> | OperandSource<D, R>;

/** The second operand of a binary operation: a map, expression or tensor of the same dtype, or a plain value. */
export type Other<D extends DType, R extends number> = OperandLike<D, R> | Scalar<D>;

/**
 * The assignments of a map by a device (Eigen's TensorDevice). Each promise is rejected with what the method of the same name of the map
 * throws, or with an error of the device.
 *
 * @example
 * const out = tensorMap("int32", Int32Array.of(1, 2), [2]);
 * const onDevice: DeviceAssignments<"int32"> = out.device(new DefaultDevice());
 * await onDevice.addAssign(10);
 * out.toArray(); // => [11, 12]
 */
export interface DeviceAssignments<D extends DType> {
  /** map = source: the elements of an expression or a tensor, or one value everywhere. */
  assign(source: Other<D, number>): Promise<void>;
  /** map = map + source. */
  addAssign(source: Other<D, number>): Promise<void>;
  /** map = map - source. */
  subAssign(source: Other<D, number>): Promise<void>;
}

/**
 * The assignments of a map by a device that can also compute before it returns.
 *
 * @example
 * const out = tensorMap("int32", new Int32Array(2), [2]);
 * const onDevice: SyncDeviceAssignments<"int32"> = out.device(new DefaultDevice());
 * onDevice.assignSync(3);
 * out.toArray(); // => [3, 3]
 */
export interface SyncDeviceAssignments<D extends DType> extends DeviceAssignments<D> {
  /** map = source, before the call returns. Throws what `assign` is rejected with. */
  assignSync(source: Other<D, number>): void;
}

/**
 * What `map.device(device)` returns, by the type of the device: with `assignSync` if the device has it.
 *
 * @example
 * const out = tensorMap("float32", new Float32Array(1), [1]);
 * const onDevice: TensorDeviceOf<"float32", DefaultDevice> = out.device(new DefaultDevice());
 * onDevice.assignSync(2);
 * out.at(0); // => 2
 */
export type TensorDeviceOf<D extends DType, V extends Device> = V extends SyncDevice ? SyncDeviceAssignments<D> : DeviceAssignments<D>;

/**
 * The assignments of a writable map. The expression must have the map's dtype and is broadcast to the map's sizes. It may read memory
 * that the map writes: the result is as if the expression were computed into other memory first.
 *
 * Throws INVALID_ARGUMENT for another dtype and for incompatible sizes (the message names both and the axis). Throws INVALID_ARGUMENT for
 * an integer division by 0 or an index out of range; some elements may have been written by then. Throws FAILED_PRECONDITION for freed
 * memory, and RESOURCE_EXHAUSTED if there is no memory for intermediate results.
 *
 * @example
 * const map = tensorMap("int32", Int32Array.of(1, 2, 3), [3]);
 * const target: Assignments<"int32"> = map;
 * target.assign(map.reverse());
 * target.addAssign(10);
 * map.toArray(); // => [13, 12, 11]
 * target.divAssign(0); // throws INVALID_ARGUMENT
 */
export interface Assignments<D extends DType> {
  /**
   * map = source: the elements of an expression or a tensor, or one value everywhere.
   *
   * @example
   * const map = tensorMap("int32", Int32Array.of(1, 2), [2]);
   * map.assign(map.mul(10));
   * map.toArray(); // => [10, 20]
   */
  assign(source: Other<D, number>): void;
  /**
   * map = map + source.
   *
   * @example
   * const map = tensorMap("int32", Int32Array.of(1, 2), [2]);
   * map.addAssign(10);
   * map.toArray(); // => [11, 12]
   */
  addAssign(source: Other<D, number>): void;
  /**
   * map = map - source.
   *
   * @example
   * const map = tensorMap("int32", Int32Array.of(1, 2), [2]);
   * map.subAssign(map);
   * map.toArray(); // => [0, 0]
   */
  subAssign(source: Other<D, number>): void;
  /**
   * map = map * source.
   *
   * @example
   * const map = tensorMap("int32", Int32Array.of(1, 2), [2]);
   * map.mulAssign(3);
   * map.toArray(); // => [3, 6]
   */
  mulAssign(source: Other<D, number>): void;
  /**
   * map = map / source; integers truncate as in `div`.
   *
   * @example
   * const map = tensorMap("int32", Int32Array.of(1, 2), [2]);
   * map.divAssign(2);
   * map.toArray(); // => [0, 1]
   */
  divAssign(source: Other<D, number>): void;
  /**
   * Returns the map's assignments by a device: `await map.device(pool).assign(expression)` (Eigen's `tensor.device(d) = expression`).
   * Throws INVALID_ARGUMENT if `device` is not a Device.
   *
   * @example
   * const map = tensorMap("int32", Int32Array.of(1, 2), [2]);
   * await map.device(new DefaultDevice()).assign(7);
   * map.toArray(); // => [7, 7]
   */
  device<V extends Device>(device: V): TensorDeviceOf<D, V>;
}
