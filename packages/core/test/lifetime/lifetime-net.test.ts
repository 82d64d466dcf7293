// The promises of the lifetime net, and that each of them would be noticed if it were broken. `npm test` runs every property with
// the library as it is; `npm run long` takes the guards away, one by one, each in a process of its own.
import { describe, expect, test } from "@jest/globals";
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { mutants } from "./mutants.ts";
import { mutatedLibrary, mutatedText } from "./mutated-library.ts";
import { properties } from "./properties.ts";

const own = fileURLToPath(new URL("./run-property.js", import.meta.url));

interface Outcome {
  readonly status: number | null;
  readonly stderr: string;
}

/**
 * Properties that need no settings and leave nothing behind share a process, which takes longer to load the library than any of
 * them to run. The last ones leave the ledger on, and live buffers. `npm run long` gives each a process of its own.
 */
const kTogether: readonly string[] = [
  "a map of freed memory throws",
  "an array handed out keeps its bytes",
  "a map keeps its bytes",
  "a stale map does not keep what its Keeper went on to",
  "a stale buffer does not keep what its Keeper went on to",
  "what was given up is given back once",
  "a forgotten tensor comes back after a task, and not before",
  "reclaim waits for what was forgotten",
  "values come back, too, even those that hold themselves",
  "an allocator that refuses what was forgotten ends no process",
  "the ledger says where the forgotten were made",
  "memory that the engine collects by itself is not watched, books are",
];

/** As much for those whose arena is of 8 MiB; sweeps stay off after the last. */
const kInLittleRoom: readonly string[] = [
  "what a sweep gave back does not come back again",
  "a program's own gc flag stays as it was",
  "a full arena is swept in the middle of a job",
  "a full arena whose tensors are held says so",
  "a sweep can be switched off, then a full arena says what may be forgotten",
];

/** As much for those that say what memory the machine has, or need none of it for long: the mode is the default one after each. */
const kInDefaultMode: readonly string[] = [
  "in normal operation nothing is swept: other code's WeakRefs keep their targets within the job",
  "a loop of tasks that forgets never runs out of memory",
  "a loop of microtasks that forgets never runs out of memory",
  "a synchronous loop that forgets never runs out of memory",
  "a quarter of the machine's memory, or of its container's, is swept",
  "more than a quarter that is held is swept rarely",
];

/** As much for eager sweeps, and those that small tensors bring about. */
const kManySmall: readonly string[] = [
  "tensors of one element are swept before they fill the heap",
  "a sweep leaves nothing of what it gave back on the heap",
];

const isLong = process.env["ONEBUFFER_LONG"] !== undefined;

function run(script: string, properties: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...properties], {
      env: { ...process.env, NODE_OPTIONS: "" },
      stdio: ["ignore", "ignore", "pipe"],
      timeout: 60_000,
    });
    let stderr = "";
    child.stderr.on("data", (text) => {
      stderr += String(text);
    });
    child.on("close", (status) => resolve({ status, stderr }));
  });
}

/** What `check` says of each item, without those of which it says nothing; as many at a time as there are processors. */
async function complaints<T>(items: readonly T[], check: (item: T) => Promise<string | null>): Promise<string[]> {
  const found: string[] = [];
  const queue = items.slice();
  const work = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      const complaint = await check(item);
      if (complaint !== null) found.push(complaint);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return found;
}

describe("the lifetime net", () => {
  test("keeps its promises", async () => {
    const names = Object.keys(properties);
    const together = isLong ? [] : [kTogether, kInLittleRoom, kInDefaultMode, kManySmall];
    expect(names).toEqual(expect.arrayContaining(together.flat()));
    const alone = names.filter((name) => !together.flat().includes(name)).map((name) => [name]);
    const broken = await complaints([...together, ...alone], async (group) => {
      const { status, stderr } = await run(own, group);
      return status === 0 ? null : stderr.slice(0, 1500);
    });
    expect(broken).toEqual([]);
  }, 60_000);

  test("has a guard named for every promise", () => {
    const guarded = new Set(mutants.map(({ property }) => property));
    expect(Object.keys(properties).filter((name) => !guarded.has(name))).toEqual([]);
  });

  test("every guard stands where it is said to", () => {
    for (const mutant of mutants) expect(mutatedText(mutant)).toContain(mutant.to);
  });

  if (isLong) {
    test("is guarded: every guard taken away is noticed by the property that names it", async () => {
      const engine = Number.parseInt(process.versions.v8, 10);
      const chosen = mutants.filter(({ neededBefore = Infinity }) => engine < neededBefore);
      const survived = await complaints(chosen, async (mutant) => {
        const { script, remove } = mutatedLibrary(mutant);
        try {
          const { status, stderr } = await run(script, [mutant.property]);
          if (status === 0) return `${mutant.name}: survived ${mutant.property}`;
          // A library that does not load has noticed nothing.
          return /SyntaxError|ERR_MODULE|no property/.test(stderr) ? `${mutant.name}: ${stderr.slice(0, 600)}` : null;
        } finally {
          remove();
        }
      });
      expect([chosen.length >= 5, survived]).toEqual([true, []]);
    }, 180_000);
  }
});
