// Every access of the protocol, read from its source, and the mutants of each.
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Mutant } from "./explorer.ts";

/** An access in the source. */
export interface Site {
  readonly file: string;
  readonly method: string;
  readonly at: string;
}

const src = new URL("../../../src/", import.meta.url);

/** An access, through the injected atomics or as a line of a step's program. */
const kAccess = /\b(?:atomics|step)\.(load|store|add|sub|exchange|compareExchange)\(/;

/** The protocol's files: those that use the injected atomics, and the programs that run over them. */
export const protocolFiles: readonly { readonly name: string; readonly text: string }[] = readdirSync(src, {
  recursive: true,
  encoding: "utf8",
})
  .filter((path) => path.endsWith(".ts"))
  .map((path) => ({ name: basename(path), text: readFileSync(new URL(path.replaceAll("\\", "/"), src), "utf8") }))
  .filter(({ text }) => kAccess.test(text));

/** The text of each call of the injected atomics, from its name to its closing parenthesis. */
export function atomicCalls(
  text: string,
): { readonly start: number; readonly end: number; readonly method: string; readonly at: string }[] {
  const calls = [];
  for (const match of text.matchAll(new RegExp(kAccess, "g"))) {
    let depth = 1;
    let end = match.index + match[0].length;
    while (depth > 0) {
      if (text[end] === "(") depth++;
      if (text[end] === ")") depth--;
      end++;
    }
    const at = /,\s*"([^"]*)",?\s*\)$/.exec(text.slice(match.index, end))?.[1] ?? "";
    calls.push({ start: match.index, end, method: match[1]!, at });
  }
  return calls;
}

/** Every access. */
export const sites: readonly Site[] = protocolFiles.flatMap(({ name, text }) =>
  atomicCalls(text).map(({ method, at }) => ({ file: name, method, at })),
);

/** Loads whose only use is a check that ends the step: besides being left out, they are made to pass. */
const checks = ["receive.1.generation", "peek.1.generation", "end.1.generation", "release.1.held"];

/** All mutants: each access left out, each read-modify-write taken apart, each check passed. */
export const mutants: readonly Mutant[] = sites.flatMap(({ method, at }) => {
  const hows: Mutant["how"][] = ["skip"];
  if (method !== "load" && method !== "store") hows.push("split");
  if (checks.includes(at)) hows.push("agree");
  return hows.map((how) => ({ at, how }));
});

/**
 * Where a mutant of an access shows first: only to save time, the others are tried when that is not so.
 */
export const shownBy: Readonly<Record<string, readonly string[]>> = {
  "a handle guessed before its share: receive": ["send.1.generation", "receive.1.generation", "end.1.generation", "end.4.claim"],
  "a handle guessed before its share: take back": ["take.1.draining", "free.1.link", "end.1.generation"],
  "a late reaper and the next thread of the number": ["retire.1.state", "retire.3.free", "join.2.claim"],
  "a number used again": [
    "release.1.held",
    "reap.1.state",
    "reap.2.key",
    "takeCell.1.owner",
    "freeSlots.1.place",
    "stock.1.place",
    "stockBytes.1.bytes",
    "cells.1.cursor",
    "moveTop.1.top",
    "takeOver.1.slab",
    "takeOver.2.take",
    "join.1.state",
    "join.4.key",
  ],
  "a reaper dies, while another lets go": [
    "create.1.bytes",
    "bytes.1.bytes",
    "dependents.1.state",
    "receive.4.claim",
    "scanTickets.1.generation",
  ],
  "all join at once": ["join.2.claim"],
  "as many tickets as fit": ["send.3.count", "send.4.undo", "end.5.count"],
  "handed over": ["release.2.owner", "release.5.push", "release.6.link", "take.2.head", "take.3.keep", "take.4.link", "receive.5.count"],
  "held already": ["find.1.generation", "receive.1.generation", "receive.3.hold"],
  "one who claims slabs dies": ["retire.2.key", "takeSlab.1.take"],
  "one who drains dies": ["unit.1.place"],
  "passed on": ["release.3.drop", "receive.2.slot", "receive.5.count"],
  "reaper after reaper dies": ["dependents.2.claim"],
  "slabs claimed and given back": ["findRun.1.slab", "takeSlab.1.take", "moveTop.1.top", "freeSlab.1.slab", "claim.1.top"],
  "taken back while it is received": [
    "cell.3.owner",
    "release.1.held",
    "release.3.drop",
    "take.2.head",
    "free.2.place",
    "free.3.draining",
    "clear.1.claim",
    "receive.4.claim",
    "end.2.slot",
    "end.3.owner",
    "end.4.claim",
    "end.5.count",
    "end.7.push",
    "end.8.link",
  ],
  "the last cell": ["cell.1.cursor", "cell.2.undo"],
  "two are taken back at once": ["end.6.pending", "end.7.push"],
  "two come back at once": ["release.4.pending", "release.5.push"],
  "two join and say their names later": ["join.5.epoch", "announce.1.key", "announce.2.epoch", "isAlive.1.state"],
  "two reapers": ["reap.3.claim", "takeCell.2.take"],
  "what a thread can ask": [
    "census.1.state",
    "census.1.ticket",
    "census.1.cursor",
    "census.1.place",
    "census.1.slab",
    "holds.1.hold",
    "isSole.1.hold",
    "cell.1.cursor",
    "create.2.hold",
    "create.3.place",
    "poll.1.head",
    "moveTop.2.claim",
    "finish.1.claim",
    "enter.1.slab",
    "join.3.parent",
    "epoch.1.epoch",
    "entries.1.state",
    "entries.2.key",
    "entries.3.parent",
    "send.2.slot",
    "send.3.count",
    "send.5.publish",
    "peek.1.generation",
    "peek.2.slot",
  ],
};
