/** What the page and the worker of the panel "Files" send each other. */

import type { FileVerdict } from "./verdict.ts";

/** A named piece of a file, with the pieces inside it. */
export interface Region {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
  /** The piece's value in words; "" if it has none. */
  readonly value: string;
  /** True if the piece cannot be right. */
  readonly isWrong: boolean;
  readonly children: readonly Region[];
}

/** A tensor of a file. */
export interface TensorEntry {
  readonly key: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes: number;
  /** The verdict on the checksum of its bytes; null if it has none, or nothing was read yet. */
  readonly checksum: "ok" | "bad" | null;
  /** Why its bytes cannot be read; "" if they can, or were not read yet. */
  readonly reason: string;
}

/** A file, or the files of a checkpoint, as the worker has opened them. */
export interface OpenedFile {
  readonly name: string;
  readonly format: string;
  readonly size: number;
  /** The bytes of the data files that belong to an index; 0 for a format of one file. */
  readonly dataSize: number;
  /** The bytes that were read to list the tensors: the index or header alone. */
  readonly indexBytes: number;
  readonly verdict: FileVerdict;
  /** False if the file is so large that its tensors have not been read: their checksums are then not verified. */
  readonly isChecked: boolean;
  readonly tensors: readonly TensorEntry[];
  /** Names and values that the format keeps beside the tensors. */
  readonly notes: readonly (readonly [string, string])[];
  readonly regions: readonly Region[];
  /** The error that the reader ended with; "" if it opened the file. */
  readonly error: string;
  /** The byte of the file at which the error is; -1 if it is not known. */
  readonly errorAt: number;
}

/** What is known about the elements of a tensor, or of a slice of one. */
export interface TensorFacts {
  readonly dtype: string;
  readonly shape: readonly number[];
  /** The elements as NumPy prints them. */
  readonly text: string;
  /** Null for elements that are no numbers. */
  readonly numbers: NumberFacts | null;
  /** The bytes of the files that were read for it. */
  readonly bytesRead: number;
  /** The time until the elements were in memory, and the time to count them for the statistics and the picture. */
  readonly readMilliseconds: number;
  readonly countMilliseconds: number;
}

/** Statistics of numbers, over those that are finite. */
export interface NumberFacts {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly std: number;
  readonly zeros: number;
  readonly nans: number;
  readonly infinities: number;
  /** The number of elements in each of equal intervals from min to max. */
  readonly histogram: readonly number[];
  /** The innermost two dimensions as RGBA; null for fewer dimensions. */
  readonly image: { readonly width: number; readonly height: number; readonly pixels: Uint8ClampedArray<ArrayBuffer> } | null;
}

/** A file that the page gives to the worker. */
export interface GivenFile {
  readonly name: string;
  readonly blob: Blob;
}

/** A request. `id` returns with every answer. */
export type Request =
  | { readonly id: number; readonly kind: "open"; readonly files: readonly GivenFile[] }
  | { readonly id: number; readonly kind: "tensor"; readonly file: number; readonly key: string; readonly slice: string }
  | { readonly id: number; readonly kind: "check"; readonly file: number }
  | { readonly id: number; readonly kind: "sample"; readonly sample: string }
  | { readonly id: number; readonly kind: "cancel" };

/** An answer. */
export type Answer =
  | { readonly id: number; readonly kind: "progress"; readonly bytes: number; readonly totalBytes: number }
  | { readonly id: number; readonly kind: "opened"; readonly files: readonly OpenedFile[] }
  | { readonly id: number; readonly kind: "checked"; readonly file: OpenedFile }
  | { readonly id: number; readonly kind: "facts"; readonly facts: TensorFacts }
  | { readonly id: number; readonly kind: "sampled"; readonly files: readonly GivenFile[] }
  | { readonly id: number; readonly kind: "failed"; readonly error: string };
