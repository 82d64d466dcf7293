/**
 * Exports for the other packages of onebuffer only. They are not part of the public API and may change in any version.
 */
export { byteLengthOf, isMemoryGone, isSharedMemory } from "./allocator/buffer-memory.ts";
export { fillBytes } from "./allocator/fill-bytes.ts";
export { ArenaAllocator } from "./arena/arena-allocator.ts";
export { existingConnection, threadConnection } from "./arena/arena-connection.ts";
export { watchThreads } from "./arena/arena-watch.ts";
export { addHold, releaseHold, isOnlyHold, sharedHolds } from "./arena/shared-holds.ts";
export { arenaBehavior, collectReturnedBlocks, existingThreadArena, threadArena } from "./arena/thread-arena.ts";
export type { ThreadArena } from "./arena/thread-arena.ts";
export { Keeper } from "./lifetime/keeper.ts";
export { nextTask } from "./lifetime/next-task.ts";
export { nodeBuiltin } from "./lifetime/node-builtins.ts";
export { unwatch, keepHold, noteLine, watch, watchHold } from "./lifetime/lifetime-net.ts";
export { sweepIfDue } from "./lifetime/sweep-policy.ts";
export { checkAllocator, checkPointer, checkRefCounted } from "./refs/allocator-check.ts";
export { disposeAll } from "./refs/dispose-all.ts";
export { countLiveBuffer } from "./refs/live-buffers.ts";
export { arenaCensus } from "./threads/arena-census.ts";
export { controlBytesFor, kArenaMagic, kUnitBytes } from "./threads/arena-layout.ts";
export { ArenaProtocol } from "./threads/arena-protocol.ts";
export { peekTicket, receiveTicket, sendTicket, takeBackTicket } from "./threads/tickets.ts";
export { createArena } from "./threads/arena-words.ts";
export { releaseScratch, reserveScratch } from "./arena/arena-scratch.ts";
export { exhaustedError } from "./allocator/exhausted-error.ts";
export { checkAllocationRequest } from "./allocator/allocator.ts";
export { memorySnapshot } from "./arena/memory-snapshot.ts";
export type { ArenaSnapshot, MemorySnapshot } from "./arena/memory-snapshot.ts";
export { bufferLedger } from "./refs/buffer-ledger.ts";
export type { BufferLedger, LedgerEntry, LedgerMistake, LedgerOptions } from "./refs/buffer-ledger.ts";
export { enabledLedger } from "./refs/enabled-ledger.ts";
export type { LedgerSubject } from "./refs/enabled-ledger.ts";
export { countCopied } from "./refs/bytes-copied.ts";
