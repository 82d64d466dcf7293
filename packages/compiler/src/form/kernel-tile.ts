/**
 * kernel-tile: elementwise kernels for operands that run along another dimension than the target (Eigen evaluates such blocks
 * with TensorBlockScratch; here no scratch memory is needed).
 *
 *     target  a b c d    a register block of 4 x 4 elements of 4 bytes (2 x 2 of 8, 8 x 8 of 2, 16 x 16 of 1): each
 *             e f g h    transposed operand is read as the block's columns and transposed in registers; the target and the
 *             i j k l    other operands are accessed row by row. Blocks are processed in square tiles, so that the cache lines
 *             m n o p    of both sides stay in the first-level cache while they are in use.
 *
 * Columns must be whole blocks, and rows, too, unless all of them are one block with fewer rows: map kernels compute the edges. All
 * operands have elements of the same size.
 */
import type { KernelWriter } from "./kernel-writer.ts";
import { scatterPointers } from "./row-loop.ts";
import type { CodeWriter } from "@onebuffer/wasm/internal";
import { storeRows } from "@onebuffer/kernels/internal";
import { levels } from "../plan/program.ts";

/** The bytes along the edge of a tile: two cache lines of each row, of the target and of an operand. */
const kTileBytes = 128;

/** Writes a kernel that computes the last two loops in blocks. Groups must have the elements of one edge. */
export function writeTileKernel(writer: KernelWriter): void {
  const { code, builder, spec } = writer;
  const rows = spec.outerLoops - 1;
  const columns = spec.outerLoops;
  const itemBytes = writer.itemBytes(0);
  const edge = 16 / itemBytes;
  const tile = kTileBytes / itemBytes;
  const blockRows = spec.blockRows!;
  const moving = writer.moving();
  writer.loops(0, rows, () => {
    writer.keep((i) => writer.levels[i] === levels.row);
    const tileRow = moving.map(({ access }) => writer.local(`tileRow${access}`));
    const tileAt = moving.map(({ access }) => writer.local(`tile${access}`));
    const blockRow = moving.map(({ access }) => writer.local(`blockRow${access}`));
    // The stride between the pointers of a block: between columns for transposed operands, between rows for the others.
    const step = moving.map(({ access }) => writer.local(`step${access}`));
    const isTransposed = (access: number): boolean => access > 0 && spec.classes[access - 1] === "transposed";
    const at = moving.map(({ access }) =>
      Array.from({ length: isTransposed(access) ? edge : blockRows }, (_, k) => writer.local(`at${access}.${k}`)),
    );
    moving.forEach(({ access, pointer }, k) => {
      writer.stride(access, isTransposed(access) ? columns : rows).set(step[k]!);
      code.get(pointer).set(tileRow[k]!);
    });
    const rowsLeft = writer.local("rowsLeft");
    const columnsLeft = writer.local("columnsLeft");
    const blocksDown = writer.local("blockRows");
    const blockColumns = writer.local("blockColumns");
    const copyTo = (from: readonly number[], to: readonly number[]): void => from.forEach((local, k) => code.get(local).set(to[k]!));
    const advance = (locals: readonly number[], loop: number, count: number): void => {
      moving.forEach(({ access }, k) => {
        writer.addTo(locals[k]!, () => writer.stride(access, loop).i32(count).op("i32.mul"));
      });
    };
    // The step from block to block along the columns, for the innermost loop.
    const blockStep = moving.map(({ access }) => writer.local(`blockStep${access}`));
    moving.forEach(({ access }, k) => writer.stride(access, columns).i32(edge).op("i32.mul").set(blockStep[k]!));
    /** Pushes min(left, tile) / edge. */
    const blocksIn = (left: number): CodeWriter => code.least(left, tile).i32(Math.log2(edge)).op("i32.shr_u");
    const scattered = moving.map((_, k) => ({ pointers: at[k]!, stride: () => code.get(step[k]!) }));
    writer.size(rows).set(rowsLeft);
    code.whileAtLeast(rowsLeft, 1, tile, () => {
      copyTo(tileRow, tileAt);
      writer.size(columns).set(columnsLeft);
      code.whileAtLeast(columnsLeft, 1, tile, () => {
        copyTo(tileAt, blockRow);
        (blockRows < edge ? code.i32(1) : blocksIn(rowsLeft)).set(blocksDown);
        const eachRow = code.loop();
        moving.forEach((_, k) => code.get(blockRow[k]!).set(at[k]![0]!));
        blocksIn(columnsLeft).set(blockColumns);
        const eachColumn = code.loop();
        scatterPointers(writer, scattered);
        const pointers = spec.classes.map((_, operand) => at[moving.findIndex(({ access }) => access === operand + 1)] ?? []);
        writer.emit(1, { pointers, blockRows, remaining: null }, () => {
          storeRows(builder, writer.value(spec.result), writer.resultDType, at[0]!);
        });
        moving.forEach(({ access }, k) => {
          const [first, last] = [at[k]![0]!, at[k]![edge - 1]!];
          // Moves from the block's first pointer by one block along the columns. For a transposed operand that is one step beyond its
          // last pointer.
          if (isTransposed(access)) code.get(last).get(step[k]!).op("i32.add").set(first);
          else code.addLocal(first, blockStep[k]!);
        });
        code.countDown(blockColumns, eachColumn);
        advance(blockRow, rows, edge);
        code.countDown(blocksDown, eachRow);
        advance(tileAt, columns, tile);
      });
      advance(tileRow, rows, tile);
    });
  });
}
