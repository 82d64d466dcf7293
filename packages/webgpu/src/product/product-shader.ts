/**
 * The shader of products of matrices.
 *
 *     a workgroup            a tile of the result
 *     an invocation          rows x columns of it in registers: rows that follow each other, and columns as far apart as there are invocations
 *                            across the tile. Neighboring invocations so read and write neighboring columns
 *     workgroup memory       as many columns of A and rows of B at a time as a step has
 *
 * Each element is the sum over k in ascending order, starting at 0. So its bits do not depend on the sizes of tiles. Elements behind the end
 * of A and B are 0 in workgroup memory.
 */
import type { DType } from "@onebuffer/base";
import type { ProductNest } from "@onebuffer/compiler/internal";
import { product as productOf, sameSizes } from "@onebuffer/storage/internal";
import type { VectorKind } from "@onebuffer/wasm/internal";
import { elementLoops, programShader, storeResult } from "../form/program-shader.ts";
import type { ProgramShader, ProgramStep } from "../form/program-shader.ts";
import { laneKind } from "../wgsl/element-memory.ts";
import type { Dispatch, Shader } from "../wgsl/shader.ts";
import { typeOf, wrapped } from "../wgsl/wgsl-kinds.ts";
import { OperandTile } from "./operand-tile.ts";
import { tileShape, tilesOf } from "./tile-shape.ts";
import type { TileShape } from "./tile-shape.ts";

/** The product that a shader computes, beside the program of its elements. */
export interface ProductStep {
  readonly dtype: DType;
  /** The sizes of the product. Those of the program may be others: a convolution reshapes its product. */
  readonly dimensions: readonly number[];
  /** The value of the program that is the product. */
  readonly load: number;
  /** The memory of A and B. */
  readonly operands: readonly [BoundOperand, BoundOperand];
  readonly loops: ProductNest;
}

/** The memory of an operand, and the dtype of its elements there. */
export interface BoundOperand {
  readonly slot: number;
  readonly dtype: DType;
}

/** Returns the dispatch of a product. */
export function productDispatch(step: ProgramStep, product: ProductStep): Dispatch {
  return new ProductShader(step, product).dispatch();
}

/** The shader of one product. */
class ProductShader {
  readonly #step: ProgramStep;
  readonly #product: ProductStep;
  readonly #made: ProgramShader;
  readonly #shader: Shader;
  readonly #kind: VectorKind;
  readonly #shape: TileShape;
  readonly #count: number;
  readonly #height: number;
  readonly #width: number;

  constructor(step: ProgramStep, product: ProductStep) {
    this.#step = step;
    this.#product = product;
    const [height, width] = product.dimensions.slice(-2) as [number, number];
    this.#count = productOf(product.dimensions.slice(0, -2));
    [this.#height, this.#width] = [height, width];
    this.#shape = tileShape(height, width, this.#count);
    this.#made = programShader(step, elementLoops(step), false);
    this.#shader = this.#made.shader;
    const type = typeOf(laneKind(product.dtype));
    this.#kind = type === "f32" ? "f32x4" : type === "u32" ? "u32x4" : "i32x4";
  }

  dispatch(): Dispatch {
    const { down, across, rows, columns } = this.#shape;
    const { source } = this.#shader;
    const [tilesDown, tilesAcross] = tilesOf(this.#shape, this.#height, this.#width);
    const tiles = tilesDown * tilesAcross;
    const [tileCount, perRow] = [this.#shader.word(tiles), this.#shader.word(tilesAcross)];
    source.line(`let item = group / ${tileCount};`);
    source.line(`if (item >= ${this.#shader.word(this.#count)}) { return; }`);
    source.line(`let tile = group % ${tileCount};`);
    source.line(`let row = tile / ${perRow} * ${rows * down};`);
    source.line(`let column = tile % ${perRow} * ${columns * across};`);
    source.line(`let down = t / ${across};`);
    source.line(`let across = t % ${across};`);
    const [m, n] = [this.#shader.word(this.#height), this.#shader.word(this.#width)];
    this.#sums(m, n);
    this.#store(m, n);
    return this.#shader.dispatch("product", down * across, this.#count * tiles);
  }

  /** Returns the text of the index of an operand's first element in the product that is computed. */
  #start(access: 1 | 2): string {
    const { nest, batch } = this.#product.loops;
    const { start, itemBytes, strides } = nest.accesses[access]!;
    const parts = start === 0 ? [] : [this.#shader.word(start / itemBytes)];
    let rest = "item";
    for (let loop = batch - 1; loop >= 0; loop--) {
      const size = this.#shader.word(nest.sizes[loop]!);
      const own = loop === 0 ? rest : this.#named(`${rest} % ${size}`);
      if (strides[loop] !== 0) parts.push(`${own} * ${this.#shader.word(strides[loop]! / itemBytes)}`);
      if (loop > 0) rest = this.#named(`${rest} / ${size}`);
    }
    return parts.length === 0 ? "0i" : this.#named(parts.join(" + "));
  }

  /** Writes the sums over k: the variables s0, s1, … of vectors of four columns, row by row. */
  #sums(m: string, n: string): void {
    const { source } = this.#shader;
    const { rows, columns, across, step } = this.#shape;
    const [left, right] = this.#tiles();
    const depth = this.#shader.word(productOf(this.#product.loops.loops.innerA.sizes));
    const vectors = columns / 4;
    const type = `vec4<${typeOf(this.#kind)}>`;
    for (let s = 0; s < rows * vectors; s++) source.line(`var s${s} = ${type}();`);
    source.open(`for (var k0 = 0; k0 < ${depth}; k0 += ${step}) {`);
    left.load("row", m, "k0", depth);
    right.load("column", n, "k0", depth);
    source.line("workgroupBarrier();");
    source.open(`for (var k = 0; k < ${step}; k++) {`);
    source.line(`let x = k * ${left.pitch} + down * ${rows};`);
    source.line(`let y = k * ${right.pitch} + across;`);
    for (let v = 0; v < vectors; v++) {
      const four = [0, 1, 2, 3].map((q) => `${right.name}[y + ${(v * 4 + q) * across}]`);
      source.line(`let y${v} = ${type}(${four.join(", ")});`);
    }
    for (let row = 0; row < rows; row++) {
      source.line(`let x${row} = ${left.name}[x + ${row}];`);
      for (let v = 0; v < vectors; v++) source.line(`s${row * vectors + v} += x${row} * y${v};`);
    }
    source.close();
    source.line("workgroupBarrier();");
    source.close();
  }

  #tiles(): readonly [OperandTile, OperandTile] {
    const { rows, columns, down, across, step } = this.#shape;
    const { operands, loops: nest } = this.#product;
    const { loops } = nest;
    const invocations = down * across;
    const tileOf = (name: string, k: 0 | 1): OperandTile => {
      const [side, inner] = k === 0 ? [loops.rows, loops.innerA] : [loops.columns, loops.innerB];
      const operand = { ...operands[k], side, inner, start: this.#start(k === 0 ? 1 : 2) };
      const size = { side: k === 0 ? rows * down : columns * across, step, invocations };
      return new OperandTile(this.#shader, name, this.#kind, operand, size);
    };
    return [tileOf("left", 0), tileOf("right", 1)];
  }

  /** Writes the program over the sums of the invocation, and its stores. */
  #store(m: string, n: string): void {
    const { source } = this.#shader;
    const { values, space, program } = this.#made;
    const { rows, columns, across } = this.#shape;
    const isInPlace = sameSizes(this.#step.dimensions, this.#product.dimensions);
    const batch = isInPlace ? space.coordinates("item", 0, space.sizes.length - 2) : [];
    values.beginRow([]);
    values.prepare([program.result]);
    // The sums stay in registers: only this array is indexed by a variable.
    const sums = Array.from({ length: (rows * columns) / 4 }, (_, s) => `s${s}`);
    source.line(`var sums = array<vec4<${typeOf(this.#kind)}>, ${sums.length}>(${sums.join(", ")});`);
    source.open(`for (var e = 0; e < ${rows * columns}; e++) {`);
    source.line(`let i = row + down * ${rows} + e / ${columns};`);
    source.line(`let j = column + across + e % ${columns} * ${across};`);
    source.open(`if (i < ${m} && j < ${n}) {`);
    const index = `(item * ${m} + i) * ${n} + j`;
    const coordinates = isInPlace ? [...batch, "i", "j"] : space.coordinates(this.#named(index), 0, space.sizes.length);
    values.beginElement(coordinates);
    const sum = source.value(this.#kind, "sums[e >> 2u][e & 3]");
    const own = laneKind(this.#product.dtype);
    const { load } = this.#product;
    values.set(load, source.named(own, wrapped(source.text(sum), own)).as(laneKind(program.nodes[load]!.dtype)));
    storeResult(this.#made, this.#step.dtype, space.address(0, coordinates));
    values.endElement();
    source.close();
    source.close();
  }

  /** Returns the name of a number that a line computes. */
  #named(text: string): string {
    const { source } = this.#shader;
    return source.text(source.value("i32x4", text));
  }
}
