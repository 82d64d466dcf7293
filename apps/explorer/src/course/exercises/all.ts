/** All exercises of the course by their names in the chapters. */
import type { Exercise } from "../exercise.ts";
import { bytesAndShapes } from "./bytes-and-shapes.ts";
import { computing } from "./computing.ts";
import { memory } from "./memory.ts";
import { inPanels } from "./panels.ts";
import { programs } from "./programs.ts";
import { project } from "./project.ts";
import { runtimePanels } from "./runtime-panels.ts";
import { runtime } from "./runtime.ts";

export const exercises: Readonly<Record<string, Exercise>> = {
  ...bytesAndShapes,
  ...memory,
  ...computing,
  ...inPanels,
  ...runtime,
  ...runtimePanels,
  ...programs,
  ...project,
};
