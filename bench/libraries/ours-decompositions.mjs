// onebuffer's decompositions: all parts assigned together to tensors that exist, expressions made once.
import { assignTogether, Tensor } from "onebuffer";
import { eig, eigh, qr, svd } from "onebuffer/linalg";
import { decompositionData, kDecompositions, magnitudeOf } from "../decompositions-data.mjs";

const functions = { qr, svd, eigh, eig };

function caseOf(name) {
  const [call, n] = kDecompositions[name];
  return () => {
    const a = Tensor.from(decompositionData(name), { shape: [n, n] });
    const parts = functions[call](a.matrix());
    const pairs = Object.values(parts).map((part) => [Tensor.zeros([...part.dimensions], { dtype: part.dtype }), part]);
    return {
      run: () => assignTogether(pairs),
      checksum() {
        assignTogether(pairs);
        const values = pairs[call === "qr" ? 1 : 0][0].toArray();
        const list = call === "qr" ? values.map((each, i) => each[i]) : call === "eig" ? values.map((each) => Math.hypot(...each)) : values;
        return magnitudeOf(list);
      },
    };
  };
}

export const decompositionsOfOurs = Object.fromEntries(Object.keys(kDecompositions).map((name) => [name, caseOf(name)]));
