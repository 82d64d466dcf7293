/**
 * panel-text: LU with partial pivoting of a panel, a block of columns in scratch memory whose rows are dense (LAPACK's getf2), as text.
 *
 *     4 columns    each minus the columns before it, while the one before is divided and the pivot is found; exchange of rows
 *     to the right rows of U by the unit triangle of the four; then every row below minus its four multipliers times these rows
 *
 * Rows are a multiple of four elements long; what is behind `width` is computed and not read.
 */
import type { LaneWords } from "../dense/lane-words.ts";

/** The parameters: rows x width elements at p, rows `stride` bytes apart; where the rows of the pivots go; whether a pivot of 0 is kept. */
export const panelParams = "p rows width stride pivots keep";

/** The locals that are not i32. */
export const panelLocals = (words: LaneWords): string =>
  [
    "bad c j row corner diagonal at left best place from to right rest lrow a0 a1 a2 a3",
    ...["most", "x", "l", "d", "p0", "p1", "p2"].map((name) => `${name}:${words.one}`),
    ...["u0", "u1", "u2", "u3", "v", "w", "l0", "l1", "l2", "l3", "m0", "m1", "m2", "m3"].map((name) => `${name}:v128`),
  ].join(" ");

/** Returns the text. The function leaves the place of the first pivot that is 0 or NaN, or -1; without `keep` it ends there. */
export function panelText(words: LaneWords): string {
  const { size } = words;
  return `
    -1 ->bad
    0 ->c
    p ->row
    block:done
      loop
        c width < i32.eqz br_if:done
        row c ${size} * + ->corner
        block:steps
          ${[0, 1, 2, 3].map((s) => stepText(words, s)).join("\n")}
        end
        width 3 + -4 & c - 4 - ${size} * ->right
        right i32:0 i32.gt_s if
          ${rowsOfU(words)}
          ${rowsBelow(words)}
        end
        row stride 4 * + ->row
        c+=4
        1
      while
    end
    bad`;
}

/** Column s of four: completes it but for its division, finds the pivot and exchanges rows. The next column divides it, or the last one itself. */
function stepText(words: LaneWords, s: number): string {
  const { one, size } = words;
  return `
    c ${s} + ->j
    corner stride ${s} * + ->at
    at ${s * size} + ->diagonal
    rows j - ->left
    ${one}:-1 ->most
    diagonal ->best
    j ->place
    ${s === 0 ? "" : besideColumn(words, s)}
    left i32:0 i32.gt_s if
      loop
        ${s === 0 ? "" : subtractedColumn(words, s)}
        at ${one}.load:${s * size} ${one}.abs ->x
        x most ${one}.gt if
          x ->most
          at ${s * size} + ->best
          rows left - ->place
        end
        at+=stride
        left+=-1
      left while
    end
    j width < i32.eqz br_if:steps
    diagonal ${one}.load ${one}.abs ->x
    x x ${one}.ne if
      x ->most
      diagonal ->best
      j ->place
    end
    pivots j 2 << + place i32.store
    most ${one}:0 ${one}.gt i32.eqz if
      bad 0 i32.lt_s if j ->bad end
      keep i32.eqz if j return end
    end
    best diagonal == i32.eqz if
      row stride ${s} * + ->from
      best j ${size} * - ->to
      width 3 + -4 & ${size} * 4 >> ->left
      loop
        from v128.load ->v
        from to v128.load v128.store
        to v v128.store
        from+=16
        to+=16
        left+=-1
      left while
    end
    ${s === 3 ? lastDivision(words) : ""}`;
}

/** Sets d to what column s - 1 is divided by, its pivot or 1 in place of 0, and p0, p1, … to the elements of U in column s. */
function besideColumn({ one, size }: LaneWords, s: number): string {
  const at = (i: number, j: number): string => `corner stride ${i} * + ${one}.load:${j * size}`;
  const above = Array.from({ length: s }, (_, i) => {
    const products = Array.from({ length: i }, (__, t) => `${at(i, t)} p${t} ${one}.mul ${one}.sub`);
    return `${at(i, s)} ${products.join(" ")} ->p${i} ${i === 0 ? "" : `corner stride ${i} * + p${i} ${one}.store:${s * size}`}`;
  });
  return `${pivotOf(one, at(s - 1, s - 1))} ${above.join(" ")}`;
}

/** Divides an element of column s - 1, and subtracts from that of column s the multipliers of its row times p0, p1, … */
function subtractedColumn({ one, size }: LaneWords, s: number): string {
  const products = Array.from({ length: s - 1 }, (_, t) => `at ${one}.load:${t * size} p${t} ${one}.mul ${one}.sub`);
  return `
    at ${one}.load:${(s - 1) * size} d ${one}.div ->l
    at l ${one}.store:${(s - 1) * size}
    at at ${one}.load:${s * size} ${products.join(" ")} l p${s - 1} ${one}.mul ${one}.sub ${one}.store:${s * size}`;
}

/** Divides the last column. */
function lastDivision({ one }: LaneWords): string {
  return `
    ${pivotOf(one, `diagonal ${one}.load`)}
    diagonal ->at
    rows j - 1 - ->left
    left if
      loop
        at+=stride
        at at ${one}.load d ${one}.div ${one}.store
        left+=-1
      left while
    end`;
}

/** Sets d to a pivot, or to 1 if that is 0: what it divides is 0 then. */
const pivotOf = (one: string, load: string): string => `${load} ->d d ${one}:0 ${one}.eq if ${one}:1 ->d end`;

/** The rows of U to the right of four columns: each minus its multipliers times those above. */
function rowsOfU({ size, splat, minus }: LaneWords): string {
  const at = (i: number, j: number): string => `corner stride ${i} * + ${j * size} + ${splat}`;
  return `
    ${at(1, 0)} ->l0
    ${at(2, 0)} ->l1
    ${at(2, 1)} ->l2
    ${at(3, 0)} ->m0
    ${at(3, 1)} ->m1
    ${at(3, 2)} ->m2
    ${overRowsOfU(
      size,
      `${minus("u1", "l0", "u0")}
      ${minus("u2", "l1", "u0")}
      ${minus("u2", "l2", "u1")}
      ${minus("u3", "m0", "u0")}
      ${minus("u3", "m1", "u1")}
      ${minus("u3", "m2", "u2")}
      a1 u1 v128.store
      a2 u2 v128.store
      a3 u3 v128.store`,
    )}`;
}

/** The loop over the vectors of the four rows of U, to the right of four columns: `each` runs with one of each row in u0 to u3. */
function overRowsOfU(size: number, each: string): string {
  return `
    corner ${4 * size} + ->a0
    ${[1, 2, 3].map((k) => `a${k - 1} stride + ->a${k}`).join(" ")}
    right 4 >> ->left
    loop
      ${[0, 1, 2, 3].map((k) => `a${k} v128.load ->u${k}`).join(" ")}
      ${each}
      ${[0, 1, 2, 3].map((k) => `a${k}+=16`).join(" ")}
      left+=-1
    left while`;
}

/** The rows below four rows of U: two at a time, and the last one alone. */
function rowsBelow(words: LaneWords): string {
  return `
    rows c - 4 - ->rest
    corner stride 4 * + ->lrow
    block:below
      loop
        rest 2 < br_if:below
        ${rowsText(words, ["l", "m"])}
        lrow stride 2 * + ->lrow
        rest+=-2
        1
      while
    end
    rest if
      ${rowsText(words, ["l"])}
    end`;
}

/** The text of one or two rows, whose multipliers are in locals that begin with a letter each. */
function rowsText({ size, splat, minus }: LaneWords, letters: readonly string[]): string {
  const loads = letters.map((letter, r) =>
    [0, 1, 2, 3].map((k) => `lrow ${r === 0 ? "" : "stride +"} ${splat}:${k * size} ->${letter}${k}`).join(" "),
  );
  const targets = ["v", "w"];
  const each = letters.map((letter, r) => {
    const at = r === 0 ? "from" : "to";
    const products = [0, 1, 2, 3].map((k) => minus(targets[r]!, `${letter}${k}`, `u${k}`)).join(" ");
    return `${at} v128.load ->${targets[r]} ${products} ${at} ${targets[r]} v128.store ${at}+=16`;
  });
  return `
    ${loads.join(" ")}
    lrow ${4 * size} + ->from
    from stride + ->to
    ${overRowsOfU(size, each.join(" "))}`;
}
