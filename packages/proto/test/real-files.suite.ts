/**
 * Compares Tensor.fromProto with recorded results of TensorFlow 2.21.0's ParseTensor for 39 messages, some of them damaged or unusual.
 * The environment variable ONEBUFFER_REAL_FILES names the folder of the records, by default ../shared/real-files. If it does not
 * exist, these tests are skipped, unless ONEBUFFER_REQUIRE_REAL_FILES=1. There are no intended differences.
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

/** Returns an element as the recorded results print it: in Python's format. */
function pythonText(value: unknown): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (ArrayBuffer.isView(value)) return `b'${Buffer.from(value as Uint8Array).toString("latin1")}'`;
  if (Array.isArray(value)) return `(${String(value[0])}+${String(value[1])}j)`;
  return String(value);
}

const kFloating = /^(float|bfloat)/;

/** Returns a tensor as text in the format of the recorded results, such as `float32 [2] [1.0, 2.0]`. */
function tensorText(tensor: Tensor): string {
  const map = tensor.flat();
  const elements = Array.from({ length: tensor.numElements }, (_, i) => {
    const value = map.at(i);
    return kFloating.test(tensor.dtype) && Number.isInteger(value) ? `${String(value)}.0` : pythonText(value);
  });
  return `${tensor.dtype} [${tensor.shape.dimSizes.join(", ")}] [${elements.join(", ")}]`;
}

test("the recorded results are present, unless they are not required", () => {
  if (!present) console.warn(`skipped: no recorded results at ${path}; set ONEBUFFER_REAL_FILES`);
  expect(present || !required).toBe(true);
});

(present ? describe : describe.skip)("recorded results of TensorFlow 2.21.0", () => {
  let before = 0;
  beforeAll(() => {
    before = liveBuffers();
  });
  afterAll(() => {
    expect(liveBuffers()).toBe(before);
  });

  test("all recorded results are tested", () => {
    expect([accepted.length, refused.length]).toEqual([32, 7]);
  });

  test.each(accepted)("%s: accepted with the same elements", (_name, { hex, tf }) => {
    using tensor = Tensor.fromProto(tensorProtoCodec.decode(bytesOf(hex)));
    expect(tensorText(tensor)).toBe(tf.slice("ACCEPT ".length));
  });

  test.each(refused)("%s: refused with a reason", (_name, { hex, tf }) => {
    expect(tf).toMatch(/^REJECT InvalidArgumentError /);
    const proto = tensorProtoCodec.decode(bytesOf(hex));
    let message = "nothing was thrown";
    try {
      Tensor.fromProto(proto).dispose();
    } catch (error) {
      if (!isStatusError(error)) throw error;
      message = String(error);
    }
    // TensorFlow's message for all of them is "Cannot parse tensor from proto".
    expect(message).toMatch(/^INVALID_ARGUMENT: .*(\d|dtype|bool)/);
  });

  test.each(accepted)("%s: encoded again in both forms with the same elements", (_name, { hex }) => {
    using tensor = Tensor.fromProto(tensorProtoCodec.decode(bytesOf(hex)));
    for (const proto of [tensor.asProtoField(), tensor.asProtoTensorContent()]) {
      using again = Tensor.fromProto(tensorProtoCodec.decode(tensorProtoCodec.encode(proto)));
      expect(tensorText(again)).toBe(tensorText(tensor));
      expect(again.dtype).toBe(tensor.dtype);
    }
  });
});
