// Samples that a seed chooses: the same seed and the same items give the same sample on every machine.

/** Returns a function that gives the next number of a sequence in [0, 1): mulberry32. */
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Returns `count` of the items in random order, or all of them if there are fewer. The beginning of a longer sample is the shorter one: a run
 * that is stopped by its time limit has tried a sample as well.
 */
export function sampled(items, count, seed) {
  const random = randomOf(seed);
  const rest = [...items];
  const chosen = [];
  while (chosen.length < count && rest.length > 0) {
    const at = Math.floor(random() * rest.length);
    chosen.push(rest[at]);
    rest[at] = rest.at(-1);
    rest.pop();
  }
  return chosen;
}
