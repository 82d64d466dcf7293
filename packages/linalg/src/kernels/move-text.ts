/** move-text: copies, exchanges and negations of rows, as text. */
import type { LaneWords } from "../dense/lane-words.ts";

/** Copies rows of some bytes, a multiple of an element. */
export const copyParams = "from fromStride to toStride rows bytes";
export const copyLocals = "a b left";

/** Returns the words that do something with 64 bytes, then with 16 at an offset, and then with the elements that are left. */
function along({ size }: LaneWords, vector: (offset: number) => string, element: string, pointers: string): string {
  const whole = (numBytes: number, words: string): string => `
    block:few
      left ${numBytes} < br_if:few
      loop
        ${words}
        ${pointers.replace(/\w+/g, `$&+=${numBytes}`)}
        left+=${-numBytes}
      left ${numBytes} < i32.eqz while
    end`;
  return `
    bytes ->left
    ${whole(64, [0, 16, 32, 48].map(vector).join(" "))}
    ${whole(16, vector(0))}
    left if
      loop
        ${element}
        ${pointers.replace(/\w+/g, `$&+=${size}`)}
        left+=${-size}
      left while
    end`;
}

/** Returns the text of copies. */
export function copyText(words: LaneWords): string {
  const { one } = words;
  return movedText(words, (at) => `b a v128.load:${at} v128.store:${at}`, `b a ${one}.load ${one}.store`);
}

/** Returns the text that moves vectors and elements of rows from `a` to `b`. */
function movedText(words: LaneWords, vector: (offset: number) => string, element: string): string {
  return `
    loop
      from ->a
      to ->b
      ${along(words, vector, element, "a b")}
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
          (at) => `a v128.load:${at} ->v a b v128.load:${at} v128.store:${at} b v v128.store:${at}`,
          `a ${one}.load ->x a b ${one}.load ${one}.store b x ${one}.store`,
          "a b",
        )}
      end
      j+=1
    j count < while
    0`;
}

/** Returns the text of copies with opposite signs, which have the parameters of copies. */
export function negateText(words: LaneWords): string {
  const { one, all } = words;
  return movedText(words, (at) => `b a v128.load:${at} ${all}.neg v128.store:${at}`, `b a ${one}.load ${one}.neg ${one}.store`);
}

/** Stores zeros above the diagonal of a matrix of n rows. */
export const clearParams = "to n stride";
export const clearLocals = "i at bytes left zero:v128";

/** Returns the text of zeros. */
export function clearText(words: LaneWords): string {
  const { one, size } = words;
  return `
    ${one}:0 ${words.all}.splat ->zero
    loop
      i 1 + ${size} * to + ->at
      n i - 1 - ${size} * ->bytes
      ${along(words, (at) => `at zero v128.store:${at}`, `at ${one}:0 ${one}.store`, "at")}
      to+=stride
      i+=1
    i n < while
    0`;
}
