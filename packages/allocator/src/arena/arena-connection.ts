/**
 * arena-connection: connects this thread to an arena, under a thread number (no counterpart in TensorFlow: the threads of a process
 * share all memory anyway).
 *
 *     Node     main thread, as the library loads    makes the memory and stores it in the environment data of future workers
 *              a worker, as the library loads       finds the memory there and joins
 *     browser  a thread that first needs memory     makes it; other threads join by an invitation (arena-invitation.ts)
 *     else     a worker that was not invited        makes a memory of its own at first use, which it shares with no other thread
 *
 * A thread cannot change its arena. A second copy of the library on a thread joins the arena of the first copy as if it were
 * another thread; it finds the arena in the memory that both use (memory-mark.ts in wasm). A copy with another layout throws
 * FAILED_PRECONDITION at its first use of the memory. If no thread number is left, a thread makes a memory of its own.
 */
import { FailedPreconditionError, isStatusError, ResourceExhaustedError } from "@onebuffer/base";
import type { WasmMemory } from "@onebuffer/wasm";
import { LinearMemory, linearMemory } from "@onebuffer/wasm";
import { controlBytesFor, kArenaMagic } from "../threads/arena-layout.ts";
import { ArenaProtocol } from "../threads/arena-protocol.ts";
import type { ArenaWords } from "../threads/arena-words.ts";
import { createArena, holdsArena, openArena } from "../threads/arena-words.ts";
import { nodeBuiltin } from "../lifetime/node-builtins.ts";
import type { ArenaAllocator } from "./arena-allocator.ts";
import { holdThreadLock } from "./thread-lock.ts";

/** This thread's membership in an arena. */
export interface ArenaConnection {
  readonly protocol: ArenaProtocol;
  /** The key by which other threads know this thread. */
  readonly key: number;
  /** True if other threads can be in the arena: this thread joined it, offered it, or may offer it. */
  canShare: boolean;
  /** Frees returned blocks. Null until this thread first allocates; before that it owns no blocks. */
  allocator: ArenaAllocator | null;
}

/** The data that a thread needs to join an arena. */
export interface ArenaOffer {
  readonly memory: WasmMemory;
  /** The key of the thread that offers it; 0 if it has none. */
  readonly key: number;
}

/** The key in Node's environment data. It includes the layout's magic number, so that other versions are not found. */
const kOfferName = `onebuffer.arena.${kArenaMagic}`;

let connection: ArenaConnection | null = null;

/** Returns this thread's connection, or null if there is none yet. */
export function existingConnection(): ArenaConnection | null {
  return connection;
}

/** Returns the connection if there is one, or if another copy of the library on this thread has a memory, whose arena is then joined. */
export function threadConnection(): ArenaConnection | null {
  return connection ?? (linearMemory().isOffered ? arenaConnection() : null);
}

/** Returns this thread's connection; makes an arena if there is none yet. Throws RESOURCE_EXHAUSTED if no memory can be constructed. */
export function arenaConnection(): ArenaConnection {
  return (connection ??= connectOwn());
}

/**
 * Joins an offered arena synchronously, on hosts that report when a thread ends. Throws INVALID_ARGUMENT if the memory is not a shared
 * linear memory, FAILED_PRECONDITION if it contains no arena of this version or this thread already uses a memory, and
 * RESOURCE_EXHAUSTED if no thread number is left; nothing is changed then. Joining this thread's own arena does nothing.
 */
export function joinOffered(offer: ArenaOffer): void {
  const arena = arenaOf(offer);
  if (arena !== null) joinAs(arena, offer, hostKey());
}

/**
 * Joins an offered arena on any host. On hosts where Web Locks reveal the end of a thread, this thread first acquires its lock and
 * then a thread number: in the other order the end of a thread between the two would never be noticed. Rejects with the errors that
 * `joinOffered` throws.
 */
export async function joinInvited(offer: ArenaOffer): Promise<void> {
  const arena = arenaOf(offer);
  if (arena === null) return;
  let key = hostKey();
  if (key === 0) {
    key = randomKey();
    await new Promise<void>((resolve) => holdThreadLock(arena.arenaId, key, resolve));
  }
  // Check again: this thread may have made its first tensor or joined while it waited.
  if (arenaOf(offer) !== null) joinAs(arena, offer, key);
}

/** Returns the offered arena if this thread can join it; null if this thread is already in it. Throws as `joinOffered` does. */
function arenaOf(offer: ArenaOffer): ArenaWords | null {
  // A separate LinearMemory: an invalid memory must throw before a thread number is taken.
  const trial = new LinearMemory({ constructMemory: null });
  trial.join(offer.memory);
  const arena = openArena(trial);
  if (connection?.protocol.arena.arenaId === arena.arenaId) return null;
  if (connection !== null || linearMemory().isConstructed)
    throw new FailedPreconditionError(
      "this thread already uses a memory of its own: an arena must be joined before the first tensor is made",
    );
  linearMemory().checkJoin(offer.memory);
  return arena;
}

function joinAs(arena: ArenaWords, offer: ArenaOffer, key: number): void {
  const joined = connect(arena, key, offer.key, true);
  linearMemory().join(offer.memory);
  connection = joined;
}

/** Makes an arena in this thread's memory, which is constructed if there is none; `wasUsed` if somebody has reserved bytes of it. */
function ownArena(wasUsed: boolean): ArenaWords {
  const memory = linearMemory();
  const { buffer } = memory;
  const controlBytes = controlBytesFor(buffer.byteLength);
  const control = memory.reserve(controlBytes);
  if (control === null) throw new ResourceExhaustedError("the linear memory was used up before an arena could be made in it");
  // Bytes that were reserved and released before are not zero.
  if (wasUsed) new Uint8Array(buffer, control, controlBytes).fill(0);
  return createArena(memory, control, (Math.random() * 0x100000000) | 0 || 1);
}

/** Takes a thread number in the arena for this thread, which other threads know by `key`. */
function connect(arena: ArenaWords, key: number, parentKey: number, canShare: boolean): ArenaConnection {
  const protocol = new ArenaProtocol(arena, key, parentKey === key ? 0 : parentKey, (unit) => joined.allocator?.reclaimUnit(unit));
  const joined: ArenaConnection = { protocol, key, canShare: canShare && arena.stepsAreCompiled, allocator: null };
  return joined;
}

/**
 * Makes a connection, for the maker of an arena and for a second copy of the library on its thread. On hosts other than Node, the key is
 * published once this thread has its lock.
 */
function connectOwn(): ArenaConnection {
  const memory = linearMemory();
  const wasUsed = memory.isConstructed || memory.isOffered;
  const isOfAnotherCopy = wasUsed && holdsArena(memory);
  const arena = isOfAnotherCopy ? openArena(memory) : ownArena(wasUsed);
  const known = hostKey();
  const own = connect(arena, known, 0, isOfAnotherCopy || canInvite());
  if (known !== 0) return own;
  const key = randomKey();
  holdThreadLock(arena.arenaId, key, () => own.protocol.announce(key));
  return Object.assign(own, { key });
}

/** Returns this thread's key if the host numbers threads: Node's threadId + 1. Returns 0 on other hosts. */
function hostKey(): number {
  const threads = nodeBuiltin("worker_threads");
  return threads === null ? 0 : threads.threadId + 1;
}

const randomKey = (): number => 1 + Math.floor(Math.random() * 0x3fffffff);

/** Returns true if this is a thread from which other threads are started: Node's main thread, or a page. */
function canInvite(): boolean {
  const threads = nodeBuiltin("worker_threads");
  return threads === null ? "document" in globalThis : threads.isMainThread;
}

/**
 * In Node: joins the offered arena, or makes one on the main thread, and offers it to the workers that this thread will start. Called
 * once, as the library loads. Throws no StatusError: a thread that cannot connect now makes a memory of its own later.
 */
function connectAtLoad(): void {
  const threads = nodeBuiltin("worker_threads");
  if (threads === null) return;
  try {
    const offered = threads.getEnvironmentData(kOfferName) as ArenaOffer | undefined;
    if (offered !== undefined) joinOffered(offered);
    else if (threads.isMainThread) arenaConnection();
    const memory = linearMemory();
    if (connection !== null && memory.isShared) threads.setEnvironmentData(kOfferName, { memory: memory.memory, key: connection.key });
  } catch (error) {
    if (!isStatusError(error)) throw error;
  }
}

connectAtLoad();
