// A backend in plain JavaScript: sums and products of float32. It counts its calls and knows what it holds.
import type { DType, StatusError } from "@onebuffer/base";
import { InternalError } from "@onebuffer/base";
import type { ExpressionTree, OpName } from "@onebuffer/eigen";
import { attributesOf, treeOrder } from "@onebuffer/expression/internal";
import type { ArraySpec, Backend, BackendArray, BackendProgram, ElementBytes, ProgramSource, Queued } from "@onebuffer/eigen/internal";

type ToyArray = BackendArray<Float32Array>;
/** The elements of a node, by those of its operands. */
type Compute = (inputs: readonly Float32Array[]) => Float32Array;

const kOperations: readonly OpName[] = ["map", "constant", "broadcast", "add", "mul", "sum", "prod"];
const countOf = (dims: readonly number[]): number => dims.reduce((product, size) => product * size, 1);

/** Returns the number of the element of `to` that belongs to element `k` of `from`: axes of size 1 repeat, missing ones count as 1. */
function place(k: number, from: readonly number[], to: readonly number[]): number {
  let [left, at, stride] = [k, 0, 1];
  for (let d = from.length - 1; d >= 0; d--) {
    const size = to[d - from.length + to.length] ?? 1;
    if (size > 1) at += (left % from[d]!) * stride;
    left = Math.floor(left / from[d]!);
    stride *= size;
  }
  return at;
}

/** Returns how a node is computed. Sums and products over axes are rounded once, as by the evaluator. */
function computeOf(node: ExpressionTree): Compute {
  const { op, dimensions, inputs } = node;
  const count = countOf(dimensions);
  const dims = inputs.map((input) => input.dimensions);
  if (op === "constant") {
    const { value } = attributesOf(node, "constant");
    return () => new Float32Array(count).fill(value as number);
  }
  if (op === "sum" || op === "prod") {
    const { axes } = attributesOf(node, "sum");
    const kept = dims[0]!.map((size, d) => (axes.includes(d) ? 1 : size));
    return ([x]) => {
      const wide = new Float64Array(count).fill(op === "sum" ? 0 : 1);
      x!.forEach((value, k) => {
        const at = place(k, dims[0]!, kept);
        wide[at] = op === "sum" ? wide[at]! + value : wide[at]! * value;
      });
      return Float32Array.from(wide);
    };
  }
  return (values) => {
    const [x, y] = values.map((value, n) => (k: number) => value[place(k, dimensions, dims[n]!)]!);
    return Float32Array.from({ length: count }, (_, k) => (op === "add" ? x!(k) + y!(k) : op === "mul" ? x!(k) * y!(k) : x!(k)));
  };
}

/** Returns the elements of an array. */
function elementsOf({ content }: ToyArray): Float32Array {
  if (content === null) throw new InternalError("an array that was never computed");
  return content;
}

export class ToyBackend implements Backend<Float32Array> {
  readonly name = "ToyDevice";
  dead: StatusError | null = null;
  /** The calls in order: "compile", "put", "run", "take", "release", "close". */
  readonly calls: string[] = [];
  /** The arrays that have elements, and the programs. */
  readonly held: Set<object> = new Set();
  /** The faults of the caller: what it released twice, or used after it was released. */
  readonly faults: string[] = [];
  readonly #released: WeakSet<object> = new WeakSet();

  capabilities(op: OpName, dtype: DType): true | string {
    if (!kOperations.includes(op)) return "it adds and multiplies";
    return dtype === "float32" || "it has float32 only";
  }

  async compile({ trees, leaves }: ProgramSource<null>): Promise<BackendProgram<Float32Array, null>> {
    this.note("compile");
    const order = treeOrder(trees).map((node) => [node, leaves.includes(node) ? null : computeOf(node)] as const);
    const run = async (operands: readonly ToyArray[], results: readonly ToyArray[]): Promise<void> => {
      this.note("run", ...operands, ...results);
      if (new Set(results).size < results.length) this.faults.push("one array for two results");
      const values = new Map<ExpressionTree, Float32Array>();
      for (const [node, compute] of order) {
        const inputs = node.inputs.map((input) => values.get(input)!);
        values.set(node, compute === null ? elementsOf(operands[leaves.indexOf(node)]!) : compute(inputs));
      }
      results.forEach((array, k) => this.hold(array, values.get(trees[k]!)!.slice()));
    };
    const program = { placements: trees.map(() => null), run, release: () => this.#free(program) };
    this.held.add(program);
    return program;
  }

  async put(array: ToyArray, source: ElementBytes, { dimensions }: ArraySpec<null>): Promise<Queued> {
    this.note("put", array);
    const elements = new Float32Array(countOf(dimensions));
    new Uint8Array(elements.buffer).set(source.view(0, source.total));
    this.hold(array, elements);
    return { done: Promise.resolve() };
  }

  async take(array: ToyArray, target: ElementBytes): Promise<void> {
    this.note("take", array);
    const elements = elementsOf(array);
    target.view(0, target.total).set(new Uint8Array(elements.buffer));
  }

  release(arrays: readonly ToyArray[]): void {
    this.note("release");
    for (const array of arrays) this.#free(array);
  }

  async close(reason: StatusError): Promise<void> {
    this.note("close");
    this.held.clear();
    this.dead = reason;
  }

  /** Notes a call and the arrays that it uses. */
  protected note(call: string, ...arrays: readonly ToyArray[]): void {
    if (this.dead !== null) this.faults.push(`${call} after the end`);
    if (arrays.some((array) => this.#released.has(array))) this.faults.push(`${call} with a released array`);
    this.calls.push(call);
  }

  protected hold(array: ToyArray, elements: Float32Array): void {
    array.content = elements;
    this.held.add(array);
  }

  #free(each: object): void {
    if (this.#released.has(each)) this.faults.push("released twice");
    this.#released.add(each);
    this.held.delete(each);
  }
}
