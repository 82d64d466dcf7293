/**
 * assembler-code: instructions of a function, written one after the other.
 *
 * The stack machine of WebAssembly is left bare: an operand is pushed before the instruction that takes it. What is added
 * are labels that know their own depth: `loop()` answers one, `brIf(label)` counts the blocks between. A prologue and a
 * body are two writers of one function, put together when the module is.
 */
import { InternalError } from "@onebuffer/base";
import { ByteWriter } from "./assembler-bytes.ts";
import type {
  AtomicInstruction,
  LaneInstruction,
  MemoryInstruction,
  MemoryLaneInstruction,
  PlainInstruction,
} from "./assembler-instructions.ts";
import { instructionsByName } from "./assembler-instructions.ts";

/** The types of values that kernels use. */
export type ValueType = "i32" | "i64" | "f32" | "f64" | "v128";

/** The byte of a value type in a module. */
export const valueTypeBytes: Readonly<Record<ValueType, number>> = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b };

/** A block that branches can name; it is good until its `end`. */
export type Label = number & { readonly label: unique symbol };

/** Anything that has a number in the index space of functions. */
export interface Callable {
  readonly index: number;
}

/** Instructions in the order of their execution. Every method that writes one answers the writer, so that calls chain. */
export class CodeWriter {
  readonly #out = new ByteWriter(512);
  #depth = 0;

  /** How many bytes of instructions there are. */
  get length(): number {
    return this.#out.length;
  }

  /** Blocks that are open. */
  get depth(): number {
    return this.#depth;
  }

  /** The instructions. Copies: never; a view that is good until the next write. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#out.bytes();
  }

  #opcode(name: string): void {
    const opcode = instructionsByName.get(name)!.opcode;
    if (opcode > 0xffff) {
      this.#out.byte(opcode >>> 16);
      this.#out.unsigned(opcode & 0xffff);
    } else this.#out.byte(opcode);
  }

  /** An instruction with no more to it than its name: `i32.add`, `f32x4.mul`, `memory.copy`. */
  op(name: PlainInstruction): this {
    this.#opcode(name);
    if (name === "memory.copy") this.#out.byte(0);
    if (name.startsWith("memory.")) this.#out.byte(0);
    return this;
  }

  /** A load or store at the address on the stack plus `offset` (unsigned). No alignment is promised: engines ignore it. */
  memory(name: MemoryInstruction, offset: number = 0): this {
    this.#opcode(name);
    this.#out.byte(0);
    this.#out.unsigned(offset);
    return this;
  }

  /** An atomic access to the 32-bit word at the address on the stack plus `offset` (unsigned), which must be a multiple of 4. */
  atomic(name: AtomicInstruction, offset: number = 0): this {
    this.#opcode(name);
    this.#out.byte(2);
    this.#out.unsigned(offset);
    return this;
  }

  /** An instruction on one lane. */
  lane(name: LaneInstruction, lane: number): this {
    this.#opcode(name);
    this.#out.byte(lane);
    return this;
  }

  /** A load into or store from one lane, at the address under the vector on the stack. */
  memoryLane(name: MemoryLaneInstruction, lane: number, offset: number = 0): this {
    this.#opcode(name);
    this.#out.byte(0);
    this.#out.unsigned(offset);
    this.#out.byte(lane);
    return this;
  }

  /** i8x16.shuffle: byte i of the result is byte lanes[i] of the 32 bytes of the two vectors on the stack. */
  shuffle(lanes: readonly number[]): this {
    if (lanes.length !== 16 || !lanes.every((lane) => lane >= 0 && lane < 32))
      throw new InternalError(`a shuffle needs 16 lanes from 0 to 31, got ${lanes.join(", ")}`);
    this.#out.byte(0xfd);
    this.#out.unsigned(0x0d);
    this.#out.append(lanes);
    return this;
  }

  /** Pushes a 32-bit integer. */
  i32(value: number): this {
    this.#out.byte(0x41);
    this.#out.signed(value);
    return this;
  }

  /** Pushes a 64-bit integer. */
  i64(value: bigint): this {
    this.#out.byte(0x42);
    this.#out.signed64(value);
    return this;
  }

  /** Pushes a float. */
  f32(value: number): this {
    this.#out.byte(0x43);
    this.#out.float32(value);
    return this;
  }

  /** Pushes a double. */
  f64(value: number): this {
    this.#out.byte(0x44);
    this.#out.float64(value);
    return this;
  }

  /** Pushes a vector, given by its 16 bytes. */
  v128(bytes: Uint8Array): this {
    this.#out.byte(0xfd);
    this.#out.unsigned(0x0c);
    this.#out.append(bytes);
    return this;
  }

  /** Pushes a local. */
  get(local: number): this {
    this.#out.byte(0x20);
    this.#out.unsigned(local);
    return this;
  }

  /** Pops into a local. */
  set(local: number): this {
    this.#out.byte(0x21);
    this.#out.unsigned(local);
    return this;
  }

  /** Copies the top of the stack into a local. */
  tee(local: number): this {
    this.#out.byte(0x22);
    this.#out.unsigned(local);
    return this;
  }

  #open(opcode: number, result: ValueType | null): Label {
    this.#out.byte(opcode);
    this.#out.byte(result === null ? 0x40 : valueTypeBytes[result]);
    return ++this.#depth as Label;
  }

  /** Opens a block: a branch to it goes behind its end. `result` is what it leaves on the stack. */
  block(result: ValueType | null = null): Label {
    return this.#open(0x02, result);
  }

  /** Opens a loop: a branch to it goes to its start; falling off its end leaves it. */
  loop(): Label {
    return this.#open(0x03, null);
  }

  /** Opens a block that runs when the i32 on the stack is not zero. */
  if(result: ValueType | null = null): Label {
    return this.#open(0x04, result);
  }

  /** The other half of the innermost `if`. */
  else(): this {
    this.#out.byte(0x05);
    return this;
  }

  /** Closes the innermost block. */
  end(): this {
    if (this.#depth === 0) throw new InternalError("end without an open block");
    this.#depth--;
    this.#out.byte(0x0b);
    return this;
  }

  #branch(opcode: number, label: Label): this {
    if (label > this.#depth) throw new InternalError(`branch to block ${label}, which has ended; ${this.#depth} are open`);
    this.#out.byte(opcode);
    this.#out.unsigned(this.#depth - label);
    return this;
  }

  /** Branches to `label`. */
  br(label: Label): this {
    return this.#branch(0x0c, label);
  }

  /** Branches to `label` when the i32 on the stack is not zero. */
  brIf(label: Label): this {
    return this.#branch(0x0d, label);
  }

  /** Calls a function of the module or an imported one. */
  call(target: Callable): this {
    this.#out.byte(0x10);
    this.#out.unsigned(target.index);
    return this;
  }
}
