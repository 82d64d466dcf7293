/**
 * explainPlan: what a GPU would do to compute an expression (for kernels of this process: compiler/run/explain.ts).
 */
import { dtypeSize } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { treeText } from "@onebuffer/expression/internal";
import type { GpuPlan } from "../step/gpu-plan.ts";

/** How much of an expression is shown. */
const kLimits = { levels: 12, characters: 400 };

/**
 * One command of a GPU.
 *
 * @example
 * const lines = (step: GpuExplainedStep): number => step.wgsl.split("\n").length;
 */
export interface GpuExplainedStep {
  /** The form of the shader, such as "map" or "rows"; "clear" and "copy" for commands without one, "cpu" for what this process computes. */
  readonly form: string;
  /** The expression that the command computes, as text. */
  readonly expression: string;
  /** The shader's text. It has no sizes, strides or constants: those are in `numbers`. Empty without a shader. */
  readonly wgsl: string;
  /** The numbers that the shader is given. */
  readonly numbers: readonly number[];
  /** The workgroups in three dimensions. */
  readonly workgroups: readonly number[];
  /** The bytes of the buffers that are bound. */
  readonly buffers: readonly number[];
}

/**
 * The commands of one submission.
 *
 * @example
 * const forms = ({ steps }: GpuExplanation): readonly string[] => steps.map(({ form }) => form);
 */
export interface GpuExplanation {
  readonly steps: readonly GpuExplainedStep[];
  /** The bytes of scratch memory, if none of it were used twice. */
  readonly scratchBytes: number;
  /** Returns the explanation as text, with `wgsl` also the shaders. */
  toString(options?: { readonly wgsl?: boolean }): string;
}

/** Returns what a plan does. */
export function explainPlan({ slots, steps, subjects }: GpuPlan): GpuExplanation {
  const explained = steps.map((step, k): GpuExplainedStep => {
    const subject = subjects[k] ?? null;
    const isShader = step.kind === "dispatch";
    return {
      form: isShader ? step.form : step.kind,
      expression: subject === null ? "" : treeText(subject, kLimits),
      wgsl: isShader ? step.code : "",
      numbers: isShader ? [...step.words] : [],
      workgroups: isShader ? step.groups : [],
      buffers: step.slots.map((slot) => slots[slot]!.bytes),
    };
  });
  const scratchBytes = slots.reduce((sum, { role, bytes }) => sum + (role === "scratch" ? bytes : 0), 0);
  return explanationOf(explained, scratchBytes);
}

/** Returns what is done for an expression that this process computes: the buffers are the operands that are copied here, and the result. */
export function explainFallback(tree: ExpressionTree, leaves: readonly ExpressionTree[]): GpuExplanation {
  const buffers = [...leaves, tree].map(({ dtype, dimensions }) => dimensions.reduce((bytes, size) => bytes * size, dtypeSize(dtype)));
  return explanationOf([{ form: "cpu", expression: treeText(tree, kLimits), wgsl: "", numbers: [], workgroups: [], buffers }], 0);
}

function explanationOf(steps: readonly GpuExplainedStep[], scratchBytes: number): GpuExplanation {
  return { steps, scratchBytes, toString: ({ wgsl = false } = {}) => steps.map((step) => stepText(step, wgsl)).join("\n") };
}

function stepText({ form, expression, wgsl, workgroups, buffers }: GpuExplainedStep, withShader: boolean): string {
  const groups = workgroups.length === 0 ? "" : `, ${workgroups.filter((size, k) => k === 0 || size > 1).join(" x ")} workgroups`;
  const line = `${form}  ${expression}${groups}, buffers of ${buffers.join(", ")} bytes`;
  return withShader && wgsl !== "" ? `${line}\n${wgsl}` : line;
}
