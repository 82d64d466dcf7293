/**
 * Elements of string, resource and variant maps as they are stored: JavaScript values in a plain array (tstring,
 * ResourceHandle and Variant objects in TensorFlow's buffers).
 *
 * A string element is immutable bytes. Text is stored as UTF-8; bytes are copied, as C++ does, so that a scratch buffer
 * the caller goes on using cannot change the tensor. Resource and variant elements are stored as they are.
 */
import type { ObjectDType } from "@onebuffer/base";

/** The part of the web platform's encoding interface used here; Node and every browser have it. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };

const encoder = new TextEncoder();

/** What a map of `dtype` stores for a value that `isElementInput` has accepted. */
export function storedObject(dtype: ObjectDType, value: unknown): unknown {
  if (dtype !== "string") return value;
  return typeof value === "string" ? encoder.encode(value) : new Uint8Array(value as Uint8Array);
}
