/**
 * kept-loops: an operation by loops over dense elements (array-loops/whole-into.ts) as a step of a kept plan: the same operation on
 * operands at other addresses. Random elements also take other attributes at each run.
 */
import { InternalError } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { linearMemory } from "@onebuffer/wasm";
import { fieldsOf } from "@onebuffer/expression/internal";
import type { ExpressionTree, OpAttributes } from "@onebuffer/expression";
import type { RawPlaces } from "@onebuffer/storage";
import type { Access } from "@onebuffer/kernels/internal";
import { wholeInto } from "../array-loops/whole-into.ts";
import type { WholeWork } from "../array-loops/whole-work.ts";
import type { Parameter } from "../plan/program.ts";
import { leafOf } from "../plan/tree-parts.ts";
import type { WholeStep } from "../array-loops/whole-step.ts";
import { scratchOf } from "./scratch-places.ts";

/** Sizes and strides, without addresses. */
type Form = Omit<RawPlaces, "buffer" | "byteOffset">;

/** One operation by loops. It keeps no operand alive. */
export class KeptLoops implements WholeStep {
  readonly #node: ExpressionTree;
  readonly #dtype: DType;
  readonly #forms: readonly Form[];
  readonly #dtypes: readonly DType[];
  readonly #compute: WholeWork["compute"];

  readonly isSure: boolean;

  /**
   * `places` are those of the result, then of the operands of `tree`, which are maps. The result is stored as `dtype`. A step that is `isSure`
   * changes rows where they are: nothing can be computed again after others have done so.
   */
  constructor(tree: ExpressionTree, dtype: DType, places: readonly RawPlaces[], compute: WholeWork["compute"], isSure: boolean) {
    this.isSure = isSure;
    this.#node = { ...fieldsOf(tree), inputs: [] };
    this.#dtype = dtype;
    this.#forms = places.map(({ itemBytes, dims, strides }) => ({ itemBytes, dims, strides }));
    this.#dtypes = tree.inputs.map((input) => input.dtype);
    this.#compute = compute;
  }

  run(accesses: readonly Access[], _parameters: readonly Parameter[], attributes: object): boolean {
    const { buffer } = linearMemory();
    const places = this.#forms.map((form, a): RawPlaces => ({ ...form, buffer, byteOffset: accesses[a]!.start }));
    const [target, ...operands] = places as [RawPlaces, ...RawPlaces[]];
    const inputs = operands.map((operand, k) => leafOf({ ...this.#node, dtype: this.#dtypes[k]! }, operand));
    const own = inputs.length === 0 ? (attributes as OpAttributes) : this.#node.attributes;
    const isDone = wholeInto(
      target,
      this.#dtype,
      { ...this.#node, attributes: own, inputs },
      { scratch: scratchOf, compute: this.#compute },
    );
    if (this.isSure && !isDone) throw new InternalError(`the kernel of a ${this.#node.op} that ran before is refused`);
    return isDone;
  }
}
