// A fuzzer of decoding: mutants of real messages must decode or throw a StatusError, and never crash, hang or allocate more memory
// than their length justifies. Messages that decode must encode to bytes that decode to the same message.
import { toBinary } from "@bufbuild/protobuf";
import { isStatusError } from "@onebuffer/base";
import fc from "fast-check";
import { readFileSync } from "node:fs";
import { fromHex } from "./hex.ts";
import type { AnyCodec } from "./oracle.ts";
import { messageArbitrary, pairs } from "./oracle.ts";

/** All errors of decoding: a name, the code, and the words of the message. */
export const kErrorBranches: readonly (readonly [name: string, code: string, words: RegExp])[] = [
  ["varint of more than 10 bytes", "INVALID_ARGUMENT", /a varint of more than 10 bytes/],
  ["tag of more than 32 bits", "INVALID_ARGUMENT", /a tag of more than 32 bits/],
  ["field number 0", "INVALID_ARGUMENT", /field number 0 at/],
  ["length of 2^31 or more", "INVALID_ARGUMENT", /a length of 2\^31 or more/],
  ["not UTF-8", "INVALID_ARGUMENT", /a string that is not UTF-8/],
  ["end of a group that was not started", "INVALID_ARGUMENT", /the end of group \d+, which was not started/],
  ["wire type 6 or 7", "INVALID_ARGUMENT", /wire type [67] of field \d+/],
  ["nested too deep", "INVALID_ARGUMENT", /messages nested more than \d+ deep/],
  ["packed fixed sizes", "INVALID_ARGUMENT", /bytes of packed \w+, not a multiple of [48]/],
  ["incomplete packed varints", "INVALID_ARGUMENT", /packed varints of which the last one is incomplete/],
  ["objectLimit", "RESOURCE_EXHAUSTED", /more objects than the objectLimit allows/],
  ["varint beyond its message", "INVALID_ARGUMENT", /a varint goes beyond the end of its message/],
  ["field beyond its message", "INVALID_ARGUMENT", /a field of \d+ bytes goes beyond the end of its message/],
  ["value beyond its message", "INVALID_ARGUMENT", /a value of \d+ bytes goes beyond the end of its message/],
  ["group beyond its message", "INVALID_ARGUMENT", /group \d+ goes beyond the end of its message/],
  ["varint cut short", "DATA_LOSS", /inside a varint/],
  ["field cut short", "DATA_LOSS", /inside a field of \d+ bytes/],
  ["value cut short", "DATA_LOSS", /inside a value of \d+ bytes/],
  ["group cut short", "DATA_LOSS", /inside group \d+/],
];

/** The result of a run. */
export interface FuzzReport {
  readonly mutants: number;
  readonly decoded: number;
  /** How often each error of kErrorBranches occurred. */
  readonly branches: ReadonlyMap<string, number>;
  /** The largest ratio of bytes allocated for typed arrays to bytes of input. */
  readonly amplification: number;
  /** The slowest decode, in milliseconds. */
  readonly slowest: number;
}

/** Returns a generator of random integers below a bound. The same seed gives the same run. */
function randomSource(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** Returns real messages: those in the TensorFlow and XLA vectors, and 12 random ones of every type. */
function seeds(): (readonly [AnyCodec, Uint8Array])[] {
  const found: (readonly [AnyCodec, Uint8Array])[] = [];
  const codecOf = new Map(pairs.map(([, codec]) => [codec.typeName, codec]));
  const vectors = (name: string): unknown =>
    JSON.parse(readFileSync(new URL(`../../../../conformance/vectors/${name}.json`, import.meta.url), "utf8"));
  const collect = (value: unknown, names: RegExp, codec: AnyCodec): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, each] of Object.entries(value)) {
      if (typeof each === "string" && names.test(key) && /^([0-9a-f]{2})+$/.test(each) && each.length < 4000)
        found.push([codec, fromHex(each)]);
      else collect(each, names, codec);
    }
  };
  collect(vectors("tf-proto"), /^(after_)?wire$/, codecOf.get("tensorflow.TensorProto")!);
  collect(vectors("xla"), /[hH]ex$/, codecOf.get("xla.ShapeProto")!);
  for (const [, codec, schema] of pairs) {
    for (const message of fc.sample(messageArbitrary(schema, 3), { numRuns: 12, seed: 5 })) found.push([codec, toBinary(schema, message)]);
  }
  return found;
}

const kAwkward = [
  [0xff, 0xff, 0xff, 0xff, 0x07],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
  [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
  [0xa3, 0x06],
  [0xa4, 0x06],
  [0x00],
  [0x7f],
  [0x80],
];

/** Returns a copy of `seed` with one to three random changes. */
function mutate(seed: Uint8Array, other: Uint8Array, random: (below: number) => number): Uint8Array {
  let bytes = Array.from(seed);
  for (let changes = 1 + random(3); changes > 0; changes--) {
    const at = random(bytes.length + 1);
    const to = at + random(9);
    switch (random(9)) {
      case 0:
        if (at < bytes.length) bytes[at]! ^= 1 << random(8);
        break;
      case 1:
        if (at < bytes.length) bytes[at] = random(256);
        break;
      case 2:
        bytes.splice(at, 0, random(256));
        break;
      case 3:
        bytes.splice(at, to - at);
        break;
      case 4:
        bytes.splice(at, 0, ...bytes.slice(at, to));
        break;
      case 5:
        bytes.length = at;
        break;
      case 6:
        bytes.splice(at, 0, ...kAwkward[random(kAwkward.length)]!);
        break;
      case 7:
        bytes = bytes.slice(0, at).concat(Array.from(other.subarray(random(other.length + 1))));
        break;
      default:
        // Wrap the whole message in a field, one to eight times.
        for (let depth = random(8); depth >= 0 && bytes.length < 120; depth--) bytes.unshift(((1 + random(18)) << 3) | 2, bytes.length);
        bytes = bytes.map((byte) => byte & 0xff);
    }
  }
  return Uint8Array.from(bytes);
}

/** Returns the bytes of all typed arrays in a message that are not views of `input`. */
function ownBytes(value: unknown, input: ArrayBufferLike): number {
  if (ArrayBuffer.isView(value)) return value.buffer === input ? 0 : value.byteLength;
  if (typeof value !== "object" || value === null) return 0;
  let sum = 0;
  for (const each of Array.isArray(value) || value instanceof Map ? value.values() : Object.values(value)) sum += ownBytes(each, input);
  return sum;
}

const kOptions = [undefined, undefined, { recursionLimit: 2 }, { objectLimit: 12 }];

/** Decodes `mutants` mutants. Throws an error with the bytes if a mutant violates a property. */
export function fuzz(mutants: number, seed: number): FuzzReport {
  const random = randomSource(seed);
  const real = seeds();
  const branches = new Map(kErrorBranches.map(([name]) => [name, 0]));
  let decoded = 0;
  let amplification = 0;
  let slowest = 0;
  for (let i = 0; i < mutants; i++) {
    const [codec, bytes] = real[random(real.length)]!;
    const mutant = mutate(bytes, real[random(real.length)]![1], random);
    const fail = (what: string): Error => new Error(`${what}: ${codec.typeName} ${Buffer.from(mutant).toString("hex")}`);
    const started = performance.now();
    let message: object;
    try {
      message = codec.decode(mutant, kOptions[random(kOptions.length)]);
    } catch (error) {
      if (!isStatusError(error)) throw fail(`decoding threw ${String(error)}`);
      const branch = kErrorBranches.find(([, code, words]) => code === error.code && words.test(error.message));
      if (branch === undefined) throw fail(`an error of no branch, ${error.code} ${error.message}`);
      branches.set(branch[0], branches.get(branch[0])! + 1);
      continue;
    } finally {
      slowest = Math.max(slowest, performance.now() - started);
    }
    decoded++;
    if (mutant.length > 0) amplification = Math.max(amplification, ownBytes(message, mutant.buffer) / mutant.length);
    const again = codec.encode(message);
    if (Buffer.compare(codec.encode(codec.decode(again)), again) !== 0) throw fail("encoding is not stable");
    if (codec.byteLength(message) !== again.length) throw fail("byteLength differs from encode");
    codec.toJson(message);
  }
  return { mutants, decoded, branches, amplification, slowest };
}

/** Returns the report as text. */
export function reportText(report: FuzzReport): string {
  const share = ((100 * report.decoded) / report.mutants).toFixed(1);
  const lines = [...report.branches].map(([name, times]) => `  ${String(times).padStart(8)}  ${name}`);
  const hit = [...report.branches.values()].filter((times) => times > 0).length;
  return [
    `${report.mutants} mutants: ${share} % decode; slowest ${report.slowest.toFixed(1)} ms; at most ${report.amplification.toFixed(1)} bytes allocated per byte read`,
    `${hit} of ${report.branches.size} error branches taken:`,
    ...lines,
  ].join("\n");
}
