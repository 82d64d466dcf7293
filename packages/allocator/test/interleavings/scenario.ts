// How a scenario is put together: a program for each thread, who may be killed, and what must be so at the end.
import type { ArenaGeometry } from "../../src/threads/arena-layout.ts";
import type { Report } from "./actor.ts";
import { Actor, checkEnd, kSmall } from "./actor.ts";
import type { Exploration, Program } from "./explorer.ts";

/** A scenario before its programs are made. */
export interface Parts {
  readonly name: string;
  readonly threads: readonly ((actor: Actor) => Report)[];
  readonly mortal?: readonly number[];
  readonly geometry?: Partial<ArenaGeometry>;
  /** How many threads join; all, unless told otherwise. */
  readonly joins?: (reports: readonly (Report | null)[]) => number;
  /** What else must be so at the end. */
  readonly check?: (reports: readonly (Report | null)[]) => void;
}

/** Makes the programs, and checks at the end what must always be so. */
export function scenario({ name, threads, mortal = [], geometry = {}, joins, check }: Parts): Exploration<Report> {
  const sizes = { ...kSmall, ...geometry };
  return {
    name,
    mortal,
    programs: threads.map(
      (run, order): Program<Report> =>
        (machine) =>
          run(new Actor(machine, order, sizes)),
    ),
    check(memory, reports) {
      checkEnd(memory, reports, joins?.(reports) ?? threads.length, sizes);
      check?.(reports);
    },
  };
}

/** How often something that may fail worked, over all threads. */
export const successes = (reports: readonly (Report | null)[]): number =>
  reports.reduce((sum, report) => sum + (report?.successes ?? 0), 0);

/** A thread that only rests. */
export function bystander(actor: Actor): Report {
  actor.setUp();
  actor.start();
  return actor.finish();
}
