// Runs the properties of the lifetime net (properties.ts), and checks that each would fail if its guard were missing. `npm test` runs the
// most important properties with the library as it is. `npm run long` runs all of them, also with the mutants (mutants.ts), each in a
// process of its own.
import { describe, expect, test } from "@jest/globals";
import { builtProgram, isLong } from "@onebuffer/test-support";
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { mutants } from "./mutants.ts";
import { mutatedLibrary, mutatedText } from "./mutated-library.ts";
import { properties } from "./properties.ts";

const own = fileURLToPath(builtProgram(new URL("./run-property.js", import.meta.url)));

interface Outcome {
  readonly status: number | null;
  readonly stderr: string;
}

/** Properties that need no settings and leave nothing behind. */
const kTogether: readonly string[] = [
  "a map of freed memory throws",
  "a typed array of a tensor keeps its bytes alive",
  "a disposed tensor is not reclaimed again",
  "a dropped tensor is reclaimed in a later task, and not before",
  "reclaim() returns after dropped tensors were reclaimed",
  "tensors of objects are reclaimed, even one that holds itself",
  "an allocator that throws in a finalizer does not end the process",
];

/**
 * Properties of the reasons for a garbage collection. The first also checks the most bytes that were ever in use, the second restores the
 * default mode of sweeps, and the last switches them off.
 */
const kOfReasons: readonly string[] = [
  "eager sweeps run when many bytes were dropped",
  "a sweep runs at a quarter of the memory of the machine or its container",
  "without a reason no sweep runs: WeakRefs of other code keep their targets within the job",
  "ballast makes the garbage collector run, without a sweep",
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
  // `npm test` has two processes: loading the library takes longer than running most properties, and each garbage collection takes 20 ms.
  const groups = isLong ? names.map((name) => [name]) : [kTogether, kOfReasons];

  test.each(groups.map((group) => [group[0]!, group.length - 1, group] as const))(
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
