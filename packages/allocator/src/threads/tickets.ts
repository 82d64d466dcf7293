/**
 * tickets: one-shot permits to hold a block, in a table of 1024 for each thread that sends them (no counterpart in TensorFlow).
 *
 *     ticket    generation | slot        generation odd: in flight; even: free
 *     nonce     generation ^ a number that differs from ticket to ticket
 *
 * A ticket in flight keeps its block alive. It ends in one compare-and-swap of its generation, by whoever is first: a receiver,
 * its sender, or the reaper of its sender.
 */
import { ResourceExhaustedError } from "@onebuffer/base";
import { kBlockWords, kGeneration, kHold, kMaxTicketsOfBlock, kSlot, kTicketWords } from "./arena-layout.ts";
import type { ArenaWords } from "./arena-words.ts";

/** What a receiver must know: the place of the ticket, over all threads, and the nonce of this one share. */
export interface Ticket {
  /** The ticket, from 0: thread * 1024 + its place in the thread's table. */
  readonly ticket: number;
  /** A 32-bit integer. */
  readonly nonce: number;
}

/** What a ticket's generation is mixed with, so that neighbours do not take each other's nonces. */
function ticketMask(ticket: number): number {
  return Math.imul(ticket + 1, 0x9e3779b1);
}

/**
 * A ticket of `thread` for a block that it holds. Throws RESOURCE_EXHAUSTED when all its tickets, or as many of the block as
 * its hold word can count, are in flight.
 */
export function sendTicket(arena: ArenaWords, slot: number, thread: number): Ticket {
  const { layout } = arena;
  const first = thread * layout.ticketsPerThread;
  const place = findFreeTicket(arena, first);
  if (place < 0)
    throw new ResourceExhaustedError(
      `thread ${thread} has ${layout.ticketsPerThread} handles that were neither received nor revoked: no more can be made`,
    );
  const ticket = first + place;
  const index = layout.ticketsWord + ticket * kTicketWords;
  const generation = arena.steps.send(index, slot * kBlockWords + kHold, slot);
  if (generation === 0)
    throw new ResourceExhaustedError(`${kMaxTicketsOfBlock} handles of one tensor were neither received nor revoked: no more can be made`);
  return { ticket, nonce: generation ^ ticketMask(ticket) };
}

/** The place of a ticket that is not in flight, or -1. */
function findFreeTicket(arena: ArenaWords, first: number): number {
  const { words, atomics, layout } = arena;
  const index = layout.ticketsWord + first * kTicketWords + kGeneration;
  for (let place = 0; place < layout.ticketsPerThread; place++)
    if ((atomics.load(words, index + place * kTicketWords, "find.1.generation") & 1) === 0) return place;
  return -1;
}

/** The generation that a handle's numbers stand for; 0, which is never in flight, for numbers that no ticket can have. */
function generationOf(arena: ArenaWords, ticket: number, nonce: number): number {
  const { layout } = arena;
  const isTicket = Number.isInteger(ticket) && ticket >= 0 && ticket < layout.threads * layout.ticketsPerThread;
  if (!isTicket || !Number.isInteger(nonce) || (nonce | 0) !== nonce) return 0;
  const generation = nonce ^ ticketMask(ticket);
  return (generation & 1) === 0 ? 0 : generation;
}

/** The slot of a ticket in flight, or 0. */
export function peekTicket(arena: ArenaWords, ticket: number, nonce: number): number {
  const { words, atomics, layout } = arena;
  const generation = generationOf(arena, ticket, nonce);
  if (generation === 0) return 0;
  const index = layout.ticketsWord + ticket * kTicketWords;
  if (atomics.load(words, index + kGeneration, "peek.1.generation") !== generation) return 0;
  return atomics.load(words, index + kSlot, "peek.2.slot");
}

/** Turns a ticket in flight into a hold of `thread`: the slot, or 0. */
export function receiveTicket(arena: ArenaWords, ticket: number, nonce: number, thread: number): number {
  const generation = generationOf(arena, ticket, nonce);
  if (generation === 0) return 0;
  return arena.steps.receive(arena.layout.ticketsWord + ticket * kTicketWords, generation, 1 << thread);
}

/** Ends a ticket in flight, from a handle. False when it is not. */
export function takeBackTicket(arena: ArenaWords, ticket: number, nonce: number): boolean {
  const generation = generationOf(arena, ticket, nonce);
  return generation !== 0 && endTicket(arena, ticket, generation);
}

/** Ends every ticket of a dead thread. */
export function endTicketsOf(arena: ArenaWords, thread: number): void {
  const { words, atomics, layout } = arena;
  const first = thread * layout.ticketsPerThread;
  for (let ticket = first; ticket < first + layout.ticketsPerThread; ticket++) {
    const generation = atomics.load(words, layout.ticketsWord + ticket * kTicketWords + kGeneration, "scanTickets.1.generation");
    if ((generation & 1) !== 0) endTicket(arena, ticket, generation);
  }
}

/** The ticket ends, its count goes, and the block with it if that was the last. */
function endTicket(arena: ArenaWords, ticket: number, generation: number): boolean {
  return arena.steps.end(arena.layout.ticketsWord + ticket * kTicketWords, generation) !== 0;
}
