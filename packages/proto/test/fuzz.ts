// Decoding under fire: mutants of real messages must decode or end in a StatusError, never crash, hang or allocate more
// than their length allows; and what decodes must encode to bytes that decode to the same.
import { toBinary } from "@bufbuild/protobuf";
import { isStatusError } from "@onebuffer/base";
import fc from "fast-check";
import { readFileSync } from "node:fs";
import { fromHex } from "./hex.ts";
import type { AnyCodec } from "./oracle.ts";
import { messageArbitrary, pairs } from "./oracle.ts";

/** Every way in which decoding can end but well: the code and the words of the error. */
export const kErrorBranches: readonly (readonly [name: string, code: string, words: RegExp])[] = [
  ["varint of more than 10 bytes", "INVALID_ARGUMENT", /a varint of more than 10 bytes/],
  ["tag of more than 32 bits", "INVALID_ARGUMENT", /a tag of more than 32 bits/],
  ["field number 0", "INVALID_ARGUMENT", /field number 0 at/],
  ["length of 2^31 or more", "INVALID_ARGUMENT", /a length of 2\^31 or more/],
  ["not UTF-8", "INVALID_ARGUMENT", /a string that is not UTF-8/],
  ["end of a group that was not begun", "INVALID_ARGUMENT", /the end of group \d+, which was not begun/],
  ["wire type 6 or 7", "INVALID_ARGUMENT", /wire type [67] of field \d+/],
  ["nested too deep", "INVALID_ARGUMENT", /messages nested more than \d+ deep/],
  ["packed fixed sizes", "INVALID_ARGUMENT", /bytes of packed \w+, which are no multiple of [48]/],
  ["packed varints not ended", "INVALID_ARGUMENT", /packed varints whose last one is not ended/],
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

/** What a run of mutants came to. */
export interface FuzzReport {
  readonly mutants: number;
  readonly decoded: number;
  /** How often each branch of ERROR_BRANCHES was taken. */
  readonly branches: ReadonlyMap<string, number>;
  /** The largest ratio of bytes held in typed arrays of their own to bytes read. */
  readonly amplification: number;
  /** The slowest decode, in milliseconds. */
  readonly slowest: number;
}

/** A small generator of random numbers, so that a seed names a run. */
function randomSource(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** Real messages: those of TensorFlow's and XLA's vectors, and one or more of every other type. */
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

/** A changed copy of `seed`. */
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
        // All of it as a field of the message, one to eight times over.
        for (let depth = random(8); depth >= 0 && bytes.length < 120; depth--) bytes.unshift(((1 + random(18)) << 3) | 2, bytes.length);
        bytes = bytes.map((byte) => byte & 0xff);
    }
  }
  return Uint8Array.from(bytes);
}

/** Bytes in typed arrays that are not views of `input`. */
function ownBytes(value: unknown, input: ArrayBufferLike): number {
  if (ArrayBuffer.isView(value)) return value.buffer === input ? 0 : value.byteLength;
  if (typeof value !== "object" || value === null) return 0;
  let sum = 0;
  for (const each of Array.isArray(value) ? value : Object.values(value)) sum += ownBytes(each, input);
  return sum;
}

const kOptions = [undefined, undefined, { recursionLimit: 2 }, { objectLimit: 12 }];

/** Decodes `mutants` mutants; throws what ought not to happen, naming the bytes. */
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

/** The report as lines of text. */
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
