/**
 * DimLevelType: how a dimension of a sparse layout is stored (xla_data.proto, 2022 to 2025; XLA is taking it out).
 *
 * onebuffer recognises these in text and messages so that it can say what it refuses; it computes nothing with them.
 */

/**
 * The dimension level types by their names in the proto.
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

/** The letters of text, `D(D,C,S,H)`, by number. */
const kLetters = "DCSH";

/** The letter of a level type in text. */
export function dimLevelTypeLetter(type: DimLevelType): string {
  return kLetters.charAt(type);
}

/** The level type of a letter, or null. */
export function dimLevelTypeOfLetter(letter: string): DimLevelType | null {
  const type = letter.length === 1 ? kLetters.indexOf(letter) : -1;
  return type < 0 ? null : (type as DimLevelType);
}

/** Whether `value` is a level type's number. */
export function isDimLevelType(value: unknown): value is DimLevelType {
  return value === 0 || value === 1 || value === 2 || value === 3;
}
