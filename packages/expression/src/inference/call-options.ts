/**
 * The options of methods that are no reductions, and the forms of before, in which they were arguments of their own: `sort(true, 0)`. The old
 * forms work in this version and warn.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, shownValue, warnOldForm } from "@onebuffer/base/internal";
import { checkFlag } from "./axes.ts";

/** What a caller gave in place of options; old forms have values of other types. */
type Given = unknown;

/** The options of sort and argsort, with the axis. */
export function sortOptions(op: string, axis: Given, options: Given): { readonly axis: unknown; readonly descending: boolean } {
  if (typeof axis === "boolean") {
    warnOldForm(`${op}(descending, axis)`, `${op}(axis, { descending })`);
    return { axis: options ?? -1, descending: axis };
  }
  return { axis: axis ?? -1, descending: flagOf(op, options, "descending", `${op}(axis, descending)`) };
}

/** The option of gelu. */
export function geluOptions(options: Given): boolean {
  return flagOf("gelu", options, "approximate", "gelu(approximate)");
}

/** Returns the one option of a method that is true or false, by default false. `oldForm` is the call in which it was an argument. */
function flagOf(op: string, options: Given, name: string, oldForm: string): boolean {
  if (options === undefined) return false;
  if (typeof options === "boolean") {
    warnOldForm(oldForm, oldForm.replace(name, `{ ${name} }`));
    return options;
  }
  checkOptions(op, options, [name]);
  return checkFlag(op, name, (options as Record<string, unknown>)[name] ?? false);
}

/** Returns the epsilon of l2Normalize. Throws INVALID_ARGUMENT unless it is a number. */
export function l2NormalizeOptions(options: Given): number {
  if (options === undefined) return 1e-12;
  if (typeof options !== "number") {
    checkOptions("l2Normalize", options, ["epsilon"]);
    return numberOf("l2Normalize", "epsilon", (options as { readonly epsilon?: unknown }).epsilon, 1e-12);
  }
  warnOldForm("l2Normalize(axes, epsilon)", "l2Normalize(axes, { epsilon })");
  return options;
}

/** The options of pad; `value` is undefined for the zero of the dtype. */
export function padOptions(given: readonly Given[]): { readonly mode?: unknown; readonly value?: unknown } {
  const [options = {}, value] = given;
  if (typeof options === "string") {
    warnOldForm("pad(paddings, mode, value)", "pad(paddings, { mode, value })");
    return { mode: options, value };
  }
  checkOptions("pad", options, ["mode", "value"]);
  return options as object;
}

/** The options of layerNorm. */
export interface LayerNormValues<V> {
  readonly scale: V | null;
  readonly offset: V | null;
  readonly epsilon: number;
}

/** The options of layerNorm. An operand or a number in their place is the old form. */
export function layerNormOptions<V>(given: readonly Given[]): LayerNormValues<V> {
  const [first = {}] = given;
  const isOptions = typeof first === "object" && first !== null && !("dtype" in first) && !("asOperand" in first);
  if (isOptions) checkOptions("layerNorm", first, ["scale", "offset", "epsilon"]);
  else warnOldForm("layerNorm(scale, offset, epsilon)", "layerNorm({ scale, offset, epsilon })");
  const [scale, offset, epsilon] = isOptions ? Object.values({ scale: null, offset: null, epsilon: undefined, ...first }) : given;
  return {
    scale: (scale ?? null) as V | null,
    offset: (offset ?? null) as V | null,
    epsilon: numberOf("layerNorm", "epsilon", epsilon, 1e-3),
  };
}

/**
 * Returns two named values that describe random numbers, undefined where the caller gave none. `given` is the options, or the two values as
 * arguments, the old form.
 */
export function randomOptions(op: string, names: readonly [string, string], given: readonly Given[]): readonly [unknown, unknown] {
  const [options] = given;
  if (options === undefined && given.length < 2) return [undefined, undefined];
  if (typeof options === "object" && options !== null) {
    checkOptions(op, options, names);
    const values = options as Record<string, unknown>;
    return [values[names[0]], values[names[1]]];
  }
  warnOldForm(`${op}(dtype, sizes, seed, ${names.join(", ")})`, `${op}(dtype, sizes, seed, { ${names.join(", ")} })`);
  return [given[0], given[1]];
}

/** Returns a number, or the default if there is none. Throws INVALID_ARGUMENT for other values. */
function numberOf(op: string, name: string, value: unknown, otherwise: number): number {
  if (value === undefined) return otherwise;
  if (typeof value !== "number") throw new InvalidArgumentError(`${op}: ${name} must be a number, got ${shownValue(value)}`);
  return value;
}
