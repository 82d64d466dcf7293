/** row-gradients: the gradients of gather and scatter, which read and write rows that indices name. */
import { gatherFields, scatterFields } from "../inference/movement-inference.ts";
import type { GradientValue } from "../tree/gradient-rule.ts";
import { product } from "@onebuffer/storage/internal";
import { sizesOf } from "../tree/node-lists.ts";
import type { ScatterReduction } from "../tree/op-attributes.ts";
import type { GradientStep, OperandGradients } from "../tree/gradient-step.ts";
import { chosen, conjugate, filled, joined, made, places, reshaped } from "./gradient-nodes.ts";

/** Returns the gradient of gather: rows that were read several times get the sum. */
export function gatherGradients({ inputs: [x, indices], g, attributes: { axis } }: GradientStep<"gather">): OperandGradients {
  const sizes = sizesOf(x!);
  // Where rows have no elements, gather checks no index.
  if (product(sizesOf(g)) === 0) return [filled(g.dtype, 0, sizes), null];
  const count = product(sizesOf(indices!));
  const rows = reshaped(g, sizes.with(axis, count));
  return [made(scatterFields(filled(g.dtype, 0, sizes), reshaped(indices!, [count]), rows, axis, "add")), null];
}

/** The rows of a scatter: read at its indices, and written there. Where it skips an index, 0 is read. */
interface ScatterRows {
  read(value: GradientValue): GradientValue;
  write(value: GradientValue, rows: GradientValue, reduction: ScatterReduction): GradientValue;
}

function rowsOf({ inputs: [x, indices, updates], attributes: { axis, skips } }: GradientStep<"scatter">): ScatterRows {
  const at = indices!;
  const size = sizesOf(x!)[axis]!;
  const isRead = skips === "none" ? null : skips === "negative" ? at.greaterEqual(0) : at.less(size);
  return {
    read(value) {
      if (isRead === null) return made(gatherFields(value, at, axis));
      // An axis without elements has no row 0 to read instead.
      if (size === 0) return filled(value.dtype, 0, sizesOf(updates!));
      if (size < sizesOf(at)[0]!) {
        // A row of zeros behind the others is copied faster than all rows are compared.
        const zero = filled(value.dtype, 0, sizesOf(value).with(axis, 1));
        return made(gatherFields(joined([value, zero], axis), chosen(isRead, at, size), axis));
      }
      const read = made(gatherFields(value, chosen(isRead, at, 0), axis));
      return chosen(reshaped(isRead, alongAxis(updates!, axis)), read, 0);
    },
    write: (value, rows, reduction) => made(scatterFields(value, at, rows, axis, reduction, skips)),
  };
}

/** Returns sizes of 1 but for that of an axis. */
function alongAxis(value: GradientValue, axis: number): number[] {
  return sizesOf(value).map((size, d) => (d === axis ? size : 1));
}

/** The gradients of a scatter by what it does with an update. */
const byReduction: Readonly<Record<ScatterReduction, (step: GradientStep<"scatter">, rows: ScatterRows) => OperandGradients>> = {
  add: ({ g, needs }, rows) => [g, null, needs[2] ? rows.read(g) : null],
  update: replaced,
  mul: multiplied,
  min: extremeOf,
  max: extremeOf,
};

/** Returns the gradients of scatter. */
export function scatterGradients(step: GradientStep<"scatter">): OperandGradients {
  return byReduction[step.attributes.reduction](step, rowsOf(step));
}

/** A row that was replaced does not count, and of several updates of a row only the last. */
function replaced(step: GradientStep<"scatter">, { read, write }: ScatterRows): OperandGradients {
  const {
    inputs: [x, indices, updates],
    attributes: { axis, skips },
    g,
    needs,
  } = step;
  const first = needs[0] ? write(g, filled(g.dtype, 0, sizesOf(updates!)), "update") : null;
  if (!needs[2]) return [first, null, null];
  const count = sizesOf(indices!)[0]!;
  const size = sizesOf(x!)[axis]!;
  // Where rows have no elements, scatter checks no index.
  if (size === 0 || product(sizesOf(updates!)) === 0) return [first, null, filled(g.dtype, 0, sizesOf(updates!))];
  const numbers = places([count]);
  const lastOfRow = made(scatterFields(filled("int32", -1, [size]), indices!, numbers, 0, "update", skips));
  const safe = skips === "none" ? indices! : chosen(indices!.greaterEqual(0).logicalAnd(indices!.less(size)), indices!, 0);
  const isLast = made(gatherFields(lastOfRow, safe, 0)).equal(numbers);
  return [first, null, chosen(reshaped(isLast, alongAxis(updates!, axis)), read(g), 0)];
}

/**
 * A row gets the product of its updates, and an update that of the other factors: the product of those that are not 0, divided by it, times the
 * only other one that is 0. So gradients have gradients: of a product with zeros, too, the second one may not be 0.
 */
function multiplied({ inputs: [x, , updates], g, needs }: GradientStep<"scatter">, { read, write }: ScatterRows): OperandGradients {
  const first = needs[0] ? g.mul(conjugate(write(filled(g.dtype, 1, sizesOf(x!)), updates!, "mul"))) : null;
  if (!needs[2]) return [first, null, null];
  const [noRow, noUpdate] = [x!.equal(0), updates!.equal(0)];
  const factor = chosen(noUpdate, 1, updates!);
  // 1 and the sum of the other factors that are 0, each less 1: that factor if there is one, 1 if there is none. At a skipped index it is 0.
  const own = chosen(noUpdate, updates!.sub(1), 0);
  const zero = read(write(chosen(noRow, x!.sub(1), 0), own, "add").add(1)).sub(own);
  const others = read(write(chosen(noRow, 1, x!), factor, "mul"))
    .div(factor)
    .mul(zero);
  // Beside one zero, and at a skipped index, the quotient of an update that is no finite number would be NaN.
  const count = zero.sub(1).abs();
  const isLost = count.greater(factor.sub(factor).equal(0).cast(count.dtype));
  return [first, null, read(g).mul(conjugate(chosen(isLost, 0, others)))];
}

/** Equal extremes share. */
function extremeOf({ node, inputs: [x, , updates], g, needs }: GradientStep<"scatter">, { read, write }: ScatterRows): OperandGradients {
  const isRow = node.equal(x!).cast(g.dtype);
  const isUpdate = read(node).equal(updates!).cast(g.dtype);
  const share = g.div(write(isRow, isUpdate, "add"));
  return [needs[0] ? share.mul(isRow) : null, null, needs[2] ? read(share).mul(isUpdate) : null];
}
