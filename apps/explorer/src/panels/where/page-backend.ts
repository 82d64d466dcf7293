/**
 * A backend in this page: arrays of its own, computed by the library on one thread. It stands in for a process with XLA or a GPU, which a page
 * does not have, so that the transfers of a BackendDevice can be seen: what is sent, run, fetched and freed, and in which order.
 */
import { Tensor } from "onebuffer";
import type { DType, StatusError } from "onebuffer";
import type { ExpressionTree, OpName } from "onebuffer/eigen";
import type { ArraySpec, Backend, BackendArray, BackendProgram, ElementBytes, ProgramSource, Queued } from "@onebuffer/eigen/internal";
import { makeExpression, treeOrder } from "@onebuffer/expression/internal";
import type { AnyOperand } from "../expressions/build-expression.ts";

type PageArray = BackendArray<Tensor>;

/** A call of the backend, in words. */
export interface BackendCall {
  readonly call: "compile" | "put" | "run" | "take" | "release";
  readonly what: string;
  /** The bytes that go from one memory to the other. */
  readonly bytes: number;
}

/** The backend. It writes down every call. */
export class PageBackend implements Backend<Tensor> {
  readonly name = "a device in this page";
  readonly calls: BackendCall[] = [];
  readonly dead: StatusError | null = null;

  capabilities(): true {
    return true;
  }

  async compile({ trees, leaves }: ProgramSource<null>): Promise<BackendProgram<Tensor, null>> {
    this.#note("compile", trees.map((tree) => (tree as { op: OpName }).op).join(", "), 0);
    const run = async (operands: readonly PageArray[], results: readonly PageArray[]): Promise<void> => {
      this.#note("run", `${operands.length} ${operands.length === 1 ? "operand" : "operands"}`, 0);
      const maps = operands.map(({ content }) => content!.asOperand());
      const computed = trees.map((tree) => Tensor.evaluate(overOther(tree, leaves, maps)));
      for (const [k, array] of results.entries()) {
        array.content?.dispose();
        array.content = computed[k]!;
      }
    };
    return { placements: trees.map(() => null), run, release: () => {} };
  }

  async put(array: PageArray, source: ElementBytes, { dtype, dimensions }: ArraySpec<null>): Promise<Queued> {
    this.#note("put", `${dtype}[${dimensions.join(", ")}]`, source.total);
    const tensor = Tensor.zeros([...dimensions], { dtype: dtype as "float32" });
    bytesOf(tensor).set(source.view(0, source.total));
    array.content = tensor;
    return { done: Promise.resolve() };
  }

  async take({ content }: PageArray, target: ElementBytes): Promise<void> {
    this.#note("take", `${content!.dtype}${content!.shape.debugString()}`, target.total);
    target.view(0, target.total).set(bytesOf(content!));
  }

  release(arrays: readonly PageArray[]): void {
    this.#note("release", arrays.length === 1 ? "one array" : `${arrays.length} arrays`, 0);
    for (const array of arrays) {
      array.content?.dispose();
      array.content = null;
    }
  }

  async close(): Promise<void> {}

  #note(call: BackendCall["call"], what: string, bytes: number): void {
    this.calls.push({ call, what, bytes });
  }
}

const bytesOf = (tensor: Tensor): Uint8Array<ArrayBufferLike> => {
  const { buffer, byteOffset, byteLength } = tensor.tensorData;
  return new Uint8Array(buffer, byteOffset, byteLength);
};

/** Returns an expression over other maps than those that it was made of. */
function overOther(tree: ExpressionTree, leaves: readonly ExpressionTree[], maps: readonly AnyOperand[]): AnyOperand {
  const made = new Map<ExpressionTree, ExpressionTree>();
  for (const node of treeOrder([tree])) {
    const at = leaves.indexOf(node);
    const { op, inputs, attributes, dtype, dimensions } = node;
    const next =
      at >= 0
        ? (maps[at] as unknown as ExpressionTree)
        : inputs.length === 0
          ? node
          : (makeExpression<DType, number>({
              op,
              inputs: inputs.map((input) => made.get(input)!),
              attributes,
              dtype,
              dimensions,
            }) as unknown as ExpressionTree);
    made.set(node, next);
  }
  return made.get(tree) as unknown as AnyOperand;
}
