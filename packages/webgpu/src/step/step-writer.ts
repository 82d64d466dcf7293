/**
 * StepWriter: collects the commands of a program, and the memory that they use.
 */
import { InternalError } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import type { Dispatch } from "../wgsl/shader.ts";
import type { GpuPlan, GpuStep, Slot, Stored } from "./gpu-plan.ts";

/** The commands of one program. */
export class StepWriter {
  readonly #slots: Slot[] = [];
  readonly #steps: GpuStep[] = [];
  readonly #stored: Map<ExpressionTree, Stored> = new Map();
  readonly #subjects: (ExpressionTree | null)[] = [];
  #subject: ExpressionTree | null = null;
  #flag = -1;

  /** Begins the commands of a node. */
  begin(node: ExpressionTree): void {
    this.#subject = node;
  }

  /** Adds a piece of memory, and returns its number. Bytes are rounded up to words. */
  slot(role: Slot["role"], index: number, bytes: number): number {
    return this.#slots.push({ role, index, bytes: Math.max(4, Math.ceil(bytes / 4) * 4) }) - 1;
  }

  /** Adds scratch memory. Its elements are undefined. */
  scratch(bytes: number): number {
    return this.slot("scratch", 0, bytes);
  }

  /** Returns the bytes of a piece of memory. */
  bytesOf(slot: number): number {
    return this.#slots[slot]!.bytes;
  }

  /** Records where the elements of a node are. */
  store(node: ExpressionTree, stored: Stored): void {
    this.#stored.set(node, stored);
  }

  /** Returns true if the elements of a node are in memory. */
  has(node: ExpressionTree): boolean {
    return this.#stored.has(node);
  }

  /** Returns where the elements of a node are that a step needs. Throws INTERNAL if the step did not say so. */
  stored(node: ExpressionTree): Stored {
    const stored = this.#stored.get(node);
    if (stored === undefined) throw new InternalError(`WebGPU: ${node.op} is not stored`);
    return stored;
  }

  /** The slot of the flag, which shaders set where elements are invalid: one word. */
  flag(): number {
    if (this.#flag < 0) this.#flag = this.slot("flag", 0, 4);
    return this.#flag;
  }

  /** Adds a dispatch; none for no workgroups. */
  dispatch(dispatch: Dispatch): void {
    if (dispatch.groups[0] > 0) this.#add(dispatch);
  }

  /** Adds a command that sets all bytes of a slot to 0. */
  clear(slot: number): void {
    this.#add({ kind: "clear", slots: [slot] });
  }

  /** Adds a copy of bytes. Offsets and the count are multiples of 4. */
  copy(slots: readonly [from: number, to: number], bytes: number, from: number = 0, to: number = 0): void {
    this.#add({ kind: "copy", slots, from, to, bytes });
  }

  /** Returns the plan of all that was added. Called once. */
  plan(): GpuPlan {
    if (this.#flag >= 0) {
      this.#steps.unshift({ kind: "clear", slots: [this.#flag] });
      this.#subjects.unshift(this.#subjects[0] ?? null);
    }
    return { slots: this.#slots, steps: this.#steps, subjects: this.#subjects, flag: this.#flag };
  }

  #add(step: GpuStep): void {
    this.#steps.push(step);
    this.#subjects.push(this.#subject);
  }
}
