/** Tensors with names, made of a text such as `x: 256, 1024; b: 1024`, with random elements. */
import { Tensor } from "onebuffer";
import type { DType } from "onebuffer";
import { parseSizes, productOf } from "../../parts/number-text.ts";
import type { AnyOperand } from "./build-expression.ts";

/** The dtypes of the tensors on offer. */
export const kDTypes = ["float32", "float64", "int32"] as const;
export type TensorDType = (typeof kDTypes)[number];

/** The most elements of a tensor: 4 MiB of float32. */
const kMostElements = 2 ** 20;
const kMostTensors = 8;

/** The tensors, and one map of each: a tensor that is used twice is then one leaf of the tree. */
export class NamedTensors {
  readonly #tensors = new Map<string, Tensor>();
  readonly operands = new Map<string, AnyOperand>();

  get names(): string[] {
    return [...this.#tensors.keys()];
  }

  /** Makes the tensors of a text, and frees those that were there. Throws a RangeError, and keeps them, if the text is no such list. */
  set(text: string, dtype: TensorDType): void {
    const shapes = shapesOf(text);
    this.dispose();
    for (const [i, [name, sizes]] of [...shapes].entries()) {
      const range = dtype === "int32" ? { low: -9, high: 10 } : { low: -1, high: 1 };
      const tensor = Tensor.random(sizes, { dtype, seed: i + 1, ...range }) as Tensor<DType>;
      this.#tensors.set(name, tensor);
      this.operands.set(name, tensor.asOperand());
    }
  }

  dispose(): void {
    for (const tensor of this.#tensors.values()) tensor.dispose();
    this.#tensors.clear();
    this.operands.clear();
  }
}

function shapesOf(text: string): Map<string, number[]> {
  const shapes = new Map<string, number[]>();
  for (const part of text.split(/[;\n]/).filter((each) => each.trim() !== "")) {
    const [, name, sizesText] = /^\s*([A-Za-z_]\w*)\s*:\s*(.*)$/.exec(part) ?? [];
    if (name === undefined || sizesText === undefined)
      throw new RangeError(`${JSON.stringify(part.trim())} is no name and shape, such as x: 256, 1024`);
    const sizes = parseSizes(sizesText);
    const count = productOf(sizes);
    if (sizes.some((size) => size < 0)) throw new RangeError(`${name}: sizes are 0 or more`);
    if (count > kMostElements) throw new RangeError(`${name}: ${count} elements; this page takes up to ${kMostElements}`);
    shapes.set(name, sizes);
  }
  if (shapes.size > kMostTensors) throw new RangeError(`up to ${kMostTensors} tensors`);
  return shapes;
}
