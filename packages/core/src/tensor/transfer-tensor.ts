/**
 * transferTensor: a tensor as a message whose bytes move to another thread (TensorFlow's counterpart is the Tensor that a
 * Rendezvous hands from one executor to the next).
 *
 *     sender    Tensor --> ArrayBuffer            postMessage(message, transfer)
 *     receiver                   ArrayBuffer <-- Tensor        the sender's array is now empty
 *
 * It is for threads that share no memory: threads that have not joined an arena, and pages that are not cross-origin isolated. An
 * ArrayBuffer moves only as a whole and only if nothing else uses it; arena memory cannot move at all. Bytes that cannot move are
 * copied once, and the result says how many were. Strings are JavaScript values and are always copied: first the end of each string
 * as a float64, counted from the first byte of the first string, then the bytes of all strings.
 */
import { dataTypeOf, dtypeSize, FailedPreconditionError, InvalidArgumentError, ResourceExhaustedError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import type { Allocator } from "@onebuffer/allocator";
import { countCopied, isMemoryGone } from "@onebuffer/allocator/internal";
import { isMemory } from "../buffer/foreign-buffer.ts";
import { checkTensor } from "../element/tensor-check.ts";
import { Tensor } from "./tensor.ts";
import type { TensorBuffer } from "../buffer/tensor-buffer.ts";
import type { TensorMessageHead } from "./tensor-message.ts";
import { checkedHead } from "./tensor-message.ts";
import { TransferredBuffer } from "../buffer/transferred-buffer.ts";

/** The value of `TensorBytes.type`. */
export const kTensorBytes = "onebuffer.TensorBytes";

/**
 * A tensor as a message with its bytes; `receiveTensor` makes a Tensor of it.
 *
 * @example
 * const message: TensorBytes = transferTensor(Tensor.from([1, 2])).message;
 * message.bytes.byteLength; // => 8
 * using tensor = receiveTensor(message);
 * tensor.toArray(); // => [1, 2]
 */
export interface TensorBytes extends TensorMessageHead {
  /** Tells this message from others. */
  readonly type: typeof kTensorBytes;
  /** The bytes of the elements; for strings the end of every element as a float64, then the bytes of all elements. */
  readonly bytes: ArrayBuffer;
}

/**
 * The arguments of postMessage: `postMessage(transfer.message, transfer.transfer)`.
 *
 * @example
 * const { message, transfer, copiedBytes }: TensorTransfer = transferTensor(Tensor.from([1, 2]));
 * [transfer.length, copiedBytes]; // => [1, 8]
 * receiveTensor(structuredClone(message, { transfer })).dispose();
 */
export interface TensorTransfer {
  /** What to post, with the list of `transfer`. */
  readonly message: TensorBytes;
  /** The transfer list: the message's bytes, or an empty list if there are none. */
  readonly transfer: ArrayBuffer[];
  /** The number of bytes that were copied; 0 if the bytes moved. */
  readonly copiedBytes: number;
}

/** Bytes of each end in the list of ends: a float64. */
const kEndBytes = 8;

/** Memory that a tensor was already made of. A message can be received once, because otherwise two tensors would own the same bytes. */
const received = new WeakSet<ArrayBuffer>();

/**
 * Returns the tensor as a message for another thread, and disposes of the tensor.
 *
 * The bytes move if the tensor is the only holder of a whole ArrayBuffer that nothing else owns: a tensor made with
 * `cpuAllocator()` or received by transfer. Otherwise they are copied, and `copiedBytes` says how many.
 *
 * Throws, leaving the tensor as it is: INVALID_ARGUMENT for variant and resource tensors, FAILED_PRECONDITION for a tensor that is
 * disposed or not initialized, RESOURCE_EXHAUSTED without room for the copy.
 *
 * @example
 * const { message, transfer, copiedBytes } = transferTensor(Tensor.from([1, 2, 3], { allocator: cpuAllocator() }));
 * [transfer.length, copiedBytes]; // => [1, 0]
 * using there = receiveTensor(structuredClone(message, { transfer })); // what posting it does
 * there.toArray(); // => [1, 2, 3]
 */
export function transferTensor(tensor: Tensor): TensorTransfer {
  checkTensor(tensor);
  const { dtype, shape } = tensor;
  if (dtype === "variant" || dtype === "resource")
    throw new InvalidArgumentError(`a tensor of ${dtype} cannot be transferred: its elements are values of this thread`);
  if (!tensor.isInitialized())
    throw new FailedPreconditionError(`${tensor.deviceSafeDebugString()} is not initialized and cannot be transferred`);
  const size = shape.numElements * dtypeSize(dtype);
  const moved = dtype === "string" ? null : movableBytes(tensor.buffer, size);
  // A buffer may be longer than the shape needs.
  const bytes = moved ?? (dtype === "string" ? stringBytes(tensor as Tensor<"string">) : copyOf(tensor.tensorData.subarray(0, size)));
  const copiedBytes = moved === null ? bytes.byteLength : 0;
  countCopied(copiedBytes);
  tensor.dispose();
  const message: TensorBytes = { type: kTensorBytes, dtype: dataTypeOf(dtype), dims: shape.dimSizes, bytes };
  return { message, transfer: bytes.byteLength === 0 ? [] : [bytes], copiedBytes };
}

/** Returns a tensor over the bytes of a message; strings are copied out of them. Throws as `receiveTensor` does. */
export function receiveBytes(fields: Readonly<Record<string, unknown>>): Tensor {
  const { dtype, shape } = checkedHead(fields["dtype"], fields["dims"]);
  const bytes = fields["bytes"];
  if (dtype === "variant" || dtype === "resource") throw new InvalidArgumentError(`a tensor of ${dtype} has no bytes to be received`);
  if (!isArrayBuffer(bytes))
    throw new InvalidArgumentError(`the bytes in a tensor's message must be an ArrayBuffer, got ${shownValue(bytes)}`);
  if (isMemoryGone(bytes, bytes.byteLength))
    throw new FailedPreconditionError("the tensor's bytes are detached: the message was posted again");
  if (received.has(bytes)) throw new FailedPreconditionError("the tensor's bytes were received already");
  const count = shape.numElements;
  if (dtype === "string") return receiveStrings(bytes, shape.dimSizes, count);
  const size = count * dtypeSize(dtype);
  if (bytes.byteLength !== size)
    throw new InvalidArgumentError(`${dtype} of shape ${shape.debugString()} has ${size} bytes, but the message has ${bytes.byteLength}`);
  if (count === 0) return new Tensor(dtype, shape);
  received.add(bytes);
  const buffer = new TransferredBuffer(bytes);
  const tensor = Tensor.fromBuffer(dtype, shape, buffer);
  buffer.unref();
  return tensor;
}

/** Returns the buffer's memory if it may move: if it consists of exactly these bytes and has no other holder. Otherwise null. */
function movableBytes(buffer: TensorBuffer | null, size: number): ArrayBuffer | null {
  if (buffer === null || buffer.rootBuffer !== buffer || buffer.refs !== 1 || !buffer.ownsMemory()) return null;
  const { memory } = buffer;
  if (!isArrayBuffer(memory) || buffer.byteOffset !== 0 || buffer.size !== size || memory.byteLength !== size) return null;
  // Memory that an allocator hands out again must stay; without an allocator it belongs to the buffer.
  const { allocator = null } = buffer as { readonly allocator?: Allocator };
  return allocator === null || allocator.memoryIsCollected() ? memory : null;
}

/** Returns a copy in a fresh ArrayBuffer. */
function copyOf(source: Uint8Array): ArrayBuffer {
  const bytes = freshBytes(source.byteLength);
  new Uint8Array(bytes).set(source);
  return bytes;
}

/** Returns the ends of all elements followed by the bytes of all elements. */
function stringBytes(tensor: Tensor<"string">): ArrayBuffer {
  const count = tensor.numElements;
  const elements = tensor.flat();
  let length = 0;
  for (let i = 0; i < count; i++) length += elements.at(i).byteLength;
  const bytes = freshBytes(count * kEndBytes + length);
  const ends = new Float64Array(bytes, 0, count);
  const text = new Uint8Array(bytes, count * kEndBytes);
  let end = 0;
  for (let i = 0; i < count; i++) {
    const element = elements.at(i);
    text.set(element, end);
    end += element.byteLength;
    ends[i] = end;
  }
  return bytes;
}

/** Returns the tensor whose elements `stringBytes` wrote. Throws INVALID_ARGUMENT unless the ends ascend and match the bytes. */
function receiveStrings(bytes: ArrayBuffer, dims: readonly number[], count: number): Tensor<"string"> {
  const refuse = (what: string): never => {
    throw new InvalidArgumentError(`${bytes.byteLength} bytes are not those of ${count} strings: ${what}`);
  };
  if (bytes.byteLength < count * kEndBytes) refuse("too few for their ends");
  const ends = new Float64Array(bytes, 0, count);
  const text = new Uint8Array(bytes, count * kEndBytes);
  let start = 0;
  for (const [i, end] of ends.entries()) {
    if (!(Number.isInteger(end) && end >= start && end <= text.length)) refuse(`element ${i} ends at ${end}, it starts at ${start}`);
    start = end;
  }
  if (start !== text.length) refuse(`the last one ends at ${start} of ${text.length}`);
  const tensor = new Tensor("string", dims);
  const elements = tensor.flat();
  for (let i = 0, from = 0; i < count; i++) {
    const end = ends[i]!;
    elements.set(i, text.subarray(from, end));
    from = end;
  }
  countCopied(text.length);
  received.add(bytes);
  return tensor;
}

/** Returns a zeroed ArrayBuffer. Throws RESOURCE_EXHAUSTED without room. */
function freshBytes(length: number): ArrayBuffer {
  try {
    return new ArrayBuffer(length);
  } catch {
    throw new ResourceExhaustedError(`no room for a copy of ${length} bytes`);
  }
}

/** Returns true for an ArrayBuffer of any realm, false for a SharedArrayBuffer. */
function isArrayBuffer(memory: unknown): memory is ArrayBuffer {
  return (
    typeof memory === "object" && memory !== null && isMemory(memory) && Object.prototype.toString.call(memory) === "[object ArrayBuffer]"
  );
}
