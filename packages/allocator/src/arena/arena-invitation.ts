/**
 * arena-invitation: how a thread joins the arena of another one where nothing does it by itself (no counterpart in TensorFlow).
 *
 * In Node workers join as the library loads, if it was loaded in the thread that starts them before they were started. For all
 * others, web workers above all, one thread posts an invitation and the other joins before it makes its first tensor.
 */
import { FailedPreconditionError, InvalidArgumentError, shownValue } from "@onebuffer/base";
import { messageFields } from "@onebuffer/base/internal";
import type { WasmMemory } from "@onebuffer/wasm";
import { linearMemory } from "@onebuffer/wasm";
import { arenaConnection, joinInvited } from "./arena-connection.ts";

/** What `ArenaInvitation.type` is. */
const kArenaInvitation = "onebuffer.ArenaInvitation";

/** The arena of a thread, to be posted to others. Good any number of times. */
export interface ArenaInvitation {
  readonly type: typeof kArenaInvitation;
  /** The one memory. */
  readonly memory: WasmMemory;
}

declare const crossOriginIsolated: boolean | undefined;

/**
 * An invitation to this thread's arena, which is made if there is none yet.
 *
 * Throws FAILED_PRECONDITION where no memory can be shared: the engine has none that is, or the page is not isolated (its headers
 * must say `Cross-Origin-Opener-Policy: same-origin` and `Cross-Origin-Embedder-Policy: require-corp`), so that posting it would fail. Throws
 * RESOURCE_EXHAUSTED where no memory can be constructed at all.
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
  if (!connection.protocol.arena.stepsAreWhole)
    throw new FailedPreconditionError(
      "this page forbids WebAssembly code, without which threads cannot share; transferTensor moves tensors",
    );
  if (typeof crossOriginIsolated === "boolean" && !crossOriginIsolated)
    throw new FailedPreconditionError("this page is not cross-origin isolated: its memory cannot be posted; transferTensor moves tensors");
  connection.canShare = true;
  return { type: kArenaInvitation, memory: memory.memory };
}

/**
 * Joins the arena of whoever made the invitation: then tensors can be shared with it and with all who have joined it. To be
 * called, and waited for, before this thread's first tensor. Joining the arena one is in changes nothing.
 *
 * Rejects, changing nothing, with INVALID_ARGUMENT for what is no invitation, FAILED_PRECONDITION when this thread has memory in use already or the
 * arena is one of another version of the library, RESOURCE_EXHAUSTED when 24 threads have joined.
 *
 * @example
 * await joinArena({} as ArenaInvitation); // throws INVALID_ARGUMENT
 */
export async function joinArena(invitation: ArenaInvitation): Promise<void> {
  const { type, memory } = messageFields(invitation);
  if (type !== kArenaInvitation) throw new InvalidArgumentError(`expected an ArenaInvitation, got an object of type ${shownValue(type)}`);
  await joinInvited({ memory: memory as WasmMemory, key: 0 });
}
