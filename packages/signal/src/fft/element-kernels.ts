/**
 * element-kernels: copies between real and complex lines, one element after the other, for lines that have no faster way: those of odd lengths,
 * and lines of large prime factors whose elements are apart.
 */
import { writeText } from "@onebuffer/wasm/internal";
import { fftFunction } from "./fft-module.ts";
import type { FftFunction, PartDType } from "./fft-module.ts";

/** Returns a function whose body is text, with further locals of 32 bits. */
const textFunction = (key: string, params: string, locals: string, text: string): FftFunction =>
  fftFunction(key, params, (target, _, module) => {
    for (const local of locals.split(" ")) if (local !== "") target.local("i32", local);
    writeText(module, target, text);
  });

/** Returns the words that load and store a part, and its bytes. */
const partOf = (dtype: PartDType): readonly [word: string, bytes: number] => (dtype === "float32" ? ["f32", 4] : ["f64", 8]);

/** Returns the function that copies `count` runs of `bytes` bytes, which are some bytes apart: from to fromStep toStep bytes count. */
export const copyFunction = (): FftFunction =>
  textFunction(
    "copy",
    "from to fromStep toStep bytes count",
    "",
    `loop
      to from bytes memory.copy
      from+=fromStep
      to+=toStep
      count+=-1
    count while`,
  );

/** Returns the function that makes complex numbers of `count` real ones: from to count. */
export function widenFunction(dtype: PartDType): FftFunction {
  const [part, bytes] = partOf(dtype);
  return textFunction(
    `widen ${dtype}`,
    "from to count",
    "",
    `loop
      to from ${part}.load ${part}.store
      to ${part}:0 ${part}.store:${bytes}
      from+=${bytes}
      to+=${2 * bytes}
      count+=-1
    count while`,
  );
}

/**
 * Returns the function that copies the first `bytes` bytes of `count` spectra of real rows: from to fromStep toStep bytes count isEven.
 * Element 0, and the last one of an even length, are real: their imaginary parts become 0.
 */
export function halveFunction(dtype: PartDType): FftFunction {
  const [part, bytes] = partOf(dtype);
  return textFunction(
    `halve ${dtype}`,
    "from to fromStep toStep bytes count isEven",
    "",
    `loop
      to from bytes memory.copy
      to ${part}:0 ${part}.store:${bytes}
      isEven if
        to bytes + ${bytes} - ${part}:0 ${part}.store
      end
      from+=fromStep
      to+=toStep
      count+=-1
    count while`,
  );
}

/** Returns the function that takes the real parts of `count` complex numbers: from to count. */
export function narrowFunction(dtype: PartDType): FftFunction {
  const [part, bytes] = partOf(dtype);
  return textFunction(
    `narrow ${dtype}`,
    "from to count",
    "",
    `loop
      to from ${part}.load ${part}.store
      from+=${2 * bytes}
      to+=${bytes}
      count+=-1
    count while`,
  );
}

/**
 * Returns the function that completes the spectrum of a real line: from to pairs last half. `pairs` elements behind the first one are copied, and
 * their conjugates stored from the end of the line at `last` backwards; `half`, 1 for even lengths, says that a real element is between them.
 */
export function completeFunction(dtype: PartDType): FftFunction {
  const [part, bytes] = partOf(dtype);
  const real = `to from ${part}.load ${part}.store to ${part}:0 ${part}.store:${bytes} from+=${2 * bytes} to+=${2 * bytes}`;
  return textFunction(
    `complete ${dtype}`,
    "from to pairs last half",
    "",
    `${real}
    pairs if
      loop
        to from ${part}.load ${part}.store
        to from ${part}.load:${bytes} ${part}.store:${bytes}
        last from ${part}.load ${part}.store
        last from ${part}.load:${bytes} ${part}.neg ${part}.store:${bytes}
        from+=${2 * bytes}
        to+=${2 * bytes}
        last+=${-2 * bytes}
        pairs+=-1
      pairs while
    end
    half if
      ${real}
    end`,
  );
}
