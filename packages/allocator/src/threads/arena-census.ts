/**
 * arena-census: counts the parts of an arena that are in use, for memorySnapshot and tests (TensorFlow: AllocatorStats, for one
 * thread).
 *
 * The words are read one after the other while other threads run, so the counts of a busy arena are not those of a single moment.
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

/** The counts of an arena. */
export interface ArenaCensus {
  /** The number of living threads. */
  readonly threads: number;
  /** The number of dead threads whose blocks other threads still hold. */
  readonly deadThreads: number;
  /** The number of control blocks in use: held, with a ticket in flight, or returned but not yet freed. */
  readonly blocks: number;
  /** The number of tickets in flight. */
  readonly tickets: number;
  /** The number of slabs that belong to a thread. */
  readonly slabs: number;
  /** The number of slabs that any thread may claim. */
  readonly freeSlabs: number;
}

/** Returns the counts of an arena. */
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
