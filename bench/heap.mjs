// Measures heap bytes per object: the growth of the used heap over many live objects, including everything that they own.
const kCount = 200_000;

export function heapBytesPer(make, release = () => undefined) {
  const kept = new Array(kCount).fill(null);
  for (let i = 0; i < 2000; i++) kept[i] = make(i);
  for (let i = 0; i < 2000; i++) release(kept[i]);
  kept.fill(null);
  globalThis.gc();
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < kCount; i++) kept[i] = make(i);
  globalThis.gc();
  globalThis.gc();
  const bytes = (process.memoryUsage().heapUsed - before) / kCount;
  for (let i = 0; i < kCount; i++) release(kept[i]);
  return bytes;
}
