// Narrow dtypes in kernels: floats of 8 and 4 bits are float32 in lanes, integers of 4 and 2 bits are bytes. Patterns and numbers are those of
// the codecs of @onebuffer/base, which compute one element at a time.
import { expect, test } from "@jest/globals";
import { dtypeRows, smallCodec } from "@onebuffer/base/internal";
import type { SmallDType } from "@onebuffer/base/internal";
import { typedArrayConstructor } from "@onebuffer/base";
import type { RawDType } from "@onebuffer/base";
import { concatenate, constant, opTable, select, tensorMap } from "@onebuffer/eigen";
import { setKernelHooks } from "@onebuffer/kernels/internal";
import { isLong } from "@onebuffer/test-support";
import { difference, listDifference } from "./difference.ts";
import { arenaMap, Dice, layouts, subject } from "./kernel-subjects.ts";

/** The dtypes here come from tables, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const castable = opTable.cast.dtypes as readonly RawDType[];
const narrow = castable.filter((dtype) => dtypeRows[dtype].class.startsWith("small")) as SmallDType[];
const narrowFloats = narrow.filter((dtype) => dtypeRows[dtype].float !== undefined);

/** Returns what kernels compute, and throws if the evaluator computes some of it. */
function byKernels(expr: Any, out: Any = arenaMap(expr.dtype, expr.dimensions)): Any {
  const reasons: string[] = [];
  setKernelHooks({ onFallback: (reason) => reasons.push(reason) });
  out.assign(expr);
  setKernelHooks({});
  if (reasons.length > 0) throw new Error(reasons.join());
  return out;
}

/** Returns a map of the dtype that has each of the 256 bytes. */
function allPatterns(dtype: RawDType): Any {
  const map = arenaMap(dtype, [256]) as Any;
  new Uint8Array(map.data.buffer, map.data.byteOffset, 256).forEach((_, k, bytes) => {
    bytes[k] = k;
  });
  return map;
}

test.each(narrow)("each byte of %s is the number that its codec says", (dtype) => {
  const wanted = Array.from({ length: 256 }, (_, byte) => smallCodec(dtype)[0](byte));
  for (const to of ["float32", "float64"] as const)
    expect([to, listDifference([...byKernels(allPatterns(dtype).cast(to))], wanted)]).toEqual([to, null]);
});

/** Numbers at which rounding changes: those of a format, the middles between neighbors, and the float32 beside each, of both signs. */
function roundedNumbers(dtype: SmallDType): number[] {
  const [decode] = smallCodec(dtype);
  const numbers = [...new Set(Array.from({ length: 256 }, (_, byte) => decode(byte)))]
    .filter((x) => x >= 0 && x < Infinity)
    .sort((a, b) => a - b);
  const last = numbers.at(-1)!;
  const middles = numbers.slice(1).map((x, k) => (x + numbers[k]!) / 2);
  const beyond = [
    last + (last - numbers.at(-2)!) / 2,
    last * 2,
    ...Array.from({ length: 128 }, (_, k) => 2 ** k),
    Infinity,
    NaN,
    1e-45,
    1e-38,
    1e-20,
  ];
  const words = new Uint32Array(Float32Array.from([...numbers, ...middles, ...beyond]).buffer);
  const beside = [...words].flatMap((word) => [word - (word > 0 ? 1 : 0), word, word + 1]);
  const floats = [...new Float32Array(Uint32Array.from(beside).buffer)];
  return floats.flatMap((x) => [x, -x]);
}

test.each(narrowFloats)("float32 is rounded to %s as its codec rounds it", (dtype) => {
  const [decode, encode] = smallCodec(dtype);
  const dice = new Dice(dtype.length);
  const random = Array.from({ length: isLong ? 200_000 : 3000 }, () => Math.fround((dice.unit() - 0.5) * 2 ** (dice.below(48) - 24)));
  const numbers = [...roundedNumbers(dtype), ...random];
  const x = arenaMap("float32", [numbers.length]) as Any;
  x.copyFrom(numbers);
  const out = byKernels(x.cast(dtype));
  const bytes = new Uint8Array(out.data.buffer, out.data.byteOffset, numbers.length);
  expect(listDifference([...bytes], numbers.map(encode))).toBeNull();
  // Rounded inside an expression.
  expect(
    listDifference(
      [...byKernels(x.cast(dtype).cast("float32"))],
      numbers.map((number) => decode(encode(number))),
    ),
  ).toBeNull();
});

test.each(narrow)("casts to and from %s agree with the evaluator, for every layout", (dtype) => {
  const dice = new Dice(dtype.length * 3);
  const turn = narrow.indexOf(dtype);
  for (const [n, other] of castable.entries()) {
    if (!isLong && (n + turn) % 8 !== 0) continue;
    const layout = layouts[(n + turn) % layouts.length]!;
    for (const [from, to] of [
      [dtype, other],
      [other, dtype],
    ] as const) {
      const x = subject(from, [5, 37], layout, dice) as Any;
      for (const cast of ["cast", "saturateCast"]) {
        expect([from, to, cast, layout, difference(x[cast](to))]).toEqual([from, to, cast, layout, null]);
        // Transposed, and computed with afterwards.
        if (to === "float32") expect([from, cast, difference(x[cast](to).transpose().mul(2).add(1))]).toEqual([from, cast, null]);
      }
    }
  }
});

test.each(narrow)("choices, constants and parts of %s agree with the evaluator", (dtype) => {
  const dice = new Dice(dtype.length * 7);
  const [x, y] = [subject(dtype, [9, 21], "dense", dice), subject(dtype, [9, 21], "strided", dice)] as Any[];
  const isChosen = subject("bool", [9, 21], "dense", dice) as Any;
  const one = constant(dtype as never, 1 as never) as Any;
  for (const [name, expr] of Object.entries({
    choice: select(isChosen, x, y),
    "choice of a constant": select(isChosen, x, one),
    "choice of a computed one": select(isChosen, x.cast("int32").add(1).cast(dtype), y),
    "choice among rows": select(isChosen, x, y.slice([3, 4]).reshape([21]).broadcast([9, 21])),
    padding: x.pad(
      [
        [1, 2],
        [3, 0],
      ],
      { value: 1 },
    ),
    join: concatenate([x, y.transpose().reshape([9, 21])] as never, 1),
  } as Record<string, Any>))
    expect([name, difference(expr)]).toEqual([name, null]);
});

test.each(narrow)("elements of %s outside the linear memory, and in place", (dtype) => {
  const [decode, encode] = smallCodec(dtype);
  const bytes = Uint8Array.from({ length: 5000 }, (_, k) => k * 7);
  const x = tensorMap(dtype, new (typedArrayConstructor(dtype))(bytes.buffer) as never, [5000]) as Any;
  const numbers = [...bytes].map(decode);
  const out = tensorMap("float32", new Float32Array(5000), [5000]) as Any;
  out.assign(x.cast("float32"));
  expect(listDifference([...out], numbers)).toBeNull();
  x.assign(x.cast("float32").mul(-1).cast(dtype));
  const isFloat = dtypeRows[dtype].float !== undefined;
  expect(
    listDifference(
      [...x],
      numbers.map((number) => decode(encode(isFloat ? -number : 0 - number))),
    ),
  ).toBeNull();
});
