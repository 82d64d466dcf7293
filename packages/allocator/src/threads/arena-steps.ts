/**
 * arena-steps: every step of the threads' protocol that writes more than one word, or writes what it has read (TensorFlow: what
 * is done while a lock is held).
 *
 * A step is done or was never begun when its thread is terminated (step-program.ts). What happens when threads meet within
 * one, and why nothing is lost then, stands in arena-protocol.ts. Words are named by the index of a record, block or ticket, and
 * a place in it (arena-layout.ts). Each access has a name, `step.number.what`.
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
  /** A ticket comes in flight: its generation, or 0 when the block has as many as it may. */
  send(ticket: number, hold: number, slot: number): number;
  /** A ticket becomes a hold of the thread with that bit: the slot, or 0 when it is not in flight. */
  receive(ticket: number, generation: number, bit: number): number;
  /** A ticket ends, and the block with it if that was the last: 1, or 0 when it is not in flight. */
  end(ticket: number, generation: number): number;
  /** A block becomes one in use. */
  create(block: number, numBytes: number, hold: number, place: number): number;
  /** A hold ends, and the block with it if that was the last: 1, or 0 when there is no such hold. */
  release(block: number, slot: number, bit: number): number;
  /** The next block that came back to an owner: its slot; 0 when there is none, -1 when its pusher is not done. */
  take(record: number): number;
  /** The block that `take` answered becomes free. */
  free(block: number, record: number): number;
  /** A cell of control blocks gets an owner: its number, or -1 when there are no more than `cells`. */
  cell(cells: number, directory: number, owner: number): number;
  /** The memory's top moves, and the record says over what: 1, or 0 when somebody else moved it. */
  moveTop(top: number, units: number, record: number, claim: number): number;
  /** A number that is free gets a thread: 1, or 0 when its state is not `seen` any more. */
  join(record: number, seen: number, alive: number, parentKey: number, key: number): number;
  /** A thread gets its key. */
  announce(record: number, key: number): number;
  /** A number comes free. */
  retire(record: number): number;
}

/** The record of the thread that owns a block. */
function ownersRecord(step: StepWriter, place: Local): Local {
  const owner = step.compute(step.compute(place, "shr", 24), "sub", 1);
  return step.compute(step.compute(owner, "mul", kRecordWords), "add", kRecordsWord);
}

/** Answers 0 unless both are equal. */
function mustEqual(step: StepWriter, one: Local, other: Local): void {
  step.when(step.compute(one, "ne", other), () => step.answer(0));
}

/** The steps as programs. */
export const arenaStepPrograms: Readonly<Record<keyof ArenaSteps, StepProgram>> = {
  send: stepProgram(3, (step, ticket, hold, slot) => {
    // Nobody else writes a ticket that is not in flight. The count first: a receiver may be there before this step is left.
    const generation = step.compute(step.load(ticket!, kGeneration, "send.1.generation"), "add", 1);
    step.store(ticket!, kSlot, slot!, "send.2.slot");
    const before = step.add(hold!, 0, kOneTicket, "send.3.count");
    step.when(step.compute(step.compute(before, "shr", 24), "ge", kMaxTicketsOfBlock), () => {
      step.sub(hold!, 0, kOneTicket, "send.4.undo");
      step.answer(0);
    });
    step.store(ticket!, kGeneration, generation, "send.5.publish");
    step.answer(generation);
  }),

  receive: stepProgram(3, (step, ticket, generation, bit) => {
    // The generation before the slot: only then do both belong to one share, should the handle have been there before it.
    mustEqual(step, step.load(ticket!, kGeneration, "receive.1.generation"), generation!);
    const slot = step.load(ticket!, kSlot, "receive.2.slot");
    const block = step.compute(slot, "mul", kBlockWords);
    const mine = step.compute(step.load(block, kHold, "receive.3.hold"), "and", bit!);
    const next = step.compute(generation!, "add", 1);
    mustEqual(step, step.compareExchange(ticket!, kGeneration, generation!, next, "receive.4.claim"), generation!);
    // The bit comes if it was not there: bit - mine.
    const change = step.compute(step.compute(bit!, "sub", mine), "sub", kOneTicket);
    step.add(block, kHold, change, "receive.5.count");
    step.answer(slot);
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
      // Nobody holds it any more: onto its owner's list. No loop, so nobody can be held up by it.
      step.store(block, kLink, kPending, "end.6.pending");
      const next = step.exchange(owner, kHead, slot, "end.7.push");
      step.store(block, kLink, next, "end.8.link");
    });
    step.answer(1);
  }),

  create: stepProgram(4, (step, block, numBytes, hold, place) => {
    step.store(block!, kBytes, numBytes!, "create.1.bytes");
    step.store(block!, kHold, hold!, "create.2.hold");
    step.store(block!, kPlace, place!, "create.3.place");
    step.answer(0);
  }),

  release: stepProgram(3, (step, block, slot, bit) => {
    const held = step.compute(step.load(block!, kHold, "release.1.held"), "and", bit!);
    step.when(step.compute(held, "eq", 0), () => step.answer(0));
    const owner = ownersRecord(step, step.load(block!, kPlace, "release.2.owner"));
    const before = step.sub(block!, kHold, bit!, "release.3.drop");
    step.when(step.compute(before, "eq", bit!), () => {
      step.store(block!, kLink, kPending, "release.4.pending");
      const next = step.exchange(owner, kHead, slot!, "release.5.push");
      step.store(block!, kLink, next, "release.6.link");
    });
    step.answer(1);
  }),

  take: stepProgram(1, (step, record) => {
    const slot = step.load(record!, kDraining, "take.1.draining");
    step.when(step.compute(slot, "eq", 0), () => {
      // Kept where whoever looks after this thread, should it end, finds the rest.
      step.set(slot, step.exchange(record!, kHead, 0, "take.2.head"));
      step.store(record!, kDraining, slot, "take.3.keep");
    });
    step.when(step.compute(slot, "eq", 0), () => step.answer(0));
    const link = step.load(step.compute(slot, "mul", kBlockWords), kLink, "take.4.link");
    step.when(step.compute(link, "eq", kPending), () => step.answer(-1));
    step.answer(slot);
  }),

  free: stepProgram(2, (step, block, record) => {
    const next = step.load(block!, kLink, "free.1.link");
    step.store(block!, kPlace, 0, "free.2.place");
    step.store(record!, kDraining, next, "free.3.draining");
    step.answer(0);
  }),

  cell: stepProgram(3, (step, cells, directory, owner) => {
    const cell = step.add(kCursorWord, 0, 1, "cell.1.cursor");
    step.when(step.compute(cell, "ge", cells!), () => {
      step.sub(kCursorWord, 0, 1, "cell.2.undo");
      step.answer(-1);
    });
    step.store(step.compute(directory!, "add", cell), 0, owner!, "cell.3.owner");
    step.answer(cell);
  }),

  moveTop: stepProgram(4, (step, top, units, record, claim) => {
    mustEqual(step, step.compareExchange(kTopWord, 0, top!, units!, "moveTop.1.top"), top!);
    step.store(record!, kClaim, claim!, "moveTop.2.claim");
    step.answer(1);
  }),

  join: stepProgram(5, (step, record, seen, alive, parentKey, key) => {
    mustEqual(step, step.compareExchange(record!, kState, seen!, alive!, "join.2.claim"), seen!);
    // The key last: whoever sees it sees the rest.
    step.store(record!, kParentKey, parentKey!, "join.3.parent");
    step.store(record!, kKey, key!, "join.4.key");
    step.add(kEpochWord, 0, 1, "join.5.epoch");
    step.answer(1);
  }),

  announce: stepProgram(2, (step, record, key) => {
    step.store(record!, kKey, key!, "announce.1.key");
    step.add(kEpochWord, 0, 1, "announce.2.epoch");
    step.answer(0);
  }),

  retire: stepProgram(1, (step, record) => {
    const state = step.load(record!, kState, "retire.1.state");
    // The key first: no late reaper may find it with the next thread's state.
    step.store(record!, kKey, 0, "retire.2.key");
    const free = step.compute(step.compute(state, "and", ~kStateMask), "or", kFreeNumber);
    step.store(record!, kState, free, "retire.3.free");
    step.answer(0);
  }),
};

/** The steps as WebAssembly over a shared memory; null where that cannot be. */
export function compiledSteps(memory: WasmMemory): ArenaSteps | null {
  return compileSteps(arenaStepPrograms, memory) as ArenaSteps | null;
}

/** The steps run access by access over `atomics`. */
export function interpretedSteps(words: Words, atomics: AtomicsLike): ArenaSteps {
  const run =
    (program: StepProgram) =>
    (...args: number[]): number =>
      runStep(program, args, words, atomics);
  const steps = Object.entries(arenaStepPrograms).map(([name, program]) => [name, run(program)] as const);
  return Object.fromEntries(steps) as unknown as ArenaSteps;
}
