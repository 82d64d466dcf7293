/** The exercises whose answers are typed. The truth is computed by the packages, not written down. */
import { evaluate, gradients, item, Tensor, TensorShape, TensorSlice } from "onebuffer";
import type { Expression, TensorMap } from "onebuffer";
import { defaultAllocator } from "onebuffer/allocator";
import { dtypeSize, halfToFloat, isDType } from "onebuffer/base";
import { explain } from "onebuffer/debug";
import { tensorShapeProtoCodec } from "onebuffer/proto";
import { IndexUtil, parseShape } from "onebuffer/xla";
import { numbersOf, sameList, verdict } from "./exercise.ts";
import type { TextExercise, Verdict } from "./exercise.ts";

/** Returns an exercise that asks for one number. */
function numberExercise(
  truth: () => number,
  reason: string,
  rightAnswers: readonly string[],
  wrongAnswers: readonly string[],
): TextExercise {
  return {
    kind: "text",
    check: (answer) => verdict(answer.trim() !== "" && Number(answer) === truth(), reason, `${answer || "Nothing"} is not it.`),
    rightAnswers,
    wrongAnswers,
  };
}

/** Returns an exercise that asks for a list of numbers. */
function listExercise(
  truth: () => readonly number[],
  reason: string,
  rightAnswers: readonly string[],
  wrongAnswers: readonly string[],
): TextExercise {
  return {
    kind: "text",
    check: (answer) => verdict(sameList(numbersOf(answer), truth()), reason, `${answer || "Nothing"} is not it.`),
    rightAnswers,
    wrongAnswers,
  };
}

/** The letters of a column-major 2 x 3 array in memory, asked of XLA's own index arithmetic. */
function lettersOfColumns(): string {
  const shape = parseShape("f32[2,3]{0,1}");
  const memory = new Array<string>(6);
  for (let i = 0; i < 6; i++) memory[IndexUtil.multidimensionalIndexToLinearIndex(shape, [Math.floor(i / 3), i % 3])] = "abcdef"[i] ?? "";
  return memory.join(" ");
}

function referencesOfThree(): number {
  using t = Tensor.zeros([4]);
  using _shared = t.share();
  using _slice = t.slice(0, 2);
  return t.buffer?.rootBuffer.refCount ?? 0;
}

/** The bytes that the arena of this page takes for a request of 1000 bytes. */
function chunkOf1000(): number {
  const allocator = defaultAllocator();
  const pointer = allocator.allocateRaw(64, 1000);
  if (pointer === null) return 0;
  try {
    return allocator.allocatedSize(pointer);
  } finally {
    allocator.deallocateRaw(pointer);
  }
}

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

function rowsTwoToFive(answer: string): Verdict {
  const slice = TensorSlice.parse(answer.trim());
  const picks = slice.dims === 2 && slice.start(0) === 2 && slice.length(0) === 4 && (slice.isFullAt(1) || slice.length(1) === 4);
  const shape = slice.sliceTensorShape(TensorShape.build([10, 4]));
  return verdict(
    picks,
    `Yes: ${slice.debugString()} of [10,4] is ${shape.debugString()}.`,
    `${slice.debugString()} of [10,4] is ${shape.debugString()}; wanted are rows 2 to 5.`,
  );
}

/** The exercises by their names in the chapters. */
export const textExercises: Readonly<Record<string, TextExercise>> = {
  "two-bytes": {
    kind: "text",
    check(answer) {
      const name = answer.trim();
      if (!isDType(name)) return { right: false, why: `${JSON.stringify(name)} is not a dtype.` };
      const bytes = name === "string" || name === "variant" || name === "resource" ? 0 : dtypeSize(name as "float32");
      const right = bytes === 2 && /float/.test(name);
      return verdict(
        right,
        `Yes: ${name} has ${bytes} bytes, and 0.1 is rounded in it.`,
        `${name} has ${bytes} bytes and ${/float/.test(name) ? "is" : "is not"} a floating-point type.`,
      );
    },
    rightAnswers: ["float16", " bfloat16 "],
    wrongAnswers: ["float32", "int16", "half", ""],
  },
  "half-bits": numberExercise(
    () => halfToFloat(0x3c00),
    "Sign 0, exponent 15 less the bias 15, no fraction: 1.",
    ["1", "1.0"],
    ["15360", "0", ""],
  ),
  "rank-byte": numberExercise(
    () => TensorShape.build([2, 3, 5]).bytes()[14] ?? -1,
    "Byte 14 is the number of dimensions.",
    ["3"],
    ["2", "30", ""],
  ),
  "inner-dims": listExercise(
    () => {
      using t = Tensor.zeros([2, 3, 4]);
      return t.flatInnerDims().dimensions;
    },
    "All dimensions but the last become one: 2 × 3 rows of 4.",
    ["6, 4", "[6,4]"],
    ["2, 12", "24", "six, four", ""],
  ),
  references: numberExercise(referencesOfThree, "Three handles on one buffer: the tensor, its share and its slice.", ["3"], ["1", "2", ""]),
  "chunk-of-1000": numberExercise(chunkOf1000, "Chunks are multiples of 256 bytes: four of them.", ["1024"], ["1000", "256", ""]),
  "rows-two-to-five": {
    kind: "text",
    check: rowsTwoToFive,
    rightAnswers: ["2,4:-", "2,4:0,4"],
    wrongAnswers: ["2,5:-", "2:6", "-:2,4", "0,1:-"],
  },
  columns: {
    kind: "text",
    check: (answer) =>
      verdict(
        answer.replace(/[^a-f]/g, "") === lettersOfColumns().replaceAll(" ", ""),
        "The first dimension is the most minor: a column is contiguous.",
        "Walk through memory: the first dimension changes fastest.",
      ),
    rightAnswers: ["a d b e c f", "adbecf"],
    wrongAnswers: ["a b c d e f", "a c e b d f", ""],
  },
  "bytes-of-add": numberExercise(
    bytesOfAnAddition,
    "Each of 1000 elements: 4 bytes read twice, 4 bytes written.",
    ["12000"],
    ["8000", "4000", ""],
  ),
  "one-dimension": {
    kind: "text",
    check(answer) {
      const bytes = tensorShapeProtoCodec.encode(TensorShape.build([300]).asProto());
      const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0"));
      const given = answer.toLowerCase().replace(/[^0-9a-f]/g, "");
      return verdict(
        given === hex.slice(-2).join(""),
        `The whole message is ${hex.join(" ")}.`,
        "A varint has seven bits per byte, the lowest first; the top bit says that another byte follows.",
      );
    },
    rightAnswers: ["ac 02", "AC02"],
    wrongAnswers: ["01 2c", "2c 01", "300", ""],
  },
  "gradient-of-cubes": listExercise(
    () => gradientOver([1, 2, 3], (x) => x.square().mul(x).sum()),
    "The derivative of x^3 is 3 x^2.",
    ["3, 12, 27", "[3 12 27]"],
    ["1, 8, 27", "36", ""],
  ),
  "gradient-of-relu": listExercise(
    () => gradientOver([-1, 0, 2], (x) => x.relu().sum()),
    "Nothing below 0, 1 above it, and at 0 itself nothing, as in TensorFlow.",
    ["0, 0, 1", "0 0 1"],
    ["0, 1, 1", "0, 0, 2", "0, 0.5, 1", ""],
  ),
  "mean-of-squares": {
    kind: "text",
    check(answer) {
      using t = Tensor.from([1, 2, 3]);
      const truth = item(t.vec().square().sum());
      return verdict(
        answer.trim() !== "" && Number(answer) === truth,
        "1 + 4 + 9, in one loop without an array of squares.",
        "Square each element, then add them up.",
      );
    },
    rightAnswers: ["14"],
    wrongAnswers: ["36", "6", ""],
  },
};
