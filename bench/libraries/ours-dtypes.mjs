// onebuffer's expressions over dtypes other than float32.
import { Tensor } from "onebuffer";
import { dtypeCases } from "../dtypes-data.mjs";
import { dispose, mapOf } from "./ours-maps.mjs";

function make(data, dims, dtype) {
  const tensor = Tensor.zeros(dims, { dtype });
  // The array of a float16 tensor holds bits.
  if (dtype === "float16") tensor.flat().copyFrom([...data]);
  else tensor.flat().data.set(data);
  return mapOf(tensor);
}

const result = (expression) => Tensor.evaluate(expression);

const functions = {
  "complex64 add": (a, b) => result(a.add(b)),
  "complex64 mul": (a, b) => result(a.mul(b)),
  "complex64 div": (a, b) => result(a.div(b)),
  "complex64 abs": (a) => result(a.abs()),
  "complex64 exp": (a) => result(a.exp()),
  "complex64 sum": (a) => result(a.sum()),
  "complex64 sum axis 0": (a) => result(a.sum(0)),
  "complex64 cumsum": (a) => result(a.cumsum(0)),
  "complex64 matMul 256": (a, b) => result(a.matMul(b)),
  "complex128 mul": (a, b) => result(a.mul(b)),
  "any of 1e6": (a) => result(a.any()),
  "any axis 0": (a) => result(a.any(0)),
  "any axis 1": (a) => result(a.any(1)),
  "count of 1e6": (a) => result(a.cast("int32").sum()),
  "count axis 1": (a) => result(a.cast("int32").sum(1)),
  "f16 maximum": (a, b) => result(a.maximum(b)),
  "f16 max of 1e6": (a) => result(a.max()),
  "f16 max axis 1": (a) => result(a.max(1)),
  "i64 to f32": (a) => result(a.cast("float32")),
  "i64 to f64": (a) => result(a.cast("float64")),
  "f32 to i64": (a) => result(a.cast("int64")),
  "f64 to u64": (a) => result(a.cast("uint64")),
  "i32 >> 3": (a) => result(a.rightShift(3)),
  "i64 >> 3": (a) => result(a.rightShift(3n)),
  "u8 >> 3": (a) => result(a.rightShift(3)),
};

export const dtypesOfOurs = dtypeCases({
  functions,
  make,
  dispose,
  read: (tensor) => (tensor.dtype === "float16" ? Float32Array.from(tensor.flat()) : tensor.flat().data),
});
