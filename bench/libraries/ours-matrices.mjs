// onebuffer's linear algebra: each expression is made once and assigned again and again.
import { Tensor } from "onebuffer";
import { cholesky, inverse, solve } from "onebuffer/linalg";
import { kSystems, systemData } from "../matrices-data.mjs";

const functions = { solve, cholesky: (a) => cholesky(a), inverse: (a) => inverse(a) };

const caseOf = (row) => () => {
  const { dims, right, a, b } = systemData(row);
  const tensors = [Tensor.from(a, { shape: dims }), Tensor.from(b, { shape: right })];
  const target = Tensor.zeros(row.call === "solve" ? right : dims, { dtype: row.dtype });
  const [matrix, rhs, out] = [...tensors, target].map((each) => each.tensor(each.dims));
  const expression = functions[row.call](matrix, rhs);
  const run = () => out.assign(expression);
  return {
    run,
    checksum() {
      run();
      const { data } = target.flat();
      return data.reduce((sum, value) => sum + value, 0) / data.length;
    },
    free: () => [...tensors, target].forEach((each) => each.dispose()),
  };
};

export const matricesOfOurs = Object.fromEntries(Object.entries(kSystems).map(([name, row]) => [name, caseOf(row)]));
