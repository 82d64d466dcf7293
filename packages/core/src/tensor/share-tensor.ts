/**
 * shareTensor: a handle to a tensor for another thread, without its bytes (TensorFlow's counterpart is the Tensor that a Rendezvous
 * hands from one executor to the next; there all threads see the same objects).
 *
 *     thread A                      postMessage                     thread B
 *     shareTensor(t) -> handle { arena, ticket, nonce, ... } -> receiveTensor(handle) -> Tensor over the same bytes
 *
 * The first share of a buffer makes its control block, which has a bit for every thread that holds the buffer. A handle is a ticket
 * for such a bit and can be received once, by whichever thread is first. A handle that is never received keeps the memory alive
 * until it is revoked or the thread that made it ends. Both threads see the same bytes, and nothing prevents either from writing
 * while the other reads.
 */
import type { DataType, DType } from "@onebuffer/base";
import { dataTypeOf, dtypeOf, dtypeSize, FailedPreconditionError, InvalidArgumentError, isObjectDType } from "@onebuffer/base";
import { checkOptions, shownValue, messageFields } from "@onebuffer/base/internal";
import { linearMemory } from "@onebuffer/wasm";
import type { TensorShape } from "@onebuffer/shape";
import {
  addHold,
  existingConnection,
  kUnitBytes,
  peekTicket,
  receiveTicket,
  sendTicket,
  sweepIfDue,
  collectReturnedBlocks,
  takeBackTicket,
  threadArena,
  threadConnection,
  watchThreads,
} from "@onebuffer/allocator/internal";
import type { ArenaProtocol } from "@onebuffer/allocator/internal";
import type { BufferBase } from "../buffer/buffer-base.ts";
import { SharedBuffer } from "../buffer/shared-buffer.ts";
import { SubBuffer } from "../buffer/sub-buffer.ts";
import { checkTensor } from "../element/tensor-check.ts";
import { Tensor } from "./tensor.ts";
import type { TensorBuffer } from "../buffer/tensor-buffer.ts";
import type { TensorMessageHead } from "./tensor-message.ts";
import { checkedHead, checkHead } from "./tensor-message.ts";
import type { TensorBytes } from "./transfer-tensor.ts";
import { kTensorBytes, receiveBytes } from "./transfer-tensor.ts";

/** The value of `TensorHandle.type`. */
const kTensorHandle = "onebuffer.TensorHandle";
/** The ticket of a tensor without elements, which has no memory to hold. */
const kNoTicket = -1;

/**
 * A reference to a tensor's memory that can be received once: a small plain object that can be posted in any message.
 *
 * @example
 * using tensor = Tensor.from([1, 2]);
 * const handle: TensorHandle = shareTensor(tensor);
 * structuredClone(handle).type; // => "onebuffer.TensorHandle"
 * revokeHandle(handle); // => true
 */
export interface TensorHandle extends TensorMessageHead {
  /** Tells handles from other messages. */
  readonly type: typeof kTensorHandle;
  /** The id of the arena that the memory is in. */
  readonly arena: number;
  /** The index of the ticket; -1 for a tensor without elements, whose handle can be received any number of times. */
  readonly ticket: number;
  /** A number that distinguishes this ticket from earlier and later ones at the same index. */
  readonly nonce: number;
  /** The first byte of the elements, counted from the start of the root's block. */
  readonly byteOffset: number;
}

/**
 * The options of receiveTensor.
 *
 * @example
 * const options: ReceiveOptions<"float32"> = { dtype: "float32" };
 * using t = Tensor.from([1, 2]);
 * using there: Tensor<"float32"> = receiveTensor(shareTensor(t), options);
 * there.toArray(); // => [1, 2]
 */
export interface ReceiveOptions<D extends DType = DType> {
  /** The dtype that the tensor must have; any by default. With it, the tensor's type has the dtype. */
  readonly dtype?: D;
}

/** The fields of a handle, after checking. */
interface CheckedHandle {
  readonly dtype: DType;
  readonly shape: TensorShape;
  readonly arena: number;
  readonly ticket: number;
  readonly nonce: number;
  readonly byteOffset: number;
}

/**
 * Returns a handle to the tensor's memory, for `receiveTensor` on another thread of the arena. A slice keeps its whole root alive.
 * The tensor is unchanged and may be disposed at once: the handle keeps the memory alive.
 *
 * Throws INVALID_ARGUMENT for string, variant and resource tensors, whose elements are values of this thread (`transferTensor`
 * accepts strings); FAILED_PRECONDITION for a tensor that is disposed or not initialized, for memory outside the arena, and where
 * threads cannot share memory; RESOURCE_EXHAUSTED if too many handles are in flight. Copies: never.
 *
 * @example
 * using t = Tensor.from([[1, 2], [3, 4]]);
 * const handle = shareTensor(t); // postMessage(handle) to another thread; here it stays
 * t.refCountIsOne(); // => false
 * using there = receiveTensor(handle);
 * [there.toArray(), there.sharesBufferWith(t)]; // => [[[1, 2], [3, 4]], true]
 * receiveTensor(handle); // throws FAILED_PRECONDITION
 * shareTensor(new Tensor("string")); // throws INVALID_ARGUMENT
 */
export function shareTensor(tensor: Tensor): TensorHandle {
  checkTensor(tensor);
  const { dtype, shape } = tensor;
  if (isObjectDType(dtype))
    throw new InvalidArgumentError(`a tensor of ${dtype} cannot be shared: its elements are values of this thread, not bytes`);
  if (!tensor.isInitialized())
    throw new FailedPreconditionError(`${tensor.deviceSafeDebugString()} is not initialized and cannot be shared`);
  const { buffer } = tensor;
  if (buffer === null || shape.numElements === 0) return handle(shape, 0, kNoTicket, 0, 0);
  const protocol = sharingProtocol();
  const root = arenaRootOf(buffer);
  watchThreads();
  let slot = root.controlSlot();
  if (slot === 0) {
    slot = protocol.createBlock(root.byteOffset / kUnitBytes, root.size);
    root.becomeShared(slot);
  }
  const { ticket, nonce } = sendTicket(protocol, slot);
  return handle(shape, protocol.arena.arenaId, ticket, nonce, buffer.byteOffset - root.byteOffset);
}

/**
 * Returns the tensor of a handle that another thread (or this one) made with `shareTensor`, or of a message made with
 * `transferTensor`. Disposing of it gives up only this thread's hold on the memory.
 *
 * Throws, consuming nothing: INVALID_ARGUMENT if the argument is not a handle or message, does not fit the memory it names, or has another
 * dtype than `options.dtype`;
 * FAILED_PRECONDITION for a handle that was received or revoked, whose sender has ended, that is forged, or that belongs to another
 * arena than this thread's. Copies: only the elements of transferred strings.
 *
 * @example
 * using t = Tensor.arange(6);
 * using rows = t.slice(2, 4);
 * using there = receiveTensor(JSON.parse(JSON.stringify(shareTensor(rows))));
 * there.toArray(); // => [2, 3]
 * receiveTensor({ ...shareTensor(new Tensor()), dims: [2] }); // throws INVALID_ARGUMENT
 * receiveTensor(transferTensor(there).message, { dtype: "int32" }); // throws INVALID_ARGUMENT
 */
export function receiveTensor<D extends DType = DType>(message: TensorHandle | TensorBytes, options: ReceiveOptions<D> = {}): Tensor<D> {
  checkOptions("receiveTensor", options, ["dtype"]);
  const fields = messageFields(message, "a message about a tensor, which shareTensor(tensor) or transferTensor(tensor) makes");
  if (options.dtype !== undefined) checkSent(fields["dtype"], options.dtype);
  return received(fields) as Tensor<D>;
}

/** Throws INVALID_ARGUMENT if a message has another dtype than the wanted one. */
function checkSent(sent: unknown, wanted: DType): void {
  const number = dataTypeOf(wanted);
  if (typeof sent === "number" && sent !== number)
    throw new InvalidArgumentError(`receiveTensor: the message has a tensor of ${dtypeOf(sent as DataType)}, expected ${wanted}`);
}

function received(fields: ReturnType<typeof messageFields>): Tensor {
  if (fields["type"] === kTensorBytes) return receiveBytes(fields);
  const { dtype, shape, arena: arenaId, ticket, nonce, byteOffset } = checkedHandle(fields);
  if (ticket === kNoTicket) return new Tensor(dtype, shape);
  const protocol = protocolOf(arenaId);
  const arena = threadArena()!;
  watchThreads();
  sweepIfDue();
  const slot = peekTicket(protocol, ticket, nonce);
  if (slot === 0) throw noTicket(ticket);
  // If the sender ends now, its block may already have become that of another tensor. So what these two lines read is valid only if
  // the ticket, which never repeats, is found in flight once more afterwards; until then nothing is changed.
  const blockBytes = protocol.blockBytes(slot);
  const unit = protocol.blockUnit(slot);
  const numBytes = shape.numElements * dtypeSize(dtype);
  if (byteOffset + numBytes > blockBytes) {
    if (peekTicket(protocol, ticket, nonce) !== slot) throw noTicket(ticket);
    throw new InvalidArgumentError(
      `${dtype} of shape ${shape.debugString()} at byte ${byteOffset} does not fit the ${blockBytes} bytes that the handle refers to`,
    );
  }
  // Only this thread changes whether it holds a block, so the result cannot become stale.
  const isHeld = protocol.holds(slot);
  if (receiveTicket(protocol, ticket, nonce) !== slot) throw noTicket(ticket);
  // Add the hold at once, before the thread's earlier hold could be taken for its last one and given up.
  if (isHeld) addHold(slot);
  const pointer = { buffer: linearMemory().buffer, byteOffset: unit * kUnitBytes };
  const root = new SharedBuffer(arena, pointer, blockBytes, slot);
  const buffer = numBytes === blockBytes ? root : new SubBuffer(root, byteOffset, numBytes);
  if (buffer !== root) root.unref();
  const tensor = Tensor.fromBuffer(dtype, shape, buffer);
  buffer.unref();
  return tensor;
}

/**
 * Takes back a handle that nobody has received, and returns true: the handle is then invalid. Returns false if it was received or
 * revoked before. Any thread of the arena may do this. Throws INVALID_ARGUMENT if the argument is not a handle, FAILED_PRECONDITION
 * for a handle of another arena.
 *
 * @example
 * using t = Tensor.from([1, 2, 3]);
 * const handle = shareTensor(t);
 * [revokeHandle(handle), revokeHandle(handle), t.refCountIsOne()]; // => [true, false, true]
 * receiveTensor(handle); // throws FAILED_PRECONDITION
 */
export function revokeHandle(handle: TensorHandle): boolean {
  const fields = messageFields(handle, "a handle, which shareTensor(tensor) makes");
  checkType(fields["type"]);
  checkHead(fields["dtype"], fields["dims"]);
  const arena = integer(fields, "arena");
  const ticket = integer(fields, "ticket");
  const nonce = integer(fields, "nonce");
  if (ticket === kNoTicket) return false;
  const protocol = protocolOf(arena);
  const wasThere = takeBackTicket(protocol, ticket, nonce);
  if (protocol.needsDrain) collectReturnedBlocks();
  return wasThere;
}

function handle(shape: TensorShape, arena: number, ticket: number, nonce: number, byteOffset: number): TensorHandle {
  return { type: kTensorHandle, dtype: shape.dataType as DataType, dims: shape.dimSizes, arena, ticket, nonce, byteOffset };
}

/**
 * Returns the root of a buffer in this thread's arena, including memory received from other threads. Throws FAILED_PRECONDITION for
 * other memory.
 */
function arenaRootOf(buffer: TensorBuffer): BufferBase {
  const root = buffer.rootBuffer as TensorBuffer & { readonly allocator?: unknown };
  if (root.allocator !== threadArena()?.allocator)
    throw new FailedPreconditionError(
      `${root.className} of ${root.size} bytes is not memory of the arena, which threads share; transferTensor moves or copies it`,
    );
  return root as unknown as BufferBase;
}

/** Returns this thread's sharing protocol. Throws FAILED_PRECONDITION if no other thread can be in its arena. */
function sharingProtocol(): ArenaProtocol {
  const arena = threadArena();
  const connection = existingConnection();
  if (arena === null || connection === null || !linearMemory().isShared)
    throw new FailedPreconditionError("this thread's memory cannot be shared with others here; transferTensor moves or copies tensors");
  if (!connection.protocol.arena.stepsAreCompiled)
    throw new FailedPreconditionError(
      "this page forbids WebAssembly code, without which threads cannot share; transferTensor moves or copies tensors",
    );
  if (!connection.canShare)
    throw new FailedPreconditionError(
      "this worker has an arena of its own: call joinArena(invitation) before its first tensor to share memory with another thread; transferTensor moves or copies tensors",
    );
  return checkedProtocol(connection.protocol);
}

/**
 * Returns this thread's sharing protocol for a handle of the arena `arenaId`. Throws FAILED_PRECONDITION if this thread is not in
 * that arena.
 */
function protocolOf(arenaId: number): ArenaProtocol {
  const connection = threadConnection();
  if (connection === null || threadArena() === null)
    throw new FailedPreconditionError(
      `the handle is of arena ${arenaId}, but this thread has not joined an arena: call joinArena(invitation) first`,
    );
  const mine = connection.protocol.arena.arenaId;
  if (mine !== arenaId)
    throw new FailedPreconditionError(
      `the handle is of arena ${arenaId}, but this thread is in arena ${mine}: call joinArena(invitation) before its first tensor`,
    );
  return checkedProtocol(connection.protocol);
}

/** Throws FAILED_PRECONDITION if another thread has taken this one for dead and reclaimed its memory. */
function checkedProtocol(protocol: ArenaProtocol): ArenaProtocol {
  if (protocol.isRevoked) throw new FailedPreconditionError("another thread took this one for dead and reclaimed its memory");
  return protocol;
}

function noTicket(ticket: number): FailedPreconditionError {
  return new FailedPreconditionError(
    `handle ${ticket} is not in flight: it was received or revoked, its sender has ended, or it was never made`,
  );
}

/** Returns every field of a handle. Throws INVALID_ARGUMENT for an invalid one. */
function checkedHandle(fields: Readonly<Record<string, unknown>>): CheckedHandle {
  checkType(fields["type"]);
  const { dtype, shape } = checkedHead(fields["dtype"], fields["dims"]);
  if (isObjectDType(dtype)) throw new InvalidArgumentError(`a tensor of ${dtype} cannot be shared`);
  const arena = integer(fields, "arena");
  const ticket = integer(fields, "ticket");
  const nonce = integer(fields, "nonce");
  const byteOffset = integer(fields, "byteOffset");
  if (byteOffset < 0) throw new InvalidArgumentError(`a handle's byteOffset is 0 or more, got ${byteOffset}`);
  if ((ticket === kNoTicket) !== (shape.numElements === 0))
    throw new InvalidArgumentError(
      `handle ${ticket} with shape ${shape.debugString()}: only a tensor without elements has the ticket -1, and it always has`,
    );
  return { dtype, shape, arena, ticket, nonce, byteOffset };
}

function checkType(type: unknown): void {
  if (type !== kTensorHandle)
    throw new InvalidArgumentError(
      `expected a tensor's handle, which shareTensor(tensor) makes, got a message of type ${shownValue(type)}`,
    );
}

function integer(fields: Readonly<Record<string, unknown>>, name: string): number {
  const value = fields[name];
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError(`a handle's ${name} is an integer, got ${shownValue(value)}`);
  return value as number;
}
