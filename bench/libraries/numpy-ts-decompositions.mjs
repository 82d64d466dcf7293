// numpy-ts's decompositions. Matrices of 512 rows take minutes and exhaust its memory, and its eig has no complex results.
import * as np from "numpy-ts";
import { decompositionData, kDecompositions, magnitudeOf } from "../decompositions-data.mjs";

function caseOf(name) {
  const [call, n] = kDecompositions[name];
  return () => {
    const a = np.zeros([n, n], "float64");
    a.data.set(decompositionData(name));
    const parts = () => {
      const made = np.linalg[call](a);
      return Array.isArray(made) ? made : Object.values(made);
    };
    const numbers = (array) => array.toArray().map(Number);
    return {
      run: () => parts().forEach((part) => part.dispose?.()),
      checksum() {
        const [first, second] = parts();
        if (call === "qr") return magnitudeOf(second.toArray().map((row, i) => Number(row[i])));
        return magnitudeOf(numbers(call === "svd" ? second : first));
      },
    };
  };
}

export const decompositionsOfNumpyTs = Object.fromEntries(
  ["qr float64 256", "svd float64 128", "eigh float64 128"].map((name) => [name, caseOf(name)]),
);
