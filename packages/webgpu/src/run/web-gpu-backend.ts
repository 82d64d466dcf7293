/**
 * WebGpuBackend: one device of WebGPU as a Backend: its arrays are buffers, its programs plans with pipelines.
 */
import type { DType, StatusError } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import type { ExpressionTree, OpName } from "@onebuffer/expression";
import type { DeviceTransferOptions } from "@onebuffer/eigen";
import type { Backend, BackendProgram, ElementBytes, ProgramSource, Queued } from "@onebuffer/eigen/internal";
import { checkSize } from "../gpu/gpu-limits.ts";
import type { GpuSession } from "../gpu/gpu-session.ts";
import { denseTrees } from "../plan/dense-leaves.ts";
import { planProgram } from "../plan/plan-program.ts";
import type { GpuPlan } from "../step/gpu-plan.ts";
import { findElementError } from "./element-errors.ts";
import { gpuCapabilities } from "./gpu-capabilities.ts";
import type { GpuArray, GpuContent } from "./gpu-content.ts";
import { GpuProgram } from "./gpu-program.ts";
import { putElements, takeElements } from "./transfers.ts";

/** A device of WebGPU as a Backend. The queue executes calls in their order. */
export class WebGpuBackend implements Backend<GpuContent> {
  readonly name: string;
  readonly session: GpuSession;

  constructor(name: string, session: GpuSession) {
    this.name = name;
    this.session = session;
  }

  get dead(): StatusError | null {
    return this.session.dead;
  }

  capabilities(op: OpName, dtype: DType, node: ExpressionTree): true | string {
    return gpuCapabilities(op, dtype, node);
  }

  async compile(source: ProgramSource<null>): Promise<BackendProgram<GpuContent, null>> {
    // A program that is kept must not keep the maps of its first run.
    const { trees, leaves } = denseTrees(source.trees, source.leaves);
    const plan = planProgram(trees, leaves);
    this.#checkSizes(plan, [...trees, ...leaves]);
    return GpuProgram.compile(this.session, plan, trees.length, (operands) => findElementError(this.session, trees, leaves, operands));
  }

  async put(array: GpuArray, source: ElementBytes, spec: { readonly dtype: DType }, options: DeviceTransferOptions): Promise<Queued> {
    checkSize(this.name, this.session.limits, source.total, source.total / dtypeSize(spec.dtype));
    const { pending } = putElements(this.session, array, source, options);
    return { done: pending ?? Promise.resolve() };
  }

  take(array: GpuArray, target: ElementBytes, options: DeviceTransferOptions): Promise<void> {
    return takeElements(this.session, array, target, options);
  }

  release(arrays: readonly GpuArray[]): void {
    for (const { content } of arrays) if (content !== null && content.pooled !== null) this.session.pool.give(content.pooled);
  }

  reclaim(): Promise<void> {
    return this.session.reclaim();
  }

  async close(reason: StatusError): Promise<void> {
    this.session.close(reason);
  }

  #checkSizes({ slots }: GpuPlan, trees: readonly ExpressionTree[]): void {
    for (const { bytes } of slots) checkSize(this.name, this.session.limits, bytes, 0);
    for (const { dimensions } of trees) {
      const elements = dimensions.reduce((product, size) => product * size, 1);
      checkSize(this.name, this.session.limits, 0, elements);
    }
  }
}
