/**
 * tickets: permits to hold a block, each of which can be used once. Each thread has a table of 1024 tickets to send (no counterpart in
 * TensorFlow).
 *
 *     ticket    generation | slot        generation odd: in flight; even: free
 *     nonce     generation ^ a number that differs from ticket to ticket
 *
 * A ticket in flight keeps its block alive. One compare-and-swap of its generation ends it; the first thread to do so wins, be it a
 * receiver, the sender, or the thread that takes over from a dead sender.
 */
import { ResourceExhaustedError } from "@onebuffer/base";
import { kBlockWords, kGeneration, kHold, kMaxTicketsOfBlock, kSlot, kTicketWords } from "./arena-layout.ts";
import type { ArenaWords } from "./arena-words.ts";

/** The numbers that a receiver needs: the ticket's index among all threads' tickets, and the nonce of this share. */
export interface Ticket {
  /** The ticket's index: thread * 1024 + its index in the thread's table. */
  readonly ticket: number;
  /** A 32-bit integer, different for each share. */
  readonly nonce: number;
}

/** A thread in an arena: an ArenaProtocol. */
export interface ArenaMember {
  readonly arena: ArenaWords;
  /** The thread's number. */
  readonly thread: number;
}

/**
 * Makes a ticket for a block that the thread holds. Throws RESOURCE_EXHAUSTED if all 1024 tickets of the thread are in flight, or 231
 * of the block, as many as its hold word can count.
 */
export function sendTicket({ arena, thread }: ArenaMember, slot: number): Ticket {
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

/**
 * Returns the slot of a ticket, or 0 if the ticket is not in flight (used, taken back or forged). Changes nothing. What the caller
 * reads from the block may be outdated unless `receiveTicket` then returns the same slot. Any numbers may be passed.
 */
export function peekTicket({ arena }: ArenaMember, ticket: number, nonce: number): number {
  const { words, atomics, layout } = arena;
  const generation = generationOf(arena, ticket, nonce);
  if (generation === 0) return 0;
  const index = layout.ticketsWord + ticket * kTicketWords;
  if (atomics.load(words, index + kGeneration, "peek.1.generation") !== generation) return 0;
  return atomics.load(words, index + kSlot, "peek.2.slot");
}

/**
 * Ends a ticket and gives the thread a hold on its block instead. Returns the slot, or 0 if the ticket is not in flight. Any numbers may
 * be passed.
 */
export function receiveTicket({ arena, thread }: ArenaMember, ticket: number, nonce: number): number {
  const generation = generationOf(arena, ticket, nonce);
  if (generation === 0) return 0;
  return arena.steps.receive(arena.layout.ticketsWord + ticket * kTicketWords, generation, 1 << thread);
}

/** Ends a ticket that no thread has received. Any thread may call it. Returns false if the ticket is not in flight. */
export function takeBackTicket({ arena }: ArenaMember, ticket: number, nonce: number): boolean {
  const generation = generationOf(arena, ticket, nonce);
  return generation !== 0 && endTicket(arena, ticket, generation);
}

/** Ends all tickets of a dead thread. */
export function endTicketsOf(arena: ArenaWords, thread: number): void {
  const { words, atomics, layout } = arena;
  const first = thread * layout.ticketsPerThread;
  for (let ticket = first; ticket < first + layout.ticketsPerThread; ticket++) {
    const generation = atomics.load(words, layout.ticketsWord + ticket * kTicketWords + kGeneration, "scanTickets.1.generation");
    if ((generation & 1) !== 0) endTicket(arena, ticket, generation);
  }
}

/** Ends a ticket and returns its block to the owner if there is no hold and no other ticket. Returns false if it is not in flight. */
function endTicket(arena: ArenaWords, ticket: number, generation: number): boolean {
  return arena.steps.end(arena.layout.ticketsWord + ticket * kTicketWords, generation) !== 0;
}

/** Returns the number that a ticket's generation is combined with, so that a nonce is not valid for another ticket. */
function ticketMask(ticket: number): number {
  return Math.imul(ticket + 1, 0x9e3779b1);
}

/** Returns the index of a ticket that is not in flight, relative to `first`, or -1. */
function findFreeTicket(arena: ArenaWords, first: number): number {
  const { words, atomics, layout } = arena;
  const index = layout.ticketsWord + first * kTicketWords + kGeneration;
  for (let place = 0; place < layout.ticketsPerThread; place++)
    if ((atomics.load(words, index + place * kTicketWords, "find.1.generation") & 1) === 0) return place;
  return -1;
}

/** Returns the generation that a handle's numbers encode. Returns 0, which is never in flight, for numbers that no ticket can have. */
function generationOf(arena: ArenaWords, ticket: number, nonce: number): number {
  const { layout } = arena;
  const isTicket = Number.isInteger(ticket) && ticket >= 0 && ticket < layout.threads * layout.ticketsPerThread;
  if (!isTicket || !Number.isInteger(nonce) || (nonce | 0) !== nonce) return 0;
  const generation = nonce ^ ticketMask(ticket);
  return (generation & 1) === 0 ? 0 : generation;
}
