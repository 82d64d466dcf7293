// Asynchronous scopes: they end when their promise is settled, however many of them interleave.
import { describe, expect, test } from "@jest/globals";
import type { Keep } from "@onebuffer/core";
import { liveBuffers } from "@onebuffer/allocator";
import { scope, Tensor } from "@onebuffer/core";
import fc from "fast-check";
import { thrown } from "@onebuffer/test-support";
import { Probe } from "./probe.ts";
import { gate, rejection } from "./promises.ts";

describe("asynchronous scopes", () => {
  test("dispose when the promise is settled, not before", async () => {
    const log: string[] = [];
    const { passed, open } = gate();
    const running = scope(async (keep) => {
      keep(new Probe(log, "a"));
      await passed;
      keep(new Probe(log, "b"));
      return [keep(new Probe(log, "c"))];
    });
    await Promise.resolve();
    expect(log).toEqual([]);
    open();
    expect((await running).map((each) => each.name)).toEqual(["c"]);
    expect(log).toEqual(["b", "a"]);
  });

  test("a rejection disposes of everything and is rethrown, together with disposers' errors", async () => {
    const log: string[] = [];
    const failing = scope(async (keep) => {
      keep(new Probe(log, "a"));
      await Promise.resolve();
      throw new Error("mine");
    });
    expect(String(await rejection(failing))).toBe("Error: mine");
    const both = scope(async (keep) => {
      keep(new Probe(log, "b", "of b"));
      await Promise.resolve();
      throw "mine";
    });
    expect(await rejection(both)).toMatchObject({ error: "of b", suppressed: "mine" });
    expect(log).toEqual(["a", "b"]);
  });

  test("an error before the callback returns a promise is thrown synchronously", () => {
    const log: string[] = [];
    const early = (keep: Keep): Promise<number> => {
      keep(new Probe(log, "a"));
      throw new Error("early");
    };
    expect(String(thrown(() => scope(early)))).toBe("Error: early");
    expect(log).toEqual(["a"]);
  });

  test("any thenable is awaited", async () => {
    const log: string[] = [];
    const thenable: PromiseLike<number> = {
      // biome-ignore lint/suspicious/noThenProperty: the test needs a thenable that is not a promise.
      then: (resolve, reject) => Promise.resolve(7).then(resolve, reject),
    };
    const running = scope((keep) => {
      keep(new Probe(log, "a"));
      return thenable;
    });
    expect(log).toEqual([]);
    expect([await running, log]).toEqual([7, ["a"]]);
  });

  test("interleaved scopes are independent of each other", async () => {
    const log: string[] = [];
    const [first, second] = [gate(), gate()];
    const one = scope(async (keep) => {
      keep(new Probe(log, "one 1"));
      await first.passed;
      keep(new Probe(log, "one 2"));
    });
    const two = scope(async (keep) => {
      keep(new Probe(log, "two 1"));
      await second.passed;
      scope((inner) => void inner(new Probe(log, "inside two")));
      keep(new Probe(log, "two 2"));
    });
    first.open();
    await one;
    expect(log).toEqual(["one 2", "one 1"]);
    second.open();
    await two;
    expect(log).toEqual(["one 2", "one 1", "inside two", "two 2", "two 1"]);
  });

  test("the result of an inner scope can be kept by the outer one", async () => {
    const before = liveBuffers();
    const total = await scope(async (keep) => {
      const made = keep(
        await scope(async (inner) => {
          inner(Tensor.zeros([8]));
          return inner(Tensor.arange(4));
        }),
      );
      expect(liveBuffers()).toBe(before + 1);
      return made.vec().at(3);
    });
    expect([total, liveBuffers()]).toEqual([3, before]);
  });
});

/** The actions of one scope of the model at one of its turns. */
interface Step {
  readonly keeps: number;
  readonly returned: boolean;
}

test("model: many asynchronous scopes in any order dispose of exactly what they kept and did not return, in reverse order", async () => {
  const step = fc.record({ keeps: fc.nat(3), returned: fc.boolean() });
  const plan = fc.record({ steps: fc.array(step, { maxLength: 4 }), outcome: fc.constantFrom("return", "throw") });
  await fc.assert(
    fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 4 }), fc.scheduler(), async (plans, scheduler) => {
      const logs = plans.map((): string[] => []);
      const expected: string[][] = [];
      const results = plans.map(async ({ steps, outcome }, id) => {
        const log = logs[id]!;
        const kept: [name: string, returned: boolean][] = [];
        const walk = async (keep: Keep, rest: readonly Step[], out: unknown[]): Promise<void> => {
          const next = rest[0];
          if (next === undefined) return;
          await scheduler.schedule(Promise.resolve(), `scope ${id}`);
          for (let i = 0; i < next.keeps; i++) {
            const name = `${id}.${kept.length}`;
            kept.push([name, next.returned]);
            const probe = keep(new Probe(log, name));
            if (next.returned) out.push([{ probe }]);
          }
          await walk(keep, rest.slice(1), out);
        };
        try {
          await scope(async (keep) => {
            const out: unknown[] = [];
            await walk(keep, steps, out);
            expect(log).toEqual([]);
            if (outcome === "throw") throw new Error(String(id));
            return out;
          });
          expect(outcome).toBe("return");
        } catch (error) {
          if ((error as Error).message !== String(id)) throw error;
        }
        expected[id] = kept
          .filter(([, returned]) => outcome === "throw" || !returned)
          .map(([name]) => name)
          .reverse();
      });
      await scheduler.waitAll();
      await Promise.all(results);
      expect(logs).toEqual(expected);
    }),
    { numRuns: process.env["ONEBUFFER_LONG"] === undefined ? 60 : 2000 },
  );
});
