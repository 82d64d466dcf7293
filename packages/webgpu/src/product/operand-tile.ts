/**
 * OperandTile: a part of an operand of a product in workgroup memory: a row for each k of a step, along the side that the operand shares
 * with the result: rows for A, columns for B.
 *
 *     tile[k * pitch + i]      number i of the side. The pitch is one more than the side has numbers, so that neighboring k are in other banks
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import type { VectorKind } from "@onebuffer/wasm/internal";
import { loadElement } from "../wgsl/element-memory.ts";
import type { Shader } from "../wgsl/shader.ts";
import { typeOf } from "../wgsl/wgsl-kinds.ts";

/** The loads that are written for each pass of the loop over a tile. */
const kLoads = 4;

/** Loops over a side or over k: sizes, outermost first, and bytes per step. */
export interface TileLoops {
  readonly sizes: readonly number[];
  readonly strides: readonly number[];
}

/** An operand as it is bound, and its loops. */
export interface TileOperand {
  readonly slot: number;
  readonly dtype: DType;
  readonly side: TileLoops;
  readonly inner: TileLoops;
  /** The text of the index of the product's first element. */
  readonly start: string;
}

/**
 * The numbers of a tile: those of its side, and how many k. Both are powers of 2 that divide the invocations, and `kLoads` loads of every
 * invocation divide the tile, so that no pass goes beyond it.
 */
export interface TileSize {
  readonly side: number;
  readonly step: number;
  readonly invocations: number;
}

/** Loops as texts of numbers. */
interface LoopTexts {
  readonly sizes: readonly string[];
  readonly strides: readonly string[];
}

/** One operand's tile in a shader. */
export class OperandTile {
  readonly name: string;
  readonly #shader: Shader;
  readonly #kind: VectorKind;
  readonly #operand: TileOperand;
  readonly #size: TileSize;
  readonly #buffer: string;
  readonly #side: LoopTexts;
  readonly #inner: LoopTexts;
  /** True if neighbors along the side are adjacent in memory, so that neighboring invocations read along it. */
  readonly #isAlongSide: boolean;

  constructor(shader: Shader, name: string, kind: VectorKind, operand: TileOperand, size: TileSize) {
    this.name = name;
    this.#shader = shader;
    this.#kind = kind;
    this.#operand = operand;
    this.#size = size;
    this.#buffer = shader.buffer(operand.slot, "read");
    const itemBytes = dtypeSize(operand.dtype);
    this.#side = loopTexts(shader, operand.side, itemBytes);
    this.#inner = loopTexts(shader, operand.inner, itemBytes);
    this.#isAlongSide = operand.side.strides.at(-1) === itemBytes;
    shader.declare(`var<workgroup> ${name}: array<${typeOf(kind)}, ${this.pitch * size.step}>;`);
  }

  /** The numbers from one k to the next. */
  get pitch(): number {
    return this.#size.side + 1;
  }

  /**
   * Writes the loads of a step from k = `k0` on. `first` and `limit` are the tile's first number of the side and the end of the side. An
   * invocation keeps its place along the direction in which neighbors read side by side, and moves along the other one. Elements behind an end
   * are read as well, at an index that WebGPU keeps within the buffer, and replaced by 0: a branch for each would be slower.
   */
  load(first: string, limit: string, k0: string, depth: string): void {
    const { source } = this.#shader;
    const { side, step, invocations } = this.#size;
    const [span, length] = this.#isAlongSide ? [side, step] : [step, side];
    const apart = invocations / span;
    source.open(`for (var e = t >> ${Math.log2(span)}u; e < ${length}; e += ${kLoads * apart}) {`);
    source.line(`let kept = t & ${span - 1};`);
    for (let load = 0; load < kLoads; load++) {
      const moved = `e + ${load * apart}`;
      const [at, k] = this.#isAlongSide ? ["kept", moved] : [moved, "kept"];
      source.open("{");
      source.line(`let at = ${at};`);
      source.line(`let k = ${k};`);
      source.line(`let i = ${first} + at;`);
      const place = `${this.#operand.start} + ${this.#address(`${k0} + k`, this.#inner)} + ${this.#address("i", this.#side)}`;
      const number = source.text(loadElement(source, this.#buffer, this.#operand.dtype, place), this.#kind);
      source.line(
        `${this.name}[k * ${this.pitch} + at] = select(${typeOf(this.#kind)}(), ${number}, i < ${limit} && ${k0} + k < ${depth});`,
      );
      source.close();
    }
    source.close();
  }

  /** Returns the offset of an index that counts several loops. */
  #address(index: string, { sizes, strides }: LoopTexts): string {
    const { source } = this.#shader;
    const parts: string[] = [];
    let rest = `(${index})`;
    for (let loop = sizes.length - 1; loop >= 0; loop--) {
      const own = loop === 0 ? rest : source.text(source.value("i32x4", `${rest} % ${sizes[loop]}`));
      if (strides[loop] !== "") parts.push(strides[loop] === "1" ? own : `${own} * ${strides[loop]}`);
      if (loop > 0) rest = source.text(source.value("i32x4", `${rest} / ${sizes[loop]}`));
    }
    return parts.length === 0 ? "0i" : parts.join(" + ");
  }
}

/** Returns loops as texts: strides of 0 and 1 are part of the shader's text, as "" and "1". */
function loopTexts(shader: Shader, { sizes, strides }: TileLoops, itemBytes: number): LoopTexts {
  const text = (stride: number): string => (stride === 0 ? "" : stride === itemBytes ? "1" : shader.word(stride / itemBytes));
  return { sizes: sizes.map((size) => shader.word(size)), strides: strides.map(text) };
}
