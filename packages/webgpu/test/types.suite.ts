// The types: dtype and rank of a map on the GPU are those of the expression.
import { test } from "@jest/globals";
import type { Tensor } from "@onebuffer/core";
import { tensorMap } from "@onebuffer/eigen";
import type { GpuMap, WebGpuDevice } from "@onebuffer/webgpu";

/** Never called: it only has to compile. */
export async function typed(gpu: WebGpuDevice): Promise<void> {
  const a = tensorMap("float32", new Float32Array(6), [2, 3]);
  const x: GpuMap<"float32", 2> = await gpu.put(a);
  const sum: GpuMap<"float32", 1> = await gpu.evaluate(x.sum([1]));
  const mask: GpuMap<"bool", 2> = await gpu.evaluate(x.less(0));
  const back: Tensor<"bool"> = await mask.fetch();
  const own: GpuMap<"int32", 1> = gpu.wrap(x.buffer, "int32", [6]);
  // @ts-expect-error: another dtype
  const wrong: GpuMap<"int32", 2> = await gpu.evaluate(x.add(1));
  // @ts-expect-error: another rank
  const flat: GpuMap<"float32", 1> = await gpu.put(a);
  // @ts-expect-error: operands of different dtypes
  x.add(mask);
  for (const each of [sum, back, own, wrong, flat]) each.dispose();
}

test("the types compile", () => {});
