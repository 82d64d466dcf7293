/**
 * The form "map" of programs without reductions: each element is computed on its own.
 */
import { denseElements } from "../wgsl/dense-elements.ts";
import type { Dispatch } from "../wgsl/shader.ts";
import { programShader, storedDType } from "./program-shader.ts";
import type { ProgramLoops, ProgramStep } from "./program-shader.ts";

/** Returns the dispatch of a program without reductions. */
export function mapDispatch(step: ProgramStep, loops: ProgramLoops): Dispatch {
  const { dtype, part } = step;
  const { shader, space, values, program, target } = programShader(step, loops, part === null);
  values.beginRow([]);
  values.prepare([program.result]);
  const elements = { form: "map", target, dtype: storedDType(program, dtype), count: loops.rows };
  const coordinates = (place: string): string[] => space.coordinates(place, 0, space.sizes.length);
  const valuesAt = (place: string): ReturnType<typeof values.parts> => {
    values.beginElement(coordinates(place));
    const parts = values.parts(program.result);
    values.endElement();
    return parts;
  };
  return denseElements(shader, elements, valuesAt, part === null ? null : (place) => space.address(0, coordinates(place)));
}
