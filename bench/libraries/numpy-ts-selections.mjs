// numpy-ts's selections, orders and triangles. Its unique returns the distinct elements sorted; it has no function for the largest of rows.
import * as np from "numpy-ts";
import { selectionCases } from "../selections-data.mjs";

function make(data, dims, dtype) {
  const array = np.zeros(dims, dtype);
  array.data.set(data);
  return array;
}

const distinct = (a) => {
  const { values, indices, inverse, counts } = np.unique(a, true, true, true);
  return [values, indices, inverse, counts];
};
const sorted = (a) => np.sort(a);

const functions = {
  "unique 1e5": distinct,
  "unique of few 1e5": distinct,
  "unique float32 1e5": distinct,
  "nonzero 1e6": (a) => np.nonzero(a),
  "booleanMask 1e6": (a, mask) => np.compress(mask, a),
  "sort int32 1000": sorted,
  "sort uint8 1e6": sorted,
  "sort int16 1e6": sorted,
  "sort int64 1e6": sorted,
  "triu [256,256]": (a) => np.triu(a),
  "triu [1000,1000]": (a) => np.triu(a),
  "any of half true rows": (a) => np.any(a, 1),
};

export const selectionsOfNumpyTs = selectionCases({
  functions,
  make,
  read: (result) => result.data,
  dispose: (array) => array?.dispose?.(),
});
