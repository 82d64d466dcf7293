/**
 * Lays out a safetensors file, byte for byte as the reference's `serialize` does.
 *
 * The tensors are sorted by element type, the last of the reference's list first, and then by name as bytes. The header has no white space
 * except at its end, which is padded so that the data begins at a multiple of 8.
 */
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import { checkNamedText, checkTensor, checkUnicode, namedEntries } from "../tensor/tensors-by-name.ts";
import type { TensorsByName } from "../tensor/tensors-by-name.ts";
import { packNibbles } from "./packed-nibbles.ts";
import { kLengthBytes } from "./safetensors-header.ts";
import { traitsOfDType } from "./safetensors-type.ts";
import type { SafetensorsTypeTraits } from "./safetensors-type.ts";

/** The metadata of a file: texts by name. */
export type MetadataInput = ReadonlyMap<string, string> | Readonly<Record<string, string>>;

/** A tensor and its place. */
export interface Placed {
  readonly name: string;
  readonly tensor: Tensor;
  readonly traits: SafetensorsTypeTraits;
  readonly byteLength: number;
}

/** A file that is not written yet. */
export interface SafetensorsLayout {
  /** The length, the header and its padding. */
  readonly header: Uint8Array<ArrayBuffer>;
  /** In the order of the file. */
  readonly tensors: readonly Placed[];
  /** In the order in which the caller gave them. */
  readonly given: readonly Placed[];
  readonly totalBytes: number;
}

const kMetadata = "__metadata__";
const kAlignment = 8;
const kSpace = 0x20;

declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };

/** Lays out a file. Throws INVALID_ARGUMENT, or UNIMPLEMENTED for a dtype that the format lacks. Copies nothing. */
export function layOut(call: string, input: TensorsByName, metadata: MetadataInput | undefined): SafetensorsLayout {
  const tensors: Placed[] = [];
  for (const [name, tensor] of namedEntries(call, input, "a Map or an object of tensors")) {
    checkTensor(call, name, tensor);
    if (name === kMetadata) throw new InvalidArgumentError(`${call}: a tensor cannot be called ${kMetadata}`);
    if (!tensor.isInitialized()) throw new FailedPreconditionError(`${call}: tensor ${shownValue(name)} is disposed or not initialized`);
    const traits = traitsOfDType(tensor.dtype, name);
    const bits = tensor.numElements * traits.bits;
    if (bits % 8 !== 0)
      throw new InvalidArgumentError(
        `${call}: tensor ${shownValue(name)} has ${tensor.numElements} elements of ${traits.bits} bits, not whole bytes`,
      );
    tensors.push({ name, tensor, traits, byteLength: bits / 8 });
  }
  const given = [...tensors];
  tensors.sort((a, b) => b.traits.order - a.traits.order || compareText(a.name, b.name));
  const fields: string[] = [];
  if (metadata !== undefined) fields.push(`"${kMetadata}":${metadataText(call, metadata)}`);
  let at = 0;
  for (const { name, tensor, traits, byteLength } of tensors) {
    const offsets = `[${at},${at + byteLength}]`;
    fields.push(
      `${JSON.stringify(name)}:{"dtype":"${traits.type}","shape":[${tensor.shape.dimSizes.join(",")}],"data_offsets":${offsets}}`,
    );
    at += byteLength;
  }
  const header = headerOf(`{${fields.join(",")}}`);
  return { header, tensors, given, totalBytes: header.length + at };
}

/** Returns the bytes of a tensor, a handle of the placed one, as the file has them: those of the tensor, uncopied, or the packed ones. */
export function storedBytes({ traits }: Placed, tensor: Tensor): Uint8Array<ArrayBufferLike> {
  if (tensor.numElements === 0) return new Uint8Array(0);
  return traits.bits === 4 ? packNibbles(tensor.tensorData) : tensor.tensorData;
}

function metadataText(call: string, metadata: MetadataInput): string {
  const entries = namedEntries(call, metadata, "a Map or an object of metadata");
  for (const [key, value] of entries) {
    checkNamedText(call, `metadata ${shownValue(key)}`, value);
    checkUnicode(call, `metadata ${shownValue(key)}`, value);
  }
  return `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(",")}}`;
}

function headerOf(text: string): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(text);
  const length = Math.ceil(json.length / kAlignment) * kAlignment;
  const header = new Uint8Array(kLengthBytes + length).fill(kSpace);
  let rest = length;
  for (let i = 0; i < kLengthBytes; i++) {
    header[i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  header.set(json, kLengthBytes);
  return header;
}

/** Compares by code points, which is the order of the UTF-8 bytes. */
function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = a.charCodeAt(i) - b.charCodeAt(i);
    if (difference !== 0) return codePointOrder(a, i) - codePointOrder(b, i);
  }
  return a.length - b.length;
}

/** Returns the code unit at which two texts differ, moved so that halves of surrogate pairs come after all other units. */
function codePointOrder(text: string, i: number): number {
  const unit = text.charCodeAt(i);
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
