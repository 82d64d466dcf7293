/**
 * thread-lock: how other threads of a page learn that this one has ended: it holds a Web Lock as long as it lives (no
 * counterpart in TensorFlow).
 *
 *     thread B   holds "onebuffer.ARENA.KEY", and only then shows its key in the arena
 *     thread A   asks for the same lock, and is given it when B is gone, however it ended
 *
 * Only pages have such locks for good: Node says when a thread has ended (arena-watch.ts). Where there is neither, somebody must say
 * so by hand, with `revokeThread`.
 */

/** `navigator.locks`, as far as it is used. */
interface LockManager {
  request(name: string, callback: () => unknown): Promise<unknown>;
}

/** The host's locks; null where it has none. */
function lockManager(): LockManager | null {
  const locks = (globalThis as { navigator?: { locks?: Partial<LockManager> } }).navigator?.locks;
  return typeof locks?.request === "function" ? (locks as LockManager) : null;
}

const lockName = (arenaId: number, key: number): string => `onebuffer.${arenaId}.${key}`;

/** Holds the lock of `key` for good, and calls `onHeld` once it does; at once where there are no locks. */
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
  held.catch(onHeld); // a host that has locks and gives none, as in a sandboxed frame
}

/** Calls `onEnd` once nobody holds the lock of `key`. False where there are no locks: nobody will say. */
export function awaitThreadLock(arenaId: number, key: number, onEnd: () => void): boolean {
  const locks = lockManager();
  if (locks === null) return false;
  locks.request(lockName(arenaId, key), onEnd).catch(() => {}); // refused: nobody will say
  return true;
}
