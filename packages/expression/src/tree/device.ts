/**
 * Device: what computes assignments (Eigen's `Device` of `tensor.device(d) = expression`, TensorFlow's `ctx->eigen_device<Device>()`). These
 * are types only, so that maps can refer to devices without loading any.
 *
 *     out.device(pool).assign(a.add(b))
 *         TensorDevice     checks the assignment
 *         Device           computes it: on the calling thread, on several threads, or elsewhere
 */
import type { RawPlaces } from "@onebuffer/storage";
import type { ExpressionTree } from "./op-attributes.ts";

/**
 * An assignment that has been checked: the target was alive and writable, has the dtype of `tree` and the same sizes.
 *
 * @example
 * const target = tensorMap("float32", new Float32Array(2), [2]);
 * const seen: DeviceAssignment[] = [];
 * const device: Device = { name: "recorder", assign: async (assignments) => void seen.push(...assignments) };
 * await target.device(device).assign(3);
 * [seen[0]?.tree.op, seen[0]?.places.dims]; // => ["broadcast", [2]]
 */
export interface DeviceAssignment {
  /** The map to write: a leaf of the tree if the expression reads it, too. */
  readonly target: ExpressionTree;
  /** The bytes of the target's elements. */
  readonly places: RawPlaces;
  /** The expression, broadcast to the target's sizes. Its dtype is the target's. */
  readonly tree: ExpressionTree;
}

/**
 * A device. Packages above this one implement it, too: it gets checked assignments and needs no other access to the library.
 *
 * @example
 * const device: Device = new DefaultDevice();
 * const out = tensorMap("float32", new Float32Array(2), [2]);
 * await out.device(device).assign(1);
 * out.toArray(); // => [1, 1]
 */
export interface Device {
  /** The name in messages and in `explain`, for example "ThreadPoolDevice(2)". */
  readonly name: string;
  /**
   * Computes the assignments as if one after the other: a later one may read the target of an earlier one. The promise is fulfilled
   * once all targets are written. It is rejected with the first error; targets may then be partly written. A device that returns before
   * it has read all operands keeps their memory and that of the targets alive until the promise settles (`holdMemory`).
   */
  assign(assignments: readonly DeviceAssignment[]): Promise<void>;
  /**
   * Computes the assignments from what was there before all of them: none reads the new elements of a target. A device without it cannot do
   * `updateTogether`.
   */
  update?(assignments: readonly DeviceAssignment[]): Promise<void>;
}

/**
 * A device that can also compute before it returns.
 *
 * @example
 * const device: SyncDevice = new DefaultDevice();
 * const out = tensorMap("int32", new Int32Array(2), [2]);
 * out.device(device).assignSync(7);
 * out.toArray(); // => [7, 7]
 */
export interface SyncDevice extends Device {
  /** Does what `assign` does before it returns, and throws the error. */
  assignSync(assignments: readonly DeviceAssignment[]): void;
}
