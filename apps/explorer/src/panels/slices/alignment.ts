/** Where the rows of a tensor begin in memory, and what an odd beginning costs here. */
import { Tensor } from "onebuffer";

/** TensorFlow's typed views want addresses that are multiples of so many bytes (EIGEN_MAX_ALIGN_BYTES). */
export const kAlignment = 64;

/** A view of one row. */
export interface RowPlace {
  readonly row: number;
  /** The distance of the row from the first byte of the tensor. */
  readonly offset: number;
  /** What the view itself says: its address is a multiple of 64, or it has no elements. */
  readonly isAligned: boolean;
}

/** Asks a view of each row where it begins. */
export function rowPlaces(tensor: Tensor): RowPlace[] {
  const base = tensor.tensorData.byteOffset;
  return Array.from({ length: tensor.shape.dimSize(0) }, (_, row) => {
    using view = tensor.slice(row, row + 1);
    return { row, offset: view.tensorData.byteOffset - base, isAligned: view.isAligned() };
  });
}

/** The time of one and the same kernel over operands that begin at a multiple of 64 and not. */
export interface AlignmentCost {
  readonly elements: number;
  /** Milliseconds of the fastest run. */
  readonly aligned: number;
  readonly odd: number;
  /** The time to copy the odd view to an aligned place. */
  readonly copy: number;
}

const kElements = 2 ** 18;
const kRuns = 40;

/** Measures `x * 2 + 1` over 1 MiB of float32, at a multiple of 64 and 4 bytes behind one. */
export function measureAlignment(): AlignmentCost {
  using memory = Tensor.random([kElements + 16], { dtype: "float32", seed: 1 });
  using out = Tensor.zeros([kElements]);
  using even = memory.slice(0, kElements);
  using shifted = memory.slice(1, kElements + 1);
  const fastest = (run: () => void): number => {
    let least = Infinity;
    for (let i = 0; i < kRuns; i++) {
      const begin = performance.now();
      // The clock of a page may have steps of 0.1 ms, so runs are measured together.
      for (let k = 0; k < 4; k++) run();
      least = Math.min(least, (performance.now() - begin) / 4);
    }
    return least;
  };
  return {
    elements: kElements,
    aligned: fastest(() => out.assign(even.vec().mul(2).add(1))),
    odd: fastest(() => out.assign(shifted.vec().mul(2).add(1))),
    copy: fastest(() => out.assign(shifted.vec())),
  };
}
