/** move-text: copies, exchanges and negations of rows, as text. */
import type { LaneWords } from "./lane-words.ts";

/** Copies rows of some bytes, a multiple of an element. */
export const copyParams = "from fromStride to toStride rows bytes";
export const copyLocals = "a b left";

/** Returns the words that do something with 16 bytes, and then with the elements that are left. */
function along({ size }: LaneWords, vector: string, element: string, step: string): string {
  return `
    bytes ->left
    block:few
      left 16 < br_if:few
      loop
        ${vector}
        ${step.replaceAll("STEP", "16")}
        left+=-16
      left 16 < i32.eqz while
    end
    left if
      loop
        ${element}
        ${step.replaceAll("STEP", String(size))}
        left+=${-size}
      left while
    end`;
}

/** Returns the text of copies. */
export function copyText(words: LaneWords): string {
  const { one } = words;
  return `
    loop
      from ->a
      to ->b
      ${along(words, "b a v128.load v128.store", `b a ${one}.load ${one}.store`, "a+=STEP b+=STEP")}
      from+=fromStride
      to+=toStride
      rows+=-1
    rows while
    0`;
}

/** Exchanges row j with row pivots[j], for `count` rows from the first on, in their order. */
export const permuteParams = "base stride bytes pivots count";
export const permuteLocals = ({ one }: LaneWords): string => `j a b left v:v128 x:${one}`;

/** Returns the text of exchanges. */
export function permuteText(words: LaneWords): string {
  const { one } = words;
  return `
    loop
      base j stride * + ->a
      base pivots j 2 << + i32.load stride * + ->b
      a b == i32.eqz if
        ${along(
          words,
          "a v128.load ->v a b v128.load v128.store b v v128.store",
          `a ${one}.load ->x a b ${one}.load ${one}.store b x ${one}.store`,
          "a+=STEP b+=STEP",
        )}
      end
      j+=1
    j count < while
    0`;
}

/** Copies a matrix transposed. */
export const transposeParams = "from fromStride to toStride rows columns";
export const transposeLocals = "a b left";

/** Returns the text of transposing copies: columns of the source become rows. */
export function transposeText({ one, size }: LaneWords): string {
  return `
    loop
      from ->a
      to ->b
      columns ->left
      loop
        b a ${one}.load ${one}.store
        a+=${size}
        b+=toStride
        left+=-1
      left while
      from+=fromStride
      to+=${size}
      rows+=-1
    rows while
    0`;
}

/** Stores the negatives of vectors. */
export const negateParams = "from to vectors";

/** Returns the text of negations. */
export const negateText = ({ all }: LaneWords): string => `
  loop
    to from v128.load ${all}.neg v128.store
    from+=16
    to+=16
    vectors+=-1
  vectors while
  0`;

/** Stores zeros above the diagonal of a matrix of n rows. */
export const clearParams = "to n";
export const clearLocals = "i left";

/** Returns the text of zeros. */
export const clearText = ({ one, size }: LaneWords): string => `
  loop
    to i 1 + ${size} * + ->to
    n i - 1 - ->left
    left if
      loop
        to ${one}:0 ${one}.store
        to+=${size}
        left+=-1
      left while
    end
    i+=1
  i n < while
  0`;
