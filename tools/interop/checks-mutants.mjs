// Damaged messages: we must accept what protobuf's parser and TensorFlow's FromProto accept, with the same meaning.
import { isStatusError } from "@onebuffer/base";
import { tensorProtoCodec } from "@onebuffer/proto";
import { kCodecs } from "./messages.mjs";
import { read } from "./ours.mjs";
import { bytesOf, hexOf } from "./samples.mjs";

/** The most elements that a mutant may declare; others are left out, because TensorFlow would fill gigabytes. */
const kMostElements = 1e5;

function generator(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
}

/** Applies one to three damages: a byte changed, a bit flipped, a piece removed, doubled or moved, another message appended. */
function mutate(seeds, next) {
  let bytes = [...seeds[next(seeds.length)]];
  for (let i = 1 + next(3); i > 0; i--) {
    const at = next(bytes.length + 1);
    const length = next(Math.min(12, bytes.length - at + 1));
    const kind = next(7);
    if (kind === 0 && at < bytes.length) bytes[at] = next(256);
    else if (kind === 1 && at < bytes.length) bytes[at] ^= 1 << next(8);
    else if (kind === 2) bytes.splice(at, length);
    else if (kind === 3) bytes.splice(at, 0, ...bytes.slice(at, at + length));
    else if (kind === 4) bytes.splice(at, 0, ...Array.from({ length: 1 + next(3) }, () => next(256)));
    else if (kind === 5) bytes = bytes.slice(0, at);
    else bytes.push(...seeds[next(seeds.length)]);
  }
  return Uint8Array.from(bytes);
}

/** Returns `{ hex }` or `{ refused }`. */
function attempt(act) {
  try {
    return { value: act() };
  } catch (error) {
    if (!isStatusError(error)) throw error;
    return { refused: String(error) };
  }
}

/**
 * Compares the bytes that both sides write for the message again. They may differ where the meaning cannot: protobuf keeps an
 * unknown field's tag that is longer than necessary and we do not, and it does not know XLA's fields of 2017, so it writes them
 * last. It sorts the entries of maps. An entry with an unknown field counts for us, without that field, as for protobuf in C++; Python's
 * protobuf takes the whole entry for an unknown field.
 */
function compareWritten(codec, hex, message, theirs, report) {
  const ours = hexOf(codec.encode(message));
  if (ours === theirs) return report.pass();
  const read = codec.decode(bytesOf(theirs));
  const [mine, other] = [message, read].map((each) => hexOf(codec.encode(withSortedMaps(each))));
  if (mine !== other && hasMap(message)) return report.note("an entry of a map has an unknown field");
  report.same(`${hex}, written again`, mine, other);
  report.note("written with unknown fields in another place or with another tag, with the same meaning");
}

/** Returns a message with the entries of all maps sorted by key. */
function withSortedMaps(value) {
  if (value instanceof Map)
    return new Map([...value].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, withSortedMaps(each)]));
  if (Array.isArray(value)) return value.map(withSortedMaps);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withSortedMaps(each)]));
}

/** Returns true if a message has a map anywhere. */
function hasMap(value) {
  if (value instanceof Map) return true;
  return typeof value === "object" && value !== null && !ArrayBuffer.isView(value) && Object.values(value).some(hasMap);
}

function elementsOf(proto) {
  return (proto.tensorShape?.dim ?? []).reduce((product, { size = 0 }) => product * Math.abs(Number(size)), 1);
}

/** Checks `count` mutants of every message that both sides know, and as many of small tensors. */
export async function mutantsAgree(tensorflow, hello, report, count) {
  for (const [message, codec] of kCodecs) {
    if (!hello.messages.includes(message)) continue;
    report.begin(`${count} mutants of ${message}`);
    const seeds = (await tensorflow.ask({ op: "random", message, seed: 2, count: 60 })).map(({ hex }) => bytesOf(hex));
    const next = generator(seeds.length + message.length);
    await Promise.all(
      Array.from({ length: count }, () => {
        const bytes = mutate(seeds, next);
        const hex = hexOf(bytes);
        return report.check(hex, async () => {
          const mine = attempt(() => codec.decode(bytes));
          const theirs = await tensorflow.tryAsk({ op: "reserialize", message, hex });
          if (theirs.aborted !== undefined) return report.note(`protobuf aborted: ${theirs.aborted}`);
          const accepted = theirs.ok !== undefined;
          if ((mine.refused === undefined) !== accepted)
            return report.fail(hex, `ours: ${mine.refused ?? "accepted"}; protobuf: ${theirs.error ?? "accepted"}`);
          report.pass();
          if (accepted) compareWritten(codec, hex, mine.value, theirs.ok.hex, report);
        });
      }),
    );
  }
  await cornersAgree(tensorflow, report);
  await tensorMutantsAgree(tensorflow, report, count);
}

/** Corner cases of the wire format that random mutation seldom finds, as bytes of TensorProtos by description. */
const kCorners = {
  "a varint of ten bytes": "18ffffffffffffffffff01",
  "a varint whose tenth byte goes beyond 64 bits": "1880808080808080808010",
  "a varint of eleven bytes": "188080808080808080808000",
  "a tag with a byte more than it needs": "988000" + "01",
  "a tag of six bytes": "988080808000" + "01",
  "a tag beyond 32 bits": "9880808080" + "0101",
  "a length of five bytes": "228480808000" + "0000803f",
  "a length of six bytes": "22848080808000" + "0000803f",
  "a length whose tenth byte goes beyond 64 bits": "2280808080808080808010",
  "an unknown field with a length of six bytes": "9a06848080808000" + "0000803f",
  "an unknown field with a value beyond 64 bits": "980680808080808080808010",
  "field number 0": "0001",
  "the highest field number": "f8ffffff0f01",
  "wire type 6": "0e",
  "wire type 7": "0f",
  "an unknown group": "9b060801a2060161" + "9c06",
  "a group in a group": "9b06ab06ac06" + "9c06",
  "a group that does not end": "9b060801",
  "a group that ends as another": "9b06a406",
  "the end of a group that did not begin": "9c06",
  "a group where a message is known": "1314",
  "a known field of another wire type": "0d01000000" + "1001" + "250000803f",
  "packed and not packed, mixed": "3803" + "3a020405" + "3806",
  "floats one by one": "2d0000803f" + "2d00000040",
  "a packed field of no values": "2a00",
  "packed floats that end in the middle": "2a03000080",
  "a packed varint that goes on beyond its field": "3a0180" + "01",
  "a singular field twice": "0801" + "0803",
  "a message in two pieces": "12041202" + "0802" + "12021801" + "1202" + "1200",
  "a string that is not UTF-8": "72031a01ff",
  "an overlong UTF-8 string": "72041a02c080",
  "a surrogate in UTF-8": "72051a03eda080",
  "bytes that are not UTF-8": "4201ff",
  "a bool of 2": "58" + "02",
  "a bool of ten bytes": "58" + "80808080808080808001",
  "an enum beyond 32 bits": "08" + "8180808010",
  "an int32 beyond 32 bits": "38" + "8180808010",
  "a uint32 beyond 32 bits": "8001" + "8180808010",
  "the end in a tag": "98",
  "the end in a varint": "1880",
  "the end in a length": "2280",
  "the end in a field": "220401",
  "the end in a fixed value": "2d0000",
  "a field longer than its message": "12031203" + "08011801",
};

/** The corners through protobuf for Python and through TensorFlow's C++ parser. */
async function cornersAgree(tensorflow, report) {
  report.begin("corners of the wire format");
  for (const [what, hex] of Object.entries(kCorners)) {
    await report.check(what, async () => {
      const whole = `0801${hex}`;
      const mine = attempt(() => tensorProtoCodec.decode(bytesOf(whole)));
      const theirs = await tensorflow.tryAsk({ op: "reserialize", message: "TensorProto", hex: whole });
      report.same(`${what}, protobuf for Python (ours: ${mine.refused})`, mine.refused === undefined, theirs.ok !== undefined);
      if (mine.refused === undefined && theirs.ok !== undefined) compareWritten(tensorProtoCodec, whole, mine.value, theirs.ok.hex, report);
      const parsed = await tensorflow.tryAsk({ op: "parse_tensor", hex: whole, dtype: 1 });
      const refusedByParser = /Could not parse/.test(parsed.error ?? "");
      report.same(`${what}, TensorFlow's parser (ours: ${mine.refused})`, mine.refused === undefined, !refusedByParser);
    });
  }
}

/** Messages of small tensors, damaged, through tf.io.parse_tensor: accepted alike, and with the same elements. */
async function tensorMutantsAgree(tensorflow, report, count) {
  report.begin(`${count} mutants of small tensors' messages through parse_tensor`);
  const seeds = kSmallTensors.map(bytesOf);
  const next = generator(77);
  let accepted = 0;
  await Promise.all(
    Array.from({ length: count }, () => {
      const bytes = mutate(seeds, next);
      const hex = hexOf(bytes);
      return report.check(hex, async () => {
        const proto = attempt(() => tensorProtoCodec.decode(bytes)).value;
        if (proto === undefined) return;
        if (elementsOf(proto) > kMostElements) return report.note("left out: it declares too many elements");
        const mine = attempt(() => read(hex));
        const theirs = await tensorflow.tryAsk({ op: "parse_tensor", hex });
        if (theirs.aborted !== undefined)
          return report.note(`TensorFlow aborted where we ${mine.refused === undefined ? "accept" : "refuse"}`);
        if (theirs.ok === undefined || mine.refused !== undefined)
          report.same(
            `${hex} (ours: ${mine.refused}; TensorFlow: ${theirs.error?.slice(0, 120)})`,
            mine.refused === undefined,
            theirs.ok !== undefined,
          );
        else {
          accepted++;
          report.same(hex, mine.value, theirs.ok);
        }
      });
    }),
  );
  report.note(`both accept ${accepted} of ${count} mutants, with the same elements`);
}

/** Messages of every kind of field and both forms. */
const kSmallTensors = [
  "080112041202080222080000803f00000040",
  "08011204120208022a080000803f00000040",
  "0801120812020802120208032a040000e040",
  "08021204120208023208000000000000f83f",
  "08031204120208023a0bffffffffffffffffff0105",
  "08041204120208023a04ff018002",
  "0807120412020803420161420262ff4200",
  "08071204120208022205020161ffff",
  "08081204120208024a100000803f000000400000404000008040",
  "08091204120208025213ffffffffffffffffff01808080808080808040",
  "080a1204120208035a020100",
  "080a12041202080222020100",
  "08121204120208016210000000000000f03f0000000000000040",
  "08131204120208026a058078808003",
  "0816120412020801820105ffffffff0f",
  "0817120412020801" + "8a0102ac02",
  "08181204120208029201023cc0",
  "081d12041202080222020e07",
  "081e1204120208023a020f01",
  "08151204120208017a0b0a03696e74120401000000",
];
