/** custom-calls: operations whose records the nodes carry. A record writes its operation with the few functions of a CustomWriter. */
import { UnimplementedError } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/eigen";
import { customCallOf, operationName, recordOf, shownOperand } from "@onebuffer/expression/internal";
import type { CustomRecord, CustomType, CustomWriter } from "@onebuffer/expression/internal";
import type { Builder, Value } from "../text/builder.ts";
import { computedType } from "./lowering.ts";
import type { Site } from "./lowering.ts";
import { sharedExtremes } from "./shared-extremes.ts";

/** The lowerings for the records of the package of expressions. */
const namedLowerings: Readonly<Record<NonNullable<CustomRecord["named"]>, Exclude<CustomRecord["stableHLO"], string>>> = { sharedExtremes };

/** Returns the lowering of the record of a node; a text is the reason why there is none. */
function loweringOf(node: ExpressionTree): CustomRecord["stableHLO"] {
  const { named, stableHLO } = recordOf(node);
  return named === undefined ? stableHLO : namedLowerings[named];
}

/** The writer of a record's lowering, over a Builder. */
class RecordWriter implements CustomWriter<Value> {
  readonly #b: Builder;

  constructor(b: Builder) {
    this.#b = b;
  }

  operation(name: string, inputs: readonly Value[], attributes: string, results: readonly CustomType[]): readonly Value[] {
    const types = results.map(({ dtype, dimensions }) => ({ element: computedType(dtype), dims: dimensions }));
    return this.#b.generic(name, inputs, attributes, "", types);
  }

  reshape(x: Value, dims: readonly number[]): Value {
    return this.#b.reshape(x, dims);
  }

  transpose(x: Value, permutation: readonly number[]): Value {
    return this.#b.transpose(x, permutation);
  }

  slice(x: Value, begin: readonly number[], end: readonly number[]): Value {
    return this.#b.slice(
      x,
      begin,
      end,
      begin.map(() => 1),
    );
  }

  concatenate(parts: readonly Value[], axis: number): Value {
    return this.#b.concatenate(parts, axis);
  }
}

/** Returns the reason why the operation of a node that carries its record has no form in StableHLO; null if it has one. */
export function reasonAgainst(node: ExpressionTree): string | null {
  const lowering = loweringOf(node);
  return typeof lowering === "string" ? lowering : null;
}

/** Writes an operation whose record the node carries. Throws UNIMPLEMENTED, with its name, if it has no form in StableHLO. */
export function customCall({ b, node, inputs }: Site): Value {
  const lowering = loweringOf(node);
  if (typeof lowering !== "string") return lowering(customCallOf(node), inputs, new RecordWriter(b));
  throw new UnimplementedError(`toStableHLO: ${operationName(node)}, of ${shownOperand(node)}, has no form in StableHLO: ${lowering}`);
}
