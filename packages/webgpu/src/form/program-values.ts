/**
 * ProgramValues: writes the values of a program into a shader, each where it is computed least often: those of a row outside the loop over
 * its elements.
 */
import type { DType } from "@onebuffer/base";
import { InternalError } from "@onebuffer/base";
import { isComplexDType, isFloat, parts } from "@onebuffer/expression/internal";
import { levels, mayNeedRecheck, rowPasses, valueLevels } from "@onebuffer/compiler/internal";
import type { Program, ProgramNode, ProgramParameter } from "@onebuffer/compiler/internal";
import type { Vector } from "@onebuffer/wasm/internal";
import { laneKind, loadElement } from "../wgsl/element-memory.ts";
import type { Shader } from "../wgsl/shader.ts";
import { bitsOf } from "../wgsl/wgsl-literals.ts";
import { elementOperation } from "./element-operation.ts";
import { castLane } from "./lane-casts.ts";
import type { Space } from "./space.ts";

/** The memory of a program's operands as a shader binds it, and the flag of invalid elements. */
export interface ProgramMemory {
  /** The slot of each operand; -1 for one that has no memory: a ramp, or a value that is computed in the same shader. */
  readonly slots: readonly number[];
  /** The slot of the flag; -1 for a program without such elements. */
  readonly flag: number;
}

/** The values of one shader. */
export class ProgramValues {
  readonly #shader: Shader;
  readonly #program: Program;
  readonly #space: Space;
  readonly #levels: readonly number[];
  /** The name of the buffer of each operand. */
  readonly #buffers: readonly string[];
  readonly #parameters: readonly Vector[];
  readonly #flag: string | null;
  /** Values that are known from here on, and those of the innermost loop. */
  readonly #known: Map<number, Vector> = new Map();
  #inner: Map<number, Vector> | null = null;
  #coordinates: readonly string[] = [];
  /** The addresses of operands at the beginning of a row. */
  readonly #rowAddresses: Map<number, string> = new Map();
  #keptLoops = 0;

  /** `varies` says for each operand whether it moves within a row. */
  constructor(shader: Shader, program: Program, space: Space, varies: readonly boolean[], { slots, flag }: ProgramMemory) {
    this.#shader = shader;
    this.#program = program;
    this.#space = space;
    this.#levels = valueLevels(program.nodes, varies);
    this.#buffers = slots.map((slot) => (slot < 0 ? "" : shader.buffer(slot, "read")));
    this.#flag = flag < 0 || !mayNeedRecheck(program.nodes) ? null : shader.buffer(flag, "add");
    this.#parameters = program.parameters.map((parameter) => parameterOf(shader, parameter));
  }

  /** Begins a row: the coordinates of the loops outside of it. */
  beginRow(coordinates: readonly string[]): void {
    this.#keptLoops = coordinates.length;
    this.#coordinates = coordinates;
    this.#program.operands.forEach((_, k) => {
      const { source } = this.#shader;
      this.#rowAddresses.set(k, source.text(source.value("i32x4", this.#space.address(k + 1, coordinates))));
    });
  }

  /** Gives a value that was computed elsewhere: a reduction, or between `beginElement` and `endElement` one of the element. */
  set(node: number, value: Vector): void {
    (this.#inner ?? this.#known).set(node, value);
  }

  /** Computes the values of the row that `wanted` need and whose reductions are known. */
  prepare(wanted: readonly number[]): void {
    for (const node of wanted) this.#prepare(node, new Set());
  }

  /** Begins an element of the row, at the coordinates of the loops in it. Its values are known until `endElement`. */
  beginElement(coordinates: readonly string[]): void {
    this.#inner = new Map();
    this.#coordinates = coordinates;
  }

  endElement(): void {
    this.#inner = null;
  }

  /** Returns the values that the last pass of the reductions computes and the elements of the result need again, where memory costs less. */
  keptValues(): readonly number[] {
    const { nodes, result } = this.#program;
    return rowPasses(nodes, this.#levels, result).at(-2)?.stores ?? [];
  }

  /** Returns a value; both parts of a complex one. */
  parts(node: number): readonly Vector[] {
    const { op, inputs } = this.#program.nodes[node]!;
    return op === "complex" ? inputs.map((input) => this.value(input)) : [this.value(node)];
  }

  /** Returns a value that is computed here if it is not known. */
  value(node: number): Vector {
    const known = this.#known.get(node) ?? this.#inner?.get(node);
    if (known !== undefined) return known;
    const made = this.#compute(this.#program.nodes[node]!, node);
    (this.#inner ?? this.#known).set(node, made);
    return made;
  }

  /** Returns true if the value could be computed: it is one of the row, and its reductions are known. */
  #prepare(node: number, seen: Set<number>): boolean {
    if (this.#known.has(node)) return true;
    if (seen.has(node)) return false;
    seen.add(node);
    const { kind, op, inputs } = this.#program.nodes[node]!;
    if (kind === "reduce") return false;
    const areKnown = inputs.map((input) => this.#prepare(input, seen)).every(Boolean);
    if (!areKnown || this.#levels[node] === levels.element || op === "complex") return false;
    this.value(node);
    return true;
  }

  #compute(node: ProgramNode, at: number): Vector {
    const { kind, op, dtype, inputs, index, saturate } = node;
    const { source } = this.#shader;
    switch (kind) {
      case "load":
        return loadElement(source, this.#buffers[index]!, loadedDType(this.#program, node), this.#address(index), parts[op] ?? 0);
      case "ramp":
        return this.#ramp(dtype, this.#address(index));
      case "parameter":
        return this.#parameters[index]!;
      case "literal":
        return source.constant(laneKind(dtype), index);
      case "op":
        break;
      case "reduce":
        throw new InternalError(`WebGPU: reduction ${at} is not computed yet`);
    }
    const inputDTypes = inputs.map((input) => this.#program.nodes[input]!.dtype);
    return elementOperation(
      source,
      { op: op as never, dtype, inputs: inputs.map((input) => this.value(input)), inputDTypes, saturate },
      (condition) => this.#report(condition),
    );
  }

  #address(operand: number): string {
    const row = this.#rowAddresses.get(operand)!;
    return this.#inner === null ? row : this.#space.address(operand + 1, this.#coordinates, this.#keptLoops, row);
  }

  /** Returns a number that is computed from the place. */
  #ramp(dtype: DType, place: string): Vector {
    const { source } = this.#shader;
    const number = source.value("i32x4", place);
    const isSingle = isFloat(dtype) && dtype !== "float64";
    // Compilers take x * 0 for 0, where infinity and NaN give NaN: the number of the one place of an axis of 1 element is kept from them.
    return isSingle
      ? source.value("f32x4", `f32(${source.text(number)} | bitcast<i32>(zero))`)
      : castLane(source, number, "int32", dtype, false);
  }

  #report(condition: string): void {
    if (this.#flag === null) throw new InternalError("WebGPU: a program without a flag reports an element");
    this.#shader.source.line(`if (${condition}) { atomicOr(&${this.#flag}[0], 1u); }`);
  }
}

/** Returns the dtype of the elements that a load reads a part or all of. */
function loadedDType({ operands }: Program, { op, dtype, index }: ProgramNode): DType {
  if (parts[op] === undefined) return dtype;
  return operands[index]!.itemBytes === 8 ? "complex64" : "complex128";
}

/** Returns a constant as words of the uniform buffer. */
function parameterOf(shader: Shader, { dtype, value }: ProgramParameter): Vector {
  const { source } = shader;
  const kind = laneKind(dtype);
  if (dtype === "bool") return source.mask(`${shader.word(value === true || value === 1 ? 1 : 0)} != 0i`);
  if (isComplexDType(dtype)) throw new InternalError(`WebGPU: a constant of ${dtype}`);
  const bits = bitsOf(kind, value as number | bigint).map((word) => shader.word(word));
  if (bits.length === 2) return source.value(kind, `bitcast<vec2<u32>>(vec2<i32>(${bits.join(", ")}))`);
  return source.value("i32x4", bits[0]!).as(kind);
}
