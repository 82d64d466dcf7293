/** Judges an answer of any kind. */
import type { MountedPanel } from "../mount-panel.tsx";
import { errorText } from "../panel.ts";
import type { Exercise, Verdict } from "./exercise.ts";
import { wrong } from "./exercise.ts";
import { runCode } from "./code/run-code.ts";

/** Judges an answer; an error of the packages is a wrong answer with its message. The answer of a panel is the panel itself. */
export async function judge(exercise: Exercise, answer: string, panel: MountedPanel | null): Promise<Verdict> {
  try {
    if (exercise.kind === "text") return exercise.check(answer);
    if (exercise.kind === "panel") {
      if (panel === null) throw new RangeError(`the panel ${exercise.panel} is missing`);
      return exercise.check(panel.state());
    }
    const { value, error } = await runCode(answer, exercise);
    return error === "" ? exercise.check(value) : wrong(error);
  } catch (error) {
    return wrong(errorText(error));
  }
}
