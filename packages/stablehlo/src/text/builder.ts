/**
 * Builder: writes the operations of a block of StableHLO in static single assignment form (mlir::OpBuilder).
 *
 * Each method writes one operation and returns its result. An operation with the same text is written once: a second request returns the
 * first result. All operations are pure, so this shares common subexpressions.
 *
 * Names of values are the operation and a number, `%add.7`. Names inside a region begin with `r` and a dot, so they never hide others.
 */
import type { Literal } from "./literal-text.ts";
import { literalText } from "./literal-text.ts";
import type { ElementType, TensorType } from "./tensor-type.ts";
import { bitsOf, isComplexType, isIntegerType, isUnsignedType, partType, typeText } from "./tensor-type.ts";

/** The result of an operation, or an argument. */
export interface Value {
  readonly name: string;
  readonly type: TensorType;
  /** The element that all elements equal, for constants. */
  readonly splat?: Literal;
  /** The operation that computed the elements, which may have been moved or broadcast since; undefined for arguments. */
  readonly origin?: string;
  /** True for elements that are repeated: constants, and what a broadcast made. */
  readonly isSpread?: boolean;
  /** The parts of complex numbers that were made of them. */
  readonly parts?: readonly [re: Value, im: Value];
}

/** The directions of `compare`. */
export type Direction = "EQ" | "NE" | "LT" | "LE" | "GT" | "GE";

/** The formats of the element types that floats are computed and stored in: their exponent and mantissa bits. */
const formats: Readonly<Partial<Record<ElementType, string>>> = { f64: "e11m52", f32: "e8m23", f16: "e5m10", bf16: "e8m7" };

/** Writes the operations of a region's block and returns the block's results. */
export type RegionBody = (inner: Builder, args: readonly Value[]) => readonly Value[];

/** The operations that one block contains. */
export class Builder {
  readonly #operations: { readonly name: string; readonly line: string }[] = [];
  readonly #known: Map<string, readonly Value[]> = new Map();
  readonly #depth: number;
  #next = 0;
  #location = "";

  /** Makes an empty block; `depth` is the number of regions around it. */
  constructor(depth: number = 0) {
    this.#depth = depth;
  }

  /** Returns the operations on which results depend, a line each, in order. */
  linesFor(results: readonly Value[]): readonly string[] {
    const used = new Set(results.map(({ name }) => rootName(name)));
    const kept: string[] = [];
    for (const { name, line } of this.#operations.toReversed()) {
      if (!used.has(name)) continue;
      kept.push(line);
      for (const [operand] of line.matchAll(/%[\w.]+/g)) used.add(operand);
    }
    return kept.reverse();
  }

  /** Sets the location that the following operations get, or none. */
  locate(location: string): void {
    this.#location = location === "" ? "" : ` loc(${JSON.stringify(location)})`;
  }

  /** Writes an operation with several results, given without its left side. `hint` begins the names of the results. */
  defineAll(hint: string, text: string, types: readonly TensorType[]): readonly Value[] {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const number = this.#next++;
    const name = this.#depth === 0 ? `%${hint}.${number}` : `%${"r".repeat(this.#depth)}.${number}`;
    const many = types.length > 1;
    const values = types.map((type, k) => ({ name: many ? `${name}#${k}` : name, type, origin: hint }));
    const line = `${"  ".repeat(this.#depth + 2)}${name}${many ? `:${types.length}` : ""} = ${text}${this.#location}`;
    this.#operations.push({ name, line });
    this.#known.set(text, values);
    return values;
  }

  /** Writes an operation with one result. */
  define(hint: string, text: string, type: TensorType): Value {
    return this.defineAll(hint, text, [type])[0] as Value;
  }

  /** Writes a region for a generic operation: `({ ^bb0(…): … })`. The types are those of the block's arguments. */
  region(types: readonly TensorType[], body: RegionBody): string {
    const inner = new Builder(this.#depth + 1);
    const args = types.map((type, k) => ({ name: `%${"r".repeat(this.#depth + 1)}.a${k}`, type }));
    const results = body(inner, args);
    const pad = "  ".repeat(this.#depth + 3);
    const head = types.length === 0 ? "" : `\n${pad}^bb0(${args.map(({ name, type }) => `${name}: ${typeText(type)}`).join(", ")}):`;
    const end = `${pad}stablehlo.return ${namesOf(results)} : ${typesOf(results)}`;
    return `({${head}\n${[...inner.linesFor(results), end].join("\n")}\n${"  ".repeat(this.#depth + 2)}})`;
  }

  /** Writes an operation in MLIR's generic form. */
  generic(op: string, inputs: readonly Value[], attributes: string, region: string, results: readonly TensorType[]): readonly Value[] {
    const held = attributes === "" ? "" : ` <{${attributes}}>`;
    const block = region === "" ? "" : ` ${region}`;
    const text = `"${op}"(${namesOf(inputs)})${held}${block} : (${typesOf(inputs)}) -> (${results.map(typeText).join(", ")})`;
    return this.defineAll(op.slice(op.indexOf(".") + 1), text, results);
  }

  /** A constant of which all elements equal `value`. */
  constant(element: ElementType, dims: readonly number[], value: Literal): Value {
    const type = { element, dims };
    const made = this.define("c", `stablehlo.constant dense<${literalText(element, value)}> : ${typeText(type)}`, type);
    return { ...made, splat: value, isSpread: true };
  }

  /** A constant vector of integers or floats. */
  vector(element: ElementType, values: readonly Literal[]): Value {
    const type = { element, dims: [values.length] };
    const list = values.map((value) => literalText(element, value)).join(", ");
    return this.define("c", `stablehlo.constant dense<[${list}]> : ${typeText(type)}`, type);
  }

  /** A constant with the type of `x`. */
  like(x: Value, value: Literal): Value {
    return this.constant(x.type.element, x.type.dims, value);
  }

  /** An elementwise operation whose operands and result have one type. `op` is its name with the dialect. */
  same(op: string, ...inputs: readonly Value[]): Value {
    const type = (inputs[0] as Value).type;
    const hint = op.slice(op.indexOf(".") + 1);
    return this.define(hint, `${op} ${namesOf(inputs)} : ${typeText(type)}`, type);
  }

  /** A unary operation of the dialect chlo. */
  chlo(op: string, x: Value): Value {
    return this.define(op, `chlo.${op} ${x.name} : ${typeText(x.type)} -> ${typeText(x.type)}`, x.type);
  }

  /**
   * Returns `x` as it is, in a form that compilers do not look through. They rewrite some float operations together with the next one
   * (log(exp(a)) becomes a), but not one whose result is rounded to a format.
   */
  held(x: Value): Value {
    const { element } = x.type;
    const format = formats[element];
    if (format === undefined) return x;
    return this.define("held", `stablehlo.reduce_precision ${x.name}, format = ${format} : ${typeText(x.type)}`, x.type);
  }

  /** Returns `x` as it is, hidden from the compiler's knowledge of constants and broadcasts. */
  opaque(x: Value): Value {
    return this.define("opaque", `stablehlo.optimization_barrier ${x.name} : ${typeText(x.type)}`, x.type);
  }

  add(x: Value, y: Value): Value {
    return this.same("stablehlo.add", x, y);
  }

  maximum(x: Value, y: Value): Value {
    return this.same("stablehlo.maximum", x, y);
  }

  minimum(x: Value, y: Value): Value {
    return this.same("stablehlo.minimum", x, y);
  }

  subtract(x: Value, y: Value): Value {
    return this.same("stablehlo.subtract", x, y);
  }

  multiply(x: Value, y: Value): Value {
    return this.same("stablehlo.multiply", x, y);
  }

  divide(x: Value, y: Value): Value {
    return this.same("stablehlo.divide", x, y);
  }

  and(x: Value, y: Value): Value {
    return this.same("stablehlo.and", x, y);
  }

  or(x: Value, y: Value): Value {
    return this.same("stablehlo.or", x, y);
  }

  xor(x: Value, y: Value): Value {
    return this.same("stablehlo.xor", x, y);
  }

  not(x: Value): Value {
    return this.same("stablehlo.not", x);
  }

  negate(x: Value): Value {
    return this.same("stablehlo.negate", x);
  }

  /** Compares elements; the result is i1. Floats compare as IEEE 754 says. */
  compare(direction: Direction, x: Value, y: Value): Value {
    const { element, dims } = x.type;
    const unsigned = element === "i1" || isUnsignedType(element);
    const kind = isIntegerType(element) ? (unsigned ? "UNSIGNED" : "SIGNED") : "FLOAT";
    const type: TensorType = { element: "i1", dims };
    const text = `stablehlo.compare ${direction}, ${x.name}, ${y.name}, ${kind} : (${typesOf([x, y])}) -> ${typeText(type)}`;
    return this.define(direction.toLowerCase(), text, type);
  }

  /** `then` where the condition holds, `otherwise` elsewhere. All sizes are equal. */
  select(condition: Value, then: Value, otherwise: Value): Value {
    const text = `stablehlo.select ${namesOf([condition, then, otherwise])} : ${typesOf([condition, then])}`;
    return this.define("select", text, then.type);
  }

  /** Converts elements by StableHLO's rules. */
  convert(x: Value, element: ElementType): Value {
    if (x.type.element === element) return x;
    // Of two conversions between floats compilers leave out the first one.
    const isSecond = x.origin === "convert" && formats[x.type.element] !== undefined && !isIntegerType(element);
    const result = this.#reshaping("convert", "", isSecond ? this.held(x) : x, { element, dims: x.type.dims });
    const isNarrower = formats[x.type.element] !== undefined && bitsOf(element) < bitsOf(x.type.element);
    return { ...result, origin: isNarrower ? "convert" : "" };
  }

  /** The bits of elements as elements of a type of the same width. */
  bitcast(x: Value, element: ElementType): Value {
    return x.type.element === element ? x : this.#reshaping("bitcast_convert", "", x, { element, dims: x.type.dims });
  }

  /** The bits of elements as another type: a narrower one adds a last dimension, a wider one removes it. */
  bitcastTo(x: Value, type: TensorType): Value {
    return this.#reshaping("bitcast_convert", "", x, type);
  }

  reshape(x: Value, dims: readonly number[]): Value {
    const isSame = dims.length === x.type.dims.length && dims.every((size, d) => size === x.type.dims[d]);
    return isSame ? x : this.#reshaping("reshape", "", x, { element: x.type.element, dims });
  }

  /** Dimension d of `x` becomes dimension places[d] of the result, the others repeat it. */
  broadcastInDim(x: Value, dims: readonly number[], places: readonly number[]): Value {
    if (x.splat !== undefined) return this.constant(x.type.element, dims, x.splat);
    const isSame = dims.length === x.type.dims.length && dims.every((size, d) => size === x.type.dims[d] && places[d] === d);
    if (isSame) return x;
    return {
      ...this.#reshaping("broadcast_in_dim", `, dims = [${places.join(", ")}]`, x, { element: x.type.element, dims }),
      isSpread: true,
    };
  }

  /** Broadcasts by NumPy's rules. */
  broadcast(x: Value, dims: readonly number[]): Value {
    const added = dims.length - x.type.dims.length;
    return this.broadcastInDim(
      x,
      dims,
      x.type.dims.map((_, d) => added + d),
    );
  }

  /** Dimension d of the result is dimension permutation[d] of `x`. */
  transpose(x: Value, permutation: readonly number[]): Value {
    const type = { element: x.type.element, dims: permutation.map((d) => x.type.dims[d] as number) };
    return permutation.every((from, d) => from === d) ? x : this.#reshaping("transpose", `, dims = [${permutation.join(", ")}]`, x, type);
  }

  /** The elements from `begin` to before `end` in steps, per dimension. */
  slice(x: Value, begin: readonly number[], end: readonly number[], steps: readonly number[]): Value {
    const dims = begin.map((start, d) => Math.max(0, Math.ceil(((end[d] as number) - start) / (steps[d] as number))));
    if (dims.every((size, d) => size === x.type.dims[d] && steps[d] === 1)) return x;
    const ranges = begin.map((start, d) => `${start}:${end[d]}${steps[d] === 1 ? "" : `:${steps[d]}`}`);
    return this.#reshaping("slice", ` [${ranges.join(", ")}]`, x, { element: x.type.element, dims });
  }

  reverse(x: Value, axes: readonly number[]): Value {
    if (axes.length === 0) return x;
    return this.#moved(x, this.define("reverse", `stablehlo.reverse ${x.name}, dims = [${axes.join(", ")}] : ${typeText(x.type)}`, x.type));
  }

  concatenate(parts: readonly Value[], axis: number): Value {
    const first = parts[0] as Value;
    if (parts.length === 1) return first;
    if (isIntegerType(first.type.element) && bitsOf(first.type.element) === 2) return this.#concatenateWide(parts, axis);
    const size = parts.reduce((sum, { type }) => sum + (type.dims[axis] as number), 0);
    const type = { element: first.type.element, dims: first.type.dims.with(axis, size) };
    const text = `stablehlo.concatenate ${namesOf(parts)}, dim = ${axis} : (${typesOf(parts)}) -> ${typeText(type)}`;
    return this.define("concatenate", text, type);
  }

  /** The index of each element along an axis. */
  iota(element: ElementType, dims: readonly number[], axis: number): Value {
    const type = { element, dims };
    return this.define("iota", `stablehlo.iota dim = ${axis} : ${typeText(type)}`, type);
  }

  /** A complex number of two parts. */
  complex(re: Value, im: Value): Value {
    const type: TensorType = { element: re.type.element === "f64" ? "complex<f64>" : "complex<f32>", dims: re.type.dims };
    return { ...this.define("complex", `stablehlo.complex ${namesOf([re, im])} : ${typeText(type)}`, type), parts: [re, im] };
  }

  /** The real parts of complex numbers; other numbers are returned. */
  real(z: Value): Value {
    if (z.parts !== undefined) return z.parts[0];
    if (!isComplexType(z.type.element)) return z;
    return this.#reshaping("real", "", z, { element: partType(z.type.element), dims: z.type.dims });
  }

  /** The imaginary parts of complex numbers. */
  imag(z: Value): Value {
    if (z.parts !== undefined) return z.parts[1];
    return this.#reshaping("imag", "", z, { element: partType(z.type.element), dims: z.type.dims });
  }

  /** Reduces operands together over axes, which are removed. `body` gets one element of each twice: what is reduced so far, then another. */
  reduce(inputs: readonly Value[], starts: readonly Value[], axes: readonly number[], body: RegionBody): readonly Value[] {
    const scalars = starts.map(({ type }) => type);
    const results = inputs.map(({ type }) => ({ element: type.element, dims: type.dims.filter((_, d) => !axes.includes(d)) }));
    const region = this.region([...scalars, ...scalars], body);
    return this.generic("stablehlo.reduce", [...inputs, ...starts], `dimensions = array<i64: ${axes.join(", ")}>`, region, results);
  }

  /** XLA aborts the process when it concatenates integers of two bits on a processor, so they have eight on the way. */
  #concatenateWide(parts: readonly Value[], axis: number): Value {
    const { element } = (parts[0] as Value).type;
    const wide = parts.map((part) => this.convert(part, isUnsignedType(element) ? "ui8" : "i8"));
    return this.convert(this.concatenate(wide, axis), element);
  }

  #reshaping(op: string, attributes: string, x: Value, type: TensorType): Value {
    return this.#moved(x, this.define(op, `stablehlo.${op} ${x.name}${attributes} : (${typeText(x.type)}) -> ${typeText(type)}`, type));
  }

  /** Returns a result whose elements are those of `x`: compilers see the operation that made them through the movement. */
  #moved(x: Value, result: Value): Value {
    const { origin, isSpread = false } = x;
    return origin === undefined ? { name: result.name, type: result.type, isSpread } : { ...result, origin, isSpread };
  }
}

/** Returns the name of the operation that a value is a result of: `%sort.3` for `%sort.3#1`. */
function rootName(name: string): string {
  const mark = name.indexOf("#");
  return mark < 0 ? name : name.slice(0, mark);
}

function namesOf(values: readonly Value[]): string {
  return values.map(({ name }) => name).join(", ");
}

function typesOf(values: readonly Value[]): string {
  return values.map(({ type }) => typeText(type)).join(", ");
}
