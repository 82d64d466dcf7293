/**
 * `onebuffer diff A B`: which tensors of two files differ, and by how much. The files may have different formats.
 *
 *     - name      only in A          ~ name      other dtype or shape
 *     + name      only in B          ! name      other values: how many, the largest difference, absolute and relative
 */
import { printable } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import { item, select } from "@onebuffer/eigen";
import type { TensorInfo } from "@onebuffer/io";
import type { TensorFile } from "../files/open-tensor-file.ts";
import { paint } from "./console.ts";
import type { Surroundings } from "./console.ts";
import type { ExitCode } from "./exit-code.ts";
import { openFile } from "./open-file.ts";
import { Progress } from "./progress.ts";
import { shortNumber } from "./statistics.ts";

/** Compares two files. Returns 3 if they differ. Throws the errors of the readers. */
export async function diff(pathA: string, pathB: string, around: Surroundings): Promise<ExitCode> {
  const a = await openFile(pathA, around);
  try {
    const b = await openFile(pathB, around);
    try {
      return await compare(a, b, around);
    } finally {
      b.close();
    }
  } finally {
    a.close();
  }
}

async function compare(a: TensorFile, b: TensorFile, around: Surroundings): Promise<ExitCode> {
  const { print, signal } = around;
  const inB = new Map(b.infos.map((info) => [info.name, info]));
  const inA = new Map(a.infos.map((info) => [info.name, info]));
  const progress = Progress.ofTensors(around, a.infos);
  let same = 0;
  const lines: string[] = [];
  try {
    for (const info of a.infos) {
      signal.throwIfAborted();
      const other = inB.get(info.name);
      const line =
        other === undefined
          ? paint(around, "red", `- ${printable(info.name)}  ${kindOf(info)}`)
          : await difference(a, b, info, other, around);
      if (line === null) same++;
      else lines.push(line);
      progress.finish(info.bytes);
    }
  } finally {
    progress.end();
  }
  for (const info of b.infos) if (!inA.has(info.name)) lines.push(paint(around, "green", `+ ${printable(info.name)}  ${kindOf(info)}`));
  lines.forEach(print);
  print(`${same} equal, ${lines.length} different`);
  return lines.length === 0 ? 0 : 3;
}

const kindOf = ({ dtype, shape }: Pick<TensorInfo, "dtype" | "shape">): string => `${dtype} [${shape.join(",")}]`;

/** Returns the line of a tensor that is in both files, or null if it is the same in both. */
async function difference(
  a: TensorFile,
  b: TensorFile,
  info: TensorInfo,
  other: TensorInfo,
  { signal }: Surroundings,
): Promise<string | null> {
  const name = printable(info.name);
  if (kindOf(info) !== kindOf(other)) return `~ ${name}  ${kindOf(info)} -> ${kindOf(other)}`;
  const [x, y] = [await a.store.bytes(info.name, { signal }), await b.store.bytes(info.name, { signal })];
  if (isSame(x.bytes, y.bytes)) return null;
  if (["string", "variant"].includes(info.dtype) || info.dtype.startsWith("complex")) return `! ${name}  ${kindOf(info)}  other values`;
  using p = await a.store.read(info.name, null, { signal });
  using q = await b.store.read(info.name, null, { signal });
  return `! ${name}  ${kindOf(info)}  ${amounts(p, q)}`;
}

function isSame(x: Uint8Array<ArrayBufferLike>, y: Uint8Array<ArrayBufferLike>): boolean {
  return x.length === y.length && Buffer.compare(x, y) === 0;
}

/** Returns how many elements differ, and by how much. Two NaNs are equal; a NaN beside a number differs by nothing that can be counted. */
function amounts(a: Tensor, b: Tensor): string {
  const x = (a as Tensor<"float32">).flat().cast("float64");
  const y = (b as Tensor<"float32">).flat().cast("float64");
  const differs = x.notEqual(y).logicalAnd(x.isNan().logicalAnd(y.isNan()).logicalNot());
  const count = item(differs.cast("float64").sum());
  const by = x.sub(y).abs();
  const finite = by.isFinite();
  const most = item(select(finite, by, 0).max());
  const relative = item(select(finite.logicalAnd(by.greater(0)), by.div(x.abs().maximum(y.abs())), 0).max());
  return `${count} of ${a.numElements} differ, by at most ${shortNumber(most)} (${shortNumber(relative)} of the value)`;
}
