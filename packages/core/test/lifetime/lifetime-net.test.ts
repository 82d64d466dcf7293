// Runs the properties of the lifetime net (properties.ts), and checks that each would fail if its guard were missing. `npm test` runs all
// properties with the library as it is. `npm run long` also runs them with the mutants (mutants.ts), each in a process of its own.
import { describe, expect, test } from "@jest/globals";
import { isLong } from "@onebuffer/test-support";
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
 * Properties that need no settings and leave nothing behind. They share a process, because loading the library takes longer than running
 * any of them. The last ones leave the ledger enabled and buffers alive. `npm run long` runs each in a process of its own.
 */
const kTogether: readonly string[] = [
  "a map of freed memory throws",
  "a typed array of a tensor keeps its bytes alive",
  "a map keeps its bytes alive",
  "a map of a freed tensor does not keep the Keeper, which watches another buffer by then",
  "a freed buffer does not keep its Keeper, which watches another buffer by then",
  "a disposed tensor is not reclaimed again",
  "a dropped tensor is reclaimed in a later task, and not before",
  "reclaim() returns after dropped tensors were reclaimed",
  "tensors of objects are reclaimed, even one that holds itself",
  "an allocator that throws in a finalizer does not end the process",
  "the ledger lists reclaimed tensors with the stacks that created them",
  "memory of the engine is not watched, that of a tracking allocator is",
];

/** Properties with an arena of 8 MiB. Sweeps stay off after the last. */
const kInLittleRoom: readonly string[] = [
  "a tensor reclaimed by a sweep is not reclaimed again",
  "a sweep does not leave the gc function in the program",
  "a full arena runs a sweep in the middle of a job",
  "the error of a full arena says that all tensors are held",
  "with sweeps switched off the error of a full arena says what may be dropped",
];

/** Properties in the default mode of sweeps, in two processes. Each restores that mode and the memory of the host. */
const kInDefaultMode: readonly string[] = [
  "without a reason no sweep runs: WeakRefs of other code keep their targets within the job",
  "a loop of tasks that drops tensors does not run out of memory",
  "a loop of microtasks that drops tensors does not run out of memory",
];
const kOfLimits: readonly string[] = [
  "a synchronous loop that drops tensors does not run out of memory",
  "a sweep runs at a quarter of the memory of the machine or its container",
  "sweeps are rare if more than a quarter of the memory is held",
];

/**
 * A property that is left to `npm run long`: "a sweep leaves nothing of the reclaimed tensors on the heap" implies it, and each
 * makes 140,000 tensors.
 */
const kOnlyLong = "many small tensors cause an eager sweep by their objects";

/**
 * Properties of eager sweeps and of ballast. The first also checks the most bytes that were ever in use. Ballast stays off after the
 * last.
 */
const kEagerAndBallast: readonly string[] = [
  "eager sweeps run when many bytes were dropped",
  "eager sweeps are rare if all tensors are held",
  "ballast makes the garbage collector run, without a sweep",
  "ballast lives exactly as long as the tensors of its epoch",
  "ballast can be switched off",
];

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

/** Calls `check` for all items, as many at a time as there are processors. Returns the results that are not null. */
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
  const names = Object.keys(properties);
  const together = isLong ? [] : [kOfLimits, kInDefaultMode, kEagerAndBallast, kTogether, kInLittleRoom];
  const alone = names.filter((name) => !together.flat().includes(name) && (isLong || name !== kOnlyLong)).map((name) => [name]);

  test.each([...together, ...alone].map((group) => [group[0]!, group.length - 1, group] as const))(
    "%s, and %d other properties in the same process",
    async (_, __, group) => {
      expect(names).toEqual(expect.arrayContaining([...group]));
      const { status, stderr } = await run(own, group);
      expect([status, stderr.slice(0, 1500)]).toEqual([0, ""]);
    },
  );

  test("has a mutant for every property", () => {
    const guarded = new Set(mutants.map(({ property }) => property));
    expect(Object.keys(properties).filter((name) => !guarded.has(name))).toEqual([]);
  });

  test("the text of every mutant occurs exactly once", () => {
    for (const mutant of mutants) expect(mutatedText(mutant)).toContain(mutant.to);
  });

  if (isLong) {
    test("every mutant makes its property fail", async () => {
      const engine = Number.parseInt(process.versions.v8, 10);
      const chosen = mutants.filter(({ neededBefore = Infinity }) => engine < neededBefore);
      const survived = await complaints(chosen, async (mutant) => {
        const { script, remove } = mutatedLibrary(mutant);
        try {
          const { status, stderr } = await run(script, [mutant.property]);
          if (status === 0) return `${mutant.name}: survived ${mutant.property}`;
          // If the changed library does not load, the property has not run.
          return /SyntaxError|ERR_MODULE|no property/.test(stderr) ? `${mutant.name}: ${stderr.slice(0, 600)}` : null;
        } finally {
          remove();
        }
      });
      expect([chosen.length >= 5, survived]).toEqual([true, []]);
    }, 180_000);
  }
});
