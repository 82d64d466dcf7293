/**
 * arena-census: what the arena's words say is in use, for memorySnapshot and tests (TensorFlow: AllocatorStats, for one thread).
 *
 * The words are read one after the other while other threads go on, so the figures of a busy arena belong to no one moment.
 */
import {
  kAlive,
  kBlockWords,
  kCursorWord,
  kFreeSlab,
  kGeneration,
  kPlace,
  kReaped,
  kRecordsWord,
  kRecordWords,
  kState,
  kStateMask,
  kTicketWords,
} from "./arena-layout.ts";
import type { ArenaWords } from "./arena-words.ts";

/** How much of everything there is. */
export interface ArenaCensus {
  /** Living threads. */
  readonly threads: number;
  /** Dead threads whose blocks others still hold. */
  readonly deadThreads: number;
  /** Blocks in use: held, with a ticket, or on their way back. */
  readonly blocks: number;
  /** Tickets in flight. */
  readonly tickets: number;
  /** Slabs that some thread has. */
  readonly slabs: number;
  /** Slabs that any thread may take. */
  readonly freeSlabs: number;
}

/** Counts everything. */
export function arenaCensus(arena: ArenaWords): ArenaCensus {
  const { words, atomics, layout } = arena;
  let threads = 0;
  let deadThreads = 0;
  for (let thread = 0; thread < layout.threads; thread++) {
    const state = atomics.load(words, kRecordsWord + thread * kRecordWords + kState, "census.1.state") & kStateMask;
    if (state === kAlive) threads++;
    else if (state >= kReaped) deadThreads++;
  }
  let tickets = 0;
  for (let ticket = 0; ticket < layout.threads * layout.ticketsPerThread; ticket++)
    tickets += atomics.load(words, layout.ticketsWord + ticket * kTicketWords + kGeneration, "census.1.ticket") & 1;
  let blocks = 0;
  const cells = Math.min(atomics.load(words, kCursorWord, "census.1.cursor"), layout.cells);
  const end = layout.firstSlot + cells * layout.blocksPerCell;
  for (let slot = layout.firstSlot; slot < end; slot++)
    if (atomics.load(words, slot * kBlockWords + kPlace, "census.1.place") !== 0) blocks++;
  let slabs = 0;
  let freeSlabs = 0;
  for (let slab = 0; slab < layout.slabs; slab++) {
    const word = atomics.load(words, layout.slabTableWord + slab, "census.1.slab");
    if (word === kFreeSlab) freeSlabs++;
    else if (word !== 0) slabs++;
  }
  return { threads, deadThreads, blocks, tickets, slabs, freeSlabs };
}
