// PoolAccount: kernels for which threads do not pay are run whole, and tried again rarely.
import { expect, test } from "@jest/globals";
import { PoolAccount, PoolAccounts } from "../../src/device/pool-account.js";

/** What a run takes. */
interface Times {
  readonly whole: number;
  readonly divided: number;
  /** What this thread's own parts make of the whole time. */
  readonly byOne?: number;
}

/** Runs as an account decides, and returns what all runs took, and how many were divided. */
function run(account: PoolAccount, runs: number, times: (run: number) => Times): { took: number; divided: number } {
  const estimate = 0.1;
  let [took, divided] = [0, 0];
  for (let k = 0; k < runs; k++) {
    const { whole, divided: time, byOne = whole } = times(k);
    if (account.divides(estimate)) {
      account.ranDivided(estimate, time, byOne);
      took += time;
      divided++;
    } else {
      account.ranWhole(estimate, whole);
      took += whole;
    }
  }
  return { took, divided };
}

test.each([
  ["a little", 0.11, 0.1],
  ["to a third", 0.3, 0.1],
  ["to a fortieth", 4, 0.1],
  ["while its own parts seem to gain", 0.12, 0.2],
])("a kernel that loses %s is run whole", (_, divided, byOne) => {
  const runs = 20_000;
  const { took } = run(new PoolAccount(), runs, () => ({ whole: 0.1, divided, byOne }));
  expect(took / (runs * 0.1)).toBeLessThan(1.03);
});

test("a kernel that gains is divided but for a few runs to measure", () => {
  const { divided } = run(new PoolAccount(), 10_000, () => ({ whole: 0.1, divided: 0.06 }));
  expect(divided).toBeGreaterThan(9_700);
});

test("rare interruptions do not stop a kernel that gains for long", () => {
  const { took } = run(new PoolAccount(), 50_000, (k) => ({ whole: 0.1, divided: k % 5_000 === 99 ? 3 : 0.06 }));
  expect(took / 5_000).toBeLessThan(0.85);
});

test("what has been learned is learned anew when the machine changes", () => {
  const account = new PoolAccount();
  run(account, 5_000, () => ({ whole: 0.1, divided: 0.2 }));
  expect(run(account, 5_000, () => ({ whole: 0.1, divided: 0.06 })).divided).toBeGreaterThan(4_500);
  const { took } = run(account, 5_000, () => ({ whole: 0.1, divided: 0.2 }));
  expect(took / 500).toBeLessThan(1.03);
  // Whole runs now take longer than they did: dividing gains again.
  expect(run(account, 20_000, () => ({ whole: 0.4, divided: 0.2 })).divided).toBeGreaterThan(15_000);
});

test("long work is not run whole only to be measured", () => {
  const account = new PoolAccount();
  for (let k = 0; k < 1_000; k++) {
    expect(account.divides(30)).toBe(true);
    account.ranDivided(30, 20, 38);
  }
  account.ranDivided(30, 400, 38);
  expect(account.divides(30)).toBe(false);
});

test("work of another size, or of another kernel, has an account of its own", () => {
  const accounts = new PoolAccounts();
  const [one, other] = [{}, {}];
  expect(accounts.of(one, 0.1)).toBe(accounts.of(one, 0.11));
  expect(accounts.of(one, 0.1)).not.toBe(accounts.of(one, 0.3));
  expect(accounts.of(one, 0.1)).not.toBe(accounts.of(other, 0.1));
  expect([0, 1e-9, 1e9].map((estimate) => accounts.of(one, estimate).divides(estimate))).toEqual([true, true, true]);
});
