/** float-neighbors: the floats next to others. */
import type { ElementFormula, Gradients, OpRecords, References } from "./op-record.ts";

type FloatNeighbors = {
  readonly nextAfter: readonly ["binary", "float32, float64"];
};

/** The records of the floats next to others. */
export const floatNeighbors: OpRecords<FloatNeighbors> = {
  nextAfter: {
    class: "binary",
    dtypes: "float32, float64",
    result: "same",
    cost: "slow",
    raises: false,
    comment: "The float next to x in the direction of y; y if they are equal (`tf.math.nextafter`).",
    accuracy: "exact",
    edgeCases: "y where x equals y; NaN if either is",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: "all",
    tensorflow: "math.nextafter",
    numpy: { exact: "np.nextafter", wide: null },
    units: null,
    xla: null,
  },
};

const words = new DataView(new ArrayBuffer(8));

/** What the evaluator computes for the floats next to others. */
export const floatNeighborReferences: References<FloatNeighbors> = {
  nextAfter: {
    float: (x, y, { bits }) => {
      if (x === y || x !== x || y !== y) return x === y ? y : Number.NaN;
      if (x === 0) return Math.sign(y) * (bits === 32 ? 2 ** -149 : 2 ** -1074);
      // Floats of one sign are in the order of their bits.
      const step = x < y === x > 0 ? 1 : -1;
      if (bits === 32) {
        words.setFloat32(0, x);
        words.setInt32(0, words.getInt32(0) + step);
        return words.getFloat32(0);
      }
      words.setFloat64(0, x);
      words.setBigInt64(0, words.getBigInt64(0) + BigInt(step));
      return words.getFloat64(0);
    },
  },
};

/** The floats next to others in steps of other operations. */
export const floatNeighborFormulas: { readonly nextAfter: ElementFormula } = {
  nextAfter: (x, y) => {
    const bits = x.bits();
    const isAway = x.is("less", y).to("logicalXor", x.is("less", 0));
    const least = x.isSingle ? 2 ** -149 : 2 ** -1074;
    const next = x.isZero().select(y.is("less", 0).select(y.number(-least), least), x.floatOf(isAway.select(bits.add(1), bits.sub(1))));
    // A sum with NaN is NaN.
    const isOrdered = x.is("equal", x).and(y.is("equal", y));
    return x.is("equal", y).select(y, isOrdered.select(next, x.add(y)));
  },
};

/** The gradients of the neighbors of floats. */
export const floatNeighborGradients: Gradients<FloatNeighbors> = {
  nextAfter: ({ g }) => [() => g, null],
};
