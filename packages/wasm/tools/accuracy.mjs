// Measures the errors of the math functions and writes docs/contributing/accuracy.md:
// `node packages/wasm/tools/accuracy.mjs [--stride N]`, after `npm run build`. An engine with relaxed SIMD is measured with and without it; use such an engine to keep all columns.
//
// f32 functions of one argument: every N-th of the 2^32 floats, compared with the engine's doubles, whose own error is about 2^-29 of a
// float's last place. f64, and functions of two arguments: random arguments, compared with exact-functions.ts, which computes with a
// thousand bits in BigInt.
import { writeFileSync } from "node:fs";
import { updateReadme } from "../../../tools/readme-figures.mjs";
import { exactBinary, exactUnary, ulps } from "../dist/test/math/exact-functions.js";
import { bounds, Draw, drawF64, drawPair, specials } from "../dist/test/math/math-subjects.js";
import { hasRelaxedSimd, kernelOf, slot } from "../../../test-support/dist/src/vector-subjects.js";
import { binaryMath, unaryMath } from "../dist/src/math/math-table.js";

const at = process.argv.indexOf("--stride");
const stride = at >= 0 ? Number(process.argv[at + 1]) : 61;
const drawn = 1500;
const block = 1 << 16;

/** Returns erf in doubles: by its series, and by the continued fraction of erfc where too many digits of the series would cancel. */
function erf(x) {
  const a = Math.abs(x);
  if (a > 6 || a !== a) return a > 6 ? Math.sign(x) : x;
  if (a < 2.5) {
    let term = x;
    let sum = x;
    for (let k = 1; Math.abs(term) > 1e-20 * Math.abs(sum); k++) {
      term *= (-x * x) / k;
      sum += term / (2 * k + 1);
    }
    return (sum * 2) / Math.sqrt(Math.PI);
  }
  let tail = 0;
  for (let k = 80; k >= 1; k--) tail = k / 2 / (a + tail);
  return Math.sign(x) * (1 - Math.exp(-a * a) / Math.sqrt(Math.PI) / (a + tail));
}

const reference = {
  exp2: (x) => 2 ** x,
  sigmoid: (x) => (x < 0 ? Math.exp(x) / (1 + Math.exp(x)) : 1 / (1 + Math.exp(-x))),
  rsqrt: (x) => 1 / Math.sqrt(x),
  erf,
};

/** Returns the unit of the last place of a float near `value`. */
function ulpOfFloat(value) {
  const exponent = Math.floor(Math.log2(Math.abs(value)));
  return 2 ** Math.max(-149, Math.min(exponent, 127) - 23);
}

/** Measures every `stride`-th float: the largest error, its argument, and the share of results that are the nearest float. */
function sweep(name, relaxed) {
  const run = kernelOf(["f32x4"], (x) => unaryMath[name](x), 2, relaxed);
  const f = reference[name] ?? Math[name];
  const bits = slot("u32x4", 1);
  const args = slot("f32x4", 1);
  const got = slot("f32x4", 0);
  let [worst, where, nearest, total, next] = [0, 0, 0, 0, 0];
  while (next < 2 ** 32) {
    let count = 0;
    for (; count < block && next < 2 ** 32; next += stride) bits[count++] = next;
    run(block * 4);
    for (let i = 0; i < count; i++) {
      const exact = f(args[i]);
      const rounded = Math.fround(exact);
      total++;
      if (Object.is(rounded, got[i])) {
        nearest++;
        continue;
      }
      const error =
        Number.isFinite(got[i]) && Number.isFinite(rounded) ? Math.abs(got[i] - exact) / ulpOfFloat(exact) : atTheEnd(exact, got[i]);
      if (error > worst) [worst, where] = [error, args[i]];
    }
  }
  return { worst: Math.max(worst, 0.5), where: worst === 0 ? "" : where, share: nearest / total };
}

/** Returns the error if only one of the two is infinite. Infinity counts as 2^128, the number after the largest float. */
function atTheEnd(exact, got) {
  const top = 2 ** 128;
  const value = Number.isFinite(got) ? Math.abs(got) : top;
  return Math.abs(Math.min(Math.abs(exact), top) - value) / 2 ** 104;
}

/** Measures random arguments: the largest error and its arguments. */
function sample(kind, f, args, exact, relaxed) {
  const count = args[0].length;
  args.forEach((values, i) => {
    slot(kind, i + 1).fill(1, 0, count + 8);
    slot(kind, i + 1).set(values);
  });
  kernelOf(
    args.map(() => kind),
    f,
    2,
    relaxed,
  )(Math.ceil(count / 8) * 8 * (kind === "f32x4" ? 4 : 8));
  const got = slot(kind, 0);
  let [worst, where] = [0, ""];
  for (let i = 0; i < count; i++) {
    const point = args.map((values) => values[i]);
    const error = Number.isFinite(got[i]) ? ulps(got[i], exact(...point), kind) : Number.POSITIVE_INFINITY;
    if (error > worst) [worst, where] = [error, point.join(", ")];
  }
  return { worst, where };
}

function pairs(name, kind) {
  const draw = new Draw(11);
  const round = kind === "f32x4" ? Math.fround : (x) => x;
  const points = Array.from({ length: drawn }, () => drawPair(name, draw, kind === "f32x4" ? 120 : 1000));
  return [points.map(([x]) => round(x)), points.map(([, y]) => round(y))];
}

const ways = hasRelaxedSimd() ? [false, true] : [false];
const number = (value) => (value === "" ? "" : String(value).replace(/(\d\.\d{6})\d*/g, "$1"));
const shown = ({ worst }) => worst.toFixed(2);
const rows = [];
for (const name of Object.keys(unaryMath)) {
  const f32 = ways.map((relaxed) => sweep(name, relaxed));
  const draw = new Draw(10);
  const args = [Array.from({ length: drawn }, () => drawF64[name](draw))];
  const f64 = ways.map((relaxed) => sample("f64x2", (x) => unaryMath[name](x), args, exactUnary[name], relaxed));
  rows.push([
    name,
    bounds[name][0],
    ...f32.map(shown),
    number(f32[0].where),
    `${(100 * f32[0].share).toFixed(1)} %`,
    bounds[name][1],
    ...f64.map(shown),
  ]);
  process.stdout.write(`${rows.at(-1).join(" | ")}\n`);
}
for (const name of Object.keys(binaryMath)) {
  const f = (x, y) => binaryMath[name](x, y);
  const f32 = ways.map((relaxed) => sample("f32x4", f, pairs(name, "f32x4"), exactBinary[name], relaxed));
  const f64 = ways.map((relaxed) => sample("f64x2", f, pairs(name, "f64x2"), exactBinary[name], relaxed));
  rows.push([name, bounds[name][0], ...f32.map(shown), number(f32[0].where), "", bounds[name][1], ...f64.map(shown)]);
  process.stdout.write(`${rows.at(-1).join(" | ")}\n`);
}

const relaxedColumn = ways.length > 1 ? ["relaxed"] : [];
const header = ["function", "f32 bound", "f32", ...relaxedColumn, "at", "nearest float", "f64 bound", "f64", ...relaxedColumn];
const table = (lines) => lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
const value = (x) => (Object.is(x, -0) ? "-0" : String(x).replace("Infinity", "inf"));
const special = Object.entries(specials).map(([name, list]) => [name, list.map(([x, y]) => `${value(x)} → ${value(y)}`).join(", ")]);

writeFileSync(
  new URL("../../../docs/contributing/accuracy.md", import.meta.url),
  `# Accuracy of the math functions

Written by \`packages/wasm/tools/accuracy.mjs\`; do not edit. Errors are in units of the last place (ulp) of the exact
result: 0.5 is the best there is. "bound" is what the tests hold the function to, the other figures are the largest errors
seen.

An element's result does not depend on its place or on other elements. Tests hold every elementwise operation to that, for every dtype that
kernels compute with, among ordinary elements and among NaN, infinities, denormal and huge ones.

- f32: ${stride === 1 ? "all" : `one in ${stride}`} of the 2^32 floats (${Math.ceil(2 ** 32 / stride).toLocaleString("en")} of them; pow and atan2: ${drawn} drawn pairs).
  "nearest float" is the share of results that are correctly rounded; "at" is an argument with the largest error.
- f64: ${drawn} arguments of each, drawn where digits cancel and over the whole range, against a thousand bits of BigInt.
- "relaxed": with fused multiply-add, where the engine has relaxed SIMD.
- Measured on V8 ${process.versions.v8}.

${table([header, header.map(() => "---"), ...rows])}

## Special values

The same in f32 and f64; NaN gives NaN everywhere.

${table([["function", "values"], ["---", "---"], ...special])}

pow(x, 0) and pow(1, y) are 1 for every x and y, NaN included; a negative x has a power only for integers y; zeros and
infinities are as in C. atan2(±0, x) is ±0 to the right of the origin and ±π to the left, -0 included; two infinities count
as equal.
`,
);
updateReadme();
