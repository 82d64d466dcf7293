// Expressions at the edges of dtypes, for the comparison with XLA: special complex numbers, large integer powers, floats that integers
// cannot hold, Philox counters that carry.
import { arraySlots, typedArrayConstructor } from "@onebuffer/base";
import { opNames, opTable, statelessUniform, tensorMap, treeOf } from "@onebuffer/eigen";
import { arrayAccess } from "../../packages/evaluator/dist/src/element-access.js";

/** Returns a map of elements as the evaluator has them. */
function mapOf(dtype, elements) {
  const array = new (typedArrayConstructor(dtype))(elements.length * arraySlots(dtype));
  const { write } = arrayAccess(array, dtype);
  elements.forEach((value, k) => write(k, value));
  return tensorMap(dtype, array, [elements.length]);
}

const kParts = [0, -0, 1, -1, 0.5, -2, 1e-3, 40, -40, 1e18, -1e30, Infinity, -Infinity, NaN];
const kNumbers = kParts.flatMap((re) => kParts.map((im) => [re, im]));

/** Parts beyond this overflow in products of complex64, where XLA's module, which multiplies parts in float64, gives another NaN. */
const kLargestFactor = 1e18;

/** Returns the special numbers that an operation takes: products of complex64 take those whose products do not overflow. */
function numbersFor(op, dtype) {
  if (dtype !== "complex64" || (op !== "mul" && op !== "square")) return kNumbers;
  return kNumbers.filter((parts) => parts.every((part) => !Number.isFinite(part) || Math.abs(part) <= kLargestFactor));
}

function* complexEdges(dtype) {
  for (const op of opNames("unary")) {
    if (op === "cast" || !opTable[op].dtypes.includes(dtype)) continue;
    yield { what: `${op} of special ${dtype}`, root: mapOf(dtype, numbersFor(op, dtype))[op]() };
  }
  for (const op of opNames("binary")) {
    if (!opTable[op].dtypes.includes(dtype)) continue;
    const numbers = numbersFor(op, dtype);
    const others = numbers.map((_, k) => numbers[(k * 37 + 11) % numbers.length]);
    yield { what: `${op} of special ${dtype}`, root: mapOf(dtype, numbers)[op](mapOf(dtype, others)) };
  }
  yield { what: `sums and products of special ${dtype}`, root: mapOf(dtype, kNumbers).reshape([14, 14]).sum([1]) };
}

const kIntegers = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"];

function* powerEdges(dtype) {
  const isBig = dtype.endsWith("64");
  const bits = Number(/\d+/.exec(dtype)[0]);
  const isSigned = dtype.startsWith("i");
  const top = isSigned ? 2n ** BigInt(bits - 1) - 1n : 2n ** BigInt(bits) - 1n;
  const bases = [0n, 1n, 2n, 3n, 7n, 10n, top, top - 1n, ...(isSigned ? [-1n, -2n, -3n, -top - 1n] : [])];
  const exponents = [0n, 1n, 2n, 3n, 31n, 32n, 63n, 64n, 65n, 100n, 127n, top].filter((each) => each <= top);
  const value = (x) => (isBig ? x : Number(x));
  const x = mapOf(dtype, bases.map(value)).reshape([bases.length, 1]);
  yield { what: `pow of ${dtype} with large exponents`, root: x.pow(mapOf(dtype, exponents.map(value))) };
  const squares = mapOf(dtype, bases.map(value)).square();
  yield { what: `a wrapped square of ${dtype} and 0`, root: squares.maximum(mapOf(dtype, [value(0n)]).broadcast([bases.length])) };
  yield { what: `a wrapped square of ${dtype}, clipped`, root: squares.saturateCast(isSigned ? "uint8" : "int8") };
}

const kCastEdges = [0, 0.5, 0.999, 1.5, 2, 3, 7, 8, 15, 16, 127, 127.5, 128, 129, 255, 255.9, 256, 32767.5, 32768, 65535.5, 65536].concat(
  [2 ** 31 - 1, 2 ** 31, 2 ** 31 + 0.5, 2 ** 31 + 1025, 2 ** 32 - 1, 2 ** 32, 2 ** 33, 2 ** 53, 2 ** 62, 2 ** 63, 2 ** 63 * 1.5],
  [2 ** 63 - 1024, 2 ** 64 - 2048, 2 ** 64, 2 ** 65, 3e38, Infinity, NaN],
);

function* castEdges(dtype) {
  const x = mapOf(dtype, [...kCastEdges, ...kCastEdges.map((each) => -each)]);
  for (const to of opTable.cast.dtypes) {
    yield { what: `cast of ${dtype} to ${to}`, root: x.cast(to) };
    if (!to.startsWith("complex") && to !== "bool") yield { what: `saturateCast of ${dtype} to ${to}`, root: x.saturateCast(to) };
    yield { what: `cast of a computed ${dtype} to ${to}`, root: x.mul(1.001).cast(to) };
  }
}

function* counterEdges() {
  const full = 0xffffffff;
  for (const counter of [
    [0, 0, 0, 0],
    [full - 1, 0, 0, 0],
    [full - 1, full, 0, 0],
    [full - 1, full, full, full],
  ])
    for (const dtype of ["float32", "float64", "float16", "bfloat16"]) {
      const node = treeOf(statelessUniform(dtype, [21], [1, 2]));
      const attributes = { value: { key: [full, 3], counter } };
      // The evaluator and the kernels read the attributes as they are stored, other code the property.
      yield { what: `Philox, ${dtype}, counter ${counter}`, root: Object.create(node, { attributes, rawAttributes: attributes }) };
    }
}

/** Returns lists of expressions; those of a list are the results of one module. */
export function edgeLists() {
  return [
    ...["complex64", "complex128"].map((dtype) => [...complexEdges(dtype)]),
    ...kIntegers.map((dtype) => [...powerEdges(dtype)]),
    ...["float32", "float64", "float16", "bfloat16"].map((dtype) => [...castEdges(dtype)]),
    [...counterEdges()],
  ];
}
