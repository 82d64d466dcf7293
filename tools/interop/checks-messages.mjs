// Compares every message with Google's protobuf, using TensorFlow's own descriptors: bytes and JSON, in both directions.
import { kCodecs } from "./messages.mjs";
import { bytesOf, hexOf } from "./samples.mjs";

/**
 * Returns true if two JSON values mean the same. Floats may be written with different digits. Negative zero is the text "-0" in our
 * JSON, because JSON.stringify writes the number as 0; protobuf reads both.
 */
export function sameJson(a, b) {
  if (a === "-0") return Object.is(b, -0);
  if (typeof a === "number" && typeof b === "number") return a === b || Math.fround(a) === Math.fround(b);
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const names = Object.keys(a);
  if (Array.isArray(a) !== Array.isArray(b) || names.length !== Object.keys(b).length) return false;
  return names.every((name) => name in b && sameJson(a[name], b[name]));
}

/**
 * Passes if our bytes are protobuf's, or become them when protobuf writes them again: the entries of a map have no order of their own, and
 * protobuf sorts them.
 */
export async function sameMessage(tensorflow, report, message, what, ours, theirs) {
  const sorted = ours === theirs ? ours : (await tensorflow.ask({ op: "reserialize", message, hex: ours })).hex;
  report.same(what, sorted, theirs);
}

/** Python fills messages at random; we read them, write the same bytes and the same JSON, and read that JSON back. */
export async function messagesAgree(tensorflow, hello, report, count) {
  for (const [message, codec] of kCodecs) {
    report.begin(`${message}: bytes and JSON as protobuf has them`);
    if (!hello.messages.includes(message)) {
      // Nested messages are filled through their parents.
      report.note(`TensorFlow ${hello.tensorflow} ships no ${message} for Python`);
      continue;
    }
    const theirs = await tensorflow.ask({ op: "random", message, seed: 1, count });
    await Promise.all(
      theirs.map(({ hex, json }, i) =>
        report.check(`${message} ${i}: ${hex.slice(0, 200)}`, async () => {
          const mine = codec.decode(bytesOf(hex));
          report.same(`${message} ${i}, written again`, hexOf(codec.encode(mine)), hex);
          report.same(`${message} ${i}, in chunks`, Buffer.concat(codec.encodeChunks(mine)).toString("hex"), hex);
          if (json === null) return report.note("protobuf has no JSON for one");
          const ours = codec.toJson(mine);
          if (sameJson(ours, json)) report.pass();
          else report.same(`${message} ${i}, JSON`, ours, json);
          const back = await tensorflow.ask({ op: "from_json", message, json: JSON.stringify(ours) });
          report.same(`${message} ${i}, our JSON read by protobuf`, back, hex);
          const read = hexOf(codec.encode(codec.fromJson(json)));
          await sameMessage(tensorflow, report, message, `${message} ${i}, protobuf's JSON read by us`, read, hex);
        }),
      ),
    );
  }
}
