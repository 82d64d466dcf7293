/**
 * The operations of tensor_util (tf-tensor.json): concat, split, and making a shape from a tensor.
 */
import type { DType } from "@onebuffer/base";
import { concat, makeShape, split } from "@onebuffer/core";
import type { Tensor } from "@onebuffer/core";
import { toArgs } from "../args.ts";
import type { Args } from "../args.ts";
import type { CaseScope } from "../case-scope.ts";
import type { State } from "../compare.ts";
import { toDType } from "../literals.ts";
import { operation } from "../operation.ts";
import type { Operations } from "../operation.ts";
import { filledTensor } from "../tensor-literals.ts";
import { RunnerError } from "../vector.ts";
import { shapeState } from "./shape-run.ts";
import { tensorState } from "./tensor-ops.ts";

/** Makes the inputs of a concat. The dtype of a tensor literal takes precedence over that of the case. */
function inputs(args: Args, scope: CaseScope): Tensor[] {
  const common: DType | undefined = args.has("dtype") ? toDType(args.json("dtype")) : undefined;
  return args.list("tensors").map((json) => {
    const item = toArgs(json, ["dtype", "shape", "values"], "tensors");
    const dtype = item.has("dtype") ? toDType(item.json("dtype")) : common;
    if (dtype === undefined) throw new RunnerError("a tensor without dtype");
    return filledTensor(scope, dtype, item.json("shape"), item.json("values"));
  });
}

function joined(args: Args, scope: CaseScope): State {
  const tensors = inputs(args, scope);
  const result = scope.keep(concat(tensors));
  return { ...tensorState(result), shares_with_inputs: () => tensors.some((tensor) => result.sharesBufferWith(tensor)) };
}

function pieces(args: Args, scope: CaseScope): State {
  const tensor = filledTensor(scope, toDType(args.json("dtype")), args.json("shape"), args.json("values"));
  const results = split(tensor, args.sizes("sizes"));
  for (const result of results) scope.keep(result);
  return {
    tensors: () => results.map(tensorState),
    shares_with_input: () => results.some((result) => result.sharesBufferWith(tensor)),
  };
}

/** The operations by name. */
export const tensorUtilOps: Operations = {
  "tensor.concat": operation(["dtype", "tensors"], joined),
  "tensor.split": operation(["dtype", "shape", "values", "sizes"], pieces),
  "tensor.make_shape": operation(["dtype", "shape", "values"], (args, scope) =>
    shapeState(makeShape(filledTensor(scope, toDType(args.json("dtype")), args.json("shape"), args.json("values")))),
  ),
};
