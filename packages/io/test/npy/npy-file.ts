/** Makes .npy files byte by byte for tests. The header text is padded as NumPy pads it, unless an option changes that. */

export interface NpyParts {
  readonly version?: readonly [number, number];
  readonly header: string;
  readonly data?: Uint8Array;
  /** Overrides the header length written into the file. */
  readonly length?: number;
  /** Pads the text so that the data begins at a multiple of this. */
  readonly align?: number;
}

export function npyFile({ version = [1, 0], header, data = new Uint8Array(0), length, align = 1 }: NpyParts): Uint8Array<ArrayBuffer> {
  const lengthBytes = version[0] === 1 ? 2 : 4;
  let text = version[0] === 3 ? new TextEncoder().encode(header) : Uint8Array.from(header, (c) => c.charCodeAt(0));
  const pad = (align - ((8 + lengthBytes + text.length + 1) % align)) % align;
  if (align > 1) text = Uint8Array.from([...text, ...new Array<number>(pad).fill(0x20), 0x0a]);
  const file = new Uint8Array(8 + lengthBytes + text.length + data.length);
  file.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, ...version]);
  let rest = length ?? text.length;
  for (let i = 0; i < lengthBytes; i++) {
    file[8 + i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  file.set(text, 8 + lengthBytes);
  file.set(data, 8 + lengthBytes + text.length);
  return file;
}

/** A dict literal as NumPy writes it, each part replaceable. */
export function npyHeader(descr: string, shape: readonly number[], order: "False" | "True" = "False"): string {
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  return `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': ${tuple}, }`;
}

/** A complete file: NumPy's own header in front of `data`. */
export function npy(descr: string, shape: readonly number[], data: Uint8Array, order: "False" | "True" = "False"): Uint8Array<ArrayBuffer> {
  return npyFile({ header: npyHeader(descr, shape, order), data, align: 64 });
}
