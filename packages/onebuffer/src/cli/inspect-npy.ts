/**
 * `onebuffer inspect`: prints the contents of an .npy file, and some views that share its bytes.
 *
 * The sha256 is computed over the elements' bytes in row-major order, little-endian, the bytes of NumPy's
 * `a.astype(a.dtype.newbyteorder('<')).tobytes()`. Bool bytes other than 0 and 1 are kept for it, as NumPy keeps them.
 */
import { printable } from "@onebuffer/base/internal";
import { createHash } from "node:crypto";
import { bytesCopied } from "@onebuffer/allocator";
import type { Tensor } from "@onebuffer/core";
import { parseNpyHeader, readNpy } from "@onebuffer/io";
import type { NpyHeader } from "@onebuffer/io";
import type { Print } from "./console.ts";

/** The number of elements that are printed. */
const kFirst = 8;

/** Describes the .npy file `bytes`, called `path`. Throws the errors of `readNpy`, and prints nothing in that case. */
export function inspectNpy(path: string, bytes: Uint8Array<ArrayBuffer>, print: Print): void {
  const header = parseNpyHeader(bytes);
  const before = bytesCopied();
  using tensor = readNpy(bytes, { boolBytes: "keep" });
  const copied = bytesCopied() - before;
  const line = (name: string, value: string): void => print(`${name.padEnd(8)}${value}`);
  line("file", printable(path));
  line("format", `.npy ${header.version.join(".")}, data at byte ${header.dataOffset}`);
  line("descr", `${header.descr}, ${header.littleEndian ? "little" : "big"}-endian, ${header.fortranOrder ? "column" : "row"}-major`);
  line("dtype", header.dtype);
  line("shape", tensor.shape.debugString());
  line("size", `${tensor.numElements} elements, ${tensor.totalBytes} bytes`);
  line("first", firstValues(tensor));
  line("sha256", createHash("sha256").update(tensor.tensorData).digest("hex"));
  line("copied", copied === 0 ? "0 bytes: the tensor uses the file's bytes" : `${copied} bytes: ${whyCopied(header)}`);
  const odd = header.dtype === "bool" ? tensor.tensorData.reduce((count: number, byte: number) => count + (byte > 1 ? 1 : 0), 0) : 0;
  if (odd > 0) line("note", `${odd} bool bytes are neither 0 nor 1; readNpy makes them 1, unless boolBytes is "keep"`);
  for (const view of views(tensor)) line("view", view);
}

function firstValues(tensor: Tensor): string {
  const flat = tensor.flat();
  const shown = Math.min(kFirst, tensor.numElements);
  const values = Array.from({ length: shown }, (_, i) => valueText(flat.at(i)));
  return values.join(" ") + (tensor.numElements > shown ? " ..." : "");
}

/** The text of an element, close to NumPy's `str`: complex numbers are written as `1+2j`. */
function valueText(value: unknown): string {
  if (!Array.isArray(value)) return Object.is(value, -0) ? "-0" : String(value);
  const [re, im] = value as readonly number[];
  const sign = Object.is(im, -0) || Number(im) < 0 ? "-" : "+";
  return `${re}${sign}${Math.abs(Number(im))}j`;
}

function whyCopied({ littleEndian, fortranOrder }: NpyHeader): string {
  const reasons = [fortranOrder ? "column-major" : "", littleEndian ? "" : "big-endian"].filter((reason) => reason !== "");
  return reasons.length > 0 ? `the data is ${reasons.join(" and ")}` : "the data is not aligned";
}

/** Makes other tensors over the same bytes. Returns a line for each, with the buffer's reference count at that time. */
function views(tensor: Tensor): string[] {
  const lines: string[] = [];
  const n = tensor.numElements;
  const add = (code: string, view: Tensor): void => {
    const refs = view.buffer?.rootBuffer.refCount ?? 0;
    lines.push(`${code.padEnd(20)} ${view.shape.debugString().padEnd(20)} shares: ${view.sharesBufferWith(tensor)}, references: ${refs}`);
  };
  if (n === 0) return lines;
  using line = tensor.reshape([n]);
  add("reshape([n])", line);
  using column = tensor.reshape([n, 1]);
  add("reshape([n, 1])", column);
  if (tensor.dims === 0) return lines;
  using row = tensor.subSlice(0);
  add("subSlice(0)", row);
  using half = tensor.slice(0, Math.ceil(tensor.shape.dimSize(0) / 2));
  add(`slice(0, ${half.shape.dimSize(0)})`, half);
  return lines;
}
