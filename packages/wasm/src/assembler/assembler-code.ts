/**
 * CodeWriter: writes the instructions of a function one after the other.
 *
 * The caller writes for WebAssembly's stack machine directly: operands are pushed before the instruction that takes them. CodeWriter adds
 * labels: `loop()` returns one, and `brIf(label)` counts the blocks in between. A function has two writers, for its prologue and its
 * body, whose bytes are joined when the module is written.
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

/** The byte that encodes each value type in a module. */
export const valueTypeBytes: Readonly<Record<ValueType, number>> = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b };

/** A block that branches can name. It is valid until the block's `end`. */
export type Label = number & { readonly label: unique symbol };

/** A function that can be called: one of the module or an imported one. `index` is its number in the module's function index space. */
export interface Callable {
  readonly index: number;
}

/**
 * Writes instructions in order. Methods that write an instruction return the writer, so that calls can be chained; block methods return a
 * label.
 */
export class CodeWriter {
  readonly #out = new ByteWriter(512);
  #depth = 0;

  /** The number of bytes written. */
  get length(): number {
    return this.#out.length;
  }

  /** The number of open blocks. */
  get depth(): number {
    return this.#depth;
  }

  /** Returns the bytes of the instructions, as a view that is valid until the next write. Copies: never. */
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

  /**
   * Writes an instruction without immediates, such as `i32.add` or `f32x4.mul`; for memory instructions such as `memory.copy`, memory 0.
   */
  op(name: PlainInstruction): this {
    this.#opcode(name);
    if (name === "memory.copy") this.#out.byte(0);
    if (name.startsWith("memory.")) this.#out.byte(0);
    return this;
  }

  /** Writes a load or store at the address on the stack plus `offset` (unsigned). The alignment hint is 1 byte; engines ignore it. */
  memory(name: MemoryInstruction, offset: number = 0): this {
    this.#opcode(name);
    this.#out.byte(0);
    this.#out.unsigned(offset);
    return this;
  }

  /** Writes an atomic access to the 32-bit word at the address on the stack plus `offset` (unsigned). The sum must be a multiple of 4. */
  atomic(name: AtomicInstruction, offset: number = 0): this {
    this.#opcode(name);
    this.#out.byte(2);
    this.#out.unsigned(offset);
    return this;
  }

  /** Writes an instruction on one lane. */
  lane(name: LaneInstruction, lane: number): this {
    this.#opcode(name);
    this.#out.byte(lane);
    return this;
  }

  /** Writes a load into or a store from one lane. The address is below the vector on the stack. */
  memoryLane(name: MemoryLaneInstruction, lane: number, offset: number = 0): this {
    this.#opcode(name);
    this.#out.byte(0);
    this.#out.unsigned(offset);
    this.#out.byte(lane);
    return this;
  }

  /**
   * Writes i8x16.shuffle: byte i of the result is byte lanes[i] of the 32 bytes of the two vectors on the stack. Throws INTERNAL for
   * other lanes.
   */
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

  /** Opens a block. A branch to it continues after its end. `result` is the type of the value it leaves on the stack. */
  block(result: ValueType | null = null): Label {
    return this.#open(0x02, result);
  }

  /** Opens a loop. A branch to it continues at its start; reaching its end leaves it. */
  loop(): Label {
    return this.#open(0x03, null);
  }

  /** Opens a block that runs if the i32 on the stack is not zero. */
  if(result: ValueType | null = null): Label {
    return this.#open(0x04, result);
  }

  /** Starts the `else` part of the innermost `if`. */
  else(): this {
    this.#out.byte(0x05);
    return this;
  }

  /** Closes the innermost block. Throws INTERNAL if no block is open. */
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

  /** Branches to `label`. Throws INTERNAL if its block has ended. */
  br(label: Label): this {
    return this.#branch(0x0c, label);
  }

  /** Branches to `label` if the i32 on the stack is not zero. Throws INTERNAL if its block has ended. */
  brIf(label: Label): this {
    return this.#branch(0x0d, label);
  }

  /** Adds a constant to an i32 local. */
  addTo(local: number, value: number): this {
    return this.get(local).i32(value).op("i32.add").set(local);
  }

  /** Adds an i32 local to another one. */
  addLocal(local: number, by: number): this {
    return this.get(local).get(by).op("i32.add").set(local);
  }

  /**
   * Writes a loop that runs while an i32 local is at least `least` (signed), and subtracts `step` from it after `write` has written the
   * body. A branch to the label that `write` gets leaves the loop.
   */
  whileAtLeast(local: number, least: number, step: number, write: (end: Label) => void): this {
    const end = this.block();
    this.get(local).i32(least).op("i32.lt_s").brIf(end);
    const again = this.loop();
    write(end);
    return this.get(local).i32(step).op("i32.sub").tee(local).i32(least).op("i32.ge_s").brIf(again).end().end();
  }

  /** Pushes the smaller one of an i32 local and a constant (signed). */
  least(local: number, limit: number): this {
    return this.get(local).i32(limit).get(local).i32(limit).op("i32.lt_s").op("select");
  }

  /** Ends a loop that counts an i32 local down: branches to its start until the local is 0. Throws INTERNAL if the loop has ended. */
  countDown(local: number, loop: Label): this {
    return this.get(local).i32(1).op("i32.sub").tee(local).brIf(loop).end();
  }

  /** Calls a function of the module or an imported one. */
  call(target: Callable): this {
    this.#out.byte(0x10);
    this.#out.unsigned(target.index);
    return this;
  }
}
