/** The exercises of chapters 11 to 15 whose answers are made in a panel. */
import type { PanelState } from "../../panel.ts";
import { right, wrong } from "../exercise.ts";
import type { PanelExercise } from "../exercise.ts";
import { listIn } from "./panels.ts";

interface StepState {
  readonly reads: readonly number[];
}
interface ChoiceState {
  readonly dtype: string;
  readonly refusal: string;
}

const refusalOf = (state: PanelState, dtype: string): string =>
  (listIn(state, "choices") as readonly ChoiceState[]).find((each) => each.dtype === dtype)?.refusal ?? "";

/** The exercises by their names in the chapters. */
export const runtimePanels = {
  "three-branches": {
    kind: "panel",
    panel: "plan",
    check(state) {
      if (state["error"] !== "") return wrong(String(state["error"]));
      const steps = listIn(state, "steps") as readonly StepState[];
      const last = steps.at(-1);
      if (steps.length < 3)
        return wrong(
          `The plan has ${steps.length} ${steps.length === 1 ? "step" : "steps"}: elementwise operations are fused into one. Products are steps of their own.`,
          "fused",
        );
      if (last?.reads.length === 2) return wrong("The last step reads two others. One more, please.", "two branches");
      if (last === undefined || last.reads.length < 2)
        return wrong("The last step reads one other step: a chain, in which nothing could run side by side.", "a chain");
      return right(`The last step waits for ${last.reads.length} others.`);
    },
    rightAnswers: [
      { text: "(x @ w) + (y @ w) + (y @ v)", tensors: "x: 256, 128; y: 256, 128; w: 128, 64; v: 128, 64" },
      { text: "(x @ w) * (x @ v) * (x @ u)", tensors: "x: 64, 32; w: 32, 16; v: 32, 16; u: 32, 16" },
      { text: "exp(x @ w) - (y @ w) * (z @ w)", tensors: "x: 64, 32; y: 64, 32; z: 64, 32; w: 32, 16" },
    ],
    mistakes: [
      { name: "two branches", answers: [{ text: "(x @ w) + (y @ w)", tensors: "x: 256, 128; y: 256, 128; w: 128, 64" }] },
      { name: "fused", answers: [{ text: "x + y", tensors: "x: 8, 8; y: 8, 8" }] },
      { name: "a chain", answers: [{ text: "x @ w @ w @ w", tensors: "x: 256, 128; w: 128, 128" }] },
    ],
    wrongAnswers: [{ text: "x +" }],
  },
  "floats-only": {
    kind: "panel",
    panel: "kernels",
    check(state) {
      const [int32, float32] = [refusalOf(state, "int32"), refusalOf(state, "float32")];
      if (float32 !== "") return wrong(`${String(state["op"])} refuses float32, too: ${float32}`, "integers only");
      if (int32 === "") return wrong(`${String(state["op"])} accepts int32.`, "accepts both");
      return right(`${String(state["op"])} has a kernel for float32, and of int32 it says: ${int32}`);
    },
    rightAnswers: [{ op: "sin" }, { op: "exp" }, { op: "sqrt" }],
    mistakes: [
      { name: "accepts both", answers: [{ op: "add" }, { op: "abs" }] },
      { name: "integers only", answers: [{ op: "bitwiseAnd" }] },
    ],
    wrongAnswers: [],
  },
  "keep-the-largest": {
    kind: "panel",
    panel: "where",
    check(state) {
      const tensors = listIn(state, "tensors") as readonly (readonly [name: string, bytes: number])[];
      const kept = tensors.find(([name]) => name === state["kept"]);
      const most = Math.max(...tensors.map(([, bytes]) => bytes));
      if (kept === undefined) return wrong("No tensor stays on the device.", "nothing stays");
      if (kept[1] < most)
        return wrong(`${kept[0]} has ${kept[1]} bytes; another tensor is larger, and is sent at each call.`, "a smaller one");
      return right(`${kept[0]} has ${kept[1]} bytes, which are now sent once.`);
    },
    rightAnswers: [
      { kept: "x" },
      { text: "x @ w", tensors: "x: 2, 64; w: 64, 64", kept: "w" },
      { text: "softmax(x)", tensors: "x: 8, 8", kept: "x" },
    ],
    mistakes: [
      { name: "nothing stays", answers: [{}] },
      { name: "a smaller one", answers: [{ kept: "w" }, { kept: "b" }] },
    ],
    wrongAnswers: [],
  },
  "product-and-tanh": {
    kind: "panel",
    panel: "where",
    check(state) {
      if (state["error"] !== "") return wrong(String(state["error"]));
      const names = (listIn(state, "operations") as readonly (readonly [string, number])[]).map(([name]) => name);
      const [hasProduct, hasTanh] = [names.includes("stablehlo.dot_general"), names.some((name) => name.endsWith(".tanh"))];
      if (hasProduct && hasTanh) return right(`The module has ${names.join(", ")}.`);
      if (hasTanh) return wrong("There is a tanh, but no dot_general: the product of matrices is @.", "no product");
      return wrong(
        hasProduct ? "There is a dot_general, but no tanh." : "There is neither dot_general nor tanh.",
        hasProduct ? "no tanh" : "",
      );
    },
    rightAnswers: [
      { text: "tanh(x @ w)", tensors: "x: 4, 8; w: 8, 2" },
      { text: "tanh(x @ w + b)", tensors: "x: 64, 128; w: 128, 32; b: 32" },
      { text: "(tanh(x) @ w).sum()", tensors: "x: 4, 8; w: 8, 2" },
    ],
    mistakes: [
      { name: "no product", answers: [{ text: "tanh(x * x)", tensors: "x: 4, 4" }] },
      { name: "no tanh", answers: [{ text: "relu(x @ w)", tensors: "x: 4, 8; w: 8, 2" }] },
    ],
    wrongAnswers: [
      { text: "x + 1", tensors: "x: 4" },
      { text: "tanh(", tensors: "x: 4" },
    ],
  },
  "does-not-divide": {
    kind: "panel",
    panel: "shards",
    check(state) {
      if (/cannot be divided/.test(String(state["error"]))) return right(`The library refuses it: ${String(state["error"])}`);
      if (state["division"] === "whole")
        return wrong("Nothing is divided: every device has the whole batch, which is always possible.", "not divided");
      return wrong(
        `${String(state[state["division"] === "rows" ? "rows" : "columns"])} ${String(state["division"])} over ${String(state["devices"])} devices are equal parts. Choose numbers that leave a remainder.`,
        "it divides",
      );
    },
    rightAnswers: [
      { rows: "10", devices: "4" },
      { rows: "7", devices: "2" },
      { rows: "8", devices: "3", division: "columns" },
    ],
    mistakes: [
      {
        name: "it divides",
        answers: [
          { rows: "8", devices: "4" },
          { rows: "9", devices: "3" },
        ],
      },
      { name: "not divided", answers: [{ rows: "10", devices: "4", division: "whole" }] },
    ],
    wrongAnswers: [],
  },
} as const satisfies Readonly<Record<string, PanelExercise>>;
