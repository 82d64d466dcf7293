/**
 * fold-by-windows: patches added up at their places (fold-patches.ts) as a sum over windows. It is found for patches that are computed of what
 * depends on the window only, of what depends on the place within a window only, and of other patches of the same places:
 *
 *     patches h[p] f[j] x[p + j]       ->       the sum over j of h[i - j] f[j], times x[i]          h is padded with zeros
 *
 * The patches are not stored, and what kernels do for convolutions and pools they do here. Where windows begin s apart, the elements at
 * s k + r are a sum of their own, over the j = r + s q:
 *
 *     the sum over q of h[k - q] f[r + s q]
 *
 * Some k and q have no window. There h is 0 and the sum gets a product with 0, if what it is multiplied by is finite. Functions of places without a
 * window may not be: x[i] / w[p] where w is padded with zeros, the logarithm of an element that is in no window. Their products are selected.
 */
import { product, sameSizes } from "@onebuffer/storage/internal";
import type { SliceRange } from "@onebuffer/storage";
import { patchFields, reverseFields, sliceFields } from "../inference/movement-inference.ts";
import type { GradientValue } from "../tree/gradient-rule.ts";
import { isElementwise, isSelection } from "../tree/node-kinds.ts";
import { inputsOf, sizesOf } from "../tree/node-lists.ts";
import { attributesOf } from "../tree/op-attributes.ts";
import type { ExpressionTree, OpAttributes } from "../tree/op-attributes.ts";
import type { OpName } from "../tree/op-table.ts";
import { isComplexDType, isFloat } from "../tree/dtype-groups.ts";
import { select } from "../methods/joining.ts";
import { withoutPadding } from "./padded-patches.ts";
import { filled, joined, made, partAlong, placedAlong, repeated, reshaped, shuffled, sumOver } from "./gradient-nodes.ts";

/** The most sums that the elements of an image are divided into, and how deep the nodes of patches are looked through. */
const kMostPhases = 16;
const kMostDepth = 12;

/** One phase of an image along an axis, and the elements of windows that reach it. */
interface Taps {
  /** The axis of the windows. That of the elements of windows is as far from the end as this is in the list. */
  readonly axis: number;
  readonly stride: number;
  /** The distance of the elements of a window; 1 if windows are apart. */
  readonly dilation: number;
  /** The elements of the image are place + stride k, for `size` k; the last may be behind the end. */
  readonly place: number;
  readonly size: number;
  /** The elements of a window are first + stride q, for `count` q. */
  readonly first: number;
  readonly count: number;
  /** Element k of the image is reached by window k + shift - dilation q. */
  readonly shift: number;
  /** The zeros before and behind the windows that all phases need together. */
  readonly padding: readonly [before: number, behind: number];
}

/** The operations whose results are finite wherever their operands are, but for numbers near the largest; of products see `isTame`. */
const kTame: ReadonlySet<OpName> = new Set<OpName>([
  ...(["add", "sub", "neg", "abs", "sign", "maximum", "minimum", "select", "cast", "conj", "real", "imag"] as const),
  ...([
    "equal",
    "notEqual",
    "less",
    "lessEqual",
    "greater",
    "greaterEqual",
    "logicalAnd",
    "logicalOr",
    "logicalXor",
    "logicalNot",
  ] as const),
]);

/** A value over the elements of a phase and the elements of windows that reach them, the last q first. */
interface Reached {
  readonly value: GradientValue;
  /** True if it is 0 where there is no window, provided that it is tame. */
  readonly vanishes: boolean;
  /** True if it is finite where there is no window, provided that all operands are. */
  readonly isTame: boolean;
}

/**
 * Returns patches added up in zeros of these sizes; null if they are not of that form. Their windows are the last axes, and the first window of
 * each axis begins `before` elements before the first of the result.
 */
export function foldedByWindows(
  patches: ExpressionTree,
  sizes: readonly number[],
  attributes: OpAttributes<"extractPatches">,
  before: readonly number[],
): GradientValue | null {
  const { axes, strides, dilations } = attributes;
  const isFit = strides.every((stride, k) => (stride === 1 || dilations[k] === 1) && sizesOf(patches)[axes[k]!] !== 1);
  if (!isFit || product(strides) > kMostPhases || sizesOf(patches).includes(0) || sizes.includes(0)) return null;
  const along = axes.map((axis, k) => {
    return tapsAlong(
      axis,
      sizes[axis]!,
      before[k]!,
      sizesOf(patches)[axis]!,
      sizesOf(patches)[sizes.length + k]!,
      strides[k]!,
      dilations[k]!,
    );
  });
  return new Fold(patches, sizes, attributes, along, before).inPhases([]);
}

/** Returns the phases of an axis. */
function tapsAlong(
  axis: number,
  length: number,
  before: number,
  windows: number,
  window: number,
  stride: number,
  dilation: number,
): readonly Taps[] {
  const size = Math.ceil(length / stride);
  const phases = Array.from({ length: stride }, (_, place) => {
    const first = (place + before) % stride;
    const count = Math.max(0, Math.ceil((window - first) / stride));
    return { axis, stride, dilation, place, size, first, count, shift: (place + before - first) / stride };
  });
  const most = (values: readonly number[]): number => Math.max(0, ...values);
  const padding = [
    most(phases.map(({ count, shift }) => (count - 1) * dilation - shift)),
    most(phases.map(({ shift }) => size + shift - windows)),
  ] as const;
  return phases.map((each) => ({ ...each, padding }));
}

/** Patches that are added up. */
class Fold {
  readonly #patches: ExpressionTree;
  readonly #sizes: readonly number[];
  readonly #attributes: OpAttributes<"extractPatches">;
  readonly #along: readonly (readonly Taps[])[];
  readonly #before: readonly number[];
  /** Values of windows with zeros around them. */
  readonly #padded: Map<ExpressionTree, GradientValue> = new Map();
  /** True for each window; null until it is needed. */
  #windows: GradientValue | null = null;
  /** What was found for the phase that is looked for. */
  readonly #known: Map<ExpressionTree, Reached | null> = new Map();

  constructor(
    patches: ExpressionTree,
    sizes: readonly number[],
    attributes: OpAttributes<"extractPatches">,
    along: readonly (readonly Taps[])[],
    before: readonly number[],
  ) {
    this.#patches = patches;
    this.#sizes = sizes;
    this.#attributes = attributes;
    this.#along = along;
    this.#before = before;
  }

  /** Returns the elements of all phases that begin with the chosen ones, in their order; null if patches are not of the form. */
  inPhases(chosen: readonly Taps[]): GradientValue | null {
    const phases = this.#along[chosen.length];
    if (phases === undefined) return this.#sumOf(chosen);
    const parts: GradientValue[] = [];
    for (const phase of phases) {
      const part = this.inPhases([...chosen, phase]);
      if (part === null) return null;
      parts.push(part);
    }
    const [{ axis, size, stride }] = phases as [Taps];
    if (stride === 1) return parts[0]!;
    const together = joined(
      parts.map((part) => reshaped(part, sizesOf(part).toSpliced(axis + 1, 0, 1))),
      axis + 1,
    );
    return partAlong(reshaped(together, sizesOf(parts[0]!).with(axis, size * stride)), axis, 0, this.#sizes[axis]!);
  }

  /** Returns the sums of one phase. */
  #sumOf(taps: readonly Taps[]): GradientValue | null {
    const places = taps.reduce<readonly number[]>((dims, { axis, size }) => dims.with(axis, size), this.#sizes);
    if (taps.some(({ count }) => count === 0)) return filled(this.#patches.dtype, 0, places);
    this.#known.clear();
    const found = this.reached(this.#patches, taps, 0);
    if (found === null || !found.vanishes) return null;
    const value = found.isTame ? found.value : this.#whereWindowsAre(found.value, taps);
    const all = repeated(value, [...places, ...taps.map(({ count }) => count)]);
    if (taps.every(({ count }) => count === 1)) return reshaped(all, places);
    return sumOver(
      all,
      taps.map((_, k) => places.length + k),
      false,
    );
  }

  /** Returns a value, and 0 where there is no window. */
  #whereWindowsAre(value: GradientValue, taps: readonly Taps[]): GradientValue {
    const isAxis = new Set(taps.map(({ axis }) => axis));
    this.#windows ??= filled(
      "bool",
      1,
      sizesOf(this.#patches).map((size, d) => (isAxis.has(d) ? size : 1)),
    );
    return select(
      this.#ofWindows(this.#windows, taps) as never,
      value as never,
      filled(value.dtype, 0, []) as never,
    ) as unknown as GradientValue;
  }

  /** Returns a node over windows and their elements as one over the elements of a phase; null if it has another form. */
  reached(node: ExpressionTree, taps: readonly Taps[], depth: number): Reached | null {
    let found = this.#known.get(node);
    if (found === undefined) this.#known.set(node, (found = depth > kMostDepth ? null : this.#find(node, taps, depth)));
    return found;
  }

  #find(node: ExpressionTree, taps: readonly Taps[], depth: number): Reached | null {
    const sizes = sizesOf(node);
    const first = sizes.length - taps.length;
    const hasElements = taps.some((_, k) => sizes[first + k] !== 1);
    if (!hasElements && taps.every(({ axis }) => sizes[axis] !== 1)) {
      return { value: this.#ofWindows(node, taps), vanishes: true, isTame: true };
    }
    if (taps.every(({ axis }) => sizes[axis] === 1))
      return { value: hasElements ? ofElements(node, taps) : asValue(node), vanishes: false, isTame: true };
    const [input] = inputsOf(node);
    switch (node.op) {
      case "broadcast":
        return this.reached(ofRank(input!, sizes.length), taps, depth + 1);
      case "extractPatches":
        return this.#ofImage(node, taps);
      case "reshape":
        return this.#reshaped(node, input!, taps, depth);
      case "shuffle":
        return this.#shuffled(node, input!, taps, depth);
      default:
        return isElementwise(node) || isSelection(node) ? this.#elementwise(node, taps, depth) : null;
    }
  }

  /** Returns the elements of the image of other patches of the same places; null for other patches. */
  #ofImage(node: ExpressionTree, taps: readonly Taps[]): Reached | null {
    const { axes, strides, dilations } = attributesOf(node, "extractPatches");
    const { image, before } = withoutPadding(node);
    const isAlike =
      sameSizes(sizesOf(image), this.#sizes) &&
      sameSizes(before, this.#before) &&
      sameSizes(axes, this.#attributes.axes) &&
      sameSizes(strides, this.#attributes.strides) &&
      sameSizes(dilations, this.#attributes.dilations) &&
      taps.every(({ axis }, k) => axis === axes[k]);
    return isAlike ? { value: ofImage(image, taps), vanishes: false, isTame: true } : null;
  }

  /** Returns a value of windows, h[k + shift - dilation q]: windows over the padded values, in which the last q comes first. */
  #ofWindows(node: ExpressionTree, taps: readonly Taps[]): GradientValue {
    let padded = this.#padded.get(node);
    if (padded === undefined) {
      const sizes = sizesOf(node);
      padded = taps.reduce(
        (value, { axis, padding: [before, behind] }) => placedAlong(value, axis, before, 1, before + sizes[axis]! + behind),
        reshaped(node, sizes.slice(0, sizes.length - taps.length)),
      );
      this.#padded.set(node, padded);
    }
    const part = taps.reduce((value, { axis, count, dilation, size, shift, padding: [before] }) => {
      const begin = before + shift - (count - 1) * dilation;
      return partAlong(value, axis, begin, begin + size + (count - 1) * dilation);
    }, padded);
    const [axes, sizes] = [taps.map(({ axis }) => axis), taps.map(({ count }) => count)];
    const [strides, dilations] = [taps.map(() => 1), taps.map(({ dilation }) => dilation)];
    return made(patchFields("gradients", part, { axes, sizes, strides, dilations }));
  }

  /** A reshape may change the axes that are no windows. */
  #reshaped(node: ExpressionTree, input: ExpressionTree, taps: readonly Taps[], depth: number): Reached | null {
    const [to, from] = [sizesOf(node), sizesOf(input)];
    const before = (sizes: readonly number[], axis: number): number => product(sizes.slice(0, axis));
    const axisOf = (axis: number): number => from.findIndex((size, d) => size === to[axis] && before(from, d) === before(to, axis));
    const moved = taps.map((each) => ({ ...each, axis: axisOf(each.axis) }));
    const isKept = moved.every(({ axis }, k) => axis >= 0 && from.at(k - taps.length) === to.at(k - taps.length));
    const found = isKept ? this.reached(input, moved, depth + 1) : null;
    return found && { ...found, value: reshaped(repeated(found.value, sizesIn(from, moved)), sizesIn(to, taps)) };
  }

  #shuffled(node: ExpressionTree, input: ExpressionTree, taps: readonly Taps[], depth: number): Reached | null {
    const { permutation } = attributesOf(node, "shuffle");
    const first = permutation.length - taps.length;
    const moved = taps.map((each) => ({ ...each, axis: permutation[each.axis]! }));
    const found = taps.every((_, k) => permutation[first + k] === first + k) ? this.reached(input, moved, depth + 1) : null;
    return found && { ...found, value: shuffled(found.value, permutation) };
  }

  /** A product is 0 where one of its factors is. */
  #elementwise(node: ExpressionTree, taps: readonly Taps[], depth: number): Reached | null {
    const { op, attributes, dtype } = node;
    const rank = sizesOf(node).length;
    const found = inputsOf(node).map((input) => this.reached(ofRank(input, rank), taps, depth + 1));
    if (found.some((each) => each === null)) return null;
    const inputs = found.map((each) => each!.value);
    const dimensions = Array.from({ length: rank }, (_, d) => Math.max(...inputs.map((input) => sizesOf(input)[d]!)));
    const vanishes = op === "mul" && found.some((each) => each!.vanishes);
    // Two factors of which none is 0 may overflow.
    const isTame = (kTame.has(op) || vanishes) && found.every((each) => each!.isTame);
    // An integer that is divided by 0 is an error, whatever is selected.
    if (!isTame && !isFloat(inputs[0]!.dtype) && !isComplexDType(inputs[0]!.dtype)) return null;
    return { value: made({ op, inputs, attributes, dtype, dimensions }), vanishes, isTame };
  }
}

const asValue = (node: ExpressionTree): GradientValue => node as GradientValue;

/** Returns a value with axes of size 1 before its own. */
function ofRank(node: ExpressionTree, rank: number): GradientValue {
  const sizes = sizesOf(node);
  return reshaped(node, [...new Array<number>(rank - sizes.length).fill(1), ...sizes]);
}

/** Returns the sizes of a value over windows and their elements, over the elements of a phase. */
function sizesIn(sizes: readonly number[], taps: readonly Taps[]): number[] {
  const first = sizes.length - taps.length;
  return sizes.map((size, d) => (d >= first ? taps[d - first]!.count : (taps.find(({ axis }) => axis === d)?.size ?? size)));
}

/** Returns a value of the elements of windows, f[first + stride q], the last q first. */
function ofElements(node: ExpressionTree, taps: readonly Taps[]): GradientValue {
  const sizes = sizesOf(node);
  const first = sizes.length - taps.length;
  const ranges = sizes.map((size, d): SliceRange => {
    const along = taps[d - first];
    return along === undefined || size === 1 || along.stride === 1 ? null : [along.first, size, along.stride];
  });
  const chosen = ranges.every((range) => range === null) ? asValue(node) : made(sliceFields(node, ranges));
  return made(
    reverseFields(
      chosen,
      taps.map((_, k) => first + k),
    ),
  );
}

/** Returns the elements of an image in a phase. */
function ofImage(image: ExpressionTree, taps: readonly Taps[]): GradientValue {
  const whole = taps.reduce((value, { axis, size, stride }) => {
    const all = size * stride;
    return sizesOf(value)[axis] === all ? value : placedAlong(value, axis, 0, 1, all);
  }, asValue(image));
  const ranges = sizesOf(whole).map((size, d): SliceRange => {
    const along = taps.find(({ axis }) => axis === d);
    return along === undefined || along.stride === 1 ? null : [along.place, size, along.stride];
  });
  const chosen = ranges.every((range) => range === null) ? whole : made(sliceFields(whole, ranges));
  return reshaped(chosen, [...sizesOf(chosen), ...taps.map(() => 1)]);
}
