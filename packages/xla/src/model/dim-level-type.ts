/**
 * DimLevelType: how one dimension of a sparse layout is stored (xla_data.proto, 2022 to 2025; XLA is removing it).
 *
 * onebuffer does not support sparse layouts. It reads these types from text and messages only so that an error can name
 * what is refused.
 */

/**
 * The dimension level type numbers by their names in the proto.
 *
 * @example
 * DimLevelType.DIM_COMPRESSED; // => 1
 */
export const DimLevelType = {
  DIM_DENSE: 0,
  DIM_COMPRESSED: 1,
  DIM_SINGLETON: 2,
  DIM_LOOSE_COMPRESSED: 3,
} as const;

/** One of the dimension level type numbers. */
export type DimLevelType = (typeof DimLevelType)[keyof typeof DimLevelType];

/** The letter of each level type in layout text, such as `D(D,C,S,H)`, indexed by its number. */
const kLetters = "DCSH";

/** Returns the letter that stands for a level type in layout text. */
export function dimLevelTypeLetter(type: DimLevelType): string {
  return kLetters.charAt(type);
}

/** Returns the level type that a letter stands for, or null if there is none. */
export function dimLevelTypeOfLetter(letter: string): DimLevelType | null {
  const type = letter.length === 1 ? kLetters.indexOf(letter) : -1;
  return type < 0 ? null : (type as DimLevelType);
}

/** Returns true if `value` is the number of a level type. */
export function isDimLevelType(value: unknown): value is DimLevelType {
  return value === 0 || value === 1 || value === 2 || value === 3;
}
