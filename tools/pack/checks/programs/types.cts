// CommonJS: from TypeScript 5.8 on, a module may be required under nodenext.
import { Tensor } from "onebuffer";
import shape = require("onebuffer/shape");

const at: number = Tensor.from([[1, 2]])
  .matrix()
  .at(0, 1);
export const all: readonly unknown[] = [at, new shape.TensorShape([2]).dims];
