// Scenarios about the tables: thread numbers, cells of blocks, slabs, and what can be asked of them.
import { arenaCensus } from "../../src/threads/arena-census.ts";
import type { Actor, Report } from "./actor.ts";
import { keyOf, kParentKeyOfAll, must, orExhausted } from "./actor.ts";
import type { Exploration } from "./explorer.ts";
import { bystander, scenario, successes } from "./scenario.ts";
import { peekTicket, receiveTicket, sendTicket, takeBackTicket } from "../../src/threads/tickets.ts";

/** Claims at the same time, and questions. */
export const tables: readonly Exploration<Report>[] = [
  scenario({
    name: "all join at once",
    threads: [0, 1, 2].map(() => (a: Actor) => {
      a.start();
      a.join();
      return a.finish();
    }),
  }),
  scenario({
    name: "one reads the table while another joins",
    threads: [
      (a) => {
        a.setUp(0).start();
        must(
          a.protocol.threads().every(({ parentKey }) => parentKey === kParentKeyOfAll),
          "a key was there before its parent's",
        );
        return a.finish();
      },
      (b) => {
        b.start();
        b.join();
        return b.finish();
      },
    ],
  }),
  scenario({
    name: "two join and say their names later",
    threads: [0, 1].map(() => (a: Actor) => {
      a.start();
      a.join(0);
      a.protocol.announce(keyOf(a.order));
      return a.finish();
    }),
    // Each tells the others twice that there is somebody new.
    joins: () => 4,
  }),
  scenario({
    name: "the last cell",
    geometry: { cells: 1, blocksPerCell: 1 },
    threads: [0, 1, 2].map(() => (a: Actor) => {
      a.setUp().start();
      const slot = orExhausted(() => a.create());
      if (slot === null) {
        a.inUse.clear();
        return a.finish();
      }
      a.successes++;
      a.protocol.release(slot);
      return a.finish();
    }),
    check: (reports) => must(successes(reports) === 1, `${successes(reports)} threads have one cell`),
  }),
  scenario({
    name: "slabs claimed and given back",
    threads: [
      (a) => {
        a.setUp().start();
        a.claim(1);
        a.free(0);
        return a.finish();
      },
      (b) => {
        b.setUp().start();
        b.claim(2);
        b.machine.awaitPhase(40);
        // Everything that is free can be had.
        while (b.claim(1) >= 0);
        return b.finish();
      },
      (c) => {
        c.setUp().free(2);
        c.start();
        c.claim(1);
        return c.finish();
      },
    ],
    check: (reports) =>
      must(reports.reduce((sum, report) => sum + report!.slabs.length, 0) === 4, "slabs are left that nobody could claim"),
  }),
  scenario({
    name: "two want the slabs behind their own",
    geometry: { slabs: 5 },
    threads: [
      (a) => {
        // 0 is its own, 1 is free, 2 is the other's, 3 and 4 are new.
        a.setUp().start();
        if (a.claim(1, 1) >= 0) a.successes++;
        if (a.claim(2, 3) >= 0) a.successes++;
        return a.finish();
      },
      (b) => {
        b.setUp(2).free(1);
        b.start();
        if (b.claim(1, 3) >= 0) b.successes++;
        if (b.claim(1, 1) >= 0) b.successes++;
        return b.finish();
      },
    ],
    check: (reports) => must(successes(reports) >= 2, `${successes(reports)} claims were granted`),
  }),
  scenario({
    name: "one who claims slabs dies",
    mortal: [0],
    geometry: { slabs: 6 },
    threads: [
      (a) => {
        a.setUp().start();
        a.claim(2);
        return a.report();
      },
      (b) => {
        b.setUp().start();
        b.claim(2);
        return b.finish();
      },
      (c) => {
        c.setUp(2).free(3);
        c.start();
        c.reap(0);
        return c.finish();
      },
    ],
  }),
  scenario({
    name: "what a thread can ask",
    threads: [
      (a) => {
        const slot = a.setUp().create();
        must(a.protocol.isSoleHolder(slot) && a.protocol.holds(slot), "its own block is not held");
        const { ticket, nonce } = sendTicket(a.protocol, slot);
        must(!a.protocol.isSoleHolder(slot), "a ticket is in flight");
        must(peekTicket(a.protocol, ticket, nonce) === slot, "a ticket in flight was refused");
        for (const [t, n] of [
          [ticket, nonce ^ 2],
          [ticket, nonce ^ 1],
          [ticket + 1, nonce],
          [-1, nonce],
          [0.5, nonce],
          [1e9, nonce],
          [NaN, nonce],
          [ticket, nonce + 0.5],
          [ticket, nonce + 2 ** 32],
        ] as const) {
          must(
            peekTicket(a.protocol, t, n) === 0 && receiveTicket(a.protocol, t, n) === 0 && !takeBackTicket(a.protocol, t, n),
            `${t}, ${n} was accepted`,
          );
        }
        const expected = { threads: 1, deadThreads: 0, blocks: 1, tickets: 1, slabs: 1, freeSlabs: 0 };
        const census = JSON.stringify(arenaCensus(a.arena));
        must(census === JSON.stringify(expected), `the census says ${census}`);
        must(a.protocol.epoch === 1, "the epoch is wrong");
        a.start();
        must(
          JSON.stringify(a.protocol.threads().map(({ key, parentKey }) => [key, parentKey])) ===
            JSON.stringify([0, 1, 2].map((order) => [keyOf(order), kParentKeyOfAll])),
          "the table is wrong",
        );
        must(takeBackTicket(a.protocol, ticket, nonce), "could not be taken back");
        a.protocol.release(slot);
        must(!a.protocol.holds(slot), "it holds what it has released");
        must(a.protocol.needsDrain && a.protocol.drain() === 1 && !a.protocol.needsDrain, "nothing came back");
        return a.finish();
      },
      bystander,
      (c) => {
        c.setUp().free(2);
        c.machine.awaitPhase(8);
        const census = arenaCensus(c.arena);
        must(census.freeSlabs === 1 && census.threads === 3, "the census is wrong");
        c.start();
        return c.finish();
      },
    ],
  }),
];
