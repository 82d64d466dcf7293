/**
 * shareTensor: a tensor for another thread, without its bytes (TensorFlow's counterpart is the Tensor that a Rendezvous hands
 * from one executor to the next; there all threads see the same objects).
 *
 *     thread A                      postMessage                     thread B
 *     shareTensor(t) -> handle { arena, ticket, nonce, ... } -> receiveTensor(handle) -> Tensor over the same bytes
 *
 * The first share of a buffer makes its control block, in which every thread that holds it has a bit; a handle is a ticket for
 * such a bit. It is good once: whoever receives it first has it. One that nobody receives keeps the memory until it is
 * revoked, or until the thread that made it ends. Neither thread is kept from writing: the bytes are the same, at the same time.
 */
import type { DataType, DType } from "@onebuffer/base";
import { dtypeSize, FailedPreconditionError, InvalidArgumentError, isObjectDType, shownValue } from "@onebuffer/base";
import { messageFields } from "@onebuffer/base/internal";
import { linearMemory } from "@onebuffer/wasm";
import type { TensorShape } from "@onebuffer/shape";
import { addHold, existingConnection, sweepIfDue, collectReturnedBlocks, threadArena, watchThreads } from "@onebuffer/allocator/internal";
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

/** What `TensorHandle.type` is. */
const kTensorHandle = "onebuffer.TensorHandle";
/** The ticket of a tensor without elements: there is nothing to hold. */
const kNoTicket = -1;
const kUnitBytes = 256;

/** A one-shot reference to a tensor's memory: a small plain object, to be posted in any message. */
export interface TensorHandle extends TensorMessageHead {
  readonly type: typeof kTensorHandle;
  /** The arena that the memory lies in. */
  readonly arena: number;
  /** The place of the ticket; -1 for a tensor without elements, whose handle is good any number of times. */
  readonly ticket: number;
  /** What tells this ticket from earlier and later ones in its place. */
  readonly nonce: number;
  /** Where the elements begin, counted from the start of the shared memory. */
  readonly byteOffset: number;
}

/** A handle that was checked. */
interface CheckedHandle {
  readonly dtype: DType;
  readonly shape: TensorShape;
  readonly arena: number;
  readonly ticket: number;
  readonly nonce: number;
  readonly byteOffset: number;
}

/**
 * A handle to the tensor's memory, for `receiveTensor` on another thread of the arena. A slice shares the whole of its root. The
 * tensor stays as it is, and may be disposed at once: the handle keeps the memory.
 *
 * Throws INVALID_ARGUMENT for string, variant and resource tensors, whose elements are values of this thread (`transferTensor`
 * takes strings); FAILED_PRECONDITION for a tensor that is disposed or not initialized, for memory that is not the arena's, and where
 * nothing can be shared; RESOURCE_EXHAUSTED when too many handles are on their way. Copies: never.
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
  const { ticket, nonce } = protocol.share(slot);
  return handle(shape, protocol.arena.arenaId, ticket, nonce, buffer.byteOffset - root.byteOffset);
}

/**
 * The tensor of a handle that another thread (or this one) made with `shareTensor`, or of a message that it made with
 * `transferTensor`. Disposing of it gives up this thread's part only.
 *
 * Throws, consuming nothing, INVALID_ARGUMENT for what is no handle or message, or does not fit the memory it names;
 * FAILED_PRECONDITION for one that was received or revoked, whose sender has ended, that is forged, or is of another arena than this
 * thread's. Copies: never, but for the elements of transferred strings.
 *
 * @example
 * using t = Tensor.arange(6);
 * using rows = t.slice(2, 4);
 * using there = receiveTensor(JSON.parse(JSON.stringify(shareTensor(rows))));
 * there.toArray(); // => [2, 3]
 * receiveTensor({ ...shareTensor(new Tensor()), dims: [2] }); // throws INVALID_ARGUMENT
 */
export function receiveTensor(message: TensorHandle | TensorBytes): Tensor {
  const fields = messageFields(message);
  if (fields["type"] === kTensorBytes) return receiveBytes(fields);
  const { dtype, shape, arena: arenaId, ticket, nonce, byteOffset } = checkedHandle(fields);
  if (ticket === kNoTicket) return new Tensor(dtype, shape);
  const protocol = protocolOf(arenaId);
  const arena = threadArena()!;
  watchThreads();
  sweepIfDue();
  const slot = protocol.peek(ticket, nonce);
  if (slot === 0) throw noTicket(ticket);
  // Good only if `receive` then finds the same ticket still there; until it has, nothing is changed.
  const blockBytes = protocol.blockBytes(slot);
  const unit = protocol.blockUnit(slot);
  const numBytes = shape.numElements * dtypeSize(dtype);
  if (byteOffset + numBytes > blockBytes)
    throw new InvalidArgumentError(
      `${dtype} of shape ${shape.debugString()} at byte ${byteOffset} does not lie in the ${blockBytes} bytes that the handle stands for`,
    );
  // Only this thread changes whether it holds a block, so the answer stays true.
  const isHeld = protocol.holds(slot);
  if (protocol.receive(ticket, nonce) !== slot) throw noTicket(ticket);
  // At once: the hold that there was before must not be found to be the last one and given up.
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
 * Takes a handle back that nobody has received: true, and it is void. False when it was received or revoked before. Any thread
 * of the arena may. Throws INVALID_ARGUMENT for what is no handle, FAILED_PRECONDITION for one of another arena.
 *
 * @example
 * using t = Tensor.from([1, 2, 3]);
 * const handle = shareTensor(t);
 * [revokeHandle(handle), revokeHandle(handle), t.refCountIsOne()]; // => [true, false, true]
 * receiveTensor(handle); // throws FAILED_PRECONDITION
 */
export function revokeHandle(handle: TensorHandle): boolean {
  const fields = messageFields(handle);
  checkType(fields["type"]);
  checkHead(fields["dtype"], fields["dims"]);
  const arena = integer(fields, "arena");
  const ticket = integer(fields, "ticket");
  const nonce = integer(fields, "nonce");
  if (ticket === kNoTicket) return false;
  const protocol = protocolOf(arena);
  const wasThere = protocol.takeBack(ticket, nonce);
  if (protocol.needsDrain) collectReturnedBlocks();
  return wasThere;
}

function handle(shape: TensorShape, arena: number, ticket: number, nonce: number, byteOffset: number): TensorHandle {
  return { type: kTensorHandle, dtype: shape.dataType as DataType, dims: shape.dimSizes, arena, ticket, nonce, byteOffset };
}

/** The root of a buffer in this thread's arena, or memory it received. */
function arenaRootOf(buffer: TensorBuffer): BufferBase {
  const root = buffer.rootBuffer as TensorBuffer & { readonly allocator?: unknown };
  if (root.allocator !== threadArena()?.allocator)
    throw new FailedPreconditionError(
      `${root.constructor.name} of ${root.size} bytes is not memory of the arena, which threads share; transferTensor moves or copies it`,
    );
  return root as unknown as BufferBase;
}

/** This thread's side of the arena, if other threads can be in it. */
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
      "this worker has an arena of its own: joinArena(invitation), before its first tensor, makes it one of another thread's; transferTensor moves or copies tensors",
    );
  return checkedProtocol(connection.protocol);
}

/** The same for a handle of the arena `arenaId`. */
function protocolOf(arenaId: number): ArenaProtocol {
  const connection = existingConnection();
  if (connection === null || threadArena() === null)
    throw new FailedPreconditionError(
      `the handle is of arena ${arenaId}, and this thread has joined none: joinArena(invitation) comes before`,
    );
  const mine = connection.protocol.arena.arenaId;
  if (mine !== arenaId)
    throw new FailedPreconditionError(
      `the handle is of arena ${arenaId}, this thread is in ${mine}: joinArena(invitation) comes before its first tensor`,
    );
  return checkedProtocol(connection.protocol);
}

/** Throws FAILED_PRECONDITION when another thread has taken this one for dead, and its memory with it. */
function checkedProtocol(protocol: ArenaProtocol): ArenaProtocol {
  if (protocol.isRevoked) throw new FailedPreconditionError("this thread was revoked by another one: its memory is no longer its own");
  return protocol;
}

function noTicket(ticket: number): FailedPreconditionError {
  return new FailedPreconditionError(
    `handle ${ticket} is not in flight: it was received or revoked, its sender has ended, or it was never made`,
  );
}

/** Every field of a handle, or INVALID_ARGUMENT. */
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
    throw new InvalidArgumentError(`handle ${ticket} with shape ${shape.debugString()}: only a tensor without elements has none`);
  return { dtype, shape, arena, ticket, nonce, byteOffset };
}

function checkType(type: unknown): void {
  if (type !== kTensorHandle) throw new InvalidArgumentError(`expected a tensor's handle, got a message of type ${shownValue(type)}`);
}

function integer(fields: Readonly<Record<string, unknown>>, name: string): number {
  const value = fields[name];
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError(`a handle's ${name} is an integer, got ${shownValue(value)}`);
  return value as number;
}
