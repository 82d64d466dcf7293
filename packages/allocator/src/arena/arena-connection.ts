/**
 * arena-connection: which arena this thread belongs to, and its number there (no counterpart in TensorFlow: the threads of a
 * process share everything from the start).
 *
 *     Node     first thread, as the library loads   makes the memory, leaves it in the environment data of workers to come
 *              a worker, as the library loads       finds it there and joins
 *     browser  whoever first needs memory           makes it; others join by an invitation (arena-invitation.ts)
 *     else     a worker that was not invited        makes one of its own at first use, which it shares with nobody
 *
 * A thread cannot change its arena. A second copy of the library on a thread joins the first one's, as another thread would.
 * When no number is left, or what is offered is of another version, a copy has a memory of its own.
 */
import { FailedPreconditionError, isStatusError, ResourceExhaustedError } from "@onebuffer/base";
import type { WasmMemory } from "@onebuffer/wasm";
import { LinearMemory, linearMemory } from "@onebuffer/wasm";
import { controlBytesFor, kArenaMagic } from "../threads/arena-layout.ts";
import { ArenaProtocol } from "../threads/arena-protocol.ts";
import type { ArenaWords } from "../threads/arena-words.ts";
import { createArena, openArena } from "../threads/arena-words.ts";
import { nodeBuiltin } from "../lifetime/node-builtins.ts";
import type { ArenaAllocator } from "./arena-allocator.ts";
import { holdThreadLock } from "./thread-lock.ts";

/** This thread's place in an arena. */
export interface ArenaConnection {
  readonly protocol: ArenaProtocol;
  /** What the protocol knows the thread by. */
  readonly key: number;
  /** Whether other threads can be in the arena: it was joined, offered, or may be offered. */
  canShare: boolean;
  /** Takes the blocks that come back. Null until this thread first allocates: before that, no block can be its own. */
  allocator: ArenaAllocator | null;
}

/** What a thread needs to join. */
export interface ArenaOffer {
  readonly memory: WasmMemory;
  /** The key of the thread that offers it; 0 when it has none. */
  readonly key: number;
}

/** The name in Node's environment data; another layout is another name. */
const kOfferName = `onebuffer.arena.${kArenaMagic}`;

let connection: ArenaConnection | null = null;

/** The connection if there is one yet. */
export function existingConnection(): ArenaConnection | null {
  return connection;
}

/** The connection, with an arena of this thread's own if there is none yet. Throws RESOURCE_EXHAUSTED without any memory. */
export function arenaConnection(): ArenaConnection {
  return (connection ??= connectOwn());
}

/**
 * Joins the arena in a memory, at once: for hosts that say by themselves when a thread ends. Throws INVALID_ARGUMENT for what is no
 * shared linear memory, FAILED_PRECONDITION when it holds no arena of this version or this thread has a memory already,
 * RESOURCE_EXHAUSTED when no thread number is left; nothing is changed then. Joining the arena one is in changes nothing.
 */
export function joinOffered(offer: ArenaOffer): void {
  const arena = arenaOf(offer);
  if (arena !== null) joinAs(arena, offer, hostKey());
}

/**
 * The same for all hosts. Where locks say when a thread ends, this one has its lock before it has a number: were it the other way
 * round, a thread that ends in between would never be found. Rejects as `joinOffered` throws.
 */
export async function joinInvited(offer: ArenaOffer): Promise<void> {
  const arena = arenaOf(offer);
  if (arena === null) return;
  let key = hostKey();
  if (key === 0) {
    key = randomKey();
    await new Promise<void>((resolve) => holdThreadLock(arena.arenaId, key, resolve));
  }
  // Whatever the thread has done while it waited.
  if (arenaOf(offer) !== null) joinAs(arena, offer, key);
}

/** The arena that is offered, if this thread can join it; null if it is in it. */
function arenaOf(offer: ArenaOffer): ArenaWords | null {
  // On an object of its own: what is wrong with the memory must come out before a number is taken.
  const trial = new LinearMemory({ constructMemory: null });
  trial.join(offer.memory);
  const arena = openArena(trial);
  if (connection?.protocol.arena.arenaId === arena.arenaId) return null;
  if (connection !== null || linearMemory().isConstructed)
    throw new FailedPreconditionError(
      "this thread has used its own memory already: an arena is to be joined before the first tensor is made",
    );
  return arena;
}

function joinAs(arena: ArenaWords, offer: ArenaOffer, key: number): void {
  const joined = connect(arena, key, offer.key, true);
  linearMemory().join(offer.memory);
  connection = joined;
}

/** The arena of a memory that this thread constructs. */
function ownArena(): ArenaWords {
  const memory = linearMemory();
  const wasUsed = memory.isConstructed;
  const { buffer } = memory;
  const controlBytes = controlBytesFor(buffer.byteLength);
  const control = memory.reserve(controlBytes);
  if (control === null) throw new ResourceExhaustedError("the linear memory was used up before an arena could be made in it");
  // Bytes that were reserved before and came back are not zero.
  if (wasUsed) new Uint8Array(buffer, control, controlBytes).fill(0);
  return createArena(memory, control, (Math.random() * 0x100000000) | 0 || 1);
}

/** Takes a number for a thread whose life its key tells of. */
function connect(arena: ArenaWords, key: number, parentKey: number, canShare: boolean): ArenaConnection {
  const protocol = new ArenaProtocol(arena, key, parentKey === key ? 0 : parentKey, (unit) => joined.allocator?.reclaimUnit(unit));
  const joined: ArenaConnection = { protocol, key, canShare: canShare && arena.stepsAreWhole, allocator: null };
  return joined;
}

/** The same for the maker of an arena. Elsewhere than in Node others learn its key once it has its lock. */
function connectOwn(): ArenaConnection {
  const arena = ownArena();
  const known = hostKey();
  const own = connect(arena, known, 0, canInvite());
  if (known !== 0) return own;
  const key = randomKey();
  holdThreadLock(arena.arenaId, key, () => own.protocol.announce(key));
  return Object.assign(own, { key });
}

/** What the host knows this thread by, as a key: Node's number of the thread, and one. 0 elsewhere. */
function hostKey(): number {
  const threads = nodeBuiltin("worker_threads");
  return threads === null ? 0 : threads.threadId + 1;
}

const randomKey = (): number => 1 + Math.floor(Math.random() * 0x3fffffff);

/** Whether this is a thread that others are started from: a process's first one, or a page. */
function canInvite(): boolean {
  const threads = nodeBuiltin("worker_threads");
  return threads === null ? "document" in globalThis : threads.isMainThread;
}

/**
 * Node: joins what was offered, or, on the first thread, makes the arena; and offers it to the workers this thread will start. Called
 * once, as the library loads. Never throws: a thread that cannot connect now has a memory of its own later.
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
