/** The exercises of chapters 1 to 10 whose answers are made in a panel. They look at the runtime's real objects behind it. */
import type { PanelState } from "../../panel.ts";
import { right, wrong } from "../exercise.ts";
import type { PanelExercise } from "../exercise.ts";

/** Returns a list of a panel's state; empty if there is none of this name. */
export const listIn = (state: PanelState, name: string): readonly unknown[] =>
  Array.isArray(state[name]) ? (state[name] as readonly unknown[]) : [];

/** The exercises by their names in the chapters. */
export const inPanels = {
  "grow-to-32": {
    kind: "panel",
    panel: "sixteen-bytes",
    check({ rep, shape, dims }) {
      if (rep === "REP32") return right(`Yes: ${String(shape)} needs 32 bits for a dimension.`);
      if (rep === "REP_OUT_OF_LINE")
        return wrong(
          Number(dims) > 3
            ? `${String(shape)} is out of line: with 32 bits there is room for three dimensions, and this shape has ${String(dims)}.`
            : `${String(shape)} is out of line: a size of it needs more than 32 bits.`,
          "too far",
        );
      const isAtLimit = /(?:^|\D)65533(?:\D|$)/.test(String(shape));
      return isAtLimit
        ? wrong(`${String(shape)} is still REP16: 65533 is the largest size of 16 bits. One more, please.`, "at the limit")
        : wrong(`${String(shape)} is still ${String(rep)}: 16 bits are enough for up to 65533.`);
    },
    rightAnswers: [{ shape: "2,65534" }, { shape: "70000" }, { shape: "1,2,4294967293" }],
    mistakes: [
      { name: "at the limit", answers: [{ shape: "2,65533" }] },
      { name: "too far", answers: [{ shape: "1,2,3,4,5,6,7" }, { shape: "2,4294967294" }, { shape: "1,1,1,70000" }] },
    ],
    wrongAnswers: [{}],
  },
  "three-dimensions": {
    kind: "panel",
    panel: "one-buffer",
    check(state) {
      const shape = listIn(state, "shape");
      const count = listIn(state, "values").length;
      if (shape.length === 3 && count === 12 && state["copied"] === 0)
        return right("Three dimensions over the same bytes, and none was copied.");
      if (count !== 12)
        return wrong(`This shape has ${count} elements, so it has a new buffer. Twelve elements, please.`, "another buffer");
      return shape.length < 3
        ? wrong(`The shape [${shape.join(",")}] has ${shape.length} dimensions. A third number makes three.`, "too few dimensions")
        : wrong(`The shape [${shape.join(",")}] has ${shape.length} dimensions.`);
    },
    rightAnswers: [{ shape: "2,3,2" }, { shape: "2,2,3" }, { shape: "12,1,1" }],
    mistakes: [
      { name: "too few dimensions", answers: [{ shape: "3,4" }, { shape: "12" }] },
      { name: "another buffer", answers: [{ shape: "3,4,3" }] },
    ],
    wrongAnswers: [{ shape: "2,3,2,1" }],
  },
  "overlapping-slices": {
    kind: "panel",
    panel: "slices",
    check({ a, b, intersection, relative, sizes }) {
      if (intersection === null) return wrong(`${String(a)} and ${String(b)} share nothing. Move one of them towards the other.`, "apart");
      const full = (sizes as readonly number[]).map(() => "-").join(":");
      if (intersection === a || intersection === b || relative === full)
        return wrong("One of them contains the other: what they share is a whole slice.", "one inside the other");
      return right(`${String(a)} and ${String(b)} share ${String(intersection)}.`);
    },
    rightAnswers: [
      { shape: "6,6", a: "0,3:0,3", b: "2,3:2,3" },
      { shape: "6,6", a: "0,4:-", b: "2,4:-" },
      { shape: "10", a: "0,6", b: "4,6" },
    ],
    mistakes: [
      { name: "apart", answers: [{ shape: "6,6", a: "0,2:-", b: "3,2:-" }] },
      {
        name: "one inside the other",
        answers: [
          { shape: "6,6", a: "-:-", b: "1,2:1,2" },
          { shape: "6,6", a: "1,2:1,2", b: "1,2:1,2" },
        ],
      },
    ],
    wrongAnswers: [],
  },
  "column-major": {
    kind: "panel",
    panel: "layouts",
    check(state) {
      const order = listIn(state, "minorToMajor").join(",");
      const rank = listIn(state, "sizes").length;
      if (rank !== 2) return wrong(`This array has ${rank} dimensions; a matrix has two.`, "not a matrix");
      if (order === "0,1") return right(`In memory: ${String(state["letters"])}.`);
      return wrong(
        "minor_to_major is {1,0}: dimension 1 is the most minor, so the rows are contiguous. Let dimension 0 stand first.",
        "row-major",
      );
    },
    rightAnswers: [{ shape: "f32[2,3]{0,1}" }, { shape: "u8[4,2]{0,1}" }, { shape: "u8[2,3]{0,1}", pad: "3,5" }],
    mistakes: [
      { name: "row-major", answers: [{ shape: "f32[2,3]{1,0}" }] },
      { name: "not a matrix", answers: [{ shape: "f32[2,3,2]{0,1,2}" }] },
    ],
    wrongAnswers: [],
  },
  "one-step": {
    kind: "panel",
    panel: "expressions",
    check(state) {
      const steps = listIn(state, "steps").length;
      const text = String(state["text"]);
      if (state["error"] !== "") return wrong(`The expression has an error: ${String(state["error"])}`);
      if (!/\bexp\(/.test(text)) return wrong("There is no exp(...) in it.", "no exp");
      if (steps === 1) return right("One loop nest computes all of it; nothing is stored in between.");
      return wrong(`It takes ${steps} steps: a product of matrices, a sort or a scan is a step of its own.`, "several steps");
    },
    rightAnswers: [{ text: "exp(x * y + 1)" }, { text: "exp(x)" }, { text: "exp(x).sum(1)" }],
    mistakes: [
      { name: "no exp", answers: [{ text: "x * y + 1" }] },
      { name: "several steps", answers: [{ text: "exp(x @ transpose(y))" }] },
    ],
    wrongAnswers: [{ text: "exp(" }],
  },
  "shared-node": {
    kind: "panel",
    panel: "expressions",
    check(state) {
      const gradient = state["gradient"] as PanelState;
      const again = listIn(gradient, "shared").filter((op) => op !== "map" && op !== "constant");
      if (String(gradient["error"]) !== "") return wrong(String(gradient["error"]));
      if (gradient["variable"] !== "x") return wrong("No gradient with respect to x is chosen.", "no gradient");
      if (/tanh/.test(String(state["text"]))) return wrong("That is still tanh: take another function.", "still tanh");
      return again.length > 0
        ? right(`The gradient reads ${again.join(", ")} again.`)
        : wrong("The gradient reads only the tensors again, not the result of an operation.", "only tensors");
    },
    rightAnswers: [
      { text: "exp(x)", variable: "x" },
      { text: "sigmoid(x).sum()", tensors: "x: 2, 3", variable: "x" },
      { text: "sqrt(abs(x))", variable: "x" },
    ],
    mistakes: [
      { name: "no gradient", answers: [{ text: "exp(x)" }] },
      { name: "still tanh", answers: [{ text: "tanh(x)", variable: "x" }] },
      { name: "only tensors", answers: [{ text: "x * y", variable: "x" }] },
    ],
    wrongAnswers: [{ text: "floor(x)", variable: "x" }],
  },
} as const satisfies Readonly<Record<string, PanelExercise>>;
