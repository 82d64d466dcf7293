/**
 * small-text: LU and Cholesky factorizations and solutions of small matrices, one matrix in each lane of the vectors, as text. All elements
 * of a matrix are in locals, and every loop over rows and columns is written out.
 *
 *     a12 = | matrix 0 | matrix 1 | …      element (1, 2) of as many matrices as a vector has lanes
 *
 * Rows are exchanged where a lane's mask says so: row j meets each row below it and keeps the larger element of column j.
 */
import type { LaneWords } from "../dense/lane-words.ts";

/** The parameters: the matrices, their packed factorizations, and how many groups of as many matrices as there are lanes. */
export const smallLuParams = "from to groups";

const elements = (n: number): string[] => Array.from({ length: n * n }, (_, e) => `a${e}`);
const rows = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** The locals of a factorization. */
export const smallLuLocals = (n: number): string =>
  ["done", ...[...elements(n), ...rows(n).map((i) => `o${i}`), "sign", "good", "mask", "x", "y"].map((name) => `${name}:v128`)].join(" ");

/** Returns the text. The function leaves the number of groups before the first one with a pivot that is 0 or NaN, which is not stored. */
export function smallLuText(words: LaneWords, n: number): string {
  const { one, all, size, lanes, minus } = words;
  const a = (i: number, j: number): string => `a${i * n + j}`;
  const [matrixBytes, cells] = [n * n * size, n * n + n + 1];
  const packed = [...elements(n), ...rows(n).map((i) => `o${i}`), "sign"];
  const exchange = (x: string, y: string): string => `${x} ->x ${y} ->y y x mask v128.bitselect ->${x} x y mask v128.bitselect ->${y}`;
  const column = (j: number): string => {
    const below = rows(n).slice(j + 1);
    const choices = below.map((i) => {
      const pairs = [...rows(n).map((c): [string, string] => [a(j, c), a(i, c)]), [`o${j}`, `o${i}`] as [string, string]];
      return `
        ${a(i, j)} ${all}.abs ${a(j, j)} ${all}.abs ${all}.gt ->mask
        ${pairs.map(([x, y]) => exchange(x, y)).join(" ")}
        sign ${all}.neg sign mask v128.bitselect ->sign`;
    });
    const updates = below.map((i) => {
      const rest = rows(n).slice(j + 1);
      return `${a(i, j)} ${a(j, j)} ${all}.div ->${a(i, j)} ${rest.map((c) => minus(a(i, c), a(i, j), a(j, c))).join(" ")}`;
    });
    return `${choices.join(" ")}
      ${a(j, j)} ${all}.abs ${one}:0 ${all}.splat ${all}.gt good v128.and ->good
      ${updates.join(" ")}`;
  };
  return `
    loop
      ${elements(n)
        .map((name, e) => `${loaded(words, "from", (lane) => lane * matrixBytes + e * size)} ->${name}`)
        .join(" ")}
      ${rows(n)
        .map((i) => `${one}:${i} ${all}.splat ->o${i}`)
        .join(" ")}
      ${one}:1 ${all}.splat ->sign
      sign sign ${all}.eq ->good
      ${rows(n).map(column).join(" ")}
      good i8x16.all_true i32.eqz if done return end
      ${packed.map((name, e) => stored(words, name, "to", (lane) => (lane * cells + e) * size)).join(" ")}
      from+=${lanes * matrixBytes}
      to+=${lanes * cells * size}
      done+=1
    done groups < while
    done`;
}

/** The parameters of Cholesky factors: the matrices, their factors, and the groups. */
export const smallCholeskyParams = "from to groups";

/** The locals of Cholesky factors. */
export const smallCholeskyLocals = (n: number): string => ["done", ...[...elements(n), "good"].map((name) => `${name}:v128`)].join(" ");

/** Returns the text. The function leaves the number of groups before the first one with a pivot that is not positive, which is not stored. */
export function smallCholeskyText(words: LaneWords, n: number): string {
  const { one, all, size, lanes, minus } = words;
  const a = (i: number, j: number): string => `a${i * n + j}`;
  const matrixBytes = n * n * size;
  const lower = rows(n).flatMap((i) => rows(i + 1).map((j): [number, number] => [i, j]));
  const column = (j: number): string => {
    const below = rows(n).slice(j + 1);
    const updates = below.flatMap((i) =>
      rows(n)
        .slice(j + 1, i + 1)
        .map((k) => minus(a(i, k), a(i, j), a(k, j))),
    );
    return `
      ${a(j, j)} ${one}:0 ${all}.splat ${all}.gt good v128.and ->good
      ${a(j, j)} ${all}.sqrt ->${a(j, j)}
      ${below.map((i) => `${a(i, j)} ${a(j, j)} ${all}.div ->${a(i, j)}`).join(" ")}
      ${updates.join(" ")}`;
  };
  return `
    loop
      ${lower.map(([i, j]) => `${loaded(words, "from", (lane) => lane * matrixBytes + (i * n + j) * size)} ->${a(i, j)}`).join(" ")}
      good i32:-1 i32x4.splat v128.or ->good
      ${rows(n).map(column).join(" ")}
      good i8x16.all_true i32.eqz if done return end
      ${elements(n)
        .map((name, e) => stored(words, name, "to", (lane) => lane * matrixBytes + e * size))
        .join(" ")}
      from+=${lanes * matrixBytes}
      to+=${lanes * matrixBytes}
      done+=1
    done groups < while
    done`;
}

/** Pushes a vector of elements at these distances from an address, one for each lane. */
function loaded({ one, all, lanes }: LaneWords, from: string, at: (lane: number) => number): string {
  const rest = Array.from({ length: lanes - 1 }, (_, k) => `${from} ${one}.load:${at(k + 1)} ${all}.replace_lane:${k + 1}`);
  return `${from} ${one}.load:${at(0)} ${all}.splat ${rest.join(" ")}`;
}

/** Stores the lanes of a local at these distances from an address. */
function stored({ one, all, lanes }: LaneWords, name: string, to: string, at: (lane: number) => number): string {
  return Array.from({ length: lanes }, (_, lane) => `${to} ${name} ${all}.extract_lane:${lane} ${one}.store:${at(lane)}`).join(" ");
}

/** The parameters of solutions: the packed factorizations, the right-hand sides, the solutions, their columns, and the groups. */
export const smallSolveParams = "packed right to columns groups";

/** The locals of solutions. */
export const smallSolveLocals = ({ lanes }: LaneWords, n: number): string => {
  const vectors = [...elements(n), ...rows(n).map((i) => `b${i}`)].map((name) => `${name}:v128`);
  const places = Array.from({ length: lanes * n }, (_, k) => `p${k}`);
  return ["left row matrix begin out", ...places, ...vectors].join(" ");
};

/** Returns the text of solutions of A x = b. */
export function smallSolveText(words: LaneWords, n: number): string {
  const { one, all, size, lanes, minus } = words;
  const a = (i: number, j: number): string => `a${i * n + j}`;
  const cellBytes = (n * n + n + 1) * size;
  const lanesOf = Array.from({ length: lanes }, (_, lane) => lane);
  const places = rows(n).flatMap((i) =>
    lanesOf.map((lane) => {
      const order = `packed ${one}.load:${lane * cellBytes + (n * n + i) * size} i32.trunc_sat_${one}_s`;
      return `${order} row * matrix ${lane} * + ->p${i * lanes + lane}`;
    }),
  );
  const load = (i: number): string => {
    const each = lanesOf.map(
      (lane) => `begin p${i * lanes + lane} + ${one}.load ${lane === 0 ? `${all}.splat` : `${all}.replace_lane:${lane}`}`,
    );
    return `${each.join(" ")} ->b${i}`;
  };
  const forward = rows(n).map((i) =>
    rows(i)
      .map((j) => minus(`b${i}`, a(i, j), `b${j}`))
      .join(" "),
  );
  const backward = rows(n)
    .reverse()
    .map((i) => {
      const above = rows(n).slice(i + 1);
      return `${above.map((j) => minus(`b${i}`, a(i, j), `b${j}`)).join(" ")} b${i} ${a(i, i)} ${all}.div ->b${i}`;
    });
  const store = rows(n).flatMap((i) =>
    lanesOf.map((lane) => `out row ${i} * + matrix ${lane} * + b${i} ${all}.extract_lane:${lane} ${one}.store`),
  );
  return `
    columns ${size} * ->row
    row ${n} * ->matrix
    loop
      ${elements(n)
        .map((name, e) => `${loaded(words, "packed", (lane) => lane * cellBytes + e * size)} ->${name}`)
        .join(" ")}
      ${places.join(" ")}
      right ->begin
      to ->out
      columns ->left
      loop
        ${rows(n).map(load).join(" ")}
        ${forward.join(" ")}
        ${backward.join(" ")}
        ${store.join(" ")}
        begin+=${size}
        out+=${size}
        left+=-1
      left while
      packed+=${lanes * cellBytes}
      right matrix ${lanes} * + ->right
      to matrix ${lanes} * + ->to
      groups+=-1
    groups while
    0`;
}
