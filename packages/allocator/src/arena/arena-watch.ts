/**
 * arena-watch: notices threads that have ended and takes over what they left (no counterpart in TensorFlow, whose threads end with
 * their process).
 *
 *     Node      the thread that started a worker hears its `exit`
 *     browsers  everyone asks for the lock of everyone else (thread-lock.ts); looked at when something is shared or received
 *     else      revokeThread(key), by whoever ended the thread
 *
 * A worker takes those along that it had started: only it would have heard of their end. So the table names the parent of each.
 */
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { arenaConnection, existingConnection } from "./arena-connection.ts";
import { nodeProcess } from "../lifetime/node-builtins.ts";
import { threadArena } from "./thread-arena.ts";
import { awaitThreadLock } from "./thread-lock.ts";

/** Keys of threads whose locks were asked for. */
const watched = new Set<number>();
let epochSeen = -1;
const process = nodeProcess();

/** Looks whether threads have joined since the last call, and watches them. Two loads where none have. Nothing in Node. */
export function watchThreads(): void {
  const connection = existingConnection();
  if (process !== null || connection === null) return;
  const { protocol, key: mine } = connection;
  const { epoch } = protocol;
  if (epoch === epochSeen) return;
  epochSeen = epoch;
  for (const { key, thread } of protocol.threads()) {
    if (key === mine || thread === protocol.thread || watched.has(key)) continue;
    const ended = (): void => {
      watched.delete(key);
      takeOver(key);
    };
    if (awaitThreadLock(protocol.arena.arenaId, key, ended)) watched.add(key);
  }
}

/**
 * What other threads know this one by: a number, for `revokeThread`. Throws RESOURCE_EXHAUSTED where no memory can be constructed.
 *
 * @example
 * threadKey() === threadKey(); // => true
 * revokeThread(threadKey()); // throws FAILED_PRECONDITION
 */
export function threadKey(): number {
  return arenaConnection().key;
}

/**
 * Says that the thread of that key has ended: its handles are void, its holds given up, and its memory is this thread's, with what
 * others still hold there left as it is. The number of threads taken over; 0 when there is none of that key (any more).
 *
 * Only for hosts that cannot say it themselves, neither Node nor browsers with Web Locks, right after `worker.terminate()`. A
 * thread that is still alive would lose its memory under its tensors; all it notices is FAILED_PRECONDITION at its next share.
 *
 * Throws INVALID_ARGUMENT for what is no key, FAILED_PRECONDITION for this thread's own.
 *
 * @example
 * revokeThread(1e9); // => 0
 * revokeThread(0.5); // throws INVALID_ARGUMENT
 */
export function revokeThread(key: number): number {
  if (!Number.isSafeInteger(key) || key <= 0) throw new InvalidArgumentError(`a thread's key is a positive integer, got ${key}`);
  if (key === existingConnection()?.key) throw new FailedPreconditionError(`thread ${key} is this one: it has not ended`);
  return takeOver(key);
}

/** Takes over from every copy of the library on the thread, and on those it had started. How many there were. */
function takeOver(key: number): number {
  const connection = existingConnection();
  if (connection === null || !connection.protocol.threads().some((entry) => entry.key === key || entry.parentKey === key)) return 0;
  const arena = threadArena();
  if (arena === null || key === connection.key) return 0;
  const { protocol } = arena;
  let count = 0;
  for (const entry of protocol.threads()) {
    const reaped = entry.key === key ? protocol.reap(entry.thread, key) : null;
    if (reaped === null) continue;
    arena.allocator.adopt(reaped.regions);
    count++;
  }
  for (const entry of protocol.threads()) if (entry.parentKey === key) count += takeOver(entry.key);
  arena.allocator.collectReturnedBlocks();
  return count;
}

process?.on("worker", (worker) => {
  // Read now: it is -1 once the worker has ended.
  const key = worker.threadId + 1;
  worker.once("exit", () => void takeOver(key));
});
