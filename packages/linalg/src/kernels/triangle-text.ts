/**
 * triangle-text: solutions of systems with a triangular matrix, as text. Rows above are subtracted from row i, which is then divided by the
 * element of the diagonal. An upper triangle is a lower one whose rows and columns are counted from the end: distances may be negative.
 */
import type { LaneWords } from "../dense/lane-words.ts";
import { subtractNext } from "../dense/lane-words.ts";

/** The parameters of the functions for matrices: the triangle, the distances of its rows and columns, the right-hand sides, their rows. */
export const forwardParams = "t rowStep columnStep b bStep n strips unit";

/** The number of vectors of a row that each function for matrices has in registers; 0 for a single element. */
export const stripWidths = [4, 1, 0] as const;

/** The letters of the locals of two rows: their elements of T, and their vectors. */
const kRows = [
  ["x", "s"],
  ["z", "r"],
] as const;

const totalsOf = (width: number, letter: string): string[] => Array.from({ length: Math.max(1, width) }, (_, k) => letter + k);

/** The locals of a function for strips of some vectors. */
export const forwardLocals = ({ one }: LaneWords, width: number): string => {
  const type = width === 0 ? one : "v128";
  const names = ["y", ...kRows.flatMap(([element, letter]) => [element, ...totalsOf(width, letter)])];
  return `i j ti xi zi bi bj ${names.map((name) => `${name}:${type}`).join(" ")}`;
};

/** Returns the text of a function that solves strips of `width` vectors of a row, or of one element. */
export function forwardText(words: LaneWords, width: number): string {
  const { size } = words;
  return `
    loop
      0 ->i
      t ->ti
      b ->bi
      block:solved
        loop
          n i - 2 < if
            i n < i32.eqz br_if:solved
            ${rowsText(words, width, 1)}
            br:solved
          end
          ${rowsText(words, width, 2)}
          1
        while
      end
      b+=${width === 0 ? size : 16 * width}
      strips+=-1
    strips while
    0`;
}

/** Solves one row or two, of which the second is solved by the first and those above. They share what they load of the rows above. */
function rowsText(words: LaneWords, width: number, count: number): string {
  const { one, all, splat } = words;
  const isOne = width === 0;
  const [load, store, divide] = isOne ? [`${one}.load`, `${one}.store`, `${one}.div`] : ["v128.load", "v128.store", `${all}.div`];
  const minus = (total: string, x: string, y: string): string =>
    isOne ? `${total} ${x} ${y} ${one}.mul ${one}.sub ->${total}` : words.minus(total, x, y);
  const rows = kRows.slice(0, count).map(([element, letter], r) => ({
    element,
    at: `${element}i`,
    totals: totalsOf(width, letter),
    load: `${element}i ${isOne ? load : splat} ->${element}`,
    place: r === 0 ? "bi" : "bi bStep +",
  }));
  const [first, second] = rows as [(typeof rows)[0], (typeof rows)[0] | undefined];
  const solved = ({ element, load: element_, totals, place }: (typeof rows)[0]): string => `
    unit i32.eqz if
      ${element_}
      ${totals.map((total) => `${total} ${element} ${divide} ->${total}`).join(" ")}
    end
    ${totals.map((total, k) => `${place} ${total} ${store}:${16 * k}`).join(" ")}`;
  return `
    ti ->xi
    ti rowStep + ->zi
    ${rows.map(({ totals, place }) => totals.map((total, k) => `${place} ${load}:${16 * k} ->${total}`).join(" ")).join(" ")}
    b ->bj
    i ->j
    j if
      loop
        ${rows.map((row) => row.load).join(" ")}
        ${first.totals.map((_, k) => `bj ${load}:${16 * k} ->y ${rows.map(({ totals, element }) => minus(totals[k]!, element, "y")).join(" ")}`).join(" ")}
        ${rows.map(({ at }) => `${at}+=columnStep`).join(" ")}
        bj+=bStep
        j+=-1
      j while
    end
    ${solved(first)}
    ${second === undefined ? "" : `${second.load} ${second.totals.map((total, k) => minus(total, second.element, first.totals[k]!)).join(" ")} zi+=columnStep ${solved(second)}`}
    ${[`i+=${count}`, ...rows.flatMap(() => ["ti+=rowStep", "bi+=bStep"])].join(" ")}`;
}

/** The parameters of the functions for one vector. `back`: from the last element to the first. */
export const vectorParams = "t rowStep b n back unit";

/** The locals of the functions for one vector. */
export const vectorLocals = ({ one }: LaneWords): string => `step i row from at left sum:${one} x:${one} s0:v128 s1:v128 xs:v128`;

/** The words before element i of the solution: its number and the row of the triangle. */
const kElement = `
  back if n 1 - step - ->i else step ->i end
  t i rowStep * + ->row`;

/** Returns the text that solves with the rows of a triangle: a dot product for each element. */
export function byRowsText({ one, all, size, lanes }: LaneWords): string {
  const pair = (k: number): string => `s${k} from v128.load:${16 * k} at v128.load:${16 * k} ${all}.mul ${all}.add ->s${k}`;
  return `
    loop
      ${kElement}
      row ->from
      b ->at
      back if
        row i 1 + ${size} * + ->from
        b i 1 + ${size} * + ->at
      end
      step ->left
      ${one}:0 ${all}.splat ->s0
      s0 ->s1
      block:few
        left ${2 * lanes} < br_if:few
        loop
          ${pair(0)} ${pair(1)}
          from+=32
          at+=32
          left+=${-2 * lanes}
        left ${2 * lanes} < i32.eqz while
      end
      s0 s1 ${all}.add ->s0
      s0 ${all}.extract_lane:0
      ${Array.from({ length: lanes - 1 }, (_, k) => `s0 ${all}.extract_lane:${k + 1} ${one}.add`).join(" ")} ->sum
      left if
        loop
          sum from ${one}.load at ${one}.load ${one}.mul ${one}.add ->sum
          from+=${size}
          at+=${size}
          left+=-1
        left while
      end
      b i ${size} * + ->at
      at ${one}.load sum ${one}.sub ->x
      unit i32.eqz if x row i ${size} * + ${one}.load ${one}.div ->x end
      at x ${one}.store
      step+=1
    step n < while
    0`;
}

/** Returns the text that solves with the columns of the transposed triangle, which are rows in memory: each element leaves the others. */
export function byColumnsText(words: LaneWords): string {
  const { one, all, size, lanes } = words;
  return `
    loop
      ${kElement}
      b i ${size} * + ->at
      at ${one}.load ->x
      unit i32.eqz if x row i ${size} * + ${one}.load ${one}.div ->x end
      at x ${one}.store
      x ${all}.splat ->xs
      back if
        row ->from
        b ->at
        i ->left
      else
        row i 1 + ${size} * + ->from
        at+=${size}
        n i - 1 - ->left
      end
      block:few
        left ${lanes} < br_if:few
        loop
          ${subtractNext(words)}
          left+=${-lanes}
        left ${lanes} < i32.eqz while
      end
      left if
        loop
          at at ${one}.load x from ${one}.load ${one}.mul ${one}.sub ${one}.store
          from+=${size}
          at+=${size}
          left+=-1
        left while
      end
      step+=1
    step n < while
    0`;
}
