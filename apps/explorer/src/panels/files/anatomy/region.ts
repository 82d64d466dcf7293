/** Helpers that make regions of a file. */
import type { Region } from "../messages.ts";

/** Returns a region. */
export function region(
  name: string,
  offset: number,
  length: number,
  value = "",
  children: readonly Region[] = [],
  isWrong = false,
): Region {
  return { name, offset, length, value, children, isWrong };
}

/** Returns the offset of the first wrong region without a wrong region inside it; -1 if there is none. */
export function firstWrong(regions: readonly Region[]): number {
  for (const { offset, isWrong, children } of regions) {
    const inner = firstWrong(children);
    if (inner >= 0) return inner;
    if (isWrong) return offset;
  }
  return -1;
}

/** Returns bytes as text: UTF-8, cut after so many characters, in quotes. */
export function textOf(bytes: Uint8Array, most = 60): string {
  const text = new TextDecoder().decode(bytes.subarray(0, most * 4));
  return JSON.stringify(text.length > most ? `${text.slice(0, most)}…` : text);
}

/** Reads a varint; null if the bytes end within it or it is larger than 2^53 - 1. */
export function varint(bytes: Uint8Array, at: number): { readonly value: number; readonly next: number } | null {
  let value = 0;
  let scale = 1;
  for (let i = at; i < bytes.length && i < at + 10; i++) {
    value += (bytes[i]! & 0x7f) * scale;
    if (bytes[i]! < 0x80) return { value, next: i + 1 };
    scale *= 128;
  }
  return null;
}

/** Reads four bytes as an unsigned number, the lowest first. */
export const uint32 = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at, true);
