// Operands and results of operations that need their operands as a whole, in any layout.
import { arraySlots } from "@onebuffer/base";
import type { RawDType } from "@onebuffer/base";
import { opTable, tensorMap } from "@onebuffer/eigen";
import { arenaMap, layouts, subject } from "../kernel-subjects.ts";
import type { Dice } from "../kernel-subjects.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

export const realDTypes = opTable.minimum.dtypes as readonly RawDType[];

/** Returns a generator of floats of one sign, for which a relative error is meaningful. */
export const moderate = (dtype: string): ((dice: Dice) => number) | undefined =>
  dtype.includes("float") ? (dice) => Math.fround(0.5 + dice.unit()) : undefined;

/** Returns a map of these sizes inside the linear memory or outside, in any layout. */
export function operand(dtype: RawDType, dims: readonly number[], dice: Dice, element?: (dice: Dice) => number | bigint | boolean): Any {
  const map = subject(dtype, dims, dice.pick(layouts), dice, element) as Any;
  if (dice.below(3) > 0) return map;
  const outside = (tensorMap as Any)(dtype, new map.array.constructor(map.size * arraySlots(dtype)), dims);
  outside.copyFrom(map);
  return outside;
}

/** Returns a target in the linear memory, of any layout. */
export const somewhere = (dtype: RawDType, dims: readonly number[], dice: Dice): Any =>
  dice.below(2) === 0 ? arenaMap(dtype, dims) : subject(dtype, dims, dice.pick(["strided", "transposed", "reversed"]), dice);
