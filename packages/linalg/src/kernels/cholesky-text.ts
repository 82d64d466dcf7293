/**
 * cholesky-text: the factor of a block in scratch memory, as text. The block holds the transposed matrix, of which only the upper triangle is
 * read, so that the loops go along rows: A = U^H U. Rows begin at multiples of 16 bytes and end in whole vectors.
 */
import type { LaneWords } from "../dense/lane-words.ts";
import { subtractNext } from "../dense/lane-words.ts";

/** The parameters: the block, the number of its rows, and the bytes from one row to the next. */
export const choleskyParams = "p n stride";

/** The locals. */
export const choleskyLocals = ({ one }: LaneWords): string => `j i stop begin row other from at left x:${one} xs:v128 s0:v128 s1:v128`;

/** Returns the text. The function leaves the place of the first pivot that is not positive, or -1. */
export function choleskyText(words: LaneWords): string {
  const { one, all, size, splat } = words;
  return `
    p ->row
    n ${size} * 15 + -16 & ->stop
    loop
      row j ${size} * + ${one}.load ->x
      x ${one}:0 ${one}.gt i32.eqz if j return end
      x ${one}.sqrt ->x
      x ${all}.splat ->xs
      j ${size} * -16 & ->begin
      row begin + ->at
      stop begin - 4 >> ->left
      loop
        at at v128.load xs ${all}.div v128.store
        at+=16
        left+=-1
      left while
      row j ${size} * + x ${one}.store
      row ->other
      j 1 + ->i
      block:last
        i n < i32.eqz br_if:last
        loop
          other+=stride
          row i ${size} * + ${splat} ->xs
          i ${size} * -16 & ->begin
          row begin + ->from
          other begin + ->at
          stop begin - 4 >> ->left
          loop
            ${subtractNext(words)}
            left+=-1
          left while
          i+=1
        i n < while
      end
      row+=stride
      j+=1
    j n < while
    -1`;
}
