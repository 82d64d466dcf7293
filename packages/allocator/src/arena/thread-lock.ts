/**
 * thread-lock: a Web Lock that this thread holds as long as it lives, so that other threads of a page notice its end (no counterpart
 * in TensorFlow).
 *
 *     thread B   acquires "onebuffer.ARENA.KEY", and only then publishes its key in the arena
 *     thread A   requests the same lock, and gets it when B has ended, for whatever reason
 *
 * Locks are used in browsers; Node reports the end of a worker (arena-watch.ts). On hosts with neither, the program must call
 * `revokeThread`.
 */

/** The part of `navigator.locks` that is used here. */
interface LockManager {
  request(name: string, callback: () => unknown): Promise<unknown>;
}

/** Returns the host's lock manager, or null if it has none. */
function lockManager(): LockManager | null {
  const locks = (globalThis as { navigator?: { locks?: Partial<LockManager> } }).navigator?.locks;
  return typeof locks?.request === "function" ? (locks as LockManager) : null;
}

const lockName = (arenaId: number, key: number): string => `onebuffer.${arenaId}.${key}`;

/** Acquires the lock of `key` forever and then calls `onHeld`. Calls it at once if the host has no locks. */
export function holdThreadLock(arenaId: number, key: number, onHeld: () => void): void {
  const locks = lockManager();
  if (locks === null) {
    onHeld();
    return;
  }
  const held = locks.request(lockName(arenaId, key), () => {
    onHeld();
    return new Promise(() => {}); // as long as the thread lives
  });
  held.catch(onHeld); // the host refuses locks, as in a sandboxed frame
}

/** Calls `onEnd` once no thread holds the lock of `key`. Returns false, and never calls it, if the host has no locks. */
export function awaitThreadLock(arenaId: number, key: number, onEnd: () => void): boolean {
  const locks = lockManager();
  if (locks === null) return false;
  locks.request(lockName(arenaId, key), onEnd).catch(() => {}); // the host refuses locks: `onEnd` is never called
  return true;
}
