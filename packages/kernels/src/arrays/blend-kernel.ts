/**
 * blend-kernel: weighted means of pairs of rows, x + (y - x) * share, in float32: linear interpolation, as resizing an image needs it.
 *
 *     from [size, run], two tables of row numbers and one of shares     one row of the result [count, run] for each entry of the tables
 *
 * In an image, the row of a pixel is its channels. `bilinear` makes a whole image of another one: it takes the means of four pixels in one
 * pass, those of two pixels above, those of the two below them, and that of both results, with the bits of three passes.
 */
import type { WasmModule } from "@onebuffer/wasm/internal";
import { arrayKernel, textFunction } from "../calls/array-kernel.ts";

/** The function. All numbers are addresses, except `count`, and `bytes`: those of a row. */
export type BlendRows = (from: number, low: number, high: number, share: number, to: number, count: number, bytes: number) => number;

/**
 * The function of an image, whose rows have `source` bytes. The first three tables are those of the rows of the result, the others those of
 * its columns.
 */
export type BilinearRows = (
  from: number,
  rowLow: number,
  rowHigh: number,
  rowShare: number,
  columnLow: number,
  columnHigh: number,
  columnShare: number,
  to: number,
  rows: number,
  source: number,
  columns: number,
  bytes: number,
) => number;

/** The functions of the kernel. */
export interface BlendFunctions {
  readonly rows: BlendRows;
  readonly bilinear: BilinearRows;
}

/** The bytes that a function may read beyond the end of a row of less than 16 bytes. */
export const kBlendSlack = 12;

/** The last short rows that are computed element by element: together with one behind them, they have at least a vector. */
const kSingles = 3;
/** The vectors of a step of long rows. */
const kVectors = 4;

/** Returns the functions; null if the engine refuses them. */
export function blendFunctions(): BlendFunctions | null {
  return arrayKernel("blend", writeBlend) as BlendFunctions | null;
}

/** The words that leave x + (y - x) * share, of the vector x in a local and the words that push the others. */
const between = (x: string, y: string, share: string): string => `${x} ${y} ${x} f32x4.sub ${share} f32x4.mul f32x4.add`;

/** The words of one of the functions. */
interface BlendText {
  /** The words that leave the mean at the places of the row, with a load and the offset of the vector. */
  readonly mean: (load: string, offset: number) => string;
  /** The locals that have a place in the row. */
  readonly places: readonly string[];
  /** The words that find the places of the next entry of the tables, and its share. */
  readonly next: string;
  /** The word for how many of the last entries have no other behind them that replaces what is too much. */
  readonly singles: string;
}

function writeBlend(module: WasmModule): void {
  textFunction(
    module,
    "rows",
    "from low high share to count bytes",
    "x y out left shares:v128 vector:v128",
    `${blendText({
      mean: (load, offset) => `x ${load}:${offset} ->vector ${between("vector", `y ${load}:${offset}`, "shares")}`,
      places: ["x", "y"],
      next: `
        from low i32.load bytes * + ->x
        from high i32.load bytes * + ->y
        share v128.load32_splat ->shares
        low+=4 high+=4 share+=4`,
      singles: String(kSingles),
    })} 0`,
  );
  // What is too much of the last pixels of a row is replaced by the rows behind, if those have enough pixels.
  textFunction(
    module,
    "bilinear",
    "from rowLow rowHigh rowShare columnLow columnHigh columnShare to rows source columns bytes",
    "top bottom low high share count single x y u v out left shares:v128 down:v128 vector:v128 upper:v128",
    `loop
      from rowLow i32.load source * + ->top
      from rowHigh i32.load source * + ->bottom
      rowShare v128.load32_splat ->down
      columnLow ->low
      columnHigh ->high
      columnShare ->share
      columns ->count
      ${kSingles} rows 1 - columns * - ->single
      single single 0 i32.gt_s * ->single
      ${blendText({
        mean: (load, offset) => `
          x ${load}:${offset} ->vector ${between("vector", `y ${load}:${offset}`, "shares")} ->upper
          u ${load}:${offset} ->vector
          ${between("upper", between("vector", `v ${load}:${offset}`, "shares"), "down")}`,
        places: ["x", "y", "u", "v"],
        next: `
          low i32.load bytes * ->left
          top left + ->x
          bottom left + ->u
          high i32.load bytes * ->left
          top left + ->y
          bottom left + ->v
          share v128.load32_splat ->shares
          low+=4 high+=4 share+=4`,
        singles: "single",
      })}
      rowLow+=4 rowHigh+=4 rowShare+=4
      rows+=-1
    rows while
    0`,
  );
}

/** Returns the words that write the means of all entries of the tables. */
function blendText({ mean, places, next, singles }: BlendText): string {
  const means = (vectors: number): string =>
    Array.from({ length: vectors }, (_, k) => `out ${mean("v128.load", 16 * k)} v128.store:${16 * k}`).join(" ");
  const move = (by: number | string): string => [...places, "out"].map((place) => `${place}+=${by}`).join(" ");
  const whileAbove = (local: string, least: number | string, step: number, words: string): string => `
    ${local} ${least} i32.gt_s if
      loop
        ${words}
        ${local}+=${-step}
      ${local} ${least} i32.gt_s while
    end`;
  const steps = (step: number, words: string): string => whileAbove("left", step - 1, step, `${words} ${move(step)}`);
  const rows = (above: number | string, words: string): string =>
    whileAbove("count", above, 1, `${next} to ->out bytes ->left to+=bytes ${words}`);
  // Short rows are computed as a whole vector each: the next three rows replace what is too much. The last ones have no such rows.
  // The last vector of a long row overlaps the one before if it is not whole.
  return `
    bytes 16 i32.lt_s if
      ${rows(singles, means(1))}
      ${rows(0, steps(4, `out ${mean("v128.load32_zero", 0)} f32x4.extract_lane:0 f32.store`))}
    end
    ${rows(
      0,
      `${steps(16 * kVectors, means(kVectors))}
      ${steps(16, means(1))}
      left if
        ${move("left")} ${move(-16)}
        ${means(1)}
      end`,
    )}`;
}
