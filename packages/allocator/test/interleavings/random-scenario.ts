// Scenarios nobody thought of: three threads that each do `actions` things at random with two blocks and two letter boxes; in two of
// three one of them dies and another takes over from it.
import type { Actor, Report } from "./actor.ts";
import { orExhausted } from "./actor.ts";
import type { Exploration } from "./explorer.ts";
import { scenario } from "./scenario.ts";
import { receiveTicket, sendTicket, takeBackTicket } from "../../src/threads/tickets.ts";

const kActions = ["share", "receive", "release", "drain", "take back", "create"] as const;

/** The scenario of a seed, always the same one: `actions` actions a thread, one less of the one that reaps. */
export function randomScenario(seed: number, actions: number): Exploration<Report> {
  let state = seed * 0x9e3779b1;
  const random = (below: number): number => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    state = Math.imul(state ^ (state >>> 12), 0x297a2d39);
    return ((state ^ (state >>> 15)) >>> 0) % below;
  };
  const mortal = random(3) - 1;
  const reaper = mortal < 0 ? -1 : (mortal + 1 + random(2)) % 3;
  const plans = [0, 1, 2].map((order) =>
    Array.from({ length: order === reaper ? actions - 1 : actions }, () => ({ action: kActions[random(6)]!, box: random(2) })),
  );
  const text = plans.map((plan) => plan.map(({ action, box }) => `${action} ${box}`).join(", ")).join(" | ");
  return scenario({
    name: `seed ${seed}: ${text}${mortal < 0 ? "" : `; ${mortal} dies, ${reaper} reaps`}`,
    mortal: mortal < 0 ? [] : [mortal],
    geometry: { threads: 3 },
    threads: plans.map((plan, order) => (actor: Actor) => {
      actor.setUp();
      const held = new Set<number>();
      const sent: { ticket: number; nonce: number }[] = [];
      const share = (box: number): void => {
        const slot = [...held][0];
        const ticket = slot === undefined ? null : orExhausted(() => sendTicket(actor.protocol, slot));
        if (ticket === null) return;
        sent.push(ticket);
        actor.post(box, ticket);
      };
      if (order < 2) {
        held.add(actor.create());
        share(order);
      }
      actor.start();
      for (const { action, box } of plan) {
        const letter = action === "receive" ? actor.glance(box) : null;
        const slot = letter === null ? ([...held][0] ?? 0) : receiveTicket(actor.protocol, letter.ticket, letter.nonce);
        if (letter !== null && slot !== 0) {
          actor.touch(slot);
          held.add(slot);
        }
        if (action === "share") share(box);
        if (action === "release" && slot !== 0) {
          held.delete(slot);
          actor.protocol.release(slot);
        }
        if (action === "drain") actor.protocol.drain();
        if (action === "take back" && sent.length > 0) {
          const ticket = sent.pop()!;
          takeBackTicket(actor.protocol, ticket.ticket, ticket.nonce);
        }
        if (action === "create" && !actor.knowsUnit(1)) held.add(actor.create(1));
      }
      if (order === mortal) return actor.report();
      if (order === reaper) actor.reap(mortal);
      actor.machine.awaitPhase(15 + order);
      for (const slot of held) {
        actor.touch(slot);
        actor.protocol.release(slot);
      }
      for (const { ticket, nonce } of sent) takeBackTicket(actor.protocol, ticket, nonce);
      return actor.finish();
    }),
  });
}
