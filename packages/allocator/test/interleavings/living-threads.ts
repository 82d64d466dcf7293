// Scenarios in which every thread lives: handles go to and fro, blocks come back.
import { kBlockWords, kHold, kOneTicket } from "../../src/threads/arena-layout.ts";
import type { Actor, Report } from "./actor.ts";
import { must, orExhausted } from "./actor.ts";
import type { Exploration } from "./explorer.ts";
import { scenario, successes } from "./scenario.ts";
import { peekTicket, receiveTicket, sendTicket, takeBackTicket } from "../../src/threads/tickets.ts";

const kNoWords = new Int32Array(0);

/** Sharing, receiving, taking back, passing on, giving back. */
export const livingThreads: readonly Exploration<Report>[] = [
  scenario({
    name: "handed over",
    threads: [
      (a) => {
        const slot = a.setUp().create();
        a.start();
        a.post(0, sendTicket(a.protocol, slot));
        a.protocol.release(slot);
        a.protocol.drain();
        return a.finish();
      },
      (b) => {
        b.setUp().start();
        b.receiveAndRelease(0, 0);
        return b.finish();
      },
    ],
    check: (reports) => must(successes(reports) === 1, "the handle was refused"),
  }),
  scenario({
    name: "two receivers, one ticket",
    threads: [
      (a) => {
        const slot = a.setUp().create();
        a.start();
        a.post(0, sendTicket(a.protocol, slot));
        a.protocol.release(slot);
        return a.finish();
      },
      ...[1, 2].map(() => (b: Actor) => {
        b.setUp().start();
        b.receiveAndRelease(0, 0);
        return b.finish();
      }),
    ],
    check: (reports) => must(successes(reports) === 1, `${successes(reports)} threads received one ticket`),
  }),
  scenario({
    name: "taken back while it is received",
    threads: [
      (a) => {
        const slot = a.setUp().create();
        a.start();
        const ticket = sendTicket(a.protocol, slot);
        a.post(0, ticket);
        a.protocol.release(slot);
        if (takeBackTicket(a.protocol, ticket.ticket, ticket.nonce)) a.successes++;
        a.protocol.drain();
        return a.finish();
      },
      (b) => {
        b.setUp().start();
        b.receiveAndRelease(0, 0);
        return b.finish();
      },
    ],
    check: (reports) => must(successes(reports) === 1, `${successes(reports)} threads ended one ticket`),
  }),
  scenario({
    name: "passed on",
    threads: [
      (a) => {
        const slot = a.setUp().create();
        a.start();
        a.post(0, sendTicket(a.protocol, slot));
        a.protocol.release(slot);
        a.protocol.drain();
        return a.finish();
      },
      (b) => {
        b.setUp().start();
        const slot = b.receive(0, 0);
        b.post(1, sendTicket(b.protocol, slot));
        b.protocol.release(slot);
        return b.finish();
      },
      (c) => {
        c.setUp().start();
        c.receiveAndRelease(1, 1);
        return c.finish();
      },
    ],
    check: (reports) => must(successes(reports) === 2, "a handle was refused"),
  }),
  scenario({
    name: "two come back at once",
    threads: [
      (a) => {
        a.setUp();
        for (const which of [0, 1]) {
          const slot = a.create(which);
          a.post(which, sendTicket(a.protocol, slot));
          a.protocol.release(slot);
        }
        a.start();
        a.protocol.drain();
        a.protocol.drain();
        return a.finish();
      },
      ...[0, 1].map((box) => (b: Actor) => {
        const slot = b.setUp().receive(box, 0);
        b.start();
        b.touch(slot);
        b.protocol.release(slot);
        return b.finish();
      }),
    ],
  }),
  scenario({
    name: "two are taken back at once",
    threads: [
      (a) => {
        a.setUp();
        for (const which of [0, 1]) {
          const slot = a.create(which);
          a.post(which, sendTicket(a.protocol, slot));
          a.protocol.release(slot);
        }
        a.start();
        a.protocol.drain();
        return a.finish();
      },
      ...[0, 1].map((box) => (b: Actor) => {
        const { ticket, nonce } = b.setUp().letter(box, 0)!;
        b.start();
        must(takeBackTicket(b.protocol, ticket, nonce), "could not be taken back");
        return b.finish();
      }),
    ],
  }),
  scenario({
    name: "a slot used again",
    threads: [
      (a) => {
        let slot = a.setUp().create();
        a.post(0, sendTicket(a.protocol, slot));
        a.protocol.release(slot);
        a.start();
        a.protocol.drain();
        if (a.inUse.size === 0) {
          slot = a.create(1);
          a.post(1, sendTicket(a.protocol, slot));
          a.protocol.release(slot);
        } else a.post(1, { ticket: 0, nonce: 0 });
        a.protocol.drain();
        return a.finish();
      },
      (b) => {
        const slot = b.setUp().receive(0, 0);
        const old = b.letter(0, 0)!;
        b.start();
        b.touch(slot);
        b.protocol.release(slot);
        must(
          peekTicket(b.protocol, old.ticket, old.nonce) === 0 && receiveTicket(b.protocol, old.ticket, old.nonce) === 0,
          "an old handle was accepted",
        );
        must(!takeBackTicket(b.protocol, old.ticket, old.nonce), "an old handle was taken back");
        return b.finish();
      },
      (c) => {
        c.setUp().start();
        c.receiveAndRelease(1, 0);
        return c.finish();
      },
    ],
  }),
  ...(["receive", "take back"] as const).map((what) =>
    scenario({
      name: `a handle guessed before its share: ${what}`,
      threads: [
        (a) => {
          const other = a.setUp().create(0);
          const slot = a.create(1);
          const old = sendTicket(a.protocol, other);
          must(takeBackTicket(a.protocol, old.ticket, old.nonce), "could not be taken back");
          // Generation 1 is over; the next share of this ticket will be generation 3.
          const guess = { ticket: old.ticket, nonce: old.nonce ^ 1 ^ 3 };
          a.post(0, guess);
          a.start();
          const ticket = sendTicket(a.protocol, slot);
          must(ticket.ticket === guess.ticket && ticket.nonce === guess.nonce, "the guess is wrong");
          takeBackTicket(a.protocol, ticket.ticket, ticket.nonce);
          a.touch(other);
          a.touch(slot);
          a.protocol.release(other);
          a.protocol.release(slot);
          return a.finish();
        },
        (b) => {
          b.setUp();
          const { ticket, nonce } = b.letter(0, 0)!;
          b.start();
          if (what === "take back") takeBackTicket(b.protocol, ticket, nonce);
          else {
            const seen = peekTicket(b.protocol, ticket, nonce);
            const slot = receiveTicket(b.protocol, ticket, nonce);
            if (slot !== 0) {
              must(seen === 0 || seen === slot, "the handle named another block before");
              must(b.touch(slot) === 1, "the handle is for another block");
              b.protocol.release(slot);
            }
          }
          return b.finish();
        },
      ],
    }),
  ),
  scenario({
    name: "as many tickets as fit",
    threads: [
      (a) => {
        const slot = a.setUp().create();
        a.post(0, sendTicket(a.protocol, slot));
        a.machine.awaitPhase(5);
        const hold = slot * kBlockWords + kHold;
        a.machine.atomics.add(kNoWords, hold, 230 * kOneTicket, "test.1.fill");
        a.start();
        const ticket = orExhausted(() => sendTicket(a.protocol, slot));
        if (ticket !== null) must(takeBackTicket(a.protocol, ticket.ticket, ticket.nonce), "could not be taken back");
        if (ticket !== null) a.successes++;
        a.machine.awaitPhase(15);
        a.machine.atomics.sub(kNoWords, hold, 230 * kOneTicket, "test.1.empty");
        a.protocol.release(slot);
        return a.finish();
      },
      (b) => {
        const slot = b.setUp().receive(0, 0);
        b.start();
        const ticket = orExhausted(() => sendTicket(b.protocol, slot));
        if (ticket !== null) must(takeBackTicket(b.protocol, ticket.ticket, ticket.nonce), "could not be taken back");
        if (ticket !== null) b.successes++;
        b.protocol.release(slot);
        return b.finish();
      },
    ],
    check: (reports) => must(successes(reports) >= 2, "both were refused"),
  }),
  scenario({
    name: "held already",
    threads: [
      (a) => {
        const slot = a.setUp().create();
        a.start();
        a.post(0, sendTicket(a.protocol, slot));
        a.post(1, sendTicket(a.protocol, slot));
        a.protocol.release(slot);
        a.protocol.drain();
        return a.finish();
      },
      (b) => {
        b.setUp().start();
        const slot = b.receive(0, 0);
        must(b.receive(1, 0) === slot, "one block has two slots");
        must(b.protocol.release(slot) && !b.protocol.release(slot), "held twice");
        return b.finish();
      },
    ],
  }),
];
