/**
 * column-kernels: the arithmetic of the decompositions on columns of float64 (BLAS levels 1 and 2), as WebAssembly.
 *
 *     dot, axpy, rotate      one or two columns
 *     times, transposed      y += alpha A x and y += alpha A' x, four columns of A at a time
 *     symmetric              y += A x of a symmetric A, of which only the lower triangle is read, once
 *     rankOne                A += alpha x y'
 *     toRows                 A as rows
 *
 * Addresses are in bytes; `ld` is the distance of two columns in bytes. Each element is added to in the order of the columns, so the
 * results do not depend on the engine.
 */
import { arrayKernel, textFunction } from "@onebuffer/kernels/internal";
import type { ArrayFunctions } from "@onebuffer/kernels/internal";
import { laneWords } from "./lane-words.ts";
import { transposeLocals, transposeParams, transposeText } from "./transpose-text.ts";

/** Returns the functions; null if the engine refuses them. */
export function columnKernels(): ArrayFunctions | null {
  return arrayKernel("columns float64", (module) => {
    textFunction(module, "dot", "n x y", "count sum:f64 a0:v128 a1:v128 a2:v128 a3:v128", kDot, ["f64"]);
    textFunction(module, "axpy", "n alpha:f64 x y", "count s:v128", kAxpy, []);
    textFunction(module, "rotate", "n x y c:f64 s:f64", "count p:f64 q:f64 vc:v128 vs:v128 a0:v128 a1:v128", kRotate, []);
    textFunction(module, "times", "m n alpha:f64 a ld x y", `count at to ${kColumnLocals}`, kTimes, []);
    textFunction(
      module,
      "transposed",
      "m n alpha:f64 a ld x y",
      `count at ${kColumnLocals} v:v128 e:f64 t0:f64 t1:f64 t2:f64 t3:f64`,
      kTransposed,
      [],
    );
    textFunction(
      module,
      "symmetric",
      "n a ld x y",
      `count at to ${kColumnLocals} r0:v128 r1:v128 r2:v128 r3:v128 u:v128 v:v128 e:f64 f:f64`,
      kSymmetric,
      [],
    );
    textFunction(module, "rankOne", "m n alpha:f64 x y a ld", `count at ${kColumnLocals} v:v128 e:f64`, kRankOne, []);
    textFunction(module, "toRows", transposeParams, transposeLocals, transposeText(laneWords("float64")));
  });
}

/** The addresses of four columns, and a vector for each. */
const kColumnLocals = "c0 c1 c2 c3 s0:v128 s1:v128 s2:v128 s3:v128";

const four = (words: (k: number) => string): string => [0, 1, 2, 3].map(words).join(" ");

/** Returns the words that run `group` for groups of `1 << shift` elements of a column of `length`, then `one` for each that is left. */
const eachElement = (length: string, shift: number, group: string, one: string): string => `
  ${length} ${shift} >> ->count
  count if loop ${group} count+=-1 count while end
  ${length} ${(1 << shift) - 1} & ->count
  count if loop ${one} count+=-1 count while end`;

/** The words that push the sum of the lanes of a vector. */
const lanesOf = (v: string): string => `${v} f64x2.extract_lane:0 ${v} f64x2.extract_lane:1 f64.add`;

const kDot = `
  ${eachElement(
    "n",
    3,
    `${four((k) => `a${k} x v128.load:${16 * k} y v128.load:${16 * k} f64x2.mul f64x2.add ->a${k}`)} x+=64 y+=64`,
    `sum x f64.load y f64.load f64.mul f64.add ->sum x+=8 y+=8`,
  )}
  a0 a1 f64x2.add a2 a3 f64x2.add f64x2.add ->a0
  ${lanesOf("a0")} sum f64.add`;

const kAxpy = `
  alpha f64x2.splat ->s
  ${eachElement(
    "n",
    3,
    `${four((k) => `y y v128.load:${16 * k} s x v128.load:${16 * k} f64x2.mul f64x2.add v128.store:${16 * k}`)} x+=64 y+=64`,
    `y y f64.load alpha x f64.load f64.mul f64.add f64.store x+=8 y+=8`,
  )}`;

const kRotate = `
  c f64x2.splat ->vc
  s f64x2.splat ->vs
  ${eachElement(
    "n",
    3,
    `${four(
      (k) => `x v128.load:${16 * k} ->a0 y v128.load:${16 * k} ->a1
        x vc a0 f64x2.mul vs a1 f64x2.mul f64x2.add v128.store:${16 * k}
        y vc a1 f64x2.mul vs a0 f64x2.mul f64x2.sub v128.store:${16 * k}`,
    )} x+=64 y+=64`,
    `x f64.load ->p y f64.load ->q
     x c p f64.mul s q f64.mul f64.add f64.store
     y c q f64.mul s p f64.mul f64.sub f64.store x+=8 y+=8`,
  )}`;

/** The words that set c0 to c3 to the addresses of four columns from `a` on, and `a` to the column behind them. */
const kFourColumns = `a ->c0 c0 ld + ->c1 c1 ld + ->c2 c2 ld + ->c3 c3 ld + ->a`;

/** The words that run the first text for four columns at a time while there are four, then the second for each column that is left. */
const inColumns = (fours: string, ones: string): string => `
  block:ones
  loop:next
    n 4 < br_if:ones
    ${fours}
    n+=-4
    br:next
  end
  end
  block:done
  loop:again
    n i32.eqz br_if:done
    ${ones}
    n+=-1
    br:again
  end
  end`;

const advance = (names: string, bytes: number): string =>
  names
    .split(" ")
    .map((name) => `${name}+=${bytes}`)
    .join(" ");

const kTimes = inColumns(
  `${kFourColumns}
   ${four((k) => `x f64.load:${8 * k} alpha f64.mul f64x2.splat ->s${k}`)}
   y ->to
   ${eachElement(
     "m",
     2,
     `${[0, 16]
       .map((at) => `to to v128.load:${at} ${four((k) => `s${k} c${k} v128.load:${at} f64x2.mul f64x2.add`)} v128.store:${at}`)
       .join(" ")} ${advance("c0 c1 c2 c3 to", 32)}`,
     `to to f64.load ${four((k) => `s${k} f64x2.extract_lane:0 c${k} f64.load f64.mul f64.add`)} f64.store ${advance("c0 c1 c2 c3 to", 8)}`,
   )}
   x+=32`,
  `m alpha x f64.load f64.mul a y call:axpy
   a+=ld x+=8`,
);

const kTransposed = inColumns(
  `${kFourColumns}
   ${four((k) => `i32:0 i32x4.splat ->s${k} f64:0 ->t${k}`)}
   x ->at
   ${eachElement(
     "m",
     2,
     `${[0, 16]
       .map((at) => `at v128.load:${at} ->v ${four((k) => `s${k} v c${k} v128.load:${at} f64x2.mul f64x2.add ->s${k}`)}`)
       .join(" ")} ${advance("c0 c1 c2 c3 at", 32)}`,
     `at f64.load ->e ${four((k) => `t${k} e c${k} f64.load f64.mul f64.add ->t${k}`)} ${advance("c0 c1 c2 c3 at", 8)}`,
   )}
   ${four((k) => `y y f64.load:${8 * k} alpha ${lanesOf(`s${k}`)} t${k} f64.add f64.mul f64.add f64.store:${8 * k}`)}
   y+=32`,
  `y y f64.load alpha m a x call:dot f64.mul f64.add f64.store
   a+=ld y+=8`,
);

/** The words for a triangle of four rows and columns: each element below the diagonal is used twice. */
const kTriangle = [0, 1, 2, 3]
  .flatMap((c) =>
    [0, 1, 2, 3]
      .filter((r) => r >= c)
      .map((r) => {
        const once = `y y f64.load:${8 * r} c${c} f64.load:${8 * r} x f64.load:${8 * c} f64.mul f64.add f64.store:${8 * r}`;
        return r === c
          ? once
          : `${once} y y f64.load:${8 * c} c${c} f64.load:${8 * r} x f64.load:${8 * r} f64.mul f64.add f64.store:${8 * c}`;
      }),
  )
  .join(" ");

/** The rows below the triangle of four columns: the rows of y get the columns times x, and the sums s0 to s3 the columns' products with x. */
const kSymmetric = inColumns(
  `${kFourColumns} a+=32
   ${kTriangle}
   ${four((k) => `x f64.load:${8 * k} f64x2.splat ->r${k} i32:0 i32x4.splat ->s${k}`)}
   ${advance("c0 c1 c2 c3", 32)}
   x 32 + ->at y 32 + ->to
   n 4 - 1 >> ->count
   count if loop
     at v128.load ->v
     to v128.load
     ${four((k) => `c${k} v128.load ->u s${k} u v f64x2.mul f64x2.add ->s${k} r${k} u f64x2.mul f64x2.add`)}
     ->u to u v128.store
     ${advance("c0 c1 c2 c3 at to", 16)}
     count+=-1 count while end
   ${four((k) => `y y f64.load:${8 * k} ${lanesOf(`s${k}`)} f64.add f64.store:${8 * k}`)}
   n 1 & if
     at f64.load ->e
     ${four(
       (k) => `c${k} f64.load ->f
         to to f64.load f x f64.load:${8 * k} f64.mul f64.add f64.store
         y y f64.load:${8 * k} f e f64.mul f64.add f64.store:${8 * k}`,
     )}
   end
   x+=32 y+=32`,
  `y y f64.load n a x call:dot f64.add f64.store
   n 1 - x f64.load a 8 + y 8 + call:axpy
   a ld + 8 + ->a x+=8 y+=8`,
);

const kRankOne = `
  block:ones
  loop:next
    n 2 < br_if:ones
    a ->c0 c0 ld + ->c1 c1 ld + ->a
    alpha y f64.load f64.mul f64x2.splat ->s0
    alpha y f64.load:8 f64.mul f64x2.splat ->s1
    x ->at
    ${eachElement(
      "m",
      2,
      `${[0, 16]
        .map(
          (at) => `at v128.load:${at} ->v
            c0 c0 v128.load:${at} s0 v f64x2.mul f64x2.add v128.store:${at} c1 c1 v128.load:${at} s1 v f64x2.mul f64x2.add v128.store:${at}`,
        )
        .join(" ")} ${advance("c0 c1 at", 32)}`,
      `at f64.load ->e
       c0 c0 f64.load s0 f64x2.extract_lane:0 e f64.mul f64.add f64.store c1 c1 f64.load s1 f64x2.extract_lane:0 e f64.mul f64.add f64.store
       ${advance("c0 c1 at", 8)}`,
    )}
    y+=16
    n+=-2
    br:next
  end
  end
  n if m alpha y f64.load f64.mul x a call:axpy end`;
