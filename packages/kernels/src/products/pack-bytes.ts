/**
 * pack-bytes: writes the functions that pack blocks of int8 and uint8 into panels (Eigen has such packing in its fixed-point module).
 *
 *     line a: a0 a1 a2, line b: b0 b1 b2     packed     a0 a1 b0 b1 | a2 0 b2 0     pairs of 16 bits, k and k + 1 of each line
 *
 * A pair takes the place of an element of 32 bits. i32x4.dot_i16x8_s multiplies pairs and adds the two products, twice as many products as
 * a multiplication of float32. The last pair of an odd number of elements has a 0.
 */
import type { CodeWriter, WasmModule } from "@onebuffer/wasm/internal";
import type { PackLocals } from "./pack-panels.ts";
import { kPackParams, packLocals, storeTransposed, writePanels } from "./pack-panels.ts";

/** The dtypes of one byte that are multiplied as pairs. */
export type ByteDType = "int8" | "uint8";

const kPairBytes = 4;

/** Writes `packAnyN`, `packAcrossN` and `packAlongN` for lines of bytes. `depth` counts bytes of a line, not pairs. */
export function writePackBytes(module: WasmModule, lines: number, dtype: ByteDType): void {
  const sign = dtype === "int8" ? "s" : "u";
  const begin = (name: string, sources: number): PackLocals & { readonly code: CodeWriter; readonly v128: (name: string) => number } => {
    const target = module.function(`${name}${lines}`, kPackParams, ["i32"]);
    return { ...packLocals(target, sources), code: target.body, v128: (each) => target.local("v128", each) };
  };

  const any = begin("packAny", lines);
  writePanels(any.code, any, lines, () => writePairs(any.code, any, sign));

  const across = begin("packAcross", lines);
  const vectors = [0, 1, 2, 3].map((lane) => across.v128(`v${lane}`));
  writePanels(across.code, across, lines, () => {
    const { code, k, to, sources } = across;
    code.whileAtLeast(k, 8, 8, () => {
      for (let group = 0; group < lines; group += 4) {
        vectors.forEach((vector, lane) => {
          const source = sources[group + lane]!;
          code.get(source).memory(`v128.load8x8_${sign}`).set(vector).addTo(source, 8);
        });
        storeTransposed(code, vectors, to, lines * kPairBytes, group * kPairBytes);
      }
      code.addTo(to, 4 * lines * kPairBytes);
    });
    writePairs(code, across, sign);
  });

  const along = begin("packAlong", 1);
  const [first, second] = [along.v128("first"), along.v128("second")];
  writePanels(along.code, along, lines, () => {
    const { code, k, kStride, sources } = along;
    const source = sources[0]!;
    const load = (into: number): void => {
      code.get(source);
      if (lines === 8) code.memory(`v128.load8x8_${sign}`);
      else code.memory("v128.load32_zero").op(`i16x8.extend_low_i8x16_${sign}`);
      code.set(into);
      code.addLocal(source, kStride);
    };
    forPairs(code, k, (isWhole) => {
      load(first);
      if (isWhole) load(second);
      else code.i32(0).op("i32x4.splat").set(second);
      for (let half = 0; half < lines / 4; half++) {
        code.get(along.to).get(first).get(second);
        code.shuffle([0, 1, 2, 3].flatMap((line) => [0, 1, 16, 17].map((byte) => byte + 2 * (line + 4 * half))));
        code.memory("v128.store", half * 16);
      }
      code.addTo(along.to, lines * kPairBytes);
    });
  });
}

/** Writes the copy of the remaining elements, pair by pair and line by line. */
function writePairs(code: CodeWriter, { to, k, kStride, sources }: PackLocals, sign: "s" | "u"): void {
  const one = (source: number): CodeWriter => code.get(source).memory(`i32.load8_${sign}`).i32(0xffff).op("i32.and");
  forPairs(code, k, (isWhole) => {
    sources.forEach((source, line) => {
      code.get(to);
      one(source);
      code.addLocal(source, kStride);
      if (isWhole) {
        one(source).i32(16).op("i32.shl").op("i32.or");
        code.addLocal(source, kStride);
      }
      code.memory("i32.store", line * kPairBytes);
    });
    code.addTo(to, sources.length * kPairBytes);
  });
}

/** Writes a loop over pairs of the `k` remaining elements, and the code for a last single one. */
function forPairs(code: CodeWriter, k: number, write: (isWhole: boolean) => void): void {
  code.whileAtLeast(k, 2, 2, () => write(true));
  code.get(k).if();
  write(false);
  code.end();
}
