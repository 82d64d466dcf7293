/** qr-decomposition: A = Q R, of matrices whose columns may have very different magnitudes. */
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Matrix } from "../dense/matrix.ts";
import { partOf, planesOf, takeIdentity } from "../dense/matrix.ts";
import type { Steps } from "../dense/steps.ts";
import { applyReflectors } from "../reflect/block-reflector.ts";
import { reduceToTriangle } from "../reflect/qr.ts";
import type { DenseMatrix, Part } from "./packed-matrices.ts";
import { loadMatrix, scaleFor } from "./packed-matrices.ts";

/** Columns whose largest element is outside are scaled: the squares of their elements would overflow, or lose digits. */
const [kLeast, kMost] = [1e-100, 1e100];

/** Returns Q and R: of all m columns and rows if `isFull`, else of the least number that has the product. NaN and infinities become NaN. */
export function* decomposeQr(by: Arithmetic, matrix: DenseMatrix, isFull: boolean): Steps<Part[]> {
  const { rows: m, columns: n } = matrix;
  const a = loadMatrix(by, matrix, false, 1);
  const scales = Float64Array.from({ length: n }, (_, j) => scaleColumn(by, m, partOf(a, 0, j)));
  const reflectors = yield* reduceToTriangle(by, m, n, a);
  scales.forEach((scale, j) => {
    if (scale !== 1) multiply(by, m, 1 / scale, partOf(a, 0, j));
  });
  const kept = isFull ? m : Math.min(m, n);
  const q = takeIdentity(by, m, kept, matrix.isComplex);
  yield* applyReflectors(by, reflectors, false, kept, q, true);
  return [
    { matrix: q, rows: m, columns: kept },
    { matrix: a, rows: kept, columns: n },
  ];
}

/** Scales a column to moderate elements if it needs that. Returns the factor, a power of two. */
function scaleColumn(by: Arithmetic, m: number, column: Matrix): number {
  let most = 0;
  for (const at of planesOf(column)) for (let i = at; i < at + m; i++) most = Math.max(most, Math.abs(by.memory[i]!));
  if (!(most < kLeast || most > kMost)) return 1;
  const scale = scaleFor(most);
  if (scale !== 1) multiply(by, m, scale, column);
  return scale;
}

function multiply({ memory }: Arithmetic, m: number, factor: number, column: Matrix): void {
  for (const at of planesOf(column)) for (let i = at; i < at + m; i++) memory[i]! *= factor;
}
