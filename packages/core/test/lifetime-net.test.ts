// The promises of the lifetime net, and that each of them would be noticed if it were broken: every property runs in a process
// of its own, with the library as it is and with its guards taken away one by one. `npm test` takes away the five that matter
// most, ONEBUFFER_LONG all of them.
import { describe, expect, test } from "@jest/globals";
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { mutants } from "./lifetime/mutants.ts";
import { mutatedLibrary, mutatedText } from "./lifetime/mutated-library.ts";
import { properties } from "./lifetime/properties.ts";

const own = fileURLToPath(new URL("lifetime/run-property.js", import.meta.url));

interface Outcome {
  readonly status: number | null;
  readonly stderr: string;
}

function run(script: string, property: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, property], {
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
    const broken = await complaints(Object.keys(properties), async (name) => {
      const { status, stderr } = await run(own, name);
      return status === 0 ? null : `${name}\n${stderr.slice(0, 1500)}`;
    });
    expect(broken).toEqual([]);
  }, 60_000);

  test("is guarded: every guard taken away is noticed by the property that names it", async () => {
    const chosen = mutants.filter(({ inShort }) => inShort === true || process.env["ONEBUFFER_LONG"] !== undefined);
    const survived = await complaints(chosen, async (mutant) => {
      const { script, remove } = mutatedLibrary(mutant);
      try {
        const { status, stderr } = await run(script, mutant.property);
        if (status === 0) return `${mutant.name}: survived ${mutant.property}`;
        // A library that does not load has noticed nothing.
        return /SyntaxError|ERR_MODULE|no property/.test(stderr) ? `${mutant.name}: ${stderr.slice(0, 600)}` : null;
      } finally {
        remove();
      }
    });
    expect([chosen.length >= 5, survived]).toEqual([true, []]);
  }, 120_000);

  test("has a guard named for every promise", () => {
    const guarded = new Set(mutants.map(({ property }) => property));
    expect(Object.keys(properties).filter((name) => !guarded.has(name))).toEqual([]);
  });

  test("every guard stands where it is said to", () => {
    for (const mutant of mutants) expect(mutatedText(mutant)).toContain(mutant.to);
  });
});
