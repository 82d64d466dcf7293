// Pseudo-random arrays and pairs of arrays, the same in every run, for the tests of bitcasts.
import { Layout, Shape } from "@onebuffer/xla";

/** A small pseudo-random generator: returns a function that gives numbers from 0 up to but not including `below`. */
export function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) % below;
  };
}

/** A generator's function. */
export type Random = ReturnType<typeof generator>;

/** A copy of a list in random order. */
export const shuffled = (random: Random, list: readonly number[]): number[] => {
  const out = list.slice();
  for (let i = out.length - 1; i > 0; i--) {
    const j = random(i + 1);
    [out[i], out[j]] = [out[j]!, out[i]!];
  }
  return out;
};

/** Random factors whose product is `n`. */
export function factorsOf(random: Random, n: number): number[] {
  const found: number[] = [];
  for (let rest = n; rest > 1; ) {
    const divisors = Array.from({ length: rest }, (_, i) => i + 1).filter((d) => d > 1 && rest % d === 0);
    const d = divisors[random(divisors.length)]!;
    found.push(d);
    rest /= d;
  }
  return found;
}

/** An array of blocks of dimensions: the blocks are in memory in the given order, each row-major; sizes of 1 are anywhere. */
function fromBlocks(random: Random, blocks: readonly number[], order: readonly number[]): Shape {
  const dims: number[] = [];
  const members: number[][] = blocks.map((size) => {
    const own: number[] = [];
    for (const factor of factorsOf(random, size)) own.push(dims.push(factor) - 1);
    if (random(3) === 0) dims.push(1);
    return own;
  });
  const minorToMajor = order.flatMap((block) => members[block]!.toReversed());
  const ones = dims.map((_, d) => d).filter((d) => dims[d] === 1);
  for (const one of shuffled(random, ones)) minorToMajor.splice(random(minorToMajor.length + 1), 0, one);
  return Shape.array("f32", dims, { layout: new Layout(minorToMajor) });
}

function withTiles(shape: Shape, tiles: number[][]): Shape {
  return shape.with({ layout: shape.layout!.with({ tiles }) });
}

/** One or two random tiles. */
export function someTiles(random: Random): number[][] {
  return Array.from({ length: 1 + random(2) }, () =>
    Array.from({ length: 1 + random(3) }, (_, i, last = 3) => (i < last - 1 && random(6) === 0 ? -1 : [1, 2, 2, 3, 4][random(5)]!)).concat([
      1 + random(4),
    ]),
  );
}

/** The shape with its most major dimension split in two, or with a dimension of size 1 added there. No bytes move, tiled or not. */
function splitMajor(random: Random, shape: Shape): Shape {
  const { minorToMajor } = shape.layout!;
  const d = minorToMajor.at(-1);
  const size = d === undefined ? 1 : shape.dimensions[d]!;
  const outer = size % 2 === 0 && random(2) === 0 ? 2 : 1;
  if (d === undefined) return shape;
  const dims = shape.dimensions.toSpliced(d, 1, outer, size / outer);
  const order = [...minorToMajor.map((e) => (e >= d ? e + 1 : e)), d];
  return shape.with({ dimensions: dims, layout: shape.layout!.with({ minorToMajor: order }) });
}

/** Two arrays with the same number of elements. In about half of the pairs a reshape moves nothing. */
export function pair(random: Random): [Shape, Shape] {
  const blocks = Array.from({ length: 1 + random(3) }, () => [2, 2, 3, 4][random(4)]!);
  const order = shuffled(
    random,
    blocks.map((_, i) => i),
  );
  const a = fromBlocks(random, blocks, order);
  const kind = random(8);
  if (kind < 3) return [a, fromBlocks(random, blocks, order)];
  if (kind < 6) return [a, fromBlocks(random, shuffled(random, blocks), shuffled(random, order))];
  const tiles = someTiles(random);
  const tiled = withTiles(a, tiles);
  if (kind === 6) return [tiled, splitMajor(random, tiled)];
  return [
    tiled,
    random(2) === 0
      ? withTiles(fromBlocks(random, blocks, order), random(2) === 0 ? tiles : someTiles(random))
      : fromBlocks(random, blocks, order),
  ];
}
