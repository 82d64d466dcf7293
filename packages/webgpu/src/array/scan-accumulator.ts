/**
 * scanAccumulator: what a scan keeps of the elements that it has met. The kernels accumulate floats in float64; here sums keep their rounding
 * errors as a second number, and products are pairs of floats, too. Products whose magnitude leaves the range of float32 on the way stay
 * out of it.
 */
import type { ExpressionTree } from "@onebuffer/expression";
import { combinations, isComplexDType, isFloat } from "@onebuffer/expression/internal";
import type { OpNameOf } from "@onebuffer/expression/internal";
import { accumulatorOf } from "../form/accumulators.ts";
import type { Accumulator } from "../form/accumulators.ts";
import { noForm } from "../wgsl/no-form.ts";
import type { WgslSource } from "../wgsl/wgsl-source.ts";

/** The reduction over all that a scan has met. */
const kReductions = { add: "sum", mul: "prod", maximum: "max", minimum: "min" } as const;

/** Returns the accumulator of a scan. Throws UNIMPLEMENTED for those that have none. */
export function scanAccumulator({ op, dtype }: ExpressionTree): Accumulator {
  if (isComplexDType(dtype)) throw noForm(op, dtype);
  const reduction = kReductions[combinations[op as OpNameOf<"scan">] as keyof typeof kReductions];
  if (reduction === "prod" && isFloat(dtype) && dtype !== "float64") return pairProduct();
  return accumulatorOf(reduction, dtype, dtype);
}

/** The product of floats as a pair: the product so far, and what was lost by rounding. */
function pairProduct(): Accumulator {
  const times = (source: WgslSource, [product, lost]: readonly string[], value: string, more: string): void => {
    const pair = source.name("s");
    source.line(`let ${pair} = ${source.uses("two_product")}(${product}, ${value});`);
    source.line(`let ${pair}l = ${pair}.y + keep(${lost} * ${value})${more};`);
    // A product of -0 is not added to a lost part of 0, which would make it 0.
    source.line(`${product} = select(keep(${pair}.x + ${pair}l), ${pair}.x, ${pair}l == 0.0f);`);
    source.line(`${lost} = keep(${pair}l - keep(${product} - ${pair}.x));`);
    source.line(`if (is_nan(${lost})) { ${product} = ${pair}.x; ${lost} = 0.0f; }`);
  };
  const uses = (source: WgslSource): void => ["keep", "is_nan"].forEach((name) => source.uses(name as "keep"));
  return {
    variables: [
      { type: "f32", first: "1.0f" },
      { type: "f32", first: "0.0f" },
    ],
    add(source, names, value) {
      uses(source);
      times(source, names, source.text(value, "f32x4"), "");
    },
    join(source, names, [product, lost]) {
      uses(source);
      times(source, names, product!, ` + keep(${names[0]} * ${lost})`);
    },
    finish: (source, [product]) => source.named("f32x4", product!),
  };
}
