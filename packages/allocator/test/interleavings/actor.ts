// What the threads of the scenarios are made of: a thread of the arena that keeps books of its memory, checks at every turn what
// it can check alone, and reports the rest for the check at the end.
import { isStatusError } from "@onebuffer/base";
import {
  ArenaLayout,
  kAlive,
  kBlockWords,
  kClaim,
  kCursorWord,
  kDraining,
  kEpochWord,
  kFreeSlab,
  kHead,
  kHold,
  kKey,
  kPlace,
  kRecordsWord,
  kRecordWords,
  kState,
  kStateMask,
  kTicketWords,
  kTopWord,
} from "../../src/threads/arena-layout.ts";
import type { ArenaGeometry } from "../../src/threads/arena-layout.ts";
import { ArenaProtocol } from "../../src/threads/arena-protocol.ts";
import { ArenaWords } from "../../src/threads/arena-words.ts";
import type { Ticket } from "../../src/threads/tickets.ts";
import type { Machine } from "./explorer.ts";
import { kInterleaved } from "./explorer.ts";
import { receiveTicket } from "../../src/threads/tickets.ts";

/** As small as can be: two units to a slab, two blocks to a cell. */
export const kSmall: ArenaGeometry = {
  threads: 4,
  ticketsPerThread: 2,
  slabs: 4,
  slabUnits: 2,
  cells: 3,
  blocksPerCell: 2,
  controlUnit: 4,
};

/** Words of the tests' own, beyond the arena: letter boxes, and one word of data for each unit of memory. */
const kBoxes = 10_000;
const kData = 20_000;
const kPoison = -1;
const kNoWords = new Int32Array(0);

/** The thread that started all of them. */
export const kParentKeyOfAll = 7;

/** The keys that threads join with. */
export function keyOf(thread: number): number {
  return 100 + thread;
}

/** Tickets by number, so that one fits a word. */
const letters: Ticket[] = [];

function letterNumber({ ticket, nonce }: Ticket): number {
  const at = letters.findIndex((letter) => letter.ticket === ticket && letter.nonce === nonce);
  return at >= 0 ? at + 1 : letters.push({ ticket, nonce });
}

/** What a thread says of itself at the end. */
export interface Report {
  readonly thread: number;
  readonly freeSlots: readonly number[];
  /** Units it thinks are in use. */
  readonly inUse: readonly number[];
  readonly slabs: readonly number[];
  /** How often something that may fail worked. */
  readonly successes: number;
  /** Whether it is still around, and not one that ended before the last phase. */
  readonly survives: boolean;
}

/** Throws when something is not so. */
export function must(condition: boolean, text: string): void {
  if (!condition) throw new Error(text);
}

/** A thread of a scenario. Every method may touch shared words. */
export class Actor {
  readonly machine: Machine;
  readonly arena: ArenaWords;
  readonly order: number;
  protocol!: ArenaProtocol;
  readonly inUse = new Set<number>();
  readonly slabs = new Set<number>();
  successes = 0;

  /** The `order`th thread; setting up happens in this order. */
  constructor(machine: Machine, order: number, geometry: ArenaGeometry = kSmall) {
    this.machine = machine;
    this.order = order;
    this.arena = new ArenaWords(kNoWords, machine.atomics, new ArenaLayout(geometry), 1);
  }

  /** Joins, with a slab of its own unless told otherwise: alone, before the threads run interleaved. */
  setUp(slabs = 1): this {
    this.machine.awaitPhase(1 + this.order);
    this.join();
    if (slabs > 0) this.claim(slabs);
    return this;
  }

  /** Joins with its key, or without one yet. */
  join(key: number = keyOf(this.order)): void {
    this.protocol = new ArenaProtocol(this.arena, key, kParentKeyOfAll, (unit) => this.onReclaim(unit));
  }

  /** Lets the others set up before the threads run interleaved. */
  start(): void {
    this.machine.awaitPhase(kInterleaved);
  }

  /** Comes to rest: one after the other, twice, since what one gives back another takes up. */
  finish(): Report {
    for (const round of [20, 30]) {
      this.machine.awaitPhase(round + this.order);
      // As an allocator does, and nobody else: what needsDrain does not tell of stays.
      if (this.protocol.needsDrain) this.protocol.drain();
      must(!this.protocol.isRevoked, "a living thread was taken for dead");
    }
    must(!this.protocol.needsDrain, "something is left to take up");
    return this.report(true);
  }

  report(survives = false): Report {
    const { protocol } = this;
    return {
      thread: protocol?.thread ?? -1,
      freeSlots: protocol === undefined ? [] : [...protocol.freeSlots],
      inUse: [...this.inUse],
      slabs: [...this.slabs],
      successes: this.successes,
      survives,
    };
  }

  claim(count: number, at = -1): number {
    const first = this.protocol.claimSlabs(count, at);
    if (first >= 0) for (let slab = first; slab < first + count; slab++) this.slabs.add(slab);
    return first;
  }

  free(slab: number): void {
    this.slabs.delete(slab);
    this.protocol.freeSlabs(slab, 1);
  }

  /** Whether unit number `which` of the thread's first slab is in use. */
  knowsUnit(which: number): boolean {
    return this.inUse.has([...this.slabs][0]! * this.arena.layout.slabUnits + which);
  }

  /** A block over unit number `which` of the thread's first slab. */
  create(which = 0): number {
    const unit = [...this.slabs][0]! * this.arena.layout.slabUnits + which;
    must(!this.inUse.has(unit), `unit ${unit} is in use`);
    this.inUse.add(unit);
    this.machine.atomics.store(kNoWords, kData + unit, unit + 1, "test.1.write");
    return this.protocol.createBlock(unit, 1000 + unit);
  }

  /** Reads the memory of a block it holds. */
  touch(slot: number): number {
    const unit = this.protocol.blockUnit(slot);
    must(this.protocol.blockBytes(slot) === 1000 + unit, `the size of the block at unit ${unit} is wrong`);
    must(this.machine.atomics.load(kNoWords, kData + unit, "test.1.read") === unit + 1, `unit ${unit} was given away while it is held`);
    return unit;
  }

  /** Puts a ticket into a letter box. */
  post(box: number, ticket: Ticket): void {
    this.machine.atomics.store(kNoWords, kBoxes + box, letterNumber(ticket), "test.1.post");
  }

  /** The ticket in a letter box, when there is one; null when its sender has ended without. */
  letter(box: number, sender: number): Ticket | null {
    const number = this.machine.awaitWord(kBoxes + box, sender);
    return number === 0 ? null : letters[number - 1]!;
  }

  /** The ticket in a letter box right now, or null. */
  glance(box: number): Ticket | null {
    const number = this.machine.atomics.load(kNoWords, kBoxes + box, "test.1.glance");
    return number === 0 ? null : letters[number - 1]!;
  }

  /** Receives what is in a letter box, and looks at it: the slot, or 0. */
  receive(box: number, sender: number): number {
    const letter = this.letter(box, sender);
    const slot = letter === null ? 0 : receiveTicket(this.protocol, letter.ticket, letter.nonce);
    if (slot !== 0) {
      this.successes++;
      this.touch(slot);
    }
    return slot;
  }

  /** Receives, and lets go again. */
  receiveAndRelease(box: number, sender: number): number {
    const slot = this.receive(box, sender);
    if (slot !== 0) this.protocol.release(slot);
    return slot;
  }

  /** Waits for a thread to end and takes over from it: whether it was the first to. What is not in use is written to. */
  reap(order: number, thread = order): boolean {
    this.machine.awaitEnd(order);
    const reaped = this.protocol.reap(thread, keyOf(order));
    if (reaped === null) return false;
    const { slabUnits } = this.arena.layout;
    for (const { firstSlab, slabs, live } of reaped.regions) {
      for (let slab = firstSlab; slab < firstSlab + slabs; slab++) {
        must(!this.slabs.has(slab), `slab ${slab} was reaped twice`);
        this.slabs.add(slab);
      }
      const used = new Set(live.map(({ unit }) => unit));
      for (const { unit, bytes } of live) {
        must(bytes === 1000 + unit, `the size of the reaped block at unit ${unit} is wrong`);
        this.inUse.add(unit);
      }
      for (let unit = firstSlab * slabUnits; unit < (firstSlab + slabs) * slabUnits; unit++)
        if (!used.has(unit)) this.machine.atomics.store(kNoWords, kData + unit, kPoison, "test.1.poison");
    }
    return true;
  }

  private onReclaim(unit: number): void {
    must(this.inUse.delete(unit), `unit ${unit} came back to thread ${this.protocol.thread}, which does not know it is in use`);
    this.machine.atomics.store(kNoWords, kData + unit, kPoison, "test.1.poison");
  }
}

/**
 * What must be so when everything is over: nothing in use, nothing lost, nothing twice, and every table says the same. Reads the
 * words by itself, without the product's functions.
 */
export function checkEnd(
  memory: ReadonlyMap<number, number>,
  reports: readonly (Report | null)[],
  joins: number,
  geometry: ArenaGeometry = kSmall,
): void {
  const word = (index: number): number => memory.get(index) ?? 0;
  const layout = new ArenaLayout(geometry);
  const alive = reports.filter((report) => report?.survives === true).map((report) => report!);
  const numbers = alive.map(({ thread }) => thread);
  for (let thread = 0; thread < layout.threads; thread++) {
    const record = kRecordsWord + thread * kRecordWords;
    const isAlive = numbers.includes(thread);
    must((word(record + kState) & kStateMask) === (isAlive ? kAlive : 0), `the state of thread ${thread} is ${word(record + kState)}`);
    must((word(record + kKey) !== 0) === isAlive, `the key of thread ${thread} is ${word(record + kKey)}`);
    must(word(record + kHead) === 0 && word(record + kDraining) === 0, `the list of thread ${thread} is not empty`);
    must(word(record + kClaim) === 0, `thread ${thread} is in the middle of a claim`);
  }
  must(new Set(numbers).size === numbers.length, `two threads have one number: ${numbers}`);
  must(word(kEpochWord) === joins, `${word(kEpochWord)} threads joined, expected ${joins}`);
  const cursor = word(kCursorWord);
  must(cursor <= layout.cells, `${cursor} cells of ${layout.cells} are taken`);
  for (let cell = 0; cell < layout.cells; cell++) {
    const owner = word(layout.directoryWord + cell) - 1;
    must(cell < cursor ? numbers.includes(owner) : owner === -1, `cell ${cell} is thread ${owner}'s`);
  }
  const blocks = cursor * layout.blocksPerCell;
  for (let slot = layout.firstSlot; slot < layout.firstSlot + layout.cells * layout.blocksPerCell; slot++) {
    must(word(slot * kBlockWords + kHold) === 0, `block ${slot} is held: ${word(slot * kBlockWords + kHold).toString(16)}`);
    must(word(slot * kBlockWords + kPlace) === 0, `block ${slot} is in use`);
  }
  const free = alive.flatMap(({ freeSlots }) => freeSlots);
  must(free.length === blocks && new Set(free).size === blocks, `${free.length} of ${blocks} blocks are free: ${free}`);
  for (let ticket = 0; ticket < layout.threads * layout.ticketsPerThread; ticket++)
    must((word(layout.ticketsWord + ticket * kTicketWords) & 1) === 0, `ticket ${ticket} is in flight`);
  for (const { thread, inUse } of alive) must(inUse.length === 0, `units ${inUse} of thread ${thread} never came back`);
  for (let slab = 0; slab < layout.slabs; slab++) {
    const owners = alive.filter(({ slabs }) => slabs.includes(slab)).map(({ thread }) => thread);
    const value = word(layout.slabTableWord + slab);
    const isArenas = slab * layout.slabUnits < word(kTopWord);
    if (!isArenas) must(value === 0 && owners.length === 0, `slab ${slab} is nobody's, but the table has ${value}`);
    else if (value === kFreeSlab) must(owners.length === 0, `slab ${slab} is free, but thread ${owners} has it`);
    else must(owners.length === 1 && value === owners[0]! + 1, `slab ${slab} is of threads [${owners}], the table has ${value}`);
  }
}

/** What `make` answers, or null where it throws RESOURCE_EXHAUSTED. */
export function orExhausted<T>(make: () => T): T | null {
  try {
    return make();
  } catch (error) {
    if (isStatusError(error, "RESOURCE_EXHAUSTED")) return null;
    throw error;
  }
}
