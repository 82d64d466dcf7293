// The protocol of the arena over all interleavings: the product's own functions, run by an explorer. And the proof that it looks:
// each access that is left out or taken apart is noticed.
import { describe, expect, test } from "@jest/globals";
import type { Report } from "./actor.ts";
import type { Exploration, Mutant, Outcome, Program } from "./explorer.ts";
import { Explorer, kInterleaved } from "./explorer.ts";
import { atomicCalls, mutants, protocolFiles, shownBy, sites } from "./mutants.ts";
import { randomScenario } from "./random-scenario.ts";
import { scenarios } from "./scenarios.ts";

const isLong = process.env["ONEBUFFER_LONG"] === "1";
const kNoWords = new Int32Array(0);

describe("the explorer", () => {
  const run = (
    programs: readonly Program<number>[],
    check: Exploration<number>["check"] = () => {},
    mutant: Mutant | null = null,
  ): Outcome => new Explorer({ name: "sample", programs, check }).explore(mutant);
  const steps =
    (word: number, count: number): Program<number> =>
    ({ atomics }) => {
      for (let i = 0; i < count; i++) atomics.add(kNoWords, word, 1, "sample.1.add");
      return atomics.load(kNoWords, word, "sample.1.load");
    };

  test("goes through every interleaving", () => {
    // Threads that do not meet: a state for each pair of places, two places more than adds.
    expect(run([steps(1, 3), steps(2, 4)])).toEqual({ states: 5 * 6, ends: 1, failure: null });
    // Two adds to one word, each followed by a load: the second thread to finish has read 2, the first one 1 or 2.
    const seen = new Set<string>();
    run([steps(1, 1), steps(1, 1)], (_memory, reports) => seen.add(reports.join()));
    expect([...seen].sort()).toEqual(["1,2", "2,1", "2,2"]);
  });

  test("finds an update that gets lost, and tells how", () => {
    const check: Exploration<number>["check"] = (memory) => expect(memory.get(1)).toBe(2);
    expect(run([steps(1, 1), steps(1, 1)], check).failure).toBeNull();
    const lost = run([steps(1, 1), steps(1, 1)], check, { at: "sample.1.add", how: "split" });
    expect(lost.failure).toMatch(/first half.*\n.*first half/);
  });

  test("finds threads that wait for each other, and ones that go on for ever", () => {
    const waits: Program<number> = (machine) => machine.awaitWord(7, 1);
    expect(run([waits, waits]).failure).toMatch(/all threads wait/);
    expect(run([steps(1, 10_000)]).failure).toMatch(/more than 600 accesses/);
  });

  test("kills a thread before each step, and nowhere else", () => {
    const program: Program<number> = ({ atomics, awaitPhase }) => {
      awaitPhase(kInterleaved);
      for (let i = 0; i < 2; i++) {
        atomics.add(kNoWords, 1, 1, "sample.1.one");
        atomics.add(kNoWords, 2, 1, "sample.2.other");
      }
      return 0;
    };
    const seen = new Set<string>();
    const what: Exploration<number> = {
      name: "sample",
      programs: [program],
      mortal: [0],
      check: (memory, [report]) => seen.add(`${memory.get(1) ?? 0} ${memory.get(2) ?? 0} ${report}`),
    };
    new Explorer(what).explore();
    expect([...seen].sort()).toEqual(["0 0 null", "1 1 null", "2 2 0"]);
    seen.clear();
    new Explorer(what).explore(null, 1000, true);
    expect([...seen].sort()).toEqual(["0 0 null", "1 0 null", "1 1 null", "2 1 null", "2 2 0"]);
  });
});

const explorers = new Map(scenarios.map((what) => [what.name, new Explorer(what)]));

describe("in every interleaving", () => {
  test.each([...explorers])("%s", (_name, explorer) => {
    // Of those with most interleavings `npm test` goes through a part. The mutants below go through them until something is wrong.
    const { failure, ends } = isLong ? explorer.explore() : explorer.explore(null, 4000, false, true);
    expect(failure).toBeNull();
    expect(ends).toBeGreaterThan(0);
  });
});

describe("random programs in every interleaving", () => {
  // A few have more interleavings than can be gone through; most must not.
  const kLimit = 150_000;
  const runs: [actions: number, count: number][] = isLong
    ? [
        [2, 120],
        [3, 120],
      ]
    : [[2, 4]];
  test.each(runs)("%d actions a thread, %d programs", (actions, count) => {
    let whole = 0;
    for (let seed = 1; seed <= count; seed++) {
      const { failure, states } = new Explorer(randomScenario(seed, actions)).explore(null, kLimit, false, true);
      expect(failure).toBeNull();
      if (states < kLimit) whole++;
    }
    expect(whole / count).toBeGreaterThanOrEqual(actions === 2 ? 0.95 : 0.8);
  });
});

describe("the steps", () => {
  test("every access has a name of its own", () => {
    expect(sites.length).toBeGreaterThan(70);
    expect(sites.filter(({ at }) => !/^[a-zA-Z]+\.[1-9]\.[a-z]+$/.test(at))).toEqual([]);
    expect(new Set(sites.map(({ at }) => at)).size).toBe(sites.length);
  });

  test("nothing touches the words but by these accesses", () => {
    // What sets a memory up before another thread can see it needs no names.
    const elsewhere = protocolFiles.filter(({ text }) => /\bwords\[|\bAtomics\.\w+\(/.test(text)).map(({ name }) => name);
    expect(elsewhere).toEqual([]);
  });

  const groups = protocolFiles.flatMap(({ name, text }) => {
    const steps = new Map<string, ReturnType<typeof atomicCalls>>();
    for (const call of atomicCalls(text)) {
      const step = call.at.split(".")[0]!;
      steps.set(step, [...(steps.get(step) ?? []), call]);
    }
    return [...steps].map(([step, calls]) => ({ name, text, step, calls }));
  });
  const several = groups.filter(({ calls }) => calls.length > 1);
  test.each(several)("the accesses of $step in $name are numbered", ({ name, calls }) => {
    const numbers = calls.map(({ at }) => Number(at.split(".")[1]));
    // `what` of the census are steps of one access each, beside each other.
    if (numbers.every((number) => number === 1)) return;
    // A program may go on where a load before it has begun: what a thread has only read, its end leaves undone.
    const first = name === "arena-steps.ts" ? numbers[0]! : 1;
    expect(numbers).toEqual(numbers.map((_, i) => first + i));
  });

  // In JavaScript every call of Atomics is a place where engines end a thread, so only what is WebAssembly may write twice.
  test.each(several.filter(({ name }) => name !== "arena-steps.ts"))("$step in $name writes at its end or not at all", ({ calls }) => {
    if (calls.every(({ at }) => at.split(".")[1] === "1")) return;
    expect(calls.slice(0, -1).map(({ method }) => method)).toEqual(calls.slice(0, -1).map(() => "load"));
  });

  test("a thread that could be killed within a step would break the protocol", () => {
    const broken = scenarios.filter(({ mortal }) => mortal !== undefined && mortal.length > 0);
    const failures = broken.filter((what) => explorers.get(what.name)!.explore(null, 500_000, true).failure !== null);
    expect(failures.length).toBeGreaterThan(0);
  });
});

/** The scenarios, those first that show a mutant of `at` soonest. */
function inOrder(at: string): Exploration<Report>[] {
  const first = scenarios.filter(({ name }) => shownBy[name]?.includes(at) === true);
  return [...first, ...scenarios.filter((what) => !first.includes(what))];
}

describe("left out, taken apart or made to agree, an access is missed", () => {
  test.each(mutants.map((mutant) => [`${mutant.at} ${mutant.how}`, mutant] as const))("%s", (_name, mutant) => {
    const shown = inOrder(mutant.at).find((what) => explorers.get(what.name)!.explore(mutant).failure !== null);
    expect(shown?.name ?? "survives").not.toBe("survives");
  });
});
