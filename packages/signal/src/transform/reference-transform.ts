/**
 * reference-transform: discrete Fourier transforms in plain JavaScript, which the evaluator computes: sums for short lines, transforms by
 * the smallest prime factor of the length for others, and for large primes a convolution. It shares nothing with the kernels.
 */

/** Real and imaginary parts of a line. */
export interface PlainLine {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/** Lines up to this length, and of prime lengths up to the second, are summed up directly. */
const kDirectSize = 16;
const kDirectPrime = 67;

/** Returns a line of zeros. */
export const plainLine = (length: number): PlainLine => ({ re: new Float64Array(length), im: new Float64Array(length) });

/** Returns the sums over j of exp(sign 2 pi i j k / n) x[j], not divided by n. */
export const referenceTransform = (line: PlainLine, sign: 1 | -1): PlainLine => transform(line, sign, rootsOfUnity(line.re.length, sign));

/** Transforms a line with the roots of a multiple of its length. */
function transform(line: PlainLine, sign: 1 | -1, roots: PlainLine): PlainLine {
  const length = line.re.length;
  if (length < 2) return line;
  const factor = leastFactor(length);
  if (length <= kDirectSize || (factor === length && factor <= kDirectPrime)) return directSums(line, roots);
  if (factor > kDirectPrime) return asConvolution(line, sign);
  const count = length / factor;
  const parts = Array.from({ length: factor }, (_, j) => {
    const part = plainLine(count);
    for (let t = 0; t < count; t++) copyElement(part, t, line, t * factor + j);
    return transform(part, sign, roots);
  });
  const result = plainLine(length);
  const step = roots.re.length / length;
  for (let k = 0; k < length; k++) {
    for (let j = 0; j < factor; j++) {
      const root = step * ((j * k) % length);
      addProduct(result, k, parts[j]!, k % count, roots.re[root]!, roots.im[root]!);
    }
  }
  return result;
}

/** Sums every product of an element and a root. */
function directSums(line: PlainLine, roots: PlainLine): PlainLine {
  const length = line.re.length;
  const step = roots.re.length / length;
  const result = plainLine(length);
  for (let k = 0; k < length; k++) {
    for (let j = 0; j < length; j++) {
      const root = step * ((j * k) % length);
      addProduct(result, k, line, j, roots.re[root]!, roots.im[root]!);
    }
  }
  return result;
}

function leastFactor(length: number): number {
  for (let factor = 2; factor * factor <= length; factor++) if (length % factor === 0) return factor;
  return length;
}

function copyElement(to: PlainLine, at: number, from: PlainLine, index: number): void {
  to.re[at] = from.re[index]!;
  to.im[at] = from.im[index]!;
}

/** Adds the product of an element and a factor. */
function addProduct(to: PlainLine, at: number, from: PlainLine, index: number, re: number, im: number): void {
  const [x, y] = [from.re[index]!, from.im[index]!];
  to.re[at]! += x * re - y * im;
  to.im[at]! += x * im + y * re;
}

/** Returns the numbers exp(sign 2 pi i k / n). Angles are reduced to an eighth of a turn. */
function rootsOfUnity(order: number, sign: 1 | -1): PlainLine {
  const roots = plainLine(order);
  for (let k = 0; k < order; k++) {
    const quarter = Math.round((4 * k) / order);
    const angle = (Math.PI * (4 * k - quarter * order)) / (2 * order);
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    roots.re[k] = [cos, -sin, -cos, sin, cos][quarter]!;
    roots.im[k] = sign * [sin, cos, -sin, -cos, sin][quarter]!;
  }
  return roots;
}

/** Computes the transform of a prime length as a convolution with exp(-sign pi i k^2 / n), over a power of 2. */
function asConvolution(line: PlainLine, sign: 1 | -1): PlainLine {
  const length = line.re.length;
  const long = 2 ** Math.ceil(Math.log2(2 * length - 1));
  const roots = rootsOfUnity(2 * length, sign);
  const chirp = (k: number): readonly [number, number] => {
    const root = Number((BigInt(k) * BigInt(k)) % BigInt(2 * length));
    return [roots.re[root]!, roots.im[root]!];
  };
  const [operand, kernel] = [plainLine(long), plainLine(long)];
  for (let k = 0; k < length; k++) {
    const [re, im] = chirp(k);
    addProduct(operand, k, line, k, re, im);
    for (const at of k === 0 ? [0] : [k, long - k]) [kernel.re[at], kernel.im[at]] = [re, -im];
  }
  const [spectrum, factors] = [referenceTransform(operand, -1), referenceTransform(kernel, -1)];
  const product = plainLine(long);
  for (let k = 0; k < long; k++) addProduct(product, k, spectrum, k, factors.re[k]! / long, factors.im[k]! / long);
  const sums = referenceTransform(product, 1);
  const result = plainLine(length);
  for (let k = 0; k < length; k++) addProduct(result, k, sums, k, ...chirp(k));
  return result;
}
