/**
 * What TensorFlow 2.21.0's ParseTensor made of 39 messages, some of them damaged or odd: the verdicts of the shared
 * material. ONEBUFFER_REAL_FILES says where it is; ../shared/real-files unless set. Where it is absent these tests
 * skip, unless ONEBUFFER_REQUIRE_REAL_FILES=1. Differences on purpose would stand in docs/proto.md; there is none.
 */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { liveBuffers } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import { tensorProtoCodec } from "@onebuffer/proto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const folder = resolve(root, process.env["ONEBUFFER_REAL_FILES"] ?? "../shared/real-files");
const path = join(folder, "verdicts/tensorproto-tf-2.21.0/verdicts.json");
const present = existsSync(path);
const required = process.env["ONEBUFFER_REQUIRE_REAL_FILES"] === "1";

interface Verdict {
  readonly hex: string;
  readonly tf: string;
}

const verdicts = present ? Object.entries(JSON.parse(readFileSync(path, "utf8")) as Readonly<Record<string, Verdict>>) : [];

const accepted = verdicts.filter(([, { tf }]) => tf.startsWith("ACCEPT "));
const refused = verdicts.filter(([, { tf }]) => !tf.startsWith("ACCEPT "));

const bytesOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, "hex"));

/** An element as the verdicts print it: Python's text. */
function pythonText(value: unknown): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (ArrayBuffer.isView(value)) return `b'${Buffer.from(value as Uint8Array).toString("latin1")}'`;
  if (Array.isArray(value)) return `(${String(value[0])}+${String(value[1])}j)`;
  return String(value);
}

const kFloating = /^(float|bfloat)/;

/** `float32 [2] [1.0, 2.0]`, as the verdicts have it. */
function told(tensor: Tensor): string {
  const map = tensor.flat();
  const elements = Array.from({ length: tensor.numElements }, (_, i) => {
    const value = map.at(i);
    return kFloating.test(tensor.dtype) && Number.isInteger(value) ? `${String(value)}.0` : pythonText(value);
  });
  return `${tensor.dtype} [${tensor.shape.dimSizes.join(", ")}] [${elements.join(", ")}]`;
}

test("the shared verdicts are here, or it is said that they are not", () => {
  if (!present) console.warn(`skipped: no verdicts at ${path}; set ONEBUFFER_REAL_FILES`);
  expect(present || !required).toBe(true);
});

(present ? describe : describe.skip)("verdicts of TensorFlow 2.21.0", () => {
  let before = 0;
  beforeAll(() => {
    before = liveBuffers();
  });
  afterAll(() => {
    expect(liveBuffers()).toBe(before);
  });

  test("there are as many as were recorded", () => {
    expect([accepted.length, refused.length]).toEqual([32, 7]);
  });

  test.each(accepted)("%s: accepted, the same elements", (_name, { hex, tf }) => {
    using tensor = Tensor.fromProto(tensorProtoCodec.decode(bytesOf(hex)));
    expect(told(tensor)).toBe(tf.slice("ACCEPT ".length));
  });

  test.each(refused)("%s: refused, and it is said why", (_name, { hex, tf }) => {
    expect(tf).toMatch(/^REJECT InvalidArgumentError /);
    const proto = tensorProtoCodec.decode(bytesOf(hex));
    let message = "nothing was thrown";
    try {
      Tensor.fromProto(proto).dispose();
    } catch (error) {
      if (!isStatusError(error)) throw error;
      message = String(error);
    }
    // TensorFlow says "Cannot parse tensor from proto" for all of them.
    expect(message).toMatch(/^INVALID_ARGUMENT: .*(\d|dtype|bool)/);
  });

  test.each(accepted)("%s: written again in both forms, the same elements", (_name, { hex }) => {
    using tensor = Tensor.fromProto(tensorProtoCodec.decode(bytesOf(hex)));
    for (const proto of [tensor.asProtoField(), tensor.asProtoTensorContent()]) {
      using again = Tensor.fromProto(tensorProtoCodec.decode(tensorProtoCodec.encode(proto)));
      expect(told(again)).toBe(told(tensor));
      expect(again.dtype).toBe(tensor.dtype);
    }
  });
});
