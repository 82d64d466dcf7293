// An app of a few lines: views, a kernel, a shape, an error, a message. Prints what it finds in one line.
import { isStatusError, Tensor, TensorShape, tensorOf } from "onebuffer";

export function report() {
  const tensor = Tensor.from([
    [1, 2],
    [3, 4],
  ]);
  const row = tensor.subSlice(1);
  row.vec().set(0, 30);
  const sums = tensorOf(tensor.matrix().mul(2).add(1).sum(1));
  let code = "";
  try {
    tensor.vec();
  } catch (error) {
    code = isStatusError(error) ? error.code : String(error);
  }
  const bytes = new TensorShape([2, 70000]).bytes();
  return JSON.stringify([tensor.toArray(), sums.toArray(), code, [...bytes].slice(0, 6)]);
}

export const expected = '[[[1,2],[30,4]],[8,70],"INVALID_ARGUMENT",[2,0,0,0,112,17]]';
