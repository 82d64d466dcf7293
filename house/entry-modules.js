// The modules of all public paths, and of what packages export for each other, by their specifiers. Each has an import of its own because Jest's
// bundles (tools/test-bundles.mjs) have only what is imported by a written name: by names that are computed, the library's 600 files are loaded
// one at a time.
import * as face from "onebuffer";
import * as base from "onebuffer/base";
import * as shape from "onebuffer/shape";
import * as allocator from "onebuffer/allocator";
import * as eigen from "onebuffer/eigen";
import * as slice from "onebuffer/slice";
import * as xla from "onebuffer/xla";
import * as core from "onebuffer/core";
import * as proto from "onebuffer/proto";
import * as io from "onebuffer/io";
import * as node from "onebuffer/node";
import * as gradients from "onebuffer/gradients";
import * as linalg from "onebuffer/linalg";
import * as signal from "onebuffer/signal";
import * as stablehlo from "onebuffer/stablehlo";
import * as xlaDevice from "onebuffer/xla-device";
import * as webgpu from "onebuffer/webgpu";
import * as debug from "onebuffer/debug";
import * as poolWorker from "onebuffer/pool-worker";
import * as testing from "onebuffer/testing";
import * as allocatorInternal from "@onebuffer/allocator/internal";
import * as baseInternal from "@onebuffer/base/internal";
import * as compilerInternal from "@onebuffer/compiler/internal";
import * as coreInternal from "@onebuffer/core/internal";
import * as eigenInternal from "@onebuffer/eigen/internal";
import * as evaluatorInternal from "@onebuffer/evaluator/internal";
import * as expressionInternal from "@onebuffer/expression/internal";
import * as kernelsInternal from "@onebuffer/kernels/internal";
import * as stablehloInternal from "@onebuffer/stablehlo/internal";
import * as storageInternal from "@onebuffer/storage/internal";
import * as wasmInternal from "@onebuffer/wasm/internal";
import * as webgpuInternal from "@onebuffer/webgpu/internal";

/** The modules of the paths that packages/onebuffer exports. */
export const publicModules = new Map([
  ["onebuffer", face],
  ["onebuffer/base", base],
  ["onebuffer/shape", shape],
  ["onebuffer/allocator", allocator],
  ["onebuffer/eigen", eigen],
  ["onebuffer/slice", slice],
  ["onebuffer/xla", xla],
  ["onebuffer/core", core],
  ["onebuffer/proto", proto],
  ["onebuffer/io", io],
  ["onebuffer/node", node],
  ["onebuffer/gradients", gradients],
  ["onebuffer/linalg", linalg],
  ["onebuffer/signal", signal],
  ["onebuffer/stablehlo", stablehlo],
  ["onebuffer/xla-device", xlaDevice],
  ["onebuffer/webgpu", webgpu],
  ["onebuffer/debug", debug],
  ["onebuffer/pool-worker", poolWorker],
  ["onebuffer/testing", testing],
]);

/** The modules of what packages export for each other. */
export const internalModules = new Map([
  ["@onebuffer/allocator/internal", allocatorInternal],
  ["@onebuffer/base/internal", baseInternal],
  ["@onebuffer/compiler/internal", compilerInternal],
  ["@onebuffer/core/internal", coreInternal],
  ["@onebuffer/eigen/internal", eigenInternal],
  ["@onebuffer/evaluator/internal", evaluatorInternal],
  ["@onebuffer/expression/internal", expressionInternal],
  ["@onebuffer/kernels/internal", kernelsInternal],
  ["@onebuffer/stablehlo/internal", stablehloInternal],
  ["@onebuffer/storage/internal", storageInternal],
  ["@onebuffer/wasm/internal", wasmInternal],
  ["@onebuffer/webgpu/internal", webgpuInternal],
]);
