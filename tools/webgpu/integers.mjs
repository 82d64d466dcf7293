// Integers of 8, 16 and 64 bits: every elementwise operation and reduction over the ends of their ranges, products of every size, casts, and
// what is refused by name.
import { dtypeSize, typedArrayConstructor } from "@onebuffer/base";
import { opTable, tensorMap } from "@onebuffer/eigen";
import { WebGpuDevice } from "@onebuffer/webgpu";
import { difference, newMap, product } from "./compared.mjs";

const kSmall = ["int8", "uint8", "int16", "uint16"];
const kLong = ["int64", "uint64"];
/** What has no form for integers of 64 bits. */
const kRefused = ["div", "floorDiv", "mod", "truncateMod", "pow"];
const kCount = 96;

let seed = 5;
const next = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0);

/** Returns the numbers around the ends of a dtype's range, around 0 and around each half, and others, as BigInt. */
function numbers(dtype, count) {
  const bits = BigInt(dtypeSize(dtype) * 8);
  const wrap = (value) => (dtype.startsWith("u") ? BigInt.asUintN(Number(bits), value) : BigInt.asIntN(Number(bits), value));
  const edges = [0n, 1n << (bits - 1n), 1n << bits, 1n << (bits / 2n), bits].flatMap((value) => [value - 1n, value, value + 1n]);
  return Array.from({ length: count }, () => {
    const word = next();
    return wrap(word & 0x10000 ? edges[(word >>> 17) % edges.length] : (BigInt(word) << 32n) | BigInt(next()));
  });
}

/** Returns a map of integers; `of` changes each. */
function integers(dtype, dims, of = (value) => value) {
  const values = numbers(dtype, product(dims)).map(of);
  const array = typedArrayConstructor(dtype).from(dtypeSize(dtype) === 8 ? values : values.map(Number));
  return tensorMap(dtype, array, dims);
}

const bools = (dims) =>
  tensorMap(
    "bool",
    Uint8Array.from({ length: product(dims) }, () => (next() >>> 20) & 1),
    dims,
  );

const absolute = (value) => (value < 0n ? -(value + 1n) : value);

/** Returns the elementwise operations and reductions of a dtype, by name. */
function operationsOf(dtype) {
  const x = integers(dtype, [kCount]);
  const trees = {};
  for (const [op, { class: kind, dtypes }] of Object.entries(opTable)) {
    if (!dtypes.includes(dtype) || op === "cast" || op === "customCall") continue;
    if (kind === "unary") trees[op] = x[op]();
    if (kind === "binary") {
      const y = integers(
        dtype,
        [kCount],
        op === "pow" ? absolute : (value) => (op in { leftShift: 0, rightShift: 0 } ? value : value || 3n),
      );
      trees[op] = x[op](y);
    }
    if (kind === "reduction") {
      const along = op.startsWith("arg") ? [1] : [[1], op === "sum" || op === "prod" ? { wraps: true } : {}];
      trees[`${op} of rows`] = integers(dtype, [5, 90])[op](...along);
      trees[`${op} of short rows`] = integers(dtype, [70, 7])[op](...along);
    }
  }
  trees["a row of one element"] = integers(dtype, [1, 9]).matMul(integers(dtype, [9, 1]));
  trees["4 x 4"] = integers(dtype, [4, 4]).matMul(integers(dtype, [4, 4]));
  trees["one row"] = integers(dtype, [1, 40]).matMul(integers(dtype, [40, 30]));
  trees["one column"] = integers(dtype, [30, 40]).matMul(integers(dtype, [40, 1]));
  trees["20 x 21"] = integers(dtype, [20, 30]).matMul(integers(dtype, [30, 21]));
  trees["sums that go on"] = integers(dtype, [3, 50]).cumsum(1, { wraps: true });
  trees["sums over blocks"] = integers(dtype, [1500]).cumsum(0, { reverse: true, exclusive: true, wraps: true });
  trees["the least of an exclusive scan"] = integers(dtype, [20]).cummax(0, { exclusive: true });
  trees["a chain"] = x
    .add(x)
    .mul(3)
    .sub(integers(dtype, [kCount]))
    .maximum(7)
    .bitwiseXor(x);
  return trees;
}

/** Returns casts between large integers and floats, and those that saturate. */
function castsOf(dtype) {
  const floats = [0.5, 1, 255.5, 65535.9, 2 ** 24 + 2, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 62, 2 ** 63, 2 ** 63 * 1.5, 2 ** 64, Infinity];
  const both = Float32Array.from([...floats, ...floats.map((value) => -value), NaN, 1.2e15, -3.3e17]);
  const x = tensorMap("float32", both, [both.length]);
  const trees = { "from float32": x.cast(dtype), "saturated from float32": x.saturateCast(dtype) };
  for (const to of ["float32", "float16", "int8", "uint16", "int32", "uint32", "int64", "uint64", "bool"]) {
    trees[`to ${to}`] = integers(dtype, [kCount]).cast(to);
    if (to !== "bool") trees[`saturated to ${to}`] = integers(dtype, [kCount]).saturateCast(to);
  }
  return trees;
}

function truths() {
  const [a, b] = [bools([200]), bools([200])];
  return { equal: a.equal(b), notEqual: a.notEqual(b), "equal of what is computed": a.logicalAnd(b).equal(b.logicalNot()) };
}

/** A sample is one of so many checks. */
const kSample = 4;

/** Compares integers with the evaluator, and the messages of what is refused: all of them if `every` is 1, else a sample. */
export async function integerChecks(gpu, report, { every }) {
  const device = await WebGpuDevice.create({ gpu });
  let count = 0;
  const compare = async (name, tree) => {
    if (count++ % Math.min(every, kSample) !== 0) return;
    const answer = await difference(device, tree);
    if (answer.agrees) report.pass();
    else report.fail(name, answer.differs ?? answer.skipped);
  };
  const refuse = async (dtype, op, tree) => {
    const message = await newMap(tree)
      .device(device)
      .assign(tree)
      .then(
        () => "none",
        (error) => error.message,
      );
    if (message.includes(`no form for ${op} of ${dtype}`)) report.pass();
    else report.fail(`${op} of ${dtype}`, `the message is ${message}`);
  };
  for (const dtype of [...kSmall, ...kLong]) {
    for (const [name, tree] of Object.entries(operationsOf(dtype))) {
      if (kLong.includes(dtype) && kRefused.includes(name)) await refuse(dtype, name, tree);
      else await compare(`${dtype}: ${name}`, tree);
    }
  }
  for (const dtype of ["uint32", ...kLong]) {
    for (const [name, tree] of Object.entries(castsOf(dtype))) await compare(`${dtype}: ${name}`, tree);
  }
  for (const [name, tree] of Object.entries(truths())) await compare(`bool: ${name}`, tree);
  await device.dispose();
}
