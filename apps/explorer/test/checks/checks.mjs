// All checks of the explorer, in the order in which they run.
import { arenaChecks } from "./arena.mjs";
import { courseChecks } from "./course.mjs";
import { expressionsChecks } from "./expressions.mjs";
import { flowChecks } from "./flow.mjs";
import { gradientChecks } from "./gradients.mjs";
import { filesChecks } from "./files.mjs";
import { filesVerdictsChecks } from "./files-verdicts.mjs";
import { gpuChecks } from "./gpu.mjs";
import { layoutsChecks } from "./layouts.mjs";
import { oneBufferChecks } from "./one-buffer.mjs";
import { pageChecks } from "./page.mjs";
import { poolChecks } from "./pool.mjs";
import { runtimeChecks } from "./runtime.mjs";
import { slicesChecks } from "./slices.mjs";
import { sixteenBytesChecks } from "./sixteen-bytes.mjs";
import { storyChecks } from "./story.mjs";
import { threadsChecks } from "./threads.mjs";

/**
 * Each check has a `name` and a function `run(visit, server)` that throws if something is wrong. `browsers` limits it to some browsers;
 * with `isolated: false` it runs in a page without cross-origin isolation, with `webgpu: true` in a Chromium that has WebGPU through SwiftShader.
 */
export const checks = [
  ...pageChecks,
  ...oneBufferChecks,
  ...sixteenBytesChecks,
  ...arenaChecks,
  ...layoutsChecks,
  ...slicesChecks,
  ...expressionsChecks,
  ...gradientChecks,
  ...flowChecks,
  ...runtimeChecks,
  ...gpuChecks,
  ...filesChecks,
  ...filesVerdictsChecks,
  ...threadsChecks,
  ...poolChecks,
  ...storyChecks,
  ...courseChecks,
];
