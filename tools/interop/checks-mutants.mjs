// Damaged messages: what protobuf's parser and TensorFlow's FromProto accept, we accept, and with the same meaning.
import { isStatusError } from "@onebuffer/base";
import { tensorProtoCodec } from "@onebuffer/proto";
import { CODECS } from "./messages.mjs";
import { read } from "./ours.mjs";
import { bytesOf, hexOf } from "./samples.mjs";

/** Elements that a mutant may declare before it is left out: TensorFlow would fill gigabytes. */
const MOST_ELEMENTS = 1e5;

function generator(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
}

/** One to three damages: a byte changed, a bit turned, a piece removed, doubled or moved, another message appended. */
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

/** `{ hex }` or `{ refused }`. */
function attempt(act) {
  try {
    return { value: act() };
  } catch (error) {
    if (!isStatusError(error)) throw error;
    return { refused: String(error) };
  }
}

/**
 * Both write the message again. The bytes may differ where the meaning cannot: unknown fields keep a tag that is longer
 * than need be with protobuf, not with us, and XLA's fields of 2017 are unknown to it, so it writes them last.
 */
function compareWritten(codec, hex, message, theirs, report) {
  const ours = hexOf(codec.encode(message));
  if (ours === theirs) return report.pass();
  report.same(`${hex}, written again`, ours, hexOf(codec.encode(codec.decode(bytesOf(theirs)))));
  report.note("written with unknown fields in another place or with another tag, with the same meaning");
}

function elementsOf(proto) {
  return (proto.tensorShape?.dim ?? []).reduce((product, { size = 0 }) => product * Math.abs(Number(size)), 1);
}

/** `count` mutants of every message that both know, and as many of small tensors. */
export async function mutantsAgree(tensorflow, hello, report, count) {
  for (const [message, codec] of CODECS) {
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
  await tensorMutantsAgree(tensorflow, report, count);
}

/** Messages of small tensors, damaged, through tf.io.parse_tensor: accepted alike, and with the same elements. */
async function tensorMutantsAgree(tensorflow, report, count) {
  report.begin(`${count} mutants of small tensors' messages through parse_tensor`);
  const seeds = SMALL_TENSORS.map(bytesOf);
  const next = generator(77);
  let accepted = 0;
  await Promise.all(
    Array.from({ length: count }, () => {
      const bytes = mutate(seeds, next);
      const hex = hexOf(bytes);
      return report.check(hex, async () => {
        const proto = attempt(() => tensorProtoCodec.decode(bytes)).value;
        if (proto === undefined) return;
        if (elementsOf(proto) > MOST_ELEMENTS) return report.note("left out: it declares too many elements");
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
const SMALL_TENSORS = [
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
