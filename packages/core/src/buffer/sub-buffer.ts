/**
 * SubBuffer: a window into another buffer's memory, TensorFlow's `SubBuffer<T>` (tensorflow/core/framework/tensor.cc).
 *
 *     root    |----------------------------------|      refs: its tensors + its windows
 *     buf           |------------------|                a window of the root
 *     window             |-------|                      refers to the ROOT, not to buf
 *
 * So chains of slices are one level deep: a slice of a slice lives on when the slice between dies. No bytes are
 * allocated or copied; a window made small keeps the whole root's allocation alive.
 */
import { OutOfRangeError, shownValue } from "@onebuffer/base";
import type { AllocationDescription } from "@onebuffer/allocator";
import { TensorBuffer } from "./tensor-buffer.ts";
import { checkBuffer } from "../element/tensor-check.ts";

/**
 * The window of `numElements` elements of `elementSize` bytes that begins `delta` elements after the start of `buf`.
 *
 * As in TensorFlow the window is checked against the root, not against `buf`. Throws OUT_OF_RANGE when it does not lie in
 * the root or a number is no integer, FAILED_PRECONDITION when `buf` is destroyed. Copies: never.
 *
 * @example
 * const root = new Buffer("float32", cpuAllocator(), 6);
 * const row = new SubBuffer(root, 3, 3, 4);
 * [row.byteOffset, row.size, root.refs]; // => [12, 12, 2]
 * root.unref(); // => false
 * row.rootBuffer === root; // => true
 * row.unref(); // => true
 * root.refs; // => 0
 */
export class SubBuffer extends TensorBuffer {
  constructor(buf: TensorBuffer, delta: number, numElements: number, elementSize: number = 1) {
    if (typeof (buf as TensorBuffer | null | undefined)?.rootBuffer !== "object") checkBuffer(buf);
    if (typeof delta !== "number" || typeof numElements !== "number" || typeof elementSize !== "number")
      throw windowError(buf, delta, numElements, elementSize);
    const root = buf.rootBuffer;
    const rootStart = root.byteOffset;
    const start = buf.byteOffset + delta * elementSize;
    const size = numElements * elementSize;
    // Any number that is no integer, NaN included, fails one of these.
    if (
      !(
        delta % 1 === 0 &&
        numElements >= 0 &&
        numElements % 1 === 0 &&
        elementSize >= 1 &&
        start >= rootStart &&
        start + size <= rootStart + root.size
      )
    )
      throw windowError(buf, delta, numElements, elementSize);
    // The reference is taken before the window exists: on a destroyed root this throws, and nothing is left behind.
    root.ref();
    super(root.memory, start, size, root);
  }

  /** The root's: a window owns what its root owns. */
  override ownsMemory(): boolean {
    return this.rootBuffer.ownsMemory();
  }

  /** The root's whole allocation. */
  override getAllocatedBytes(): number | null {
    return this.rootBuffer.getAllocatedBytes();
  }

  /** The root's description. */
  override fillAllocationDescription(): AllocationDescription {
    return this.rootBuffer.fillAllocationDescription();
  }

  /** A window has no hook; without the guard around one, giving up a slice costs less (63 ns with its making, now 55). */
  protected override end(): void {
    this.destroy();
  }

  /** Gives the reference on the root back. */
  protected override destroy(): void {
    super.destroy();
    this.rootBuffer.unref();
  }
}

/** Why a window was refused; apart from the constructor, which stays small enough to be inlined into every slice. */
function windowError(buf: TensorBuffer, delta: number, numElements: number, elementSize: number): OutOfRangeError {
  const root = buf.rootBuffer;
  return new OutOfRangeError(
    `a window of ${shownValue(numElements)} elements of ${shownValue(elementSize)} bytes, ${shownValue(delta)} elements after byte ${buf.byteOffset - root.byteOffset}, ` +
      `does not lie in its root of ${root.size} bytes`,
  );
}
