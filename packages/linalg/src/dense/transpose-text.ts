/** transpose-text: copies of matrices whose columns become rows, as text. */
import type { LaneWords } from "./lane-words.ts";

/** The parameters: the source, the bytes between its rows, the target and its rows, and the sizes of the source. */
export const transposeParams = "from fromStride to toStride rows columns";

/** The locals. */
export const transposeLocals: string = `a b left ${[0, 1, 2, 3].map((k) => `r${k} v${k}:v128 w${k}:v128`).join(" ")}`;

/** The words of a shuffle that takes places of two vectors, counted in elements of some bytes. */
const shuffled = (size: number, ...places: readonly number[]): string =>
  `shuffle:${places.flatMap((place) => Array.from({ length: size }, (_, k) => place * size + k)).join(",")}`;

/** The words that exchange rows and columns of the square in v0, v1, … */
const squareText = ({ lanes, size }: LaneWords): string => {
  if (lanes === 2) return `v0 v1 ${shuffled(8, 0, 2)} v0 v1 ${shuffled(8, 1, 3)} ->v1 ->v0`;
  const pairs = [0, 2].flatMap((k) => [
    `v${k} v${k + 1} ${shuffled(size, 0, 4, 1, 5)} ->w${k}`,
    `v${k} v${k + 1} ${shuffled(size, 2, 6, 3, 7)} ->w${k + 1}`,
  ]);
  const halves = [0, 1].flatMap((k) => [
    `w${k} w${k + 2} ${shuffled(8, 0, 2)} ->v${2 * k}`,
    `w${k} w${k + 2} ${shuffled(8, 1, 3)} ->v${2 * k + 1}`,
  ]);
  return [...pairs, ...halves].join(" ");
};

/** Returns the text of transposing copies: columns of the source become rows. Squares of whole vectors, then elements. */
export function transposeText(words: LaneWords): string {
  const { one, size, lanes } = words;
  const each = (text: (k: number) => string): string => Array.from({ length: lanes }, (_, k) => text(k)).join(" ");
  const columnsOf = (copied: string, step: string): string => `
    left if
      loop
        ${copied}
        ${step}
        b+=toStride
        left+=-1
      left while
    end`;
  return `
    block:few
      loop
        rows ${lanes} < br_if:few
        ${each((k) => `from ${"fromStride + ".repeat(k)} ->r${k}`)}
        to ->b
        columns ->left
        block:narrow
          loop
            left ${lanes} < br_if:narrow
            ${each((k) => `r${k} v128.load ->v${k} r${k}+=16`)}
            ${squareText(words)}
            ${each((k) => `b v${k} v128.store b+=toStride`)}
            left+=${-lanes}
            1
          while
        end
        ${columnsOf(
          each((k) => `b r${k} ${one}.load ${one}.store:${k * size}`),
          each((k) => `r${k}+=${size}`),
        )}
        r${lanes - 1} columns ${size} * - fromStride + ->from
        to+=16
        rows+=${-lanes}
        1
      while
    end
    rows if
      loop
        from ->a
        to ->b
        columns ->left
        ${columnsOf(`b a ${one}.load ${one}.store`, `a+=${size}`)}
        from+=fromStride
        to+=${size}
        rows+=-1
      rows while
    end
    0`;
}
