// A runner in Node for tests: it speaks the protocol of xla_protocol.py without JAX, and misbehaves as its argument says. Started by
// fake-python.ts as a process of its own.
import { Socket } from "node:net";

const mode = process.argv[2] ?? "ok";
const socket = new Socket({ fd: 3 });
let received = Buffer.alloc(0);

const frame = (id: number, status: number, body: Uint8Array | string = ""): Buffer => {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(9);
  head.writeUInt32LE(5 + bytes.length, 0);
  head.writeUInt32LE(id, 4);
  head[8] = status;
  return Buffer.concat([head, bytes]);
};

const hello = {
  protocol: mode === "other protocol" ? 99 : 1,
  python: "3.11.0",
  jax: "0.0.1",
  jaxlib: "0.0.1",
  stablehlo: { current: mode === "old" ? "1.8.9" : "1.99.0", minimum: mode === "new" ? "1.17.1" : "0.9.0" },
  platform: "cpu",
  processes: 1,
  mesh: [["x", 8]],
  devices: Array.from({ length: 8 }, (_, id) => ({ id, process: 0, kind: "cpu" })),
};

/** What is sent instead of an answer, by mode. */
const kOdd: Readonly<Record<string, (id: number) => Uint8Array | string>> = {
  garbage: () => Buffer.alloc(64, 0xff),
  text: () => "HTTP/1.1 400 Bad Request\r\n\r\n",
  "short length": () => Buffer.from([4, 0, 0, 0, 1, 0, 0, 0, 0]),
  "long length": () => Buffer.from([0, 0, 0, 2, 1, 0, 0, 0, 0]),
  stranger: () => frame(999, 0),
  "odd status": (id) => frame(id, 7),
  "odd event": () => frame(0, 2, "abc"),
  unreadable: (id) => frame(id, 0, "{"),
  "no object": (id) => frame(id, 0, "null"),
  "odd object": (id) => frame(id, 0, JSON.stringify({ ...hello, devices: 5 })),
  error: (id) => frame(id, 1, JSON.stringify({ code: "RESOURCE_EXHAUSTED", message: "no memory" })),
  "odd error": (id) => frame(id, 1, JSON.stringify({ code: "STRANGE", message: "?" })),
  "no error": (id) => frame(id, 1, "\0"),
};

function answer(id: number, kind: number): void {
  const isStart = kind === 1;
  // "MODE later" misbehaves from the first request on that is neither the start nor a segment.
  const now = mode.endsWith(" later") ? (kind > 3 ? mode.slice(0, -6) : "ok") : isStart ? mode : "ok";
  if (now === "silent") return;
  if (now === "loses a peer") {
    process.stderr.write(
      "onebuffer says: it waits for process 1\nE1126 UNAVAILABLE: The following tasks are unhealthy (stopped sending heartbeats):\n1\nThe tasks have crashed.\n",
      () => process.exit(3),
    );
    return;
  }
  if (now === "dies") {
    process.stderr.write("a last word\n", () => process.exit(3));
    return;
  }
  if (now === "half") {
    // Nothing may follow: with more bytes it would be another frame.
    socket.pause();
    received = Buffer.alloc(0);
    socket.write(frame(id, 0, "0123456789").subarray(0, 11), () => process.exit(0));
    return;
  }
  const odd = kOdd[now];
  if (odd !== undefined) socket.write(odd(id));
  else if (kind === 13) socket.end(frame(id, 0), () => process.exit(0));
  else
    socket.write(
      frame(id, 0, isStart ? JSON.stringify(hello) : kind === 7 ? '{"shardings":[[null]]}' : kind === 12 ? '{"shards":[]}' : ""),
    );
}

socket.on("data", (chunk: Buffer) => {
  received = Buffer.concat([received, chunk]);
  while (received.length >= 9 && received.length >= 4 + received.readUInt32LE(0)) {
    const [id, kind] = [received.readUInt32LE(4), received[8] as number];
    received = received.subarray(4 + received.readUInt32LE(0));
    answer(id, kind);
  }
});
socket.on("error", () => {});
socket.on("close", () => process.exit(0));
