/** The story "From twelve numbers to a checkpoint": a panel, a text and a task for each step. */
import type { Params, PanelState } from "../panel.ts";
import type { PanelName } from "../panels/catalog.ts";

/** One step. */
export interface Step {
  readonly title: string;
  readonly panel: PanelName;
  readonly params: Params;
  readonly text: string;
  readonly task: string;
  /** True if the state of the panel shows that the task is done. */
  readonly isDone: (state: PanelState) => boolean;
}

/** The name of the story. */
export const kStoryTitle = "From twelve numbers to a checkpoint";

const field = <T>(state: PanelState, name: string): T => state[name] as T;

/** The steps in their order. */
export const steps: readonly Step[] = [
  {
    title: "Twelve numbers",
    panel: "one-buffer",
    params: { shape: "12" },
    text: "Everything begins with bytes. Twelve float32 numbers are 48 of them, four per number, the lowest address first. The first row below shows them as they are in memory.",
    task: "Change one of the numbers: go to it, press Enter, and write another. See which bytes change.",
    isDone: (state) => field<number[]>(state, "values").some((value, i) => value !== i + 1),
  },
  {
    title: "A shape",
    panel: "one-buffer",
    params: { shape: "3,4" },
    text: "A tensor is those bytes and a shape. Now the shape is [3, 4], and the same bytes are three rows of four. No byte has moved, and both tensors count as references to one buffer.",
    task: "Give the buffer a shape of three dimensions, such as 2, 2, 3.",
    isDone: (state) => field<number[]>(state, "shape").length === 3,
  },
  {
    title: "Sixteen bytes",
    panel: "sixteen-bytes",
    params: { shape: "3,4" },
    text: "The shape itself takes sixteen bytes. Twelve of them are for sizes: six of 16 bits, as long as no size is larger than 65533.",
    task: "Make a dimension so large that the shape needs 32 bits for each: REP32.",
    isDone: (state) => state["rep"] === "REP32",
  },
  {
    title: "What is not known yet",
    panel: "sixteen-bytes",
    params: { shape: "?,4", kind: "partial", left: "?,4", right: "?,?" },
    text: "Before a program runs, not every size is known. A partial shape has room for that. Two of them are merged into one that knows what either knows.",
    task: "Change the second shape so that the merged one is [3,4].",
    isDone: (state) => field<{ merged: string }>(state, "merge").merged === "[3,4]",
  },
  {
    title: "A place in memory",
    panel: "arena",
    params: { make: "48" },
    text: "The 48 bytes live in an arena. Its smallest chunk has 256 bytes, so most of this chunk is not asked for. The chunk is free again when nothing refers to the buffer.",
    task: "Share the tensor, then dispose of the first one. The buffer stays, because the share refers to it.",
    isDone: (state) => {
      const handles = field<{ name: string }[]>(state, "handles");
      return handles.length === 1 && handles[0]!.name.startsWith("share");
    },
  },
  {
    title: "A part of it",
    panel: "slices",
    params: { shape: "3,4", a: "1,1:-", b: "-:1,2", set: "0,2:-;2,1:-" },
    text: "Slice A is the second row. Its four numbers are neighbors in memory, so the slice is a view: an address and a shape, nothing more.",
    task: "Change slice A so that no view can show it.",
    isDone: (state) => !field<{ isView: boolean }>(state, "view").isView,
  },
  {
    title: "Another order",
    panel: "layouts",
    params: { shape: "u8[3,4]{1,0}" },
    text: "So far neighbors in a row were neighbors in memory. XLA can also keep an array in another order: its layout lists the dimensions from minor to major.",
    task: "Move dimension 0 to the front of minor_to_major, so that the columns are contiguous.",
    isDone: (state) => String(state["minorToMajor"]) === "0,1",
  },
  {
    title: "A free transpose",
    panel: "layouts",
    params: { shape: "u8[3,4]{1,0}", perm: "1,0" },
    text: "With layouts a transpose may cost nothing: if the result may have the layout that the bytes already have, no byte moves. The question is below, under “Is it free?”.",
    task: "Choose a layout of the result for which this transpose is free.",
    isDone: (state) => field<{ free: boolean | null }>(state, "verdict").free === true,
  },
  {
    title: "One pass",
    panel: "expressions",
    params: { text: "(x - x.mean(1, true)) / x.std(1, true)", tensors: "x: 3, 4" },
    text: "Computing is fused, too. This expression standardizes each row. It becomes one kernel, which reads the numbers once and writes the result once.",
    task: "Write an expression over x whose result is float32[3]: a number per row.",
    isDone: (state) => state["result"] === "float32[3]" && state["error"] === "",
  },
  {
    title: "A checkpoint",
    panel: "files",
    params: { sample: "twelve numbers", tensor: "numbers" },
    text: "At last the twelve numbers are saved. This page has just written them as a checkpoint, with the same bytes as TensorFlow's: an index with the name, dtype, shape, place and checksum of the tensor, and a data file with its 48 bytes.",
    task: 'Under “The bytes of the file itself”, open the data block and choose the entry "numbers".',
    isDone: (state) => field<{ name: string } | null>(state, "region")?.name.includes("numbers") === true,
  },
];
