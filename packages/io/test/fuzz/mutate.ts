/** Mutates files: a generator of random numbers that a seed repeats, and the changes that find errors in readers. */

/** Random integers, the same for the same seed (xorshift32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  }

  /** Returns an integer from 0 to before `limit`. */
  below(limit: number): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x >>> 0;
    return this.#state % Math.max(1, limit);
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
}

const kBytes: readonly number[] = [0, 1, 2, 0x7f, 0x80, 0xfe, 0xff, 0x20, 0x2d, 0x30, 0x39, 0x5b, 0x7b, 0x22];
const kWords: readonly bigint[] = [
  0n,
  1n,
  0x7fffn,
  0xffffn,
  0x7fffffffn,
  0x80000000n,
  0xffffffffn,
  2n ** 53n,
  2n ** 63n - 1n,
  2n ** 63n,
  2n ** 64n - 1n,
];

type Bytes = Uint8Array<ArrayBuffer>;

function spliced(file: Bytes, at: number, removed: number, inserted: Uint8Array): Bytes {
  const result = new Uint8Array(file.length - removed + inserted.length);
  result.set(file.subarray(0, at));
  result.set(inserted, at);
  result.set(file.subarray(at + removed), at + inserted.length);
  return result;
}

/** Returns a changed copy of `file`. `others` are files of the same format; `words` are put into the file now and then. */
export function mutated(file: Bytes, random: Random, others: readonly Bytes[], words: readonly Uint8Array[]): Bytes {
  let result = file.slice();
  // Mostly one or two changes, which leave the file readable often enough.
  const changes = 1 + random.below(2) * random.below(4);
  for (let i = 0; i < changes; i++) result = changed(result, random, others, words);
  return result;
}

/** Returns a place in a file, mostly near its beginning or its end, where headers are. */
function placeIn(length: number, random: Random): number {
  const near = Math.min(length, 160);
  const choices = [random.below(length), random.below(near), length - 1 - random.below(near)];
  return Math.max(0, random.of(choices));
}

function changed(file: Bytes, random: Random, others: readonly Bytes[], words: readonly Uint8Array[]): Bytes {
  if (file.length === 0) return random.of(others).slice();
  const at = placeIn(file.length, random);
  const left = file.length - at;
  switch (random.below(9)) {
    case 0:
      file[at] = (file[at] as number) ^ (1 << random.below(8));
      return file;
    case 1:
      file[at] = random.of(kBytes);
      return file;
    case 2: {
      const view = new DataView(new ArrayBuffer(8));
      view.setBigUint64(0, random.of(kWords) + BigInt(random.below(3)) - 1n, true);
      file.set(new Uint8Array(view.buffer, 0, Math.min(left, random.of([2, 4, 8]))), at);
      return file;
    }
    case 3:
      return file.slice(0, at);
    case 4:
      return spliced(file, at, Math.min(left, 1 + random.below(16)), new Uint8Array(0));
    case 5:
      return spliced(file, at, 0, file.slice(at, at + 1 + random.below(80)));
    case 6:
      return words.length === 0 ? file : spliced(file, at, Math.min(left, random.below(4)), random.of(words));
    case 7: {
      const other = random.of(others);
      const from = random.below(other.length);
      return spliced(file, at, Math.min(left, random.below(40)), other.subarray(from, from + random.below(80)));
    }
    default:
      // A digit of a text: another one.
      for (let i = at; i < file.length; i++) {
        if ((file[i] as number) < 0x30 || (file[i] as number) > 0x39) continue;
        file[i] = 0x30 + random.below(10);
        break;
      }
      return file;
  }
}
