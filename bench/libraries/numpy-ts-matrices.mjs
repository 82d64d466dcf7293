// numpy-ts's linear algebra. It has no batches of systems.
import * as np from "numpy-ts";
import { kBatch, kSystems, systemData } from "../matrices-data.mjs";

const arrayOf = (values, shape, dtype) => {
  const out = np.zeros(shape, dtype);
  out.data.set(values);
  return out;
};

const caseOf = (row) => () => {
  const { dims, right, a, b } = systemData(row);
  const [matrix, rhs] = [arrayOf(a, dims, row.dtype), arrayOf(b, right, row.dtype)];
  const compute = () =>
    row.call === "solve" ? np.linalg.solve(matrix, rhs) : row.call === "inverse" ? np.linalg.inv(matrix) : np.linalg.cholesky(matrix);
  return {
    run: () => compute().dispose?.(),
    checksum() {
      const { data } = compute();
      return data.reduce((sum, value) => sum + Number(value), 0) / data.length;
    },
  };
};

export const matricesOfNumpyTs = Object.fromEntries(
  Object.entries(kSystems).flatMap(([name, row]) => (row.n === kBatch ? [] : [[name, caseOf(row)]])),
);
