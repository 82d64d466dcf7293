/** The exercises of chapters 8 to 10 whose answers are typed: kernels, gradients, messages. The truth is computed by the packages. */
import { evaluate, gradients, item, Tensor, TensorShape } from "onebuffer";
import type { Expression, TensorMap } from "onebuffer";
import { explain } from "onebuffer/debug";
import { tensorShapeProtoCodec } from "onebuffer/proto";
import { kByteUnits } from "../answers/read-number.ts";
import { listQuestion, numberQuestion } from "../answers/text-questions.ts";
import { right, wrong } from "../exercise.ts";
import type { CodeExercise, TextExercise, Verdict } from "../exercise.ts";

function bytesOfAnAddition(): number {
  using a = Tensor.zeros([1000]);
  using b = Tensor.zeros([1000]);
  return explain(a.vec().add(b.vec())).bytes;
}

/** Returns the gradient of an expression over a tensor with some elements. */
function gradientOver(elements: readonly number[], y: (x: TensorMap<"float32", 1>) => Expression<"float32", 0>): number[] {
  using x = Tensor.from([...elements]);
  return evaluate(gradients(y(x.vec()), [x.vec()])[0]).toArray();
}

function sumOfSquares(): number {
  using t = Tensor.from([1, 2, 3]);
  return item(t.vec().square().sum());
}

/** The bytes of the message of a shape with one dimension, in hexadecimal. */
const shapeMessage = (size: number): string[] =>
  [...tensorShapeProtoCodec.encode(TensorShape.build([size]).asProto())].map((byte) => byte.toString(16).padStart(2, "0"));

function varintOf300(answer: string): Verdict {
  const message = shapeMessage(300);
  const given = answer
    .toLowerCase()
    .replace(/0x|\\x|\(.*\)|hex.*$/g, "")
    .replace(/[^0-9a-f]/g, "");
  if (given === "") return wrong("Write two bytes in hexadecimal, such as 0f 10.");
  if (given === message.slice(-2).join("")) return right(`The whole message is ${message.join(" ")}.`);
  if (given === "02ac") return wrong("The right bytes in the wrong order: the lowest seven bits come first.", "highest first");
  if (given === "2c01" || given === "012c")
    return wrong(
      "That is 300 in two bytes of eight bits. A varint has seven bits per byte, and a top bit that says if another follows.",
      "eight bits per byte",
    );
  if (given === "2c02") return wrong("The top bit of the first byte is missing: it says that another byte follows.", "top bit forgotten");
  if (given === "300" || given === "0300")
    return wrong("300 is decimal: write it with seven bits in each byte, in hexadecimal.", "decimal");
  return wrong("300 is 10 0101100 in binary: write the lower seven bits first, with the top bit set, then the others.");
}

const oneDimension: TextExercise = {
  kind: "text",
  check: varintOf300,
  rightAnswers: ["ac 02", "AC02", "0xac 0x02", "ac, 02", "\\xac\\x02", "AC 02 (hex)"],
  mistakes: [
    { name: "highest first", answers: ["02 ac"] },
    { name: "eight bits per byte", answers: ["2c 01", "012c"] },
    { name: "top bit forgotten", answers: ["2c 02"] },
    { name: "decimal", answers: ["300"] },
  ],
  wrongAnswers: ["ff ff", "?", ""],
};

const writeVarint: CodeExercise = {
  kind: "code",
  names: ["varint"],
  template: `// Returns the bytes of the varint of a whole number, as a list of numbers.
function varint(value) {
  return [];
}
`,
  trial: ({ varint }) => {
    const write = varint as (value: number) => Iterable<number>;
    return [1, 5, 127, 128, 300, 65535, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER].map((value) => {
      const list = write(value) as unknown;
      if (!Array.isArray(list) && !ArrayBuffer.isView(list)) throw new TypeError(`varint returned ${String(list)}, not a list`);
      return [value, [...(list as Iterable<number>)]];
    });
  },
  check(result) {
    const cases = result as readonly (readonly [value: number, bytes: readonly number[]])[];
    // The message of a shape of one dimension ends with the varint of its size, behind two keys and a length.
    const truth = (value: number): readonly number[] => [...tensorShapeProtoCodec.encode(TensorShape.build([value]).asProto())].slice(3);
    const failed = cases.find(([value, bytes]) => bytes.join() !== truth(value).join());
    if (failed === undefined) return right("These are the bytes that the library's messages have.");
    const all = (other: (bytes: readonly number[]) => readonly number[]): boolean =>
      cases.every(([value, bytes]) => bytes.join() === other(truth(value)).join());
    if (all((bytes) => [...bytes].reverse())) return wrong("The lowest seven bits come first.", "highest first");
    if (all((bytes) => bytes.map((byte) => byte & 0x7f)))
      return wrong("Every byte but the last has its top bit set: it says that another byte follows.", "top bit forgotten");
    const [value, bytes] = failed;
    const hex = (list: readonly number[]): string => `[${list.map((byte) => Number(byte).toString(16)).join(" ")}]`;
    return wrong(`varint(${value}) is ${hex(bytes)} in hexadecimal; the message has ${hex(truth(value))}.`);
  },
  rightAnswers: [
    "function varint(value) { const bytes = []; while (value >= 128) { bytes.push((value % 128) + 128); value = Math.floor(value / 128); } bytes.push(value); return bytes; }",
    "const varint = (value) => (value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))]);",
    "function varint(value) { let n = BigInt(value); const out = new Uint8Array(9); let i = 0; for (; n > 127n; n >>= 7n) out[i++] = Number(n & 127n) + 128; out[i++] = Number(n); return out.subarray(0, i); }",
  ],
  mistakes: [
    {
      name: "highest first",
      answers: [
        "const low = (value) => (value < 128 ? [value] : [(value % 128) | 128, ...low(Math.floor(value / 128))]); const varint = (value) => low(value).reverse();",
      ],
    },
    {
      name: "top bit forgotten",
      answers: ["const varint = (value) => (value < 128 ? [value] : [value % 128, ...varint(Math.floor(value / 128))]);"],
    },
  ],
  wrongAnswers: ["function varint() { return []; }", "const varint = 5;", "function varint(value) { return value; }"],
};

/** The exercises by their names in the chapters. */
export const computing = {
  "bytes-of-add": numberQuestion({
    truth: bytesOfAnAddition,
    why: "Each of 1000 elements: 4 bytes read twice, 4 bytes written.",
    hint: "Count the bytes of a, of b, and of the result. A float32 has four.",
    mistakes: {
      "write forgotten": { is: 8000, why: "8000 bytes are read, but the write was forgotten: the result has 4000 bytes, too." },
      "one operand": { is: 4000, why: "4000 bytes is one array. Two are read and one is written." },
      "elements for bytes": { is: 3000, why: "3000 elements move, and each has four bytes." },
    },
    units: kByteUnits,
    rightAnswers: ["12000", "12,000 bytes", "12 kB", "3 * 1000 * 4", "12 000", "12'000", "11.7 KiB"],
    wrongAnswers: ["16000", "many"],
  }),
  "mean-of-squares": numberQuestion({
    truth: sumOfSquares,
    why: "1 + 4 + 9, in one loop without an array of squares.",
    hint: "Square each element, then add them up.",
    mistakes: {
      "square of the sum": { is: 36, why: "36 is the square of the sum. Square first, then add." },
      "squares forgotten": { is: 6, why: "6 is the sum of the numbers themselves: the squares were forgotten." },
      "mean for sum": { is: 14 / 3, why: "That is the mean of the squares; asked is their sum." },
    },
    rightAnswers: ["14", "1 + 4 + 9", "14.0", "1 + 4 + 9 = 14"],
    wrongAnswers: ["15"],
  }),
  "gradient-of-cubes": listQuestion({
    truth: () => gradientOver([1, 2, 3], (x) => x.square().mul(x).sum()),
    why: "The derivative of x^3 is 3 x^2.",
    hint: "The gradient has a number for each element: the derivative of its cube.",
    mistakes: {
      "the cubes": { is: [1, 8, 27], why: "These are the cubes. The gradient says how fast they grow: 3 x^2." },
      "the sum": { is: [36], why: "36 is the sum itself. The gradient has a number for each element of x." },
      "factor forgotten": { is: [1, 4, 9], why: "The power fell by one, but the factor 3 is missing." },
    },
    rightAnswers: ["3, 12, 27", "x = [3 12 27]", "(3.0, 12.0, 27.0)", "3, 3*4, 3*9"],
    wrongAnswers: ["3, 12"],
  }),
  "gradient-of-relu": listQuestion({
    truth: () => gradientOver([-1, 0, 2], (x) => x.relu().sum()),
    why: "Nothing below 0, 1 above it, and at 0 itself nothing, as in TensorFlow.",
    hint: "relu is flat below 0 and rises by 1 above it. At 0 a convention decides.",
    mistakes: {
      "the corner": { is: [0, 1, 1], why: "At 0 itself the convention is 0, as in TensorFlow: the gradient passes where x > 0." },
      "half at the corner": { is: [0, 0.5, 1], why: "One half is a convention, too, but not this one: at 0 the gradient is 0." },
      "the values": { is: [0, 0, 2], why: "These are the values of relu. Its slope above 0 is 1." },
    },
    rightAnswers: ["0, 0, 1", "0 0 1", "[0, 0, 1.0]", "zero zero one"],
    wrongAnswers: ["1, 1, 1"],
  }),
  "one-dimension": oneDimension,
  "write-varint": writeVarint,
} as const;
