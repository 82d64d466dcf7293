/** The exercises of chapters 4 to 7: references, the arena, slices, layouts. The truth is computed by the packages. */
import { Tensor, TensorShape, TensorSlice } from "onebuffer";
import { defaultAllocator } from "onebuffer/allocator";
import { IndexUtil, parseShape } from "onebuffer/xla";
import { lettersQuestion, numberQuestion } from "../answers/text-questions.ts";
import { kByteUnits } from "../answers/read-number.ts";
import { right, wrong } from "../exercise.ts";
import type { TextExercise, Verdict } from "../exercise.ts";

/** The letters of a column-major 2 x 3 array in memory, asked of XLA's own index arithmetic. */
function lettersOfColumns(): string {
  const shape = parseShape("f32[2,3]{0,1}");
  const memory = new Array<string>(6);
  for (let i = 0; i < 6; i++) memory[IndexUtil.multidimensionalIndexToLinearIndex(shape, [Math.floor(i / 3), i % 3])] = "abcdef"[i] ?? "";
  return memory.join("");
}

function referencesOfThree(): number {
  using t = Tensor.zeros([4]);
  using _shared = t.share();
  using _slice = t.slice(0, 2);
  return t.buffer?.rootBuffer.refCount ?? 0;
}

/** The bytes that the arena of this page takes for a request. */
function chunkOf(bytes: number): number {
  const allocator = defaultAllocator();
  const pointer = allocator.allocateRaw(64, bytes);
  if (pointer === null) return 0;
  try {
    return allocator.allocatedSize(pointer);
  } finally {
    allocator.deallocateRaw(pointer);
  }
}

/** True if slices of one row of `columns` float32 begin at a multiple of 64 for every row. */
const rowsUntilAligned = (columns: number): number => {
  using t = Tensor.zeros([64, columns]);
  for (let row = 1; row < 64; row++) {
    using part = t.slice(row, row + 1);
    if (part.isAligned()) return row;
  }
  return 0;
};

function rowsTwoToFive(answer: string): Verdict {
  const text = answer.trim().replace(/[\s"'`()[\]]/g, "");
  if (text === "") return wrong("Write a slice, such as 0,1:-");
  if (/^\d*:\d*(?:,:?)?$/.test(text))
    return wrong(
      "That is Python's way to write it. A TensorSlice has a start and a length for each dimension, dimensions apart by colons.",
      "Python's slice",
    );
  if (!/^(?:-|-?\d+,-?\d+)(?::(?:-|-?\d+,-?\d+))*$/.test(text))
    return wrong(
      "A slice has an entry for each dimension, apart by colons: a start and a length with a comma between them, or - for all of it.",
    );
  const slice = TensorSlice.parse(text);
  if (slice.dims !== 2)
    return wrong(
      `${text} has ${slice.dims === 1 ? "one entry" : `${slice.dims} entries`}, and the tensor two dimensions: the columns need an entry, too.`,
      "an entry for each dimension",
    );
  const shape = slice.sliceTensorShape(TensorShape.build([10, 4]));
  const rows = `${slice.debugString()} of [10,4] is ${shape.debugString()}`;
  const isWhole = slice.isFullAt(1) || (slice.start(1) === 0 && slice.length(1) === 4);
  if (slice.start(0) === 2 && slice.length(0) === 4 && isWhole) return right(`Yes: ${rows}.`);
  if (slice.start(0) === 2 && slice.length(0) === 5)
    return wrong(`${rows}. The second number is a length, not the last row: from 2 to 5 are four rows.`, "last row for length");
  if (slice.start(0) === 2 && slice.length(0) === 3)
    return wrong(`${rows}. Rows 2, 3, 4 and 5 are four rows: both ends count.`, "one too few");
  if (slice.isFullAt(0)) return wrong(`${rows}. The first dimension of a matrix is that of its rows.`, "columns for rows");
  return wrong(`${rows}; wanted are the rows 2 to 5.`);
}

const rowsExercise: TextExercise = {
  kind: "text",
  check: rowsTwoToFive,
  rightAnswers: ["2,4:-", "2,4:0,4", "(2,4):(0,4)", " 2, 4 : - ", '"2,4:-"'],
  mistakes: [
    { name: "Python's slice", answers: ["2:6", "[2:6, :]"] },
    { name: "last row for length", answers: ["2,5:-"] },
    { name: "one too few", answers: ["2,3:-"] },
    { name: "columns for rows", answers: ["-:0,4"] },
    { name: "an entry for each dimension", answers: ["2,4"] },
  ],
  wrongAnswers: ["0,1:-", "2-5:-", "2..5", "rows", ""],
};

/** The exercises by their names in the chapters. */
export const memory = {
  references: numberQuestion({
    truth: referencesOfThree,
    why: "Three handles on one buffer: the tensor, its share and its slice.",
    hint: "Each handle that may free the bytes holds one reference on the root buffer.",
    mistakes: {
      "slice forgotten": { is: 2, why: "The slice counts, too: its SubBuffer holds a reference on the root buffer." },
      "only the owner": { is: 1, why: "No handle owns the buffer alone: share() and slice() each add a reference." },
      "a reference per element": { is: 4, why: "Elements hold no references; the three handles do." },
    },
    rightAnswers: ["3", "three", "1 + 1 + 1", "3 references"],
    units: { references: 1, reference: 1, refs: 1, handles: 1 },
    wrongAnswers: ["0"],
  }),
  "chunk-of-1000": numberQuestion({
    truth: () => chunkOf(1000),
    why: "Chunks are multiples of 256 bytes: four of them.",
    hint: "Chunks are multiples of 256 bytes. Which is the first that holds 1000?",
    mistakes: {
      "rounding forgotten": {
        is: 1000,
        why: "1000 bytes were asked for, but the rounding was forgotten: chunks are multiples of 256 bytes.",
      },
      "rounded down": { is: 768, why: "768 is the multiple of 256 below 1000: the request would not fit." },
      "one chunk": { is: 256, why: "256 bytes is the unit of rounding, and the least chunk." },
    },
    units: { ...kByteUnits, chunks: 256 },
    rightAnswers: ["1024", "1,024 bytes", "1 KiB", "4 * 256", "0x400", "1 024", "1024 bytes (4 x 256)"],
    wrongAnswers: ["2048"],
  }),
  "aligned-row": numberQuestion({
    truth: () => rowsUntilAligned(8),
    why: "A row has 8 × 4 = 32 bytes, so every second row begins at a multiple of 64.",
    hint: "A row has 8 elements of 4 bytes. After how many rows is the distance a multiple of 64 bytes?",
    mistakes: {
      "elements for bytes": { is: 8, why: "64 is counted in bytes: a row of 8 float32 has 32 of them." },
      "elements of 64 bytes": { is: 16, why: "16 elements make 64 bytes, and a row has 8 of them: how many rows is that?" },
      "every row": { is: 1, why: "Row 1 begins 32 bytes behind row 0, which is no multiple of 64." },
      "64 rows": { is: 64, why: "64 is the alignment in bytes, not in rows." },
    },
    rightAnswers: ["2", "row 2", "2 rows", "two", "64 / 32", "Row 2 (byte 64)"],
    units: { rows: 1, row: 1 },
    wrongAnswers: ["3"],
  }),
  "rows-two-to-five": rowsExercise,
  columns: lettersQuestion({
    truth: lettersOfColumns,
    why: "The first dimension is the most minor: a column is contiguous.",
    hint: "Walk through memory: the first dimension changes fastest.",
    mistakes: {
      "row-major": { is: "abcdef", why: "That is {1,0}, row-major. In {0,1} dimension 0 stands first, so it is the most minor." },
      "shape reversed": {
        is: "acebdf",
        why: "That takes every second letter: it is the order of an array of three rows and two columns. This one has two rows.",
      },
    },
    rightAnswers: ["adbecf", "a d b e c f", "a, d, b, e, c, f", "ADBECF"],
    wrongAnswers: ["fedcba", "a"],
  }),
} as const;
