// A program that uses a type of every entry; `using` needs the declarations of `esnext.disposable`.
import type { Shape } from "onebuffer/xla";
import { isStatusError, Tensor, TensorShape, tensorOf } from "onebuffer";
import * as allocator from "onebuffer/allocator";
import * as base from "onebuffer/base";
import * as browser from "onebuffer/browser";
import * as core from "onebuffer/core";
import * as debug from "onebuffer/debug";
import * as eigen from "onebuffer/eigen";
import * as io from "onebuffer/io";
import * as node from "onebuffer/node";
import * as proto from "onebuffer/proto";
import * as shape from "onebuffer/shape";
import * as slice from "onebuffer/slice";
import * as testing from "onebuffer/testing";
import * as xla from "onebuffer/xla";

using tensor = Tensor.from([
  [1, 2],
  [3, 4],
]);
const rank: Tensor<"float32"> = tensor.reshape([4]);
const at: number = tensor.matrix().at(1, 0);
const sum: Tensor = tensorOf(tensor.matrix().sum(1));
const none: Shape | null = null;
// @ts-expect-error: dtypes are literals
Tensor.zeros([2], { dtype: "float33" });
export const all: readonly unknown[] = [
  allocator,
  base,
  browser,
  core,
  debug,
  eigen,
  io,
  node,
  proto,
  shape,
  slice,
  testing,
  xla,
  rank,
  at,
  sum,
  none,
  isStatusError,
  new TensorShape([2]).dims,
];
