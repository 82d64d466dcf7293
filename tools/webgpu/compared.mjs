// Results of a GPU compared with the evaluator's, one operation at a time, within its bounds.
import { arraySlots, isRawDType, typedArrayConstructor } from "@onebuffer/base";
import { tensorMap } from "@onebuffer/eigen";
import { expectedOf, isAsExpected } from "../../packages/eigen/dist/test/random-trees/compare-tree.js";
import { Stepwise } from "../../packages/eigen/dist/test/random-trees/stepwise.js";
import { divisions, treeOrder } from "@onebuffer/expression/internal";

export const product = (dims) => dims.reduce((a, b) => a * b, 1);

/** The smallest normal number of the floats that are computed as float32. */
const kLeastNormal = 2 ** -126;

/** Returns a map of new memory with the dtype and the sizes of an expression. */
export function newMap({ dtype, dimensions }) {
  const slots = product(dimensions) * arraySlots(dtype);
  return tensorMap(dtype, new (typedArrayConstructor(dtype))(slots), [...dimensions]);
}

const isDenormal = (value) => typeof value === "number" && value !== 0 && Math.abs(value) < kLeastNormal;
const hasDenormal = (value) => (Array.isArray(value) ? value.some(isDenormal) : isDenormal(value));

/** Returns true if a value of the expression, of its parts or a quotient may be below the normal numbers: adapters may flush it. */
export function meetsDenormals(root) {
  const steps = new Stepwise();
  for (const node of treeOrder([root])) {
    if (node.op in divisions && hasSmallQuotient(...node.inputs.map((input) => steps.of(input)))) return true;
    const { read, dimensions } = steps.of(node);
    for (let k = 0; k < product(dimensions); k++) if (hasDenormal(read(k))) return true;
  }
  return false;
}

/** Returns true if some element of one operand divided by some element of another one is below the normal numbers. */
function hasSmallQuotient(x, y) {
  const magnitudes = ({ read, dimensions }) =>
    Array.from({ length: product(dimensions) }, (_, k) => Math.abs(Number(read(k)))).filter((value) => value > 0 && value < Infinity);
  return Math.min(...magnitudes(x)) / Math.max(...magnitudes(y)) < kLeastNormal;
}

/**
 * Computes an expression on the device and compares it. Returns `{ agrees: true }`, with the values if there are any; `{ differs }` with a text;
 * `{ skipped }` with the reason if the GPU does not compute it.
 */
export async function difference(device, root) {
  const target = newMap(root);
  if (!isRawDType(root.dtype)) return { skipped: "UNIMPLEMENTED: elements without bytes" };
  const outcome = await codeOf(() => target.device(device).assign(root));
  if (outcome?.code === "UNIMPLEMENTED") return { skipped: reasonOf(outcome.message) };
  let expected;
  try {
    expected = expectedOf(root, root.dimensions);
  } catch (error) {
    if (error.code !== "INVALID_ARGUMENT") throw error;
    return { agrees: true };
  }
  if (outcome !== null) return { differs: `throws ${outcome.stack ?? outcome}` };
  const got = [...target];
  for (let k = 0; k < got.length; k++) {
    const [value, error] = [expected.value(k), expected.error(k)];
    if (isAsExpected(root.dtype, got[k], value, error)) continue;
    if (device.numerics.denormals === "flushed" && meetsDenormals(root))
      return { skipped: "it meets denormals, which the adapter flushes" };
    return { differs: `element ${k} of ${root.dtype} [${root.dimensions}] is ${shown(got[k])}, not ${shown(value)} within ${error}` };
  }
  return { agrees: true, values: got };
}

const shown = (value) => (Object.is(value, -0) ? "-0" : Array.isArray(value) ? `(${value.map(shown).join(", ")})` : String(value));

/** Returns the reason of a message of UNIMPLEMENTED, without sizes, so that equal reasons are counted together. */
const reasonOf = (message) =>
  `UNIMPLEMENTED: ${(/does not compute .*?, .*?: (.*)$/s.exec(message)?.[1] ?? message).replace(/\[[\d,]*\]/g, "[…]")}`;

async function codeOf(run) {
  try {
    await run();
    return null;
  } catch (error) {
    return error;
  }
}
