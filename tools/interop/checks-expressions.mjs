// Compares expressions with TensorFlow and NumPy: every operation of the op table for every dtype that it accepts, computed by the
// plain evaluator and by the evaluator that assign chooses, usually kernels. Integers, bools and moved elements must agree bit for
// bit, floats within the limits of expression-limits.mjs.
import { arraySlots, dtypeOf, dtypeSize, typedArrayConstructor } from "@onebuffer/base";
import { kernelFallbacks } from "@onebuffer/compiler/internal";
import { assignByReference } from "@onebuffer/eigen/internal";
import { opTable, tensorMap } from "@onebuffer/eigen";
import { linearMemory } from "@onebuffer/wasm";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { casesOf, tableOps } from "./expression-cases.mjs";
import { compositeCases, refusedCases } from "./expression-composites.mjs";
import { isComplex } from "./expression-values.mjs";
import { kOnPurpose, units } from "./expression-limits.mjs";
import { leastSize } from "./operation-records.mjs";
import { bytesOf } from "./samples.mjs";

const count = (dims) => dims.reduce((a, b) => a * b, 1);

const kRegion = 1 << 20;
let region = 0;
let used = 0;

/** Returns a typed array of a dtype: a fresh one, or one in the memory that kernels can access. */
function arrayFor(dtype, n, inside) {
  const constructor = typedArrayConstructor(dtype);
  const slots = n * arraySlots(dtype);
  if (!inside) return new constructor(slots);
  if (region === 0) region = linearMemory().reserve(kRegion);
  const array = new constructor(linearMemory().buffer, region + used, slots);
  used += Math.ceil((array.byteLength + 1) / 64) * 64;
  return array;
}

function mapOf({ dtype, dims, content }, inside) {
  const name = dtypeOf(dtype);
  const bytes = bytesOf(content);
  const array = arrayFor(name, bytes.byteLength / dtypeSize(name), inside);
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(bytes);
  return tensorMap(name, array, dims);
}

/** Returns our result of a case: `{ dtype, dims, list, kernel }`. With `inside` the operands are in memory that kernels can access. */
function compute({ inputs, build }, inside) {
  used = 0;
  const expression = build(inputs.map((encoded) => mapOf(encoded, inside)));
  const { dtype, dimensions: dims } = expression;
  const target = tensorMap(dtype, arrayFor(dtype, count(dims), inside), dims);
  const { runs } = kernelCounts();
  if (inside) target.assign(expression);
  else assignByReference(target, expression);
  return { dtype, dims, list: [...target], kernel: kernelCounts().runs > runs };
}

/** Bits of the fraction, the exponent of the smallest normal number, and that of the first power of two that is too large. */
const kMantissa = {
  float32: [23, -126, 128],
  float64: [52, -1022, 1024],
  float16: [10, -14, 16],
  bfloat16: [7, -126, 128],
  complex64: [23, -126, 128],
  complex128: [52, -1022, 1024],
};

/** Returns the distance between neighboring values of a dtype at a size. */
function unitAt(dtype, size) {
  const [bits, least] = kMantissa[dtype];
  return 2 ** (Math.max(Math.min(Math.floor(Math.log2(size)), 1023), least) - bits);
}

function isDenormal(dtype, x) {
  if (Array.isArray(x)) return x.some((part) => isDenormal(dtype, part));
  return typeof x === "number" && x !== 0 && kMantissa[dtype] !== undefined && Math.abs(x) < 2 ** kMantissa[dtype][1];
}

/** Returns how far a float is from head + tail, in units at `size`; Infinity if rounding cannot explain the difference. */
function distance(dtype, got, head, tail, size) {
  if (Object.is(got, head) && !(tail !== 0)) return 0;
  if (got !== got || head !== head) return got !== got && head !== head ? 0 : Infinity;
  const [bits, , top] = kMantissa[dtype];
  const largest = (2 - 2 ** -bits) * 2 ** (top - 1);
  if (Math.abs(head) > largest || Math.abs(got) === Infinity) {
    if (Math.sign(got) !== Math.sign(head)) return Infinity;
    const short = Math.min(Math.abs(got), Math.abs(head));
    return short >= largest ? 0 : (largest - short) / unitAt(dtype, largest) + 1;
  }
  return Math.abs(got - head - tail) / unitAt(dtype, size);
}

/** Returns the heads, tails and sizes of a result in extended precision. Errors count in units of `least` or more. */
function wideOf({ value, scale, bits }, least) {
  const parts = new Float64Array(bytesOf(value).buffer);
  return {
    heads: parts.subarray(0, parts.length / 2),
    tails: parts.subarray(parts.length / 2),
    scales: new Float64Array(bytesOf(scale).buffer).map((size) => Math.max(size, least)),
    bits,
  };
}

/** Returns how far element k of a result is from the one in extended precision. */
function wideDistance({ dtype, list }, { heads, tails, scales }, k) {
  const size = Number.isFinite(scales[k]) ? scales[k] : Math.abs(heads[k]);
  if (!isComplex(dtype)) return distance(dtype, list[k], heads[k], tails[k], size);
  if (heads[2 * k] !== heads[2 * k] && list[k][0] !== list[k][0]) return 0;
  return Math.hypot(list[k][0] - heads[2 * k] - tails[2 * k], list[k][1] - heads[2 * k + 1] - tails[2 * k + 1]) / unitAt(dtype, size);
}

const sameNumber = (a, b) => Object.is(a, b) || (a !== a && b !== b);
const same = (a, b) => (Array.isArray(a) ? sameNumber(a[0], b[0]) && sameNumber(a[1], b[1]) : sameNumber(a, b));
const shown = (value) => (Array.isArray(value) ? `${value[0]}+${value[1]}i` : Object.is(value, -0) ? "-0" : String(value));
const kindOf = (value) => (typeof value !== "number" || Number.isFinite(value) ? "finite" : String(value));

/** Returns the elements of an encoded tensor. */
const elementsOf = (encoded) => [...mapOf(encoded, false)];

class Comparison {
  constructor(one, answer, report) {
    this.one = one;
    this.answer = answer;
    this.report = report;
    this.given = one.inputs.map((encoded) => ({ elements: elementsOf(encoded), dimensions: encoded.dims }));
    this.purposes = kOnPurpose.filter(({ when }) => when(one));
    this.shown = `${one.op} ${one.dtype} ${one.inputs.map(({ dims }) => `[${dims}]`).join(" ")} ${JSON.stringify(one.args)}`;
  }

  /** Returns the operands' elements for element k of an elementwise operation, after broadcasting; undefined for other operations. */
  operandsOf(k, dims) {
    return this.given.map(({ elements, dimensions }) => {
      let at = 0;
      let rest = k;
      let stride = 1;
      for (let d = dims.length - 1, axis = dimensions.length - 1; d >= 0 && axis >= 0; d--, axis--) {
        const index = rest % dims[d];
        rest = Math.floor(rest / dims[d]);
        if (dimensions[axis] !== 1 && dimensions[axis] !== dims[d]) return undefined;
        if (dimensions[axis] !== 1) at += index * stride;
        stride *= dimensions[axis];
      }
      return elements[at];
    });
  }

  /** Compares one result with all the answers. Returns true if all agree. */
  holds(who, ours) {
    const { numpy, tensorflow, wide, missing } = this.answer;
    const fail = (detail) => {
      this.report.fail(`${this.shown} ${who}`, detail);
      return false;
    };
    for (const encoded of [numpy, tensorflow]) {
      const shape = encoded && `${nameOf(encoded, ours)} [${encoded.dims}]`;
      if (encoded !== undefined && shape !== `${ours.dtype} [${ours.dims}]`)
        return fail(`ours ${ours.dtype} [${ours.dims}], theirs ${shape}`);
    }
    const exact = wide === undefined ? undefined : wideOf(wide, leastSize(this.one.op));
    const theirs = { numpy: numpy && elementsOf(numpy), tensorflow: tensorflow && elementsOf(tensorflow) };
    if (exact === undefined && theirs.numpy === undefined && theirs.tensorflow === undefined)
      return fail(`neither NumPy nor TensorFlow has a result: ${missing}`);
    for (let k = 0; k < ours.list.length; k++) {
      const wrong =
        (theirs.numpy ? this.#differsFromNumPy(ours, theirs.numpy, k) : exact && this.#isFarFrom(ours, exact, k)) ??
        (theirs.tensorflow && this.#differsFromTensorFlow(ours, theirs.tensorflow, exact, k));
      if (wrong) return fail(`element ${k} of ${this.operandsOf(k, ours.dims).map(shown)}: ours ${shown(ours.list[k])}, ${wrong}`);
    }
    return true;
  }

  #differsFromNumPy(ours, theirs, k) {
    return same(ours.list[k], theirs[k]) ? undefined : `NumPy's ${shown(theirs[k])}`;
  }

  #isFarFrom(ours, exact, k) {
    const off = wideDistance(ours, exact, k);
    return off <= units(this.one.op, ours.dtype, exact.bits) ? undefined : `exactly ${exact.heads[k]}, ${off.toFixed(2)} units away`;
  }

  #differsFromTensorFlow(ours, theirs, exact, k) {
    const [mine, other] = [ours.list[k], theirs[k]];
    if (same(mine, other)) return undefined;
    const { op, dtype } = this.one;
    const operands = this.operandsOf(k, ours.dims);
    const purpose = this.purposes.find(({ elements }) => elements === undefined || elements(operands, mine, other));
    if (purpose !== undefined) return this.report.note(purpose.why);
    if (operands.some((x) => isDenormal(dtype, x)) || isDenormal(ours.dtype, mine) || isDenormal(ours.dtype, other))
      return this.report.note("an element with denormals, which TensorFlow flushes to 0");
    const limit = units(op, ours.dtype, exact?.bits);
    if (exact !== undefined && kindOf(mine) === kindOf(other)) {
      // Ours is within the limit; TensorFlow's may be less accurate.
      if (wideDistance({ ...ours, list: theirs }, exact, k) > limit)
        this.report.note(`an element on which TensorFlow is more than ${limit} units from exact`);
      return undefined;
    }
    if (kLoose.has(op) && distance(ours.dtype, mine, other, 0, Math.abs(other)) <= limit) return undefined;
    return `TensorFlow's ${shown(other)}`;
  }
}

/** Operations in which TensorFlow rounds at other points. */
const kLoose = new Set(["randomNormal", "linspace", "avgPool", "resize", "segmentMean", "unsortedSegmentMean"]);

/** Returns the dtype of an answer. NumPy has no names for quantized dtypes, which it only moves. */
const nameOf = (encoded, ours) => (ours.dtype === `q${dtypeOf(encoded.dtype)}` ? ours.dtype : dtypeOf(encoded.dtype));

/** Returns true if the list of fallbacks says that a kernel computes the case. */
function kernelExpected(one, fallbacks) {
  const missing = fallbacks.get(one.op) ?? [];
  const target = one.op === "cast" ? one.args[0] : one.dtype;
  return opTable[one.op] !== undefined && !missing.includes(one.dtype) && !(one.op === "cast" && missing.includes(target));
}

/** Returns true if the case computes something instead of only copying. */
function isWork({ op, inputs }, { dims }) {
  if (["reshape", "map", "constant", "broadcast", "concatenate"].includes(op) || count(dims) === 0) return false;
  const given = count(inputs[0]?.dims ?? dims);
  return given > 0 && (opTable[op].class !== "reduction" || given > count(dims));
}

async function checkCase(one, tensorflow, report, fallbacks) {
  const question = { op: "compute", name: one.name ?? one.op, inputs: one.inputs, args: one.args, tensorflow: one.tensorflow };
  const answer = await tensorflow.ask(question);
  const comparison = new Comparison(one, answer, report);
  if (answer.refused !== undefined) return report.fail(comparison.shown, `TensorFlow refuses: ${answer.refused}`);
  const plain = compute(one, false);
  const fast = compute(one, true);
  const expected = kernelExpected(one, fallbacks) && isWork(one, fast);
  if (expected && !fast.kernel) return report.fail(comparison.shown, "is said to have a kernel, and none ran");
  if (!comparison.holds("plainly", plain)) return undefined;
  if (!comparison.holds(fast.kernel ? "by a kernel" : "by assign", fast)) return undefined;
  if (fast.kernel) report.kernels++;
  return report.pass();
}

/** Checks a case that both sides refuse. */
async function checkRefusal(one, tensorflow, report) {
  const question = { op: "compute", name: one.op, inputs: one.inputs, args: one.args, tensorflow: true };
  const answer = await tensorflow.tryAsk(question);
  const theirs = answer.ok?.refused ?? answer.error;
  for (const inside of [false, true]) {
    const what = `${one.op} ${one.dtype} ${inside ? "by a kernel" : "plainly"}`;
    let ours = "";
    try {
      compute(one, inside);
    } catch (error) {
      ours = String(error.code);
    }
    report.same(what, [ours, theirs !== undefined], ["INVALID_ARGUMENT", true]);
  }
}

/** Runs all checks of expressions; `only` restricts them to one operation. */
export async function expressionsAgree(tensorflow, report, only) {
  const fallbacks = new Map(kernelFallbacks().map((line) => [line.split(":")[0], line.split(": ")[1].split(" ")]));
  report.kernels = 0;
  const checking = async (name, cases) => {
    report.begin(name);
    await Promise.all(
      cases.map((one) =>
        report.check(`${one.op} ${one.dtype} ${one.inputs.map(({ dims }) => `[${dims}]`)} ${JSON.stringify(one.args)}`, () =>
          checkCase(one, tensorflow, report, fallbacks),
        ),
      ),
    );
  };
  for (const op of tableOps) {
    if (only !== undefined && only !== op) continue;
    await checking(
      `expression ${op}`,
      opTable[op].dtypes.flatMap((dtype) => casesOf(op, dtype)),
    );
  }
  if (only !== undefined && only !== "composites") return;
  await checking("expressions with names of their own", [...compositeCases()]);
  report.begin("expressions that are refused");
  for (const one of refusedCases()) await checkRefusal(one, tensorflow, report);
  report.end();
  report.write(`         ${report.kernels} of the expressions ran as kernels, too\n`);
}
