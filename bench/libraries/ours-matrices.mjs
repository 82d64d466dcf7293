// onebuffer's linear algebra: each expression is made once and assigned again and again.
import { Tensor } from "onebuffer";
import { DefaultDevice, ThreadPoolDevice } from "onebuffer/eigen";
import { cholesky, inverse, lu, solve } from "onebuffer/linalg";
import { kFactors, kSystems, kThreaded, systemData } from "../matrices-data.mjs";

const functions = { solve, cholesky: (a) => cholesky(a), inverse: (a) => inverse(a), lu: (a) => lu(a).lu, product: (a) => a.matMul(a) };

const caseOf = (row, deviceOf) => async () => {
  const device = await deviceOf?.();
  const { dims, right, a, b } = systemData(row);
  const tensors = [Tensor.from(a, { shape: dims }), Tensor.from(b, { shape: right })];
  const target = Tensor.zeros(row.call === "solve" ? right : dims, { dtype: row.dtype });
  const [matrix, rhs, out] = [...tensors, target].map((each) => each.tensor(each.dims));
  const expression = functions[row.call](matrix, rhs);
  const run = () => (device === undefined ? out.assign(expression) : out.device(device).assignSync(expression));
  return {
    run,
    checksum() {
      run();
      const { data } = target.flat();
      return data.reduce((sum, value) => sum + value, 0) / data.length;
    },
    free() {
      for (const each of [...tensors, target]) each.dispose();
      void device?.dispose?.();
    },
  };
};

/** Returns the cases of rows, each changed. */
const casesOf = (rows, change, deviceOf) =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, caseOf({ ...row, ...change }, deviceOf)]));

export const matricesOfOurs = {
  ...casesOf({ ...kSystems, ...kFactors }, {}),
  ...casesOf(kThreaded, {}, async () => {
    const pool = new ThreadPoolDevice(2);
    await pool.ready();
    return pool;
  }),
};

/** What `by-hand` has: products in place of factors, whose sums are others, and one thread. */
export const matricesByHand = {
  ...Object.fromEntries(
    Object.entries(casesOf(kFactors, { call: "product" })).map(([name, make]) => [
      name,
      async () => {
        const { run, free } = await make();
        return { run, free };
      },
    ]),
  ),
  ...casesOf(kThreaded, {}, async () => new DefaultDevice()),
};
