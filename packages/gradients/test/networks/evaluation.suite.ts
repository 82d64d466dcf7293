// Who computes gradients does not matter: kernels or the plain evaluator, together or alone, from a kept plan or a new one, on one thread or
// several.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { evaluate, ready, ThreadPoolDevice, updateTogether } from "@onebuffer/eigen";
import type { Assigned } from "@onebuffer/eigen";
import { assignByReference } from "@onebuffer/eigen/internal";
import { divideAll } from "@onebuffer/eigen/test/device/pool-subjects";
import { gradients } from "@onebuffer/gradients";
import { isLong } from "@onebuffer/test-support";
import type { Built } from "../differences/subject.ts";
import { mapInArena, networks, smallNetworks } from "./networks.ts";
import type { Network } from "./networks.ts";

const pools: ThreadPoolDevice[] = [];
let undo: () => void;

beforeAll(async () => {
  undo = divideAll();
  for (const threads of isLong ? [1, 2, 4] : [1, 3]) pools.push(new ThreadPoolDevice(threads, { spinMs: 0 }));
  await Promise.all([ready(), ...pools.map((pool) => pool.ready())]);
}, 60_000);

afterAll(async () => {
  undo();
  await Promise.all(pools.map((pool) => pool.dispose()));
}, 60_000);

const targetOf = (e: Built): Built => mapInArena(e.dimensions);

/** The loss and all gradients of a network. */
const allOf = ({ loss, parameters }: Network): readonly Built[] => [loss, ...(gradients(loss, parameters as never) as readonly Built[])];

const bitsOf = (maps: readonly Built[]): number[][] =>
  maps.map(({ data }) => [...new Uint32Array(data.buffer, data.byteOffset, data.length)]);

function largestError(maps: readonly Built[], others: readonly Built[]): number {
  const errors = maps.map((map, k) => {
    const [a, b] = [[...map], [...others[k]]] as [number[], number[]];
    const largest = Math.max(...b.map(Math.abs));
    return Math.max(...a.map((x, i) => Math.abs(x - b[i]!))) / largest;
  });
  return Math.max(...errors);
}

/** Computes expressions in one group, into new memory. */
function together(list: readonly Built[]): readonly Built[] {
  const targets = list.map(targetOf);
  updateTogether(targets.map((target, k): Assigned => [target, list[k]]));
  return targets;
}

test.each(isLong ? networks : smallNetworks)("kernels and the plain evaluator agree on the gradients of %s", (_, make) => {
  const list = allOf(make());
  const plain = list.map((e) => {
    const target = targetOf(e);
    assignByReference(target, e);
    return target;
  });
  expect(
    largestError(
      list.map((e) => evaluate(e)),
      plain,
    ),
  ).toBeLessThan(2e-6);
});

/** The networks of the tests of groups and pools: two of them in `npm test`. */
const some = isLong ? networks : networks.slice(0, 2);

test.each(some)("the gradients of %s together are those alone", (_, make) => {
  const list = allOf(make());
  expect(
    largestError(
      together(list),
      list.map((e) => evaluate(e)),
    ),
  ).toBeLessThan(2e-6);
});

test.each(some)("a kept plan gives the bits of a new one, and expressions made anew too, for %s", (_, make) => {
  const list = allOf(make());
  const fresh = bitsOf(together(list));
  expect(bitsOf(together(list))).toEqual(fresh);
  expect(bitsOf(together(allOf(make())))).toEqual(fresh);
});

/** Computes expressions by a pool, together and each alone. */
async function byPool(pool: ThreadPoolDevice, list: readonly Built[]): Promise<readonly Built[]> {
  const targets = list.map(targetOf);
  await updateTogether(
    targets.map((target, k): Assigned => [target, list[k]]),
    pool,
  );
  const alone = list.map(targetOf);
  for (const [k, target] of alone.entries()) await target.device(pool).assign(list[k]);
  return [...targets, ...alone];
}

// Without a pool, long sums are added in one block instead of several.
test.each(some)("any number of threads gives the bits of a pool of one, for %s", async (_, make) => {
  const list = allOf(make());
  const [one, ...others] = pools as [ThreadPoolDevice, ...ThreadPoolDevice[]];
  const expected = bitsOf(await byPool(one, list));
  for (const pool of others) expect(bitsOf(await byPool(pool, list))).toEqual(expected);
});
