/**
 * shared-extremes: the gradient of extremes of windows (expression's gradients/shared-extremes.ts) in StableHLO, whose select_and_scatter
 * gives all to the first of equal elements. The operands are the images, the extremes, and the gradients of these.
 */
import type { CustomCall, CustomType, CustomWriter, Windows } from "@onebuffer/expression/internal";

/** Writes the operation: for each element of windows a comparison, and a sum of shares that are padded to their places. */
export function sharedExtremes<V>(call: CustomCall, [images, extremes, gradients]: readonly V[], b: CustomWriter<V>): V {
  const { dtype, dimensions, attributes, inputs } = call;
  return lowered({ dtype, dimensions }, inputs[1]!, attributes as Windows, [images!, extremes!, gradients!], b);
}

/** Writes it for images and windows of these types. */
function lowered<V>(image: CustomType, window: CustomType, windows: Windows, operands: readonly [V, V, V], b: CustomWriter<V>): V {
  const { axes, sizes, strides, dilations, before, after } = windows;
  const [images, extremes, gradients] = operands;
  const { dtype } = image;
  const list = (of: (axis: number) => number): string => `array<i64: ${image.dimensions.map((_, d) => of(d)).join(", ")}>`;
  const at = (values: readonly number[], axis: number, otherwise: number): number => values[axes.indexOf(axis)] ?? otherwise;
  const number = (text: string, dimensions: readonly number[]): V =>
    b.operation(
      "stablehlo.constant",
      [],
      `value = dense<${text}> : tensor<${[...dimensions, dtype === "float32" ? "f32" : "f64"].join("x")}>`,
      [{ dtype, dimensions }],
    )[0]!;
  const pad = (
    value: V,
    text: string,
    low: (d: number) => number,
    high: (d: number) => number,
    inner: (d: number) => number,
    sized: readonly number[],
  ): V =>
    b.operation(
      "stablehlo.pad",
      [value, number(text, [])],
      `edge_padding_low = ${list(low)}, edge_padding_high = ${list(high)}, interior_padding = ${list(inner)}`,
      [{ dtype, dimensions: sized }],
    )[0]!;
  const padded = image.dimensions.map((size, d) => at(before, d, 0) + size + at(after, d, 0));
  const nan = dtype === "float32" ? "0x7FC00000" : "0x7FF8000000000000";
  const around = pad(
    images,
    nan,
    (d) => at(before, d, 0),
    (d) => at(after, d, 0),
    () => 0,
    padded,
  );
  const zeros = number("0.0", window.dimensions);
  const same = (name: string, x: V, y: V, type: CustomType): V => b.operation(name, [x, y], "", [type])[0]!;
  const firsts = elementsOf(sizes).map(
    (element) =>
      (d: number): number =>
        at(element, d, 0) * at(dilations, d, 1),
  );
  const ends = (first: (d: number) => number, d: number): number => first(d) + (window.dimensions[d]! - 1) * at(strides, d, 1) + 1;
  const hits = firsts.map((first) => {
    const attributes = `start_indices = ${list(first)}, limit_indices = ${list((d) => ends(first, d))}, strides = ${list((d) => at(strides, d, 1))}`;
    const part = b.operation("stablehlo.slice", [around], attributes, [window])[0]!;
    const direction = "comparison_direction = #stablehlo<comparison_direction EQ>";
    return b.operation("stablehlo.compare", [part, extremes], direction, [{ dtype: "bool", dimensions: window.dimensions }])[0]!;
  });
  const counts: readonly V[] = hits.map((hit) => b.operation("stablehlo.convert", [hit], "", [window])[0]!);
  const count = counts.reduce((sum, each) => same("stablehlo.add", sum, each, window));
  const share = same("stablehlo.divide", gradients, count, window);
  const placed: readonly V[] = hits.map((hit, k) => {
    const given = b.operation("stablehlo.select", [hit, share, zeros], "", [window])[0]!;
    const first = firsts[k]!;
    return pad(
      given,
      "0.0",
      first,
      (d) => padded[d]! - ends(first, d),
      (d) => at(strides, d, 1) - 1,
      padded,
    );
  });
  const sum = placed.reduce((total, each) => same("stablehlo.add", total, each, { dtype, dimensions: padded }));
  const begin = padded.map((_, d) => at(before, d, 0));
  return b.slice(
    sum,
    begin,
    begin.map((first, d) => first + image.dimensions[d]!),
  );
}

/** Returns the indices of the elements of windows. */
function elementsOf(sizes: readonly number[]): readonly (readonly number[])[] {
  return sizes.reduce<readonly (readonly number[])[]>(
    (all, size) => all.flatMap((index) => Array.from({ length: size }, (_, k) => [...index, k])),
    [[]],
  );
}
