// Tests of ArenaProtocol with tables of their real sizes, over real memory and the real Atomics: limits, slabs, and reaping. The tests
// of concurrent threads are in packages/allocator/test/interleavings.
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { LinearMemory } from "@onebuffer/wasm";
import { arenaCensus } from "../../src/threads/arena-census.ts";
import { ArenaLayout, controlBytesFor, geometryFor, slabBytesFor } from "../../src/threads/arena-layout.ts";
import { ArenaProtocol } from "../../src/threads/arena-protocol.ts";
import type { ArenaMemory, ArenaWords } from "../../src/threads/arena-words.ts";
import { createArena, openArena } from "../../src/threads/arena-words.ts";
import { peekTicket, receiveTicket, sendTicket, takeBackTicket } from "../../src/threads/tickets.ts";

const MiB = 1048576;
const kNothing = { threads: 1, deadThreads: 0, blocks: 0, tickets: 0, slabs: 0, freeSlabs: 0 };

function newArena(): ArenaWords {
  const memory = new LinearMemory();
  return createArena(memory, memory.reserve(controlBytesFor(memory.byteLength))!, 77);
}

/** A memory without a WebAssembly.Memory, so that the steps are interpreted. */
const plain = (byteLength: number): ArenaMemory => ({ buffer: new SharedArrayBuffer(byteLength), isShared: false, memory: null as never });

/** Joins a thread that records the addresses of its returned blocks in `back`. */
function join(arena: ArenaWords, key: number, parentKey = 0): { protocol: ArenaProtocol; back: number[] } {
  const back: number[] = [];
  return { protocol: new ArenaProtocol(arena, key, parentKey, (unit) => back.push(unit)), back };
}

function thrownBy(act: () => unknown): { code: string; message: string } {
  try {
    act();
  } catch (error) {
    if (isStatusError(error)) return { code: error.code, message: error.message };
    throw error;
  }
  return { code: "OK", message: "" };
}

describe("the layout", () => {
  test.each([256, 512, 1024, 2048, 4096])(
    "of %d MiB has its tables in page 0, its control area in the first slab, and at most 128 slabs",
    (size) => {
      const byteLength = size * MiB;
      const slab = slabBytesFor(byteLength);
      const layout = new ArenaLayout(geometryFor(byteLength, 65536));
      expect(slab).toBeGreaterThanOrEqual(2 * MiB);
      expect(layout.slabs * slab).toBe(byteLength);
      expect(layout.slabs).toBeLessThanOrEqual(128);
      expect((layout.directoryWord + layout.cells) * 4).toBeLessThanOrEqual(65536);
      expect(layout.endWord * 4).toBeLessThanOrEqual(65536 + controlBytesFor(byteLength));
      expect(layout.cells * layout.blocksPerCell).toBeGreaterThan(100_000);
      expect(layout.endWord * 4 + 4096).toBeGreaterThan(65536 + controlBytesFor(byteLength) - 4096);
      expect(layout.slabUnits * 256).toBe(slab);
    },
  );

  test("an arena is opened only in a memory with its magic number", () => {
    const memory = new LinearMemory();
    const arena = createArena(memory, memory.reserve(controlBytesFor(memory.byteLength))!, 77);
    const again = openArena(memory);
    expect([again.arenaId, again.layout]).toEqual([77, arena.layout]);
    expect(thrownBy(() => openArena(new LinearMemory()))).toEqual({
      code: "FAILED_PRECONDITION",
      message: expect.stringMatching(/its magic number is 0, expected \d+/),
    });
  });
});

describe("limits", () => {
  test("24 threads can join, and another one after one has been reaped", () => {
    const arena = newArena();
    const threads = Array.from({ length: 24 }, (_, i) => join(arena, 100 + i));
    expect(threads.map(({ protocol }) => protocol.thread)).toEqual(Array.from({ length: 24 }, (_, i) => i));
    expect(thrownBy(() => join(arena, 1))).toEqual({ code: "RESOURCE_EXHAUSTED", message: expect.stringContaining("24 threads") });
    expect(threads[0]!.protocol.reap(9, 109)).toEqual({ threads: [9], regions: [] });
    expect(threads[9]!.protocol.isRevoked).toBe(true);
    expect(join(arena, 1).protocol.thread).toBe(9);
  });

  test("a block has at most 231 tickets; a refused one changes nothing", () => {
    const { protocol } = join(newArena(), 1);
    const slot = protocol.createBlock(1000, 5);
    const tickets = Array.from({ length: 231 }, () => sendTicket(protocol, slot));
    expect(thrownBy(() => sendTicket(protocol, slot))).toEqual({
      code: "RESOURCE_EXHAUSTED",
      message: expect.stringContaining("231 handles"),
    });
    expect(arenaCensus(protocol.arena)).toMatchObject({ blocks: 1, tickets: 231 });
    for (const { ticket, nonce } of tickets) expect(takeBackTicket(protocol, ticket, nonce)).toBe(true);
    expect(protocol.isSoleHolder(slot)).toBe(true);
  });

  test("a thread has at most 1024 tickets", () => {
    const { protocol, back } = join(newArena(), 1);
    const slots = Array.from({ length: 1024 }, (_, i) => protocol.createBlock(1000 + i, 5));
    const tickets = slots.map((slot) => sendTicket(protocol, slot));
    expect(new Set(tickets.map(({ nonce }) => nonce)).size).toBe(1024);
    expect(thrownBy(() => sendTicket(protocol, slots[0]!))).toEqual({
      code: "RESOURCE_EXHAUSTED",
      message: expect.stringContaining("1024 handles"),
    });
    for (const slot of slots) expect(protocol.release(slot)).toBe(true);
    expect(protocol.needsDrain).toBe(false);
    for (const { ticket, nonce } of tickets) takeBackTicket(protocol, ticket, nonce);
    expect(protocol.drain()).toBe(1024);
    expect(back.sort((a, b) => a - b)).toEqual(slots.map((_, i) => 1000 + i));
    expect(arenaCensus(protocol.arena)).toEqual(kNothing);
  });

  test("all control blocks can be used; a refused one changes nothing", () => {
    const { protocol } = join(createArena(plain(256 * MiB), 65536, 1), 1);
    const { cells, blocksPerCell } = protocol.arena.layout;
    const count = cells * blocksPerCell;
    const slots = new Set<number>();
    for (let i = 0; i < count; i++) slots.add(protocol.createBlock(1 + (i % 1000), 1));
    expect(slots.size).toBe(count);
    for (let i = 0; i < 2; i++)
      expect(thrownBy(() => protocol.createBlock(1, 1))).toEqual({
        code: "RESOURCE_EXHAUSTED",
        message: expect.stringContaining(`${count} control`),
      });
    for (const slot of slots) protocol.release(slot);
    expect(protocol.drain()).toBe(count);
    expect(protocol.createBlock(1, 1)).toBeGreaterThan(0);
  });
});

describe("blocks and tickets", () => {
  test("blocks have exact sizes and addresses up to 4 GiB", () => {
    const { protocol, back } = join(newArena(), 1);
    const slot = protocol.createBlock(0xffffff, 0xfffffff0);
    expect([protocol.blockUnit(slot), protocol.blockBytes(slot)]).toEqual([0xffffff, 0xfffffff0]);
    protocol.release(slot);
    protocol.drain();
    expect(back).toEqual([0xffffff]);
  });

  test("a ticket can be received once, by the first receiver", () => {
    const arena = newArena();
    const a = join(arena, 1);
    const b = join(arena, 2);
    const slot = a.protocol.createBlock(1000, 5);
    const { ticket, nonce } = sendTicket(a.protocol, slot);
    expect([peekTicket(b.protocol, ticket, nonce), receiveTicket(b.protocol, ticket, nonce)]).toEqual([slot, slot]);
    expect([
      peekTicket(b.protocol, ticket, nonce),
      receiveTicket(b.protocol, ticket, nonce),
      receiveTicket(a.protocol, ticket, nonce),
    ]).toEqual([0, 0, 0]);
    expect(takeBackTicket(a.protocol, ticket, nonce)).toBe(false);
    a.protocol.release(slot);
    a.protocol.drain();
    expect([a.back, b.protocol.isSoleHolder(slot)]).toEqual([[], true]);
    b.protocol.release(slot);
    expect([a.protocol.needsDrain, b.protocol.needsDrain, a.protocol.drain(), a.back]).toEqual([true, false, 1, [1000]]);
  });

  test("release returns false if the thread has no hold", () => {
    const arena = newArena();
    const a = join(arena, 1).protocol;
    const b = join(arena, 2).protocol;
    const slot = a.createBlock(1000, 5);
    expect([b.release(slot), a.release(slot), a.release(slot)]).toEqual([false, true, false]);
    expect(a.drain()).toBe(1);
  });

  test("an error thrown by onReclaim is rethrown, and no block is lost", () => {
    const arena = newArena();
    const back: number[] = [];
    const protocol = new ArenaProtocol(arena, 1, 0, (unit) => {
      back.push(unit);
      if (unit === 1001) throw new Error("books are broken");
    });
    for (const unit of [1000, 1001, 1002]) protocol.release(protocol.createBlock(unit, 1));
    expect(() => protocol.drain()).toThrow("books are broken");
    expect(protocol.needsDrain).toBe(true);
    protocol.drain();
    expect([back, protocol.needsDrain]).toEqual([[1002, 1001, 1000], false]);
    expect(arenaCensus(protocol.arena)).toEqual(kNothing);
  });
});

describe("slabs", () => {
  test("are taken from the linear memory around the regions of its other users", () => {
    const memory = new LinearMemory();
    const arena = createArena(memory, memory.reserve(controlBytesFor(memory.byteLength))!, 1);
    const { protocol } = join(arena, 1);
    const slab = arena.layout.slabUnits * 256;
    expect(protocol.claimSlabs(2)).toBe(1);
    expect(memory.reserve(256)).toBe(3 * slab);
    expect(protocol.claimSlabs(1)).toBe(4);
    protocol.freeSlabs(1, 2);
    expect(arenaCensus(protocol.arena)).toMatchObject({ slabs: 1, freeSlabs: 2 });
    expect([protocol.claimSlabs(3), protocol.claimSlabs(1), protocol.claimSlabs(1)]).toEqual([5, 1, 2]);
    expect(protocol.claimSlabs(arena.layout.slabs)).toBe(-1);
    const rest = arena.layout.slabs - 8;
    expect([protocol.claimSlabs(rest + 1), protocol.claimSlabs(rest), protocol.claimSlabs(1)]).toEqual([-1, 8, -1]);
  });

  test("can be claimed at a given slab", () => {
    const arena = newArena();
    const a = join(arena, 1).protocol;
    const b = join(arena, 2).protocol;
    expect([a.claimSlabs(2), b.claimSlabs(1), a.claimSlabs(1)]).toEqual([1, 3, 4]);
    // Slab 3 belongs to the other thread at first; then it is free, and the slabs from 5 on are new.
    expect([a.claimSlabs(1, 3), a.claimSlabs(2, 3)]).toEqual([-1, -1]);
    b.freeSlabs(3, 1);
    expect([a.claimSlabs(2, 3), a.claimSlabs(1, 3), a.claimSlabs(2, 5)]).toEqual([-1, 3, 5]);
    // No slab is left out below, and no run exceeds the memory.
    expect([a.claimSlabs(1, 8), a.claimSlabs(arena.layout.slabs - 6, 7), a.claimSlabs(1, arena.layout.slabs)]).toEqual([-1, -1, -1]);
    expect([a.claimSlabs(arena.layout.slabs - 7, 7), a.claimSlabs(1)]).toEqual([7, -1]);
    expect(arenaCensus(a.arena)).toMatchObject({ slabs: arena.layout.slabs - 1, freeSlabs: 0 });
  });

  test("a run can consist of free and new slabs", () => {
    const { protocol } = join(newArena(), 1);
    expect(protocol.claimSlabs(2)).toBe(1);
    protocol.freeSlabs(2, 1);
    expect(protocol.claimSlabs(3)).toBe(2);
    expect(arenaCensus(protocol.arena)).toMatchObject({ slabs: 4, freeSlabs: 0 });
  });
});

describe("a dead thread", () => {
  test("is reaped with its slabs, in runs, and its blocks in use", () => {
    const arena = newArena();
    const a = join(arena, 1);
    const b = join(arena, 2);
    const c = join(arena, 3);
    const units = arena.layout.slabUnits;
    expect([b.protocol.claimSlabs(1), a.protocol.claimSlabs(1), b.protocol.claimSlabs(2)]).toEqual([1, 2, 3]);
    const held = b.protocol.createBlock(3 * units + 5, units * 256);
    const lost = b.protocol.createBlock(units + 7, 100);
    const back = b.protocol.createBlock(4 * units + 9, 200);
    const alien = a.protocol.createBlock(2 * units, 1);
    const sent = sendTicket(b.protocol, held);
    const pending = sendTicket(b.protocol, lost);
    expect(receiveTicket(c.protocol, sent.ticket, sent.nonce)).toBe(held);
    const mine = sendTicket(a.protocol, alien);
    expect(receiveTicket(b.protocol, mine.ticket, mine.nonce)).toBe(alien);
    b.protocol.release(back);
    expect(a.protocol.reap(1, 99)).toBeNull();
    const reaped = a.protocol.reap(1, 2);
    expect(reaped).toEqual({
      threads: [1],
      regions: [
        { firstSlab: 1, slabs: 1, live: [{ unit: units + 7, bytes: 100 }] },
        {
          firstSlab: 3,
          slabs: 2,
          live: [
            { unit: 3 * units + 5, bytes: units * 256 },
            { unit: 4 * units + 9, bytes: 200 },
          ],
        },
      ],
    });
    expect(a.protocol.reap(1, 2)).toBeNull();
    expect(receiveTicket(c.protocol, pending.ticket, pending.nonce)).toBe(0);
    expect(a.protocol.isSoleHolder(alien)).toBe(true);
    // One block had been returned, one was held by the dead thread only; the third is returned when its holder releases it.
    expect([a.protocol.drain(), a.back.sort((x, y) => x - y), a.protocol.adoptedThreads]).toEqual([2, [units + 7, 4 * units + 9], [1]]);
    expect([a.protocol.needsDrain, arenaCensus(a.protocol.arena).deadThreads]).toEqual([false, 1]);
    c.protocol.release(held);
    expect([a.protocol.needsDrain, a.protocol.drain(), a.protocol.adoptedThreads]).toEqual([true, 1, []]);
    expect(join(arena, 4).protocol.thread).toBe(1);
    a.protocol.release(alien);
    a.protocol.drain();
    expect(arenaCensus(a.protocol.arena)).toMatchObject({ threads: 3, deadThreads: 0, blocks: 0, tickets: 0, slabs: 4 });
  });

  test("cannot be the calling thread", () => {
    const { protocol } = join(newArena(), 1);
    expect(thrownBy(() => protocol.reap(0, 1))).toEqual({ code: "FAILED_PRECONDITION", message: expect.stringContaining("thread 0") });
  });

  test("is listed only after it has announced its key", () => {
    const arena = newArena();
    const a = join(arena, 1).protocol;
    const b = join(arena, 0, 1).protocol;
    expect(a.threads()).toEqual([{ thread: 0, key: 1, parentKey: 0 }]);
    const { epoch } = a;
    b.announce(5);
    expect([a.threads()[1], a.epoch - epoch]).toEqual([{ thread: 1, key: 5, parentKey: 1 }, 1]);
  });

  test("has old tickets that are not valid for the next thread with its number", () => {
    const arena = newArena();
    const a = join(arena, 1).protocol;
    const b = join(arena, 2).protocol;
    const old = sendTicket(b, b.createBlock(1000, 1));
    a.reap(1, 2);
    a.drain();
    const next = join(arena, 3).protocol;
    expect(next.thread).toBe(1);
    const { ticket, nonce } = sendTicket(next, next.createBlock(1001, 1));
    expect([ticket === old.ticket, nonce === old.nonce]).toEqual([true, false]);
    expect([receiveTicket(a, old.ticket, old.nonce), takeBackTicket(a, old.ticket, old.nonce)]).toEqual([0, false]);
  });
});
