/** The exercises of chapters 1 to 3: dtypes, shapes, one buffer. The truth is computed by the packages, not written down. */
import { Tensor, TensorShape } from "onebuffer";
import { dtypeSize, halfToFloat, isDType } from "onebuffer/base";
import { listQuestion, numberQuestion } from "../answers/text-questions.ts";
import { right, wrong } from "../exercise.ts";
import type { CodeExercise, TextExercise, Verdict } from "../exercise.ts";

/** Other spellings of dtypes: TensorFlow's, NumPy's, and the short ones. */
const kSpellings: Readonly<Record<string, string>> = { half: "float16", fp16: "float16", f16: "float16", bf16: "bfloat16" };

function twoBytes(answer: string): Verdict {
  const word = answer
    .trim()
    .toLowerCase()
    .replace(/^(?:dt_|tf\.|np\.|numpy\.|jnp\.|eigen::|the )/, "")
    .replace(/[`"'.]/g, "");
  const name = kSpellings[word.replace(/[\s-]*(?:precision|float)$/, "")] ?? word;
  if (name === "") return wrong("Write the name of a dtype.");
  if (!isDType(name)) return wrong(`${JSON.stringify(answer.trim().slice(0, 40))} is not a dtype.`);
  if (name === "string" || name === "variant" || name === "resource") return wrong(`The elements of ${name} have no fixed size.`);
  const bytes = dtypeSize(name as "float32");
  const isFloat = /float/.test(name);
  if (bytes === 2 && isFloat) return right(`Yes: ${name} has ${bytes} bytes, and 0.1 is rounded in it.`);
  if (bytes === 2) return wrong(`${name} has two bytes, but holds whole numbers only.`, "not floating-point");
  if (isFloat)
    return wrong(`${name} is a floating-point type, but its elements take ${bytes === 1 ? "1 byte" : `${bytes} bytes`}.`, "other size");
  return wrong(`${name} has ${bytes} bytes and is not a floating-point type.`);
}

const twoBytesExercise: TextExercise = {
  kind: "text",
  check: twoBytes,
  rightAnswers: ["float16", " bfloat16 ", "half", "tf.bfloat16", "DT_HALF", "half precision"],
  mistakes: [
    { name: "not floating-point", answers: ["int16", "uint16"] },
    { name: "other size", answers: ["float32", "np.float64"] },
  ],
  wrongAnswers: ["int8", "string", "short", ""],
};

const rowMajorOffset: CodeExercise = {
  kind: "code",
  names: ["offset"],
  template: `// Returns where the element at \`index\` is in a row-major buffer.
// sizes: [2, 3, 2], index: [1, 0, 0]
function offset(index, sizes) {
  return 0;
}
`,
  trial: ({ offset }) => {
    const place = offset as (index: readonly number[], sizes: readonly number[]) => unknown;
    const cases: [number[], number[]][] = [
      [
        [1, 2],
        [3, 4],
      ],
      [
        [2, 0],
        [3, 4],
      ],
      [
        [1, 0, 0],
        [2, 3, 2],
      ],
      [
        [1, 2, 1],
        [2, 3, 2],
      ],
      [
        [0, 1, 1],
        [2, 3, 2],
      ],
      [[5], [8]],
      [[], []],
    ];
    return cases.map(([index, sizes]) => [index, sizes, place([...index], [...sizes])]);
  },
  check(result) {
    const cases = result as readonly (readonly [index: number[], sizes: number[], given: unknown])[];
    const truth = (index: readonly number[], sizes: readonly number[]): number => {
      using t = Tensor.arange(0, TensorShape.build(sizes).numElements, 1, { dtype: "int32" });
      using shaped = t.reshape(sizes);
      return Number((shaped.tensor(sizes.length) as unknown as { at(...each: readonly number[]): number }).at(...index));
    };
    const failed = cases.find(([index, sizes, given]) => given !== truth(index, sizes));
    if (failed === undefined) return right(`All ${cases.length} places are those of the library's own maps.`);
    const columns = (index: readonly number[], sizes: readonly number[]): number =>
      index.reduceRight((sum, i, d) => sum * sizes[d]! + i, 0);
    if (cases.every(([index, sizes, given]) => given === columns(index, sizes)))
      return wrong("This is column-major: here the last index changes fastest, not the first.", "column-major");
    const own = (index: readonly number[], sizes: readonly number[]): number => index.reduce((sum, i, d) => sum + i * sizes[d]!, 0);
    if (cases.every(([index, sizes, given]) => given === own(index, sizes)))
      return wrong("An index is multiplied by the sizes of the dimensions behind it, not by that of its own.", "own size");
    const [index, sizes, given] = failed;
    return wrong(`offset([${index}], [${sizes}]) is ${String(given)}; the element is at ${truth(index, sizes)}.`);
  },
  rightAnswers: [
    "function offset(index, sizes) { return index.reduce((sum, i, d) => sum * sizes[d] + i, 0); }",
    "const offset = (index, sizes) => { let at = 0, step = 1; for (let d = sizes.length - 1; d >= 0; d--) { at += index[d] * step; step *= sizes[d]; } return at; };",
    "function offset([i, ...more], [, ...sizes]) { return i === undefined ? 0 : i * sizes.reduce((a, b) => a * b, 1) + offset(more, sizes); }",
  ],
  mistakes: [
    { name: "column-major", answers: ["const offset = (index, sizes) => index.reduceRight((sum, i, d) => sum * sizes[d] + i, 0);"] },
    { name: "own size", answers: ["const offset = (index, sizes) => index.reduce((sum, i, d) => sum + i * sizes[d], 0);"] },
  ],
  wrongAnswers: [
    "function offset() { return 0; }",
    "function offset( {",
    "let other = 1;",
    "function offset() { for (;;); }",
    "function offset() { throw new Error('no'); }",
  ],
};

/** The exercises by their names in the chapters. */
export const bytesAndShapes = {
  "two-bytes": twoBytesExercise,
  "half-bits": numberQuestion({
    truth: () => halfToFloat(0x3c00),
    why: "Sign 0, exponent 15 less the bias 15, no fraction: 1.",
    hint: "Write the sixteen bits as 0 01111 0000000000: sign, exponent, fraction. The exponent's bias is 15.",
    mistakes: {
      "read as an integer": {
        is: 0x3c00,
        why: "15360 is what these bits are as an unsigned integer. Divide them into sign, exponent and fraction.",
      },
      "bias forgotten": { is: 2 ** 15, why: "The exponent's five bits are 15, but they are stored with a bias of 15: the exponent is 0." },
      "hidden one forgotten": { is: 0, why: "The fraction's bits are all 0, but a 1 stands before the fraction that is not stored." },
    },
    rightAnswers: ["1", "1.0", "one", "2/2", "2^0", "+1"],
    wrongAnswers: ["3"],
  }),
  "rank-byte": numberQuestion({
    truth: () => TensorShape.build([2, 3, 5]).bytes()[14] ?? -1,
    why: "Byte 14 is the number of dimensions.",
    hint: "Byte 13 is the dtype, byte 14 the rank.",
    mistakes: {
      "number of elements": { is: 30, why: "30 is the number of elements. Byte 14 holds the rank, the number of dimensions." },
      "a size": { is: 5, why: "Sizes are in the first twelve bytes. Byte 14 holds how many there are." },
    },
    rightAnswers: ["3", "0x03", "three", "03"],
    wrongAnswers: ["0"],
  }),
  "inner-dims": listQuestion({
    truth: () => {
      using t = Tensor.zeros([2, 3, 4]);
      return t.flatInnerDims().dimensions;
    },
    why: "All dimensions but the last become one: 2 × 3 rows of 4.",
    hint: "The last dimension stays; all before it become one.",
    mistakes: {
      "outer dims": { is: [2, 12], why: "That is flatOuterDims(), which keeps the first dimension. flatInnerDims() keeps the last." },
      "all in one": { is: [24], why: "That is flat(). flatInnerDims() has two dimensions: the last one stays." },
      "other order": { is: [4, 6], why: "The sizes are right, but the dimension that stays is the last one." },
    },
    rightAnswers: ["6, 4", "[6,4]", "6 x 4", "(6, 4)", "2*3, 4"],
    wrongAnswers: ["2, 3, 4"],
  }),
  "row-major-offset": rowMajorOffset,
} as const;
