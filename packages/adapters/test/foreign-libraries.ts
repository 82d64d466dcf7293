// The classes of onnxruntime and ndarray: the real ones if they are in bench/node_modules, otherwise stand-ins of the same form. The tests
// of the form hold for both, so the stand-ins cannot differ from the libraries unnoticed wherever those are installed.
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

export interface OrtTensor {
  readonly type: string;
  readonly data: unknown;
  readonly dims: readonly number[];
  readonly location: string;
}

export type OrtTensorClass = new (type: string, data: unknown, dims: readonly number[]) => OrtTensor;

export interface Ndarray {
  readonly data: ArrayLike<number | bigint>;
  readonly shape: number[];
  readonly stride: number[];
  readonly offset: number;
  readonly dtype: string;
  get(...indices: number[]): number;
  transpose(...order: number[]): Ndarray;
  step(...steps: number[]): Ndarray;
  lo(...from: number[]): Ndarray;
}

export type MakeNdarray = (data: unknown, shape?: readonly number[], stride?: readonly number[], offset?: number) => Ndarray;

const require = createRequire(fileURLToPath(new URL("../../../../bench/package.json", import.meta.url)));

function installed<T>(name: string): T | null {
  try {
    return require(name) as T;
  } catch {
    return null;
  }
}

class StandInTensor implements OrtTensor {
  readonly type: string;
  readonly cpuData: unknown;
  readonly dims: readonly number[];

  constructor(type: string, data: unknown, dims: readonly number[]) {
    this.type = type;
    this.cpuData = data;
    this.dims = dims;
  }

  get data(): unknown {
    return this.cpuData;
  }

  get location(): string {
    return "cpu";
  }
}

class StandInNdarray implements Ndarray {
  readonly data: ArrayLike<number | bigint>;
  readonly shape: number[];
  readonly stride: number[];
  readonly offset: number;

  constructor(data: ArrayLike<number | bigint>, shape: readonly number[], stride: readonly number[], offset: number) {
    this.data = data;
    this.shape = [...shape];
    this.stride = [...stride];
    this.offset = offset;
  }

  get dtype(): string {
    return this.data.constructor.name.replace("Array", "").toLowerCase();
  }

  get(...indices: number[]): number {
    return this.data[indices.reduce((place, index, d) => place + index * this.stride[d]!, this.offset)] as number;
  }

  transpose(...order: number[]): Ndarray {
    return this.#with((list) => order.map((d) => list[d]!), this.offset);
  }

  step(...steps: number[]): Ndarray {
    let { offset } = this;
    const stride = this.stride.map((each, d) => {
      const step = steps[d] ?? 1;
      if (step < 0) offset += each * (this.shape[d]! - 1);
      return each * step;
    });
    const shape = this.shape.map((size, d) => Math.ceil(size / Math.abs(steps[d] ?? 1)));
    return new StandInNdarray(this.data, shape, stride, offset);
  }

  lo(...from: number[]): Ndarray {
    const offset = from.reduce((place, index, d) => place + index * this.stride[d]!, this.offset);
    return new StandInNdarray(
      this.data,
      this.shape.map((size, d) => size - (from[d] ?? 0)),
      this.stride,
      offset,
    );
  }

  #with(change: (list: readonly number[]) => number[], offset: number): Ndarray {
    return new StandInNdarray(this.data, change(this.shape), change(this.stride), offset);
  }
}

const standInNdarray: MakeNdarray = (data, shape = [(data as ArrayLike<number>).length], stride, offset = 0) => {
  const strides = stride ?? shape.map((_, d) => shape.slice(d + 1).reduce((product, size) => product * size, 1));
  return new StandInNdarray(data as ArrayLike<number>, shape, strides, offset);
};

export const kOrtTensors: readonly (readonly [string, OrtTensorClass])[] = [
  ["a stand-in", StandInTensor],
  ...[installed<{ readonly Tensor: OrtTensorClass }>("onnxruntime-common")?.Tensor].flatMap((found) =>
    found === undefined ? [] : [["onnxruntime-common", found] as const],
  ),
];

export const kNdarrays: readonly (readonly [string, MakeNdarray])[] = [
  ["a stand-in", standInNdarray],
  ...[installed<MakeNdarray>("ndarray")].flatMap((found) => (found === null ? [] : [["ndarray", found] as const])),
];

/** zarrita's array of bools (zarrita 0.7): no typed array, but with the places of one. */
export class BoolArray {
  readonly #bytes: Uint8Array;

  constructor(buffer: ArrayBuffer, byteOffset?: number, length?: number) {
    this.#bytes = new Uint8Array(buffer, byteOffset, length);
  }

  get BYTES_PER_ELEMENT(): number {
    return 1;
  }

  get byteOffset(): number {
    return this.#bytes.byteOffset;
  }

  get byteLength(): number {
    return this.#bytes.byteLength;
  }

  get buffer(): ArrayBufferLike {
    return this.#bytes.buffer;
  }

  get length(): number {
    return this.#bytes.length;
  }

  get(index: number): boolean {
    return this.#bytes[index] !== 0;
  }
}
