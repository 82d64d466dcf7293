/** The exercises of chapters 11 to 15 whose answers are typed: graphs, kernels, placement, StableHLO, collectives. */
import { Tensor } from "onebuffer";
import { explain } from "onebuffer/debug";
import { opTable } from "onebuffer/eigen";
import { toStableHLO } from "onebuffer/stablehlo";
import { kAskedDTypes } from "../../panels/kernels/asked-dtypes.ts";
import { isConstantOrBroadcast, operationsIn } from "../../parts/module-operations.ts";
import { kByteUnits } from "../answers/read-number.ts";
import { numberQuestion, wordsQuestion } from "../answers/text-questions.ts";

/** The bytes that `x * y + 1` moves over 1000 float32 if each operation runs by itself. */
function bytesUnfused(): number {
  using x = Tensor.zeros([1000]);
  using y = Tensor.zeros([1000]);
  return explain(x.vec().mul(y.vec())).bytes + explain(x.vec().add(1)).bytes;
}

/** The operations of the module of `x * y + 1`, without constants and broadcasts. */
function operationsOfModule(): number {
  using x = Tensor.zeros([1000]);
  using y = Tensor.zeros([1000]);
  const { text } = toStableHLO([x.vec().mul(y.vec()).add(1)], { locations: false });
  return operationsIn(text).filter((name) => !isConstantOrBroadcast(name)).length;
}

/** The exercises by their names in the chapters. */
export const runtime = {
  "ready-first": wordsQuestion({
    truth: () => "a b",
    isSet: true,
    what: "names of nodes, such as a, b",
    why: "a and b have no inputs, so nothing of theirs is pending.",
    hint: "A node is ready when none of its inputs is pending. At the beginning nothing has been computed.",
    mistakes: {
      "inputs that come soon": { is: "a b d", why: "d needs a, and a has not run yet: at the beginning d has one pending input." },
      "the result": { is: "e", why: "e is what is asked for, but it is the last to become ready: its inputs are pending." },
      "one of two": { is: "a", why: "b has no inputs either." },
    },
    rightAnswers: ["a, b", "b and a", "{a,b}", "A B", "only the nodes a & b"],
    wrongAnswers: ["c", "a b c d e"],
  }),
  "pending-inputs": numberQuestion({
    truth: () => 3,
    why: "Two for its data, a and b, and one for the control edge from d.",
    hint: "Count the edges that lead into c, those that carry no data, too.",
    mistakes: {
      "control edge forgotten": { is: 2, why: "a and b carry data, but the control edge from d counts, too: c must wait for it." },
      "only the control edge": { is: 1, why: "The control edge is one; a and b are pending at the beginning as well." },
    },
    units: { inputs: 1, input: 1 },
    rightAnswers: ["3", "three", "2 + 1", "three inputs"],
    wrongAnswers: ["5", "none"],
  }),
  "kernels-of-and": numberQuestion({
    truth: () => kAskedDTypes.filter((dtype) => opTable.bitwiseAnd.dtypes.includes(dtype)).length,
    why: "The integers: int32, int64, int16, int8, uint32, uint8.",
    hint: "Choose bitwiseAnd in the panel and count the rows that are registered.",
    mistakes: {
      "all dtypes": { is: kAskedDTypes.length, why: "That is the number of rows. The record of bitwiseAnd lists integers only." },
      "bool counted": { is: 7, why: "bool is refused: for it there is logicalAnd." },
      "signed only": { is: 4, why: "The unsigned integers are registered, too." },
    },
    rightAnswers: ["6", "six", "6 dtypes"],
    units: { dtypes: 1, rows: 1 },
    wrongAnswers: ["2"],
  }),
  "kernels-to-register": numberQuestion({
    truth: () => 2 * 2,
    why: "One for each pair of device type and dtype.",
    hint: "A kernel is found by the operation, the device type and the dtypes together.",
    mistakes: {
      "one for each dtype": { is: 2, why: "A kernel for the CPU cannot run on a GPU: each device type needs its own." },
      "one for all": {
        is: 1,
        why: "That is the number of operations: REGISTER_OP is written once, kernels once for each device type and dtype.",
      },
      "counted twice": { is: 8, why: "Two device types times two dtypes; the operation itself is registered apart." },
    },
    rightAnswers: ["4", "2 x 2", "four", "4 kernels"],
    units: { kernels: 1 },
    wrongAnswers: ["3"],
  }),
  "send-bytes": numberQuestion({
    truth: () => 1000 * 4 + 4,
    why: "4000 bytes of x go there, and 4 bytes of the sum come back.",
    hint: "Count what crosses in both directions, in bytes.",
    mistakes: {
      "way back forgotten": { is: 4000, why: "x has 4000 bytes, but the way back was forgotten: the sum is sent to the first device." },
      "elements for bytes": { is: 1001, why: "1001 elements cross; each has four bytes." },
      "whole array back": { is: 8000, why: "Only the sum comes back, one element, not an array of 1000." },
    },
    units: kByteUnits,
    rightAnswers: ["4004", "4,004 bytes", "4000 + 4", "1001 * 4"],
    wrongAnswers: ["0"],
  }),
  "second-call": numberQuestion({
    truth: () => 64 * 128 * 4,
    why: "Only x is sent: w is there already.",
    hint: "Which operand is not on the device when the second call begins?",
    mistakes: {
      "weights sent again": { is: (64 * 128 + 128 * 32) * 4, why: "w stays on the device: it was sent once, before the first call." },
      "elements for bytes": { is: 64 * 128, why: "That is the number of elements of x; each has four bytes." },
      nothing: { is: 0, why: "x has new elements at each call, so it is sent each time." },
    },
    units: kByteUnits,
    rightAnswers: ["32768", "32 KiB", "64 * 128 * 4", "32,768 bytes"],
    wrongAnswers: ["128"],
  }),
  "operations-of-module": numberQuestion({
    truth: operationsOfModule,
    why: "multiply and add: the text has each operation by itself, fused or not.",
    hint: "The module has one operation for each sign of the expression.",
    mistakes: {
      "the kernel": {
        is: 1,
        why: "One kernel computes both, but the module does not say so: fusing is the compiler's work, after it has read the text.",
      },
      "constant counted": { is: 3, why: "The constant 1 is an operation of the module, too, but constants were not to be counted." },
      "broadcast counted": { is: 4, why: "Constants and broadcasts were not to be counted." },
    },
    rightAnswers: ["2", "two", "1 + 1"],
    wrongAnswers: ["0"],
  }),
  "bytes-unfused": numberQuestion({
    truth: bytesUnfused,
    why: "mul reads 8000 and writes 4000, add reads these 4000 and writes 4000.",
    hint: "Count what each of the two operations reads and writes when it runs by itself.",
    mistakes: {
      fused: {
        is: 12_000,
        why: "That is the fused kernel: it reads x and y and writes the result. By itself mul stores a product that add reads again.",
      },
      "one pass less": { is: 16_000, why: "The product is written by mul and read by add: both count." },
      "elements for bytes": { is: 5000, why: "5000 elements move; each has four bytes." },
    },
    units: kByteUnits,
    rightAnswers: ["20000", "20 kB", "5 * 4000", "20,000 bytes"],
    wrongAnswers: ["24000"],
  }),
  "rows-per-device": numberQuestion({
    truth: () => 64 / 8,
    why: "Sixty-four rows in eight equal parts.",
    hint: "Each device gets an equal number of rows.",
    mistakes: {
      "rows of all": { is: 64, why: "64 rows is the whole batch: no device has all of it." },
      multiplied: { is: 512, why: "The rows are divided over the devices, not repeated on them." },
    },
    rightAnswers: ["8", "64/8", "eight", "8 rows"],
    units: { rows: 1, row: 1 },
    wrongAnswers: ["16"],
  }),
  "ring-bytes": numberQuestion({
    truth: () => (2 * 3 * 4e6) / 4,
    why: "Three quarters of 4 MB to add up, and three quarters again to hand the sums round.",
    hint: "A ring divides the gradient into as many pieces as there are devices. In each of two rounds a device sends all pieces but one.",
    mistakes: {
      "half of the way": {
        is: 3e6,
        why: "That is the first round, after which each device has the sum of one piece only. A second round hands the sums round.",
      },
      "all to one": {
        is: 4e6,
        why: "Sent to one device the gradient is 4 MB, but that device would receive 12 MB, and nobody else would have the sum.",
      },
      "all to all": { is: 12e6, why: "Sending the whole gradient to the three others takes 12 MB. A ring sends pieces." },
    },
    units: { ...kByteUnits, mbytes: 1e6 },
    rightAnswers: ["6000000", "6 MB", "6,000,000 bytes", "2 * 3/4 * 4e6"],
    wrongAnswers: ["1 MB"],
  }),
} as const;
