/**
 * arena-invitation: lets a thread join the arena of another thread on hosts where it does not do so automatically (no counterpart in
 * TensorFlow).
 *
 * A Node worker joins as the library loads, if the thread that started it had loaded the library before. On all other hosts, above
 * all in web workers, one thread posts an invitation and the other joins before it makes its first tensor.
 */
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { shownValue, messageFields } from "@onebuffer/base/internal";
import type { WasmMemory } from "@onebuffer/wasm";
import { linearMemory } from "@onebuffer/wasm";
import { arenaConnection, joinInvited } from "./arena-connection.ts";

/** The value of `ArenaInvitation.type`. */
const kArenaInvitation = "onebuffer.ArenaInvitation";

/**
 * An invitation to the arena of a thread, to be posted to other threads. It can be used any number of times.
 *
 * @example
 * const invitation: ArenaInvitation = arenaInvitation();
 * invitation.type; // => "onebuffer.ArenaInvitation"
 */
export interface ArenaInvitation {
  /** Tells invitations from other messages. */
  readonly type: typeof kArenaInvitation;
  /** The memory that contains the arena. */
  readonly memory: WasmMemory;
}

declare const crossOriginIsolated: boolean | undefined;

/**
 * Returns an invitation to this thread's arena. Makes the arena if there is none yet.
 *
 * Throws FAILED_PRECONDITION if memory cannot be shared: the engine has no shared memory, the page forbids WebAssembly code, or the
 * page is not cross-origin isolated, so that posting the memory would fail (isolation needs the headers `Cross-Origin-Opener-Policy:
 * same-origin` and `Cross-Origin-Embedder-Policy: require-corp`). Throws RESOURCE_EXHAUSTED if no memory can be constructed.
 *
 * @example
 * const invitation = arenaInvitation(); // worker.postMessage(invitation)
 * await joinArena(invitation); // in the worker; here nothing changes
 */
export function arenaInvitation(): ArenaInvitation {
  const connection = arenaConnection();
  const memory = linearMemory();
  if (!memory.isShared)
    throw new FailedPreconditionError("this engine's memory is not shared: no thread can be invited; transferTensor moves tensors");
  if (!connection.protocol.arena.stepsAreCompiled)
    throw new FailedPreconditionError(
      "this page forbids WebAssembly code, without which threads cannot share; transferTensor moves tensors",
    );
  if (typeof crossOriginIsolated === "boolean" && !crossOriginIsolated)
    throw new FailedPreconditionError("this page is not cross-origin isolated: its memory cannot be posted; transferTensor moves tensors");
  connection.canShare = true;
  return { type: kArenaInvitation, memory: memory.memory };
}

/**
 * Joins the arena of the thread that made the invitation. Tensors can then be shared with that thread and all others in the arena.
 * Call it, and await it, before making this thread's first tensor. Joining this thread's own arena does nothing.
 *
 * Rejects with INVALID_ARGUMENT if the argument is not an invitation, FAILED_PRECONDITION if this thread already uses memory or the
 * arena is of another version of the library, and RESOURCE_EXHAUSTED if 24 threads have joined. Nothing is changed then.
 *
 * @example
 * await joinArena({} as ArenaInvitation); // throws INVALID_ARGUMENT
 */
export async function joinArena(invitation: ArenaInvitation): Promise<void> {
  const { type, memory } = messageFields(invitation, "an ArenaInvitation, which arenaInvitation() of another thread makes");
  if (type !== kArenaInvitation) throw new InvalidArgumentError(`expected an ArenaInvitation, got an object of type ${shownValue(type)}`);
  await joinInvited({ memory: memory as WasmMemory, key: 0 });
}
