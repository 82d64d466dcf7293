// Scenarios in which threads are killed before any of their steps, and others take over from them.
import type { Actor, Report } from "./actor.ts";
import { must, orExhausted } from "./actor.ts";
import type { Exploration } from "./explorer.ts";
import { scenario, successes } from "./scenario.ts";
import { sendTicket, takeBackTicket } from "../../src/threads/tickets.ts";

/** Owners, receivers, senders and reapers that die. */
export const dyingThreads: readonly Exploration<Report>[] = [
  scenario({
    name: "the owner dies",
    mortal: [0],
    threads: [
      (a) => {
        const slot = a.setUp().create();
        a.start();
        a.post(0, sendTicket(a.protocol, slot));
        a.protocol.release(slot);
        a.protocol.drain();
        return a.report();
      },
      (b) => {
        b.setUp().start();
        b.receiveAndRelease(0, 0);
        return b.finish();
      },
      (c) => {
        c.setUp().start();
        must(c.reap(0), "the dead thread was refused");
        c.protocol.drain();
        return c.finish();
      },
    ],
  }),
  scenario({
    name: "the owner dies making its first block",
    mortal: [0],
    threads: [
      (a) => {
        a.setUp().start();
        a.create();
        return a.report();
      },
      (b) => {
        b.setUp().start();
        b.protocol.release(b.create());
        b.protocol.drain();
        return b.finish();
      },
      (c) => {
        c.setUp().start();
        c.reap(0);
        return c.finish();
      },
    ],
  }),
  scenario({
    name: "a receiver dies",
    mortal: [1],
    threads: [
      (a) => {
        const slot = a.setUp().create();
        for (const box of [0, 1]) a.post(box, sendTicket(a.protocol, slot));
        a.protocol.release(slot);
        a.start();
        a.reap(1);
        a.protocol.drain();
        // What the dead one did not receive is still in flight.
        const ticket = a.letter(0, 0)!;
        takeBackTicket(a.protocol, ticket.ticket, ticket.nonce);
        return a.finish();
      },
      (b) => {
        b.setUp().start();
        b.receiveAndRelease(0, 0);
        return b.report();
      },
      (c) => {
        c.setUp().start();
        c.receiveAndRelease(1, 0);
        return c.finish();
      },
    ],
  }),
  scenario({
    name: "one who passes on dies",
    mortal: [1],
    threads: [
      (a) => {
        const slot = a.setUp().create();
        a.post(0, sendTicket(a.protocol, slot));
        a.protocol.release(slot);
        a.start();
        a.protocol.drain();
        return a.finish();
      },
      (b) => {
        const slot = b.setUp().receive(0, 0);
        b.start();
        b.post(1, sendTicket(b.protocol, slot));
        b.protocol.release(slot);
        return b.report();
      },
      (c) => {
        c.setUp().start();
        const slot = c.receive(1, 1);
        c.reap(1);
        if (slot !== 0) {
          c.touch(slot);
          c.protocol.release(slot);
        }
        return c.finish();
      },
    ],
  }),
  scenario({
    name: "one who drains dies",
    mortal: [0],
    threads: [
      (a) => {
        const slot = a.setUp().create(0);
        const other = a.create(1);
        a.post(0, sendTicket(a.protocol, other));
        a.protocol.release(other);
        a.protocol.release(slot);
        a.start();
        a.protocol.drain();
        return a.report();
      },
      (b) => {
        const slot = b.setUp().receive(0, 0);
        b.start();
        b.touch(slot);
        b.protocol.release(slot);
        return b.finish();
      },
      (c) => {
        c.setUp().start();
        c.reap(0);
        c.protocol.drain();
        return c.finish();
      },
    ],
  }),
  scenario({
    name: "a reaper dies, while another lets go",
    mortal: [2],
    geometry: { ticketsPerThread: 1, cells: 1, slabs: 4, slabUnits: 1 },
    threads: [
      (a) => {
        const slot = a.setUp().create();
        a.post(0, sendTicket(a.protocol, slot));
        a.machine.awaitPhase(6);
        a.post(1, sendTicket(a.protocol, slot));
        return a.report();
      },
      (b) => {
        const slot = b.setUp().receive(0, 0);
        b.start();
        b.touch(slot);
        b.protocol.release(slot);
        return b.finish();
      },
      (c) => {
        c.setUp().start();
        c.reap(0);
        c.protocol.drain();
        return c.report();
      },
      (d) => {
        d.setUp().start();
        d.reap(2);
        // The first one may have died before it claimed the dead one, or after it was done with it.
        d.reap(0);
        d.protocol.drain();
        return d.finish();
      },
    ],
  }),
  scenario({
    name: "reaper after reaper dies",
    mortal: [1, 2],
    geometry: { ticketsPerThread: 1, cells: 2 },
    threads: [
      (a) => {
        const slot = a.setUp().create();
        sendTicket(a.protocol, slot);
        const other = a.create(1);
        a.protocol.release(other);
        return a.report();
      },
      (b) => {
        b.setUp().start();
        b.reap(0);
        b.protocol.drain();
        return b.report();
      },
      (c) => {
        c.setUp().start();
        c.reap(1);
        c.reap(0);
        c.protocol.drain();
        return c.report();
      },
      (d) => {
        d.setUp().start();
        d.machine.awaitEnd(1);
        d.reap(2);
        d.reap(1);
        d.reap(0);
        d.protocol.drain();
        return d.finish();
      },
    ],
  }),
  scenario({
    name: "two reapers",
    geometry: { ticketsPerThread: 1, cells: 1 },
    threads: [
      (a) => {
        a.setUp().create();
        return a.report();
      },
      ...[1, 2].map(() => (b: Actor) => {
        b.setUp().start();
        if (b.reap(0)) b.successes++;
        return b.finish();
      }),
    ],
    check: (reports) => must(successes(reports) === 1, `${successes(reports)} threads took over from one`),
  }),
  scenario({
    name: "a late reaper and the next thread of the number",
    geometry: { threads: 3, ticketsPerThread: 1, cells: 1 },
    threads: [
      (a) => a.setUp(0).report(),
      ...[1, 2].map(() => (b: Actor) => {
        b.setUp(0).start();
        b.reap(0);
        return b.finish();
      }),
      (d) => {
        d.start();
        const joined = orExhausted(() => {
          d.join();
          return true;
        });
        return joined === null ? d.report() : d.finish();
      },
    ],
    joins: (reports) => (reports[3]!.survives ? 4 : 3),
  }),
  scenario({
    name: "the next thread of a number whose last block comes back",
    geometry: { threads: 3, ticketsPerThread: 1, cells: 2, slabUnits: 1, slabs: 4 },
    threads: [
      (a) => {
        const slot = a.setUp().create();
        a.post(0, sendTicket(a.protocol, slot));
        a.protocol.release(slot);
        a.machine.awaitPhase(6);
        return a.report();
      },
      (b) => {
        const slot = b.setUp().receive(0, 0);
        b.start();
        b.protocol.release(slot);
        return b.finish();
      },
      (c) => {
        c.setUp();
        c.machine.awaitPhase(7);
        must(c.reap(0), "the dead thread was refused");
        c.start();
        c.protocol.drain();
        return c.finish();
      },
      (d) => {
        d.start();
        const joined = orExhausted(() => {
          d.join();
          d.claim(1);
          return true;
        });
        if (joined === null) return d.report();
        d.protocol.release(d.create());
        d.protocol.drain();
        return d.finish();
      },
    ],
    joins: (reports) => (reports[3]!.survives ? 4 : 3),
  }),
  scenario({
    name: "a number used again",
    geometry: { threads: 2 },
    threads: [
      (a) => {
        a.setUp().create();
        return a.report();
      },
      (b) => {
        b.setUp().start();
        must(b.reap(0), "the dead thread was refused");
        return b.finish();
      },
      (c) => {
        c.machine.awaitPhase(40);
        c.join();
        must(c.protocol.thread === 0, "the number did not come free");
        return c.report(true);
      },
    ],
  }),
];
