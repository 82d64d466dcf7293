// Tells the address check (checker.mjs) which maps an assignment reads and writes. The bytes are those of the maps of the expression, and
// not those of the plan that is made for it.

/** Returns the first byte of places and the one behind their last. */
function rangeOf({ byteOffset, itemBytes, dims, strides }) {
  if (dims.includes(0)) return [byteOffset, byteOffset];
  let [low, high] = [byteOffset, byteOffset];
  dims.forEach((size, d) => {
    const reach = (size - 1) * strides[d] * itemBytes;
    if (reach < 0) low += reach;
    else high += reach;
  });
  return [low, high + itemBytes];
}

/** Replaces the entrances to the kernels by ones that check. The arguments are modules of packages/eigen and packages/wasm. */
export function watchAssignments(checker, { kernels, treeOrder, linearMemory, scratchInUse }) {
  checker.observe(() => scratchInUse().map(([start, end]) => [start, end, "scratch memory"]));
  const inside = (places, what) => {
    const memory = linearMemory();
    if (places === null || !memory.isConstructed || places.buffer !== memory.buffer) return [];
    const [start, end] = rangeOf(places);
    return [[start, end, `${what} [${places.dims}]`]];
  };
  /**
   * The places of a map; null for one whose memory is freed, which the assignment refuses. By the method of the class: tests replace that of
   * a map to count its calls.
   */
  const placesOf = (map) => {
    try {
      return Object.getPrototypeOf(map).rawPlaces.call(map);
    } catch {
      return null;
    }
  };
  const operandsOf = (trees) =>
    treeOrder(trees)
      .filter(({ op }) => op === "map")
      .flatMap((map) => inside(placesOf(map), `${map.dtype} operand`));
  const own = { ...kernels };
  kernels.assignAsBefore = (target, tree) =>
    checker.during(operandsOf([tree]), inside(placesOf(target), "the target"), () => own.assignAsBefore(target, tree));
  kernels.computeInto = (places, tree) =>
    checker.during(operandsOf([tree]), inside(places, "the target"), () => own.computeInto(places, tree));
  kernels.computeTogether = (assignments) =>
    checker.during(
      operandsOf(assignments.map(({ tree }) => tree)),
      assignments.flatMap(({ places }) => inside(places, "a target")),
      () => own.computeTogether(assignments),
    );
  kernels.computeFresh = (tree, bytes, byteOffset, numElements) => {
    const itemBytes = { bool: 1 }[tree.dtype] ?? kItemBytes(tree.dtype);
    const target = { buffer: bytes, byteOffset, itemBytes, dims: [numElements], strides: [1] };
    return checker.during(operandsOf([tree]), inside(target, "the target"), () => own.computeFresh(tree, bytes, byteOffset, numElements));
  };
}

/** The bytes of an element of a dtype that kernels store. */
const kItemBytes = (dtype) => Math.ceil((Number(/\d+$/.exec(dtype.replace(/_.*/, ""))?.[0] ?? 128) + 7) / 8);
