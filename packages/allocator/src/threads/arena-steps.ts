/**
 * arena-steps: the steps of the protocol between threads: all operations that write more than one word, or a word that depends on one
 * they read (TensorFlow: the code that runs while a lock is held).
 *
 * If a thread is terminated, each of its steps is either complete or was never begun (step-program.ts). arena-protocol.ts explains why
 * the steps are correct when several threads run them at the same time. A word is given by the index of a record, block or ticket and
 * an offset in it (arena-layout.ts). Each access has a name, `step.number.what`.
 */
import type { WasmMemory } from "@onebuffer/wasm";
import {
  kBlockWords,
  kBytes,
  kClaim,
  kCursorWord,
  kDraining,
  kEpochWord,
  kFreeNumber,
  kGeneration,
  kHead,
  kHold,
  kKey,
  kLink,
  kMaxTicketsOfBlock,
  kOneTicket,
  kParentKey,
  kPending,
  kPlace,
  kRecordsWord,
  kRecordWords,
  kSlot,
  kState,
  kStateMask,
  kTopWord,
} from "./arena-layout.ts";
import type { AtomicsLike, Words } from "./atomics-like.ts";
import { compileSteps } from "./step-assembler.ts";
import type { Local, StepProgram, StepWriter } from "./step-program.ts";
import { runStep, stepProgram } from "./step-program.ts";

/** The steps as functions of 32-bit integers. */
export interface ArenaSteps {
  /** Puts a ticket in flight. Returns its generation, or 0 if the block has the maximum number of tickets. */
  send(ticket: number, hold: number, slot: number): number;
  /** Ends a ticket and sets the thread's bit in its block's hold word. Returns the slot, or 0 if the ticket is not in flight. */
  receive(ticket: number, generation: number, bit: number): number;
  /** Ends a ticket and pushes its block if its hold word is then 0. Returns 1, or 0 if the ticket is not in flight. */
  end(ticket: number, generation: number): number;
  /** Starts to use a block. Returns 0. */
  create(block: number, numBytes: number, hold: number, place: number): number;
  /** Clears the thread's bit in a hold word and pushes the block if the word is then 0. Returns 1, or 0 if the bit was not set. */
  release(block: number, slot: number, bit: number): number;
  /** Returns the slot of the next block on a thread's list of returned blocks; 0 if there is none, -1 if it is still being pushed. */
  take(record: number): number;
  /** Frees the block that `take` returned. Returns 0. */
  free(block: number, record: number): number;
  /** Claims a cell of control blocks. Returns its number, or -1 if all `cells` are taken. */
  cell(cells: number, directory: number, owner: number): number;
  /** Raises the memory's top and records the new slabs. Returns 1, or 0 if the top is not `top` any more. */
  moveTop(top: number, units: number, record: number, claim: number): number;
  /** Gives a free thread number to a thread. Returns 1, or 0 if its state is not `seen` any more. */
  join(record: number, seen: number, alive: number, parentKey: number, key: number): number;
  /** Sets a thread's key. Returns 0. */
  announce(record: number, key: number): number;
  /** Frees a thread number. Returns 0. */
  retire(record: number): number;
}

/** Computes the index of the record of the thread that owns a block, from the block's place. */
function ownersRecord(step: StepWriter, place: Local): Local {
  const owner = step.compute(step.compute(place, "shr", 24), "sub", 1);
  return step.compute(step.compute(owner, "mul", kRecordWords), "add", kRecordsWord);
}

/** Returns 0 from the step unless both values are equal. */
function mustEqual(step: StepWriter, one: Local, other: Local): void {
  step.when(step.compute(one, "ne", other), () => step.return(0));
}

/** The steps as programs. */
export const arenaStepPrograms: Readonly<Record<keyof ArenaSteps, StepProgram>> = {
  send: stepProgram(3, (step, ticket, hold, slot) => {
    // No other thread writes a ticket that is not in flight. The count is increased before the ticket is published, because a receiver
    // may use the ticket before this step ends.
    const generation = step.compute(step.load(ticket!, kGeneration, "send.1.generation"), "add", 1);
    step.store(ticket!, kSlot, slot!, "send.2.slot");
    const before = step.add(hold!, 0, kOneTicket, "send.3.count");
    step.when(step.compute(step.compute(before, "shr", 24), "ge", kMaxTicketsOfBlock), () => {
      step.sub(hold!, 0, kOneTicket, "send.4.undo");
      step.return(0);
    });
    step.store(ticket!, kGeneration, generation, "send.5.publish");
    step.return(generation);
  }),

  receive: stepProgram(3, (step, ticket, generation, bit) => {
    // Read the generation before the slot: then both belong to the same share even if the ticket is being reused.
    mustEqual(step, step.load(ticket!, kGeneration, "receive.1.generation"), generation!);
    const slot = step.load(ticket!, kSlot, "receive.2.slot");
    const block = step.compute(slot, "mul", kBlockWords);
    const mine = step.compute(step.load(block, kHold, "receive.3.hold"), "and", bit!);
    const next = step.compute(generation!, "add", 1);
    mustEqual(step, step.compareExchange(ticket!, kGeneration, generation!, next, "receive.4.claim"), generation!);
    // bit - mine adds the bit only if it was not set.
    const change = step.compute(step.compute(bit!, "sub", mine), "sub", kOneTicket);
    step.add(block, kHold, change, "receive.5.count");
    step.return(slot);
  }),

  end: stepProgram(2, (step, ticket, generation) => {
    mustEqual(step, step.load(ticket!, kGeneration, "end.1.generation"), generation!);
    const slot = step.load(ticket!, kSlot, "end.2.slot");
    const block = step.compute(slot, "mul", kBlockWords);
    const owner = ownersRecord(step, step.load(block, kPlace, "end.3.owner"));
    const next = step.compute(generation!, "add", 1);
    mustEqual(step, step.compareExchange(ticket!, kGeneration, generation!, next, "end.4.claim"), generation!);
    const before = step.sub(block, kHold, kOneTicket, "end.5.count");
    step.when(step.compute(before, "eq", kOneTicket), () => {
      // The block is not held any more: push it onto its owner's list. The push has no loop, so no thread can block another one.
      step.store(block, kLink, kPending, "end.6.pending");
      const next = step.exchange(owner, kHead, slot, "end.7.push");
      step.store(block, kLink, next, "end.8.link");
    });
    step.return(1);
  }),

  create: stepProgram(4, (step, block, numBytes, hold, place) => {
    step.store(block!, kBytes, numBytes!, "create.1.bytes");
    step.store(block!, kHold, hold!, "create.2.hold");
    step.store(block!, kPlace, place!, "create.3.place");
    step.return(0);
  }),

  release: stepProgram(3, (step, block, slot, bit) => {
    const held = step.compute(step.load(block!, kHold, "release.1.held"), "and", bit!);
    step.when(step.compute(held, "eq", 0), () => step.return(0));
    const owner = ownersRecord(step, step.load(block!, kPlace, "release.2.owner"));
    const before = step.sub(block!, kHold, bit!, "release.3.drop");
    step.when(step.compute(before, "eq", bit!), () => {
      step.store(block!, kLink, kPending, "release.4.pending");
      const next = step.exchange(owner, kHead, slot!, "release.5.push");
      step.store(block!, kLink, next, "release.6.link");
    });
    step.return(1);
  }),

  take: stepProgram(1, (step, record) => {
    const slot = step.load(record!, kDraining, "take.1.draining");
    step.when(step.compute(slot, "eq", 0), () => {
      // Store the list in the record, where the reaper finds the remaining blocks if this thread ends.
      step.set(slot, step.exchange(record!, kHead, 0, "take.2.head"));
      step.store(record!, kDraining, slot, "take.3.keep");
    });
    step.when(step.compute(slot, "eq", 0), () => step.return(0));
    const link = step.load(step.compute(slot, "mul", kBlockWords), kLink, "take.4.link");
    step.when(step.compute(link, "eq", kPending), () => step.return(-1));
    step.return(slot);
  }),

  free: stepProgram(2, (step, block, record) => {
    const next = step.load(block!, kLink, "free.1.link");
    step.store(block!, kPlace, 0, "free.2.place");
    step.store(record!, kDraining, next, "free.3.draining");
    step.return(0);
  }),

  cell: stepProgram(3, (step, cells, directory, owner) => {
    const cell = step.add(kCursorWord, 0, 1, "cell.1.cursor");
    step.when(step.compute(cell, "ge", cells!), () => {
      step.sub(kCursorWord, 0, 1, "cell.2.undo");
      step.return(-1);
    });
    step.store(step.compute(directory!, "add", cell), 0, owner!, "cell.3.owner");
    step.return(cell);
  }),

  moveTop: stepProgram(4, (step, top, units, record, claim) => {
    mustEqual(step, step.compareExchange(kTopWord, 0, top!, units!, "moveTop.1.top"), top!);
    step.store(record!, kClaim, claim!, "moveTop.2.claim");
    step.return(1);
  }),

  join: stepProgram(5, (step, record, seen, alive, parentKey, key) => {
    mustEqual(step, step.compareExchange(record!, kState, seen!, alive!, "join.2.claim"), seen!);
    // Write the key last: a thread that reads it then also sees the other words.
    step.store(record!, kParentKey, parentKey!, "join.3.parent");
    step.store(record!, kKey, key!, "join.4.key");
    step.add(kEpochWord, 0, 1, "join.5.epoch");
    step.return(1);
  }),

  announce: stepProgram(2, (step, record, key) => {
    step.store(record!, kKey, key!, "announce.1.key");
    step.add(kEpochWord, 0, 1, "announce.2.epoch");
    step.return(0);
  }),

  retire: stepProgram(1, (step, record) => {
    const state = step.load(record!, kState, "retire.1.state");
    // Clear the key first: a late reaper must not find the old key together with the next thread's state.
    step.store(record!, kKey, 0, "retire.2.key");
    const free = step.compute(step.compute(state, "and", ~kStateMask), "or", kFreeNumber);
    step.store(record!, kState, free, "retire.3.free");
    step.return(0);
  }),
};

/** Returns the steps compiled to WebAssembly over a shared memory; null if the engine or the memory does not allow it. */
export function compiledSteps(memory: WasmMemory): ArenaSteps | null {
  return compileSteps(arenaStepPrograms, memory) as ArenaSteps | null;
}

/** Returns the steps as functions that interpret the programs, access by access, over `atomics`. */
export function interpretedSteps(words: Words, atomics: AtomicsLike): ArenaSteps {
  const run =
    (program: StepProgram) =>
    (...args: number[]): number =>
      runStep(program, args, words, atomics);
  const steps = Object.entries(arenaStepPrograms).map(([name, program]) => [name, run(program)] as const);
  return Object.fromEntries(steps) as unknown as ArenaSteps;
}
