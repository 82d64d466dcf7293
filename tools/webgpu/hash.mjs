// Hashes of results (FNV-1a), to compare them between environments.

const hex = (state) => (state >>> 0).toString(16).padStart(8, "0");

/** Returns the hash of bytes. */
export function hashOfBytes(bytes) {
  let state = 0x811c9dc5;
  for (const byte of bytes) state = Math.imul(state ^ byte, 0x01000193);
  return hex(state);
}

/** Returns the hash of elements by their values: every NaN is the same, zeros differ by their sign. */
export function hashOfValues(values) {
  return hashOfBytes(
    new TextEncoder().encode(
      values
        .flat()
        .map((value) => (Object.is(value, -0) ? "-0" : String(value)))
        .join(),
    ),
  );
}
