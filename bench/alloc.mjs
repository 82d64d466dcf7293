// Makes and disposes a tensor of 64 KiB: alone, beside 100,000 live tensors, and among 100,000 free gaps.
export const kAllocSide = 128;
export const kAllocElements = kAllocSide * kAllocSide;
const kCount = 100_000;

/** Returns the elements of small tensors: 256 B to 4 KiB, in irregular order. */
const small = (i) => 64 * (1 + ((i * 7919) % 16));

/**
 * Returns the elements of tensors that leave gaps. One pair of twenty is as long as the timed tensor or up to three quarters
 * longer, so that the allocator's search finds gaps that are long enough.
 */
const mixed = (i) => ((i >> 1) % 20 === 0 ? kAllocElements + 64 * (((i >> 1) * 31) % 192) : small(i >> 1));
export const kLargest = kAllocElements + 64 * 192;

/**
 * Returns the cases of a library that makes the timed tensor with `make`, others with `makeOther(elements)`, and disposes with
 * `dispose`.
 */
export function allocCases({ make, makeOther, dispose, sizeOf, note = "" }) {
  const timed = (setUp) => () => {
    const held = setUp();
    return {
      note,
      run: () => dispose(make()),
      checksum() {
        const tensor = make();
        const size = sizeOf(tensor);
        dispose(tensor);
        return size;
      },
      free() {
        for (const each of held) dispose(each);
      },
    };
  };
  return {
    alloc: timed(() => []),
    "alloc at 100,000 live": timed(() => Array.from({ length: kCount }, (_, i) => makeOther(small(i)))),
    "alloc with 100,000 free fragments": timed(() => {
      const all = Array.from({ length: 2 * kCount }, (_, i) => makeOther(mixed(i)));
      return all.filter((each, i) => {
        if (i % 2 === 1) return true;
        dispose(each);
        return false;
      });
    }),
  };
}
