/**
 * toStableHLO: expressions as the text of a StableHLO module, which any PJRT runtime compiles (in TensorFlow: the tf2xla bridge).
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkArray, checkCallback, checkOptions, checkText } from "@onebuffer/base/internal";
import type { ExpressionTree, Operand, OperandLike } from "@onebuffer/eigen";
import { checkTree, isMap, treeOrder } from "@onebuffer/expression/internal";
import type { FaultKind } from "./lowering/lowering.ts";
import { loweredModule } from "./lowering/lowered-module.ts";
import type { Mesh, Sharding } from "./text/sharding.ts";
import { checkedMesh, meshSize, meshText, shardingText } from "./text/sharding.ts";
import { elementTypeOf, typeText } from "./text/tensor-type.ts";

/**
 * The name of a leaf or result in the text, and its sharding. A sharding needs the option `mesh`; without one the partitioner decides.
 *
 * @example
 * const annotation: StableHLOAnnotation = { name: "weights", sharding: [null, "x"] };
 */
export interface StableHLOAnnotation {
  readonly name?: string;
  readonly sharding?: Sharding | null;
}

/**
 * Options of toStableHLO.
 *
 * @example
 * const options: StableHLOOptions = { name: "step", mesh: { x: 8 }, leaves: () => ({ sharding: ["x"] }) };
 */
export interface StableHLOOptions {
  /** The name of the module; default "main". */
  readonly name?: string;
  /** The mesh of devices that shardings refer to; default none. */
  readonly mesh?: Mesh | null;
  /** Returns the name and the sharding of a leaf map; called once per leaf, in the order of `leaves`. */
  readonly leaves?: (leaf: Operand<DType, number>, index: number) => StableHLOAnnotation;
  /** The names and shardings of the results, in the order of the expressions. */
  readonly results?: readonly StableHLOAnnotation[];
  /** True: the module has more results, bool scalars that are true where `assign` would throw for an element. Default false. */
  readonly checks?: boolean;
  /** True: each operation names the expression it comes from, `loc("mul#3")`. Default true. */
  readonly locations?: boolean;
}

/**
 * A leaf of the expressions, and the module's argument for it. The argument takes the leaf's elements in row-major order.
 *
 * @example
 * const [leaf] = toStableHLO([tensorMap("float32", new Float32Array(2), [2]).neg()]).leaves;
 * [leaf?.name, leaf?.type, leaf?.dtype, leaf?.dimensions]; // => ["arg0", "tensor<2xf32>", "float32", [2]]
 */
export interface StableHLOLeaf {
  /** The map, as it is in the expression. */
  readonly operand: Operand<DType, number>;
  readonly name: string;
  readonly dtype: DType;
  readonly dimensions: readonly number[];
  /** The type in the text, `tensor<2x3xf32>`. */
  readonly type: string;
  readonly sharding: Sharding | null;
}

/**
 * A result of the module.
 *
 * @example
 * const { results } = toStableHLO([tensorMap("float32", new Float32Array(2), [2]).less(1)]);
 * results.map(({ dtype, type }) => [dtype, type]); // => [["bool", "tensor<2xi1>"]]
 */
export type StableHLOResult = Omit<StableHLOLeaf, "operand">;

/**
 * A module. Its results are those of the expressions, then one bool scalar per entry of `checks`.
 *
 * @example
 * const module: StableHLOModule = toStableHLO([tensorMap("int32", new Int32Array(2), [2]).div(3)], { checks: true });
 * [module.leaves.length, module.results.length, module.checks]; // => [1, 1, []]
 */
export interface StableHLOModule {
  /** The module in MLIR's text format. */
  readonly text: string;
  /** The maps that the expressions read, each once, in the order of the arguments. */
  readonly leaves: readonly StableHLOLeaf[];
  readonly results: readonly StableHLOResult[];
  /** With the option `checks` the errors that the elements can cause: results after `results`, bool scalars that are true for an error. */
  readonly checks: readonly FaultKind[];
}

/**
 * Returns expressions as a StableHLO module: a function `main` with an argument per leaf map and a result per expression. Computes nothing
 * and reads no elements; the leaves' memory may be gone. Common subexpressions are written once.
 *
 * Throws UNIMPLEMENTED for an operation or dtype that StableHLO cannot express, and names it. Throws INVALID_ARGUMENT for wrong options
 * and for values that are not expressions. docs/xla.md has the rules by which results equal those of `assign`.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(1, 2, 3), [3]);
 * const { text, leaves, results } = toStableHLO([x.mul(x).add(1)], { leaves: () => ({ name: "x" }) });
 * text.includes("stablehlo.multiply %x, %x : tensor<3xf32>"); // => true
 * [leaves.length, results[0]?.type]; // => [1, "tensor<3xf32>"]
 * toStableHLO([]); // throws INVALID_ARGUMENT
 */
export function toStableHLO(exprs: readonly OperandLike<DType, number>[], options: StableHLOOptions = {}): StableHLOModule {
  checkArray(exprs, "toStableHLO: expressions");
  checkOptions("toStableHLO", options, ["name", "mesh", "leaves", "results", "checks", "locations"]);
  const { name = "main", checks = false, locations = true } = options;
  const mesh = options.mesh === undefined || options.mesh === null ? null : checkedMesh(options.mesh);
  if (exprs.length === 0) throw new InvalidArgumentError("toStableHLO: at least one expression is needed");
  checkText(name, "toStableHLO: name");
  const roots: ExpressionTree[] = [];
  for (let k = 0; k < exprs.length; k++) roots.push(checkTree("toStableHLO", exprs[k]));
  const order = treeOrder(roots);
  const maps = order.filter(isMap);
  const leaves = leavesOf(maps, options);
  const results = resultsOf(roots, options);
  const lowered = loweredModule({ roots, order, argumentNames: leaves.map((leaf) => leaf.name), checks, locations });
  const types = [...results.map(({ type }) => type), ...lowered.checks.map(() => "tensor<i1>")];
  const annotated = (what: string, each: StableHLOResult): string =>
    each.sharding === null ? "" : ` {${shardingText(`${what} ${each.name}`, each.sharding, each.dimensions, mesh)}}`;
  const located = (each: StableHLOResult): string => (locations ? ` loc(${JSON.stringify(each.name)})` : "");
  const args = leaves.map((each) => `%${each.name}: ${each.type}${annotated("leaf", each)}${located(each)}`);
  const outs = types.map((type, k) => type + (k < results.length ? annotated("result", results[k] as StableHLOResult) : ""));
  const attributes = mesh === null ? "" : ` attributes {mhlo.num_partitions = ${meshSize(mesh)} : i32, mhlo.num_replicas = 1 : i32}`;
  const text = [
    `module @${identifier(name)}${attributes} {`,
    ...(mesh === null ? [] : [`  ${meshText(mesh)}`]),
    `  func.func public @main(${args.join(", ")}) -> (${outs.join(", ")}) {`,
    ...lowered.lines,
    `    return ${lowered.outputs.join(", ")} : ${types.join(", ")}`,
    "  }",
    "}",
    "",
  ].join("\n");
  return { text, leaves, results, checks: lowered.checks };
}

/** Returns a text as an identifier of MLIR: other characters become underscores. */
function identifier(text: string): string {
  return text.replace(/\W/g, "_").replace(/^(?=\d|$)/, "_");
}

function leavesOf(maps: readonly ExpressionTree[], options: StableHLOOptions): StableHLOLeaf[] {
  const annotate = options.leaves;
  if (annotate !== undefined) checkCallback(annotate, "toStableHLO: leaves");
  const taken = new Set<string>();
  return maps.map((map, index) => {
    const operand = map as unknown as Operand<DType, number>;
    const note = annotate === undefined ? {} : annotate(operand, index);
    return { operand, ...described(map, note, `arg${index}`, `leaf ${index}`, taken) };
  });
}

function resultsOf(roots: readonly ExpressionTree[], options: StableHLOOptions): StableHLOResult[] {
  const notes = options.results ?? [];
  checkArray(notes, "toStableHLO: results");
  if (notes.length > roots.length) {
    throw new InvalidArgumentError(`toStableHLO: ${notes.length} annotations of results for ${roots.length} expressions`);
  }
  const taken = new Set<string>();
  return roots.map((root, index) => described(root, notes[index] ?? {}, `result${index}`, `result ${index}`, taken));
}

function described(
  { dtype, dimensions }: ExpressionTree,
  note: StableHLOAnnotation,
  fallback: string,
  what: string,
  taken: Set<string>,
): StableHLOResult {
  checkOptions(`toStableHLO: ${what}`, note, ["name", "sharding"]);
  const { name = fallback, sharding = null } = note;
  checkText(name, `toStableHLO: the name of ${what}`);
  let unique = identifier(name);
  while (taken.has(unique)) unique += "_";
  taken.add(unique);
  return { name: unique, dtype, dimensions, type: typeText({ element: elementTypeOf(dtype), dims: dimensions }), sharding };
}
