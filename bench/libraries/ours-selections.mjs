// onebuffer's selections, orders and triangles. unique, nonzero and booleanMask return maps over new arrays, the others tensors.
import { Tensor } from "onebuffer";
import { booleanMask, nonzero, unique } from "onebuffer/eigen";
import { selectionCases } from "../selections-data.mjs";
import { dispose, mapOf } from "./ours-maps.mjs";

function make(data, dims, dtype) {
  const tensor = Tensor.zeros(dims, { dtype });
  tensor.flat().data.set(data);
  return mapOf(tensor);
}

const result = (expression) => Tensor.evaluate(expression);
const distinct = (a) => Object.values(unique(a));
const sorted = (a) => result(a.sort());
const largest = (k) => (a) => {
  const { values, indices } = a.topK(k);
  return [result(indices), result(values)];
};

const functions = {
  "unique 1e5": distinct,
  "unique of few 1e5": distinct,
  "unique float32 1e5": distinct,
  "nonzero 1e6": (a) => nonzero(a),
  "booleanMask 1e6": (a, mask) => booleanMask(a, mask),
  "topK 1 of rows": largest(1),
  "topK 10 of rows": largest(10),
  "topK 50 of rows": largest(50),
  "sort int32 1000": sorted,
  "sort uint8 1e6": sorted,
  "sort int16 1e6": sorted,
  "sort int64 1e6": sorted,
  "triu [256,256]": (a) => result(a.triu()),
  "triu [1000,1000]": (a) => result(a.triu()),
  "any of half true rows": (a) => result(a.any(1)),
};

export const selectionsOfOurs = selectionCases({
  functions,
  make,
  dispose,
  read: (made) => (made instanceof Tensor ? made.flat().data : made.data),
});
