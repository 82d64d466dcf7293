/**
 * arena-watch: detects threads that have ended and takes over their memory (no counterpart in TensorFlow, whose threads end with
 * their process).
 *
 *     Node      the thread that started a worker listens for its `exit` event
 *     browsers  every thread requests the locks of all others (thread-lock.ts), whenever it shares or receives a tensor
 *     else      the program calls revokeThread(key) after it has ended a thread
 *
 * When a worker ends, the workers that it started are taken over, too, because only it would have received their `exit` events. For
 * this the thread table records the parent of each thread.
 */
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { arenaConnection, existingConnection } from "./arena-connection.ts";
import { nodeProcess } from "../lifetime/node-builtins.ts";
import { threadArena } from "./thread-arena.ts";
import { awaitThreadLock } from "./thread-lock.ts";

/** The keys of the threads whose locks this thread has requested. */
const watched = new Set<number>();
let epochSeen = -1;
const process = nodeProcess();

/** Watches the threads that have joined since the last call. Costs two loads if none have. Does nothing in Node. */
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
 * Returns the number by which other threads know this thread, for `revokeThread`. Makes an arena if there is none yet; throws
 * RESOURCE_EXHAUSTED if no memory can be constructed.
 *
 * @example
 * threadKey() === threadKey(); // => true
 * revokeThread(threadKey()); // throws FAILED_PRECONDITION
 */
export function threadKey(): number {
  return arenaConnection().key;
}

/**
 * Takes over from the thread with this key, which has ended: its handles become invalid, its holds are released, and its memory
 * becomes this thread's. Memory that other threads still hold stays valid. Returns the number of threads taken over, 0 if there is
 * none (or none any more) with this key.
 *
 * Needed only on hosts that do not report the end of a thread (neither Node nor browsers with Web Locks), right after
 * `worker.terminate()`. If the thread is still alive, other threads will overwrite its tensors' memory; all that it notices is
 * FAILED_PRECONDITION the next time it shares a tensor.
 *
 * Throws INVALID_ARGUMENT if `key` is not a positive integer, FAILED_PRECONDITION if it is this thread's own key.
 *
 * @example
 * revokeThread(1e9); // => 0
 * revokeThread(0.5); // throws INVALID_ARGUMENT
 */
export function revokeThread(key: number): number {
  if (!Number.isSafeInteger(key) || key <= 0) throw new InvalidArgumentError(`a thread's key is a positive integer, got ${key}`);
  if (key === existingConnection()?.key) throw new FailedPreconditionError(`${key} is the key of this thread, which has not ended`);
  return takeOver(key);
}

/** Takes over from every copy of the library on the thread and on the threads it had started. Returns the number of copies. */
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
  // Read it now: threadId is -1 once the worker has ended.
  const key = worker.threadId + 1;
  worker.once("exit", () => void takeOver(key));
});
