/** The exercises whose answers are made in a panel. They look at the runtime's real objects behind it. */
import type { PanelState } from "../panel.ts";
import { sameList, verdict } from "./exercise.ts";
import type { PanelExercise } from "./exercise.ts";

const list = (state: PanelState, name: string): readonly unknown[] =>
  Array.isArray(state[name]) ? (state[name] as readonly unknown[]) : [];

/** The exercises by their names in the chapters. */
export const panelExercises: Readonly<Record<string, PanelExercise>> = {
  "grow-to-32": {
    kind: "panel",
    panel: "sixteen-bytes",
    check: ({ rep, shape }) =>
      verdict(
        /32/.test(String(rep)),
        `Yes: ${String(shape)} needs 32 bits for a dimension.`,
        `${String(shape)} is still ${String(rep)}: 16 bits are enough for up to 65533.`,
      ),
    rightAnswers: [{ shape: "2,65534" }, { shape: "70000" }],
    wrongAnswers: [{}, { shape: "2,65533" }],
  },
  "three-dimensions": {
    kind: "panel",
    panel: "one-buffer",
    check: (state) =>
      verdict(
        list(state, "shape").length === 3 && state["copied"] === 0,
        "Three dimensions over the same bytes, and none was copied.",
        `The shape is [${list(state, "shape").join(",")}].`,
      ),
    rightAnswers: [{ shape: "2,3,2" }],
    wrongAnswers: [{ shape: "3,4" }, { shape: "12" }],
  },
  "overlapping-slices": {
    kind: "panel",
    panel: "slices",
    check: ({ a, b, intersection }) =>
      verdict(
        intersection !== null && intersection !== a && intersection !== b,
        `${String(a)} and ${String(b)} share ${String(intersection)}.`,
        intersection === null ? "They share nothing." : "One of them contains the other.",
      ),
    rightAnswers: [{ shape: "6,6", a: "0,3:0,3", b: "2,3:2,3" }],
    wrongAnswers: [
      { shape: "6,6", a: "0,2:-", b: "3,2:-" },
      { shape: "6,6", a: "-:-", b: "1,2:1,2" },
    ],
  },
  "column-major": {
    kind: "panel",
    panel: "layouts",
    check: (state) =>
      verdict(
        sameList(list(state, "minorToMajor"), [0, 1]) && list(state, "sizes").length === 2,
        `In memory: ${String(state["letters"])}.`,
        `minor_to_major is {${list(state, "minorToMajor").join(",")}}: the most minor dimension stands first.`,
      ),
    rightAnswers: [{ shape: "f32[2,3]{0,1}" }],
    wrongAnswers: [{ shape: "f32[2,3]{1,0}" }, { shape: "f32[2,3,2]{0,1,2}" }],
  },
  "one-step": {
    kind: "panel",
    panel: "expressions",
    check: (state) => {
      const steps = list(state, "steps").length;
      const hasExp = /exp\(/.test(String(state["text"]));
      return verdict(
        state["error"] === "" && hasExp && steps === 1,
        "One loop nest computes all of it; nothing is stored in between.",
        String(state["error"]) || (hasExp ? `It takes ${steps} steps.` : "There is no exp(...) in it."),
      );
    },
    rightAnswers: [{ text: "exp(x * y + 1)" }],
    wrongAnswers: [{ text: "x * y + 1" }, { text: "exp(" }],
  },
  "shared-node": {
    kind: "panel",
    panel: "expressions",
    check: (state) => {
      const gradient = state["gradient"] as PanelState;
      const again = list(gradient, "shared").filter((op) => op !== "map" && op !== "constant");
      const isOther = !/tanh/.test(String(state["text"]));
      return verdict(
        gradient["variable"] === "x" && gradient["error"] === "" && again.length > 0 && isOther,
        `The gradient reads ${again.join(", ")} again.`,
        String(gradient["error"]) ||
          (gradient["variable"] !== "x"
            ? "No gradient with respect to x is chosen."
            : isOther
              ? "The gradient reads only the tensors again."
              : "That is still tanh."),
      );
    },
    rightAnswers: [
      { text: "exp(x)", variable: "x" },
      { text: "sigmoid(x).sum()", tensors: "x: 2, 3", variable: "x" },
      { text: "sqrt(abs(x))", variable: "x" },
    ],
    wrongAnswers: [
      { text: "exp(x)" },
      { text: "x * y", variable: "x" },
      { text: "tanh(x)", variable: "x" },
      { text: "floor(x)", variable: "x" },
    ],
  },
};
