// Tests httpSource against a server on this machine: ranges, changes, refusals, cancelling, and servers that answer wrongly.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { httpSource } from "@onebuffer/io";
import type { FetchLike } from "@onebuffer/io";
import { expectRefusal } from "@onebuffer/test-support";
import { createServer } from "node:http";
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

const kFile = Uint8Array.from({ length: 5000 }, (_, i) => i * 7);

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
let server: Server;
let address = "";
let answer: Answer;
let requests: IncomingMessage[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/model.bin`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  requests = [];
  answer = ranges();
});

/** A server of ranges; `change` may alter its answers. */
function ranges(change: { headers?: OutgoingHttpHeaders; status?: number; body?: Uint8Array } = {}): Answer {
  return (request, response) => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    const body = change.body ?? kFile.subarray(Number(first), Number(last) + 1);
    const headers = {
      "content-range": `bytes ${first}-${last}/${kFile.length}`,
      etag: '"one"',
      "content-length": body.length,
      ...change.headers,
    };
    response.writeHead(change.status ?? 206, headers).end(body);
  };
}

const whole: Answer = (_, response) => void response.writeHead(200, { "content-length": kFile.length }).end(kFile);

test("reads ranges, into a target too", async () => {
  const source = await httpSource(address, { headers: { authorization: "Bearer abc" } });
  expect([source.size, source.name]).toEqual([5000, address]);
  expect(Buffer.compare(await source.read(100, 50), kFile.subarray(100, 150))).toBe(0);
  const target = new Uint8Array(new SharedArrayBuffer(20));
  await source.readInto?.(4980, target);
  expect([...target]).toEqual([...kFile.subarray(4980)]);
  expect((await source.read(5, 0)).length).toBe(0);
  expect(requests.map(({ headers }) => [headers.range, headers.authorization])).toEqual([
    ["bytes=0-0", "Bearer abc"],
    ["bytes=100-149", "Bearer abc"],
    ["bytes=4980-4999", "Bearer abc"],
  ]);
  expect((await httpSource(new URL(address))).size).toBe(5000);
});

test("a fetch of one's own", async () => {
  const asked: string[] = [];
  const recording: FetchLike = (url, options) => {
    asked.push(options.headers["range"] ?? "");
    return fetch(url, options);
  };
  const source = await httpSource(address, { fetch: recording });
  expect([source.size, asked]).toEqual([5000, ["bytes=0-0"]]);
  expect((await httpSource(address, { fetch })).size).toBe(5000);
});

test("a size beyond any memory is refused when its bytes are asked for", async () => {
  answer = ranges({ headers: { "content-range": `bytes 0-0/${10 ** 15 - 1}` } });
  const source = await httpSource(address);
  await expectRefusal(() => source.read(0, 10 ** 14), "RESOURCE_EXHAUSTED", "100000000000000 bytes");
});

test("an empty file", async () => {
  answer = (_, response) => void response.writeHead(416, { "content-range": "bytes */0" }).end();
  expect((await httpSource(address)).size).toBe(0);
});

describe("a file that changes is lost data", () => {
  test.each<readonly [string, Answer]>([
    ["another ETag", ranges({ headers: { etag: '"two"' } })],
    ["no ETag any more", ranges({ headers: { etag: "" } })],
    ["another date", ranges({ headers: { "last-modified": "Sun, 22 Nov 2026 12:00:00 GMT" } })],
    ["another size", ranges({ headers: { "content-range": "bytes 10-19/5001" } })],
    ["shorter than the range", (_, response) => void response.writeHead(416, { "content-range": "bytes */5" }).end()],
    ["no range any more", whole],
  ])("%s", async (_, later) => {
    const source = await httpSource(address);
    answer = later;
    await expectRefusal(() => source.read(10, 10), "DATA_LOSS", address, "changed");
  });
});

describe("wrong answers are refused", () => {
  test.each<readonly [string, Answer]>([
    ["another range", ranges({ headers: { "content-range": "bytes 11-20/5000" } })],
    ["a range that begins before", ranges({ headers: { "content-range": "bytes 9-19/5000" } })],
    ["a range of another length", ranges({ headers: { "content-range": "bytes 10-20/5000" } })],
    ["no size", ranges({ headers: { "content-range": "bytes 10-19/*" } })],
    ["a size within the range", ranges({ headers: { "content-range": "bytes 10-19/19" } })],
    ["a huge size", ranges({ headers: { "content-range": `bytes 10-19/${10 ** 20}` } })],
    ["a body that is too short", ranges({ body: kFile.subarray(0, 9) })],
    ["a body that is too long", ranges({ body: kFile.subarray(0, 11) })],
    [
      "a connection that ends",
      (_, response) => {
        response.writeHead(206, { "content-range": "bytes 10-19/5000", etag: '"one"', "content-length": 10 });
        response.write(kFile.subarray(0, 5), () => response.destroy());
      },
    ],
  ])("%s", async (_, later) => {
    const source = await httpSource(address);
    answer = later;
    await expectRefusal(() => source.read(10, 10), "DATA_LOSS", address);
  });

  test.each<readonly [string, Answer, "NOT_FOUND" | "FAILED_PRECONDITION" | "DATA_LOSS", string]>([
    ["no room for the range", ranges({ headers: { "content-range": "bytes 0-0/0" } }), "DATA_LOSS", "0-0/0"],
    ["404", ranges({ status: 404 }), "NOT_FOUND", "404"],
    ["410", ranges({ status: 410 }), "NOT_FOUND", "410"],
    ["403", ranges({ status: 403 }), "FAILED_PRECONDITION", "403"],
    ["500", ranges({ status: 500 }), "FAILED_PRECONDITION", "500"],
    ["compressed", ranges({ headers: { "content-encoding": "br" } }), "FAILED_PRECONDITION", "br"],
    ["no Content-Range", (_, response) => void response.writeHead(206).end(Buffer.of(1)), "FAILED_PRECONDITION", "Expose-Headers"],
    ["no ranges", whole, "FAILED_PRECONDITION", "no ranges"],
    ["no server", (request) => void request.socket.destroy(), "FAILED_PRECONDITION", "request failed"],
  ])("%s", async (_, first, code, text) => {
    answer = first;
    await expectRefusal(() => httpSource(address), code, address, text);
  });
});

test("a server without ranges is read whole if that is allowed, and not beyond the bound", async () => {
  answer = whole;
  const source = await httpSource(address, { wholeUpTo: 5000 });
  expect([source.size, requests.length]).toEqual([5000, 1]);
  expect(Buffer.compare(await source.read(0, 5000), kFile)).toBe(0);
  await expectRefusal(() => httpSource(address, { wholeUpTo: 4999 }), "FAILED_PRECONDITION", "5000 bytes", "4999");
  // Without a declared length the body itself is bounded.
  answer = (_, response) => {
    response.write(kFile);
    response.end(kFile);
  };
  expect((await httpSource(address, { wholeUpTo: 10_000 })).size).toBe(10_000);
  await expectRefusal(() => httpSource(address, { wholeUpTo: 9999 }), "DATA_LOSS", "more than 9999");
});

test("a signal ends a request that waits, and is checked before", async () => {
  const source = await httpSource(address);
  for (const after of ["before the answer", "within the body"]) {
    const controller = new AbortController();
    answer = (_, response) => {
      if (after === "within the body") {
        response.writeHead(206, { "content-range": "bytes 10-19/5000", etag: '"one"', "content-length": 10 });
        response.write(kFile.subarray(0, 5));
      }
      setTimeout(() => controller.abort("enough"), 5);
    };
    await expectRefusal(() => source.read(10, 10, controller.signal), "CANCELLED", address, "enough");
  }
  await expectRefusal(() => httpSource(address, { signal: { aborted: true } }), "CANCELLED", address);
  expect(requests.length).toBe(3);
});

test("a refused answer is not read on", async () => {
  let closed = false;
  answer = (_, response) => {
    response.writeHead(200);
    const send = (): void => {
      if (closed) return;
      response.write(kFile);
      setTimeout(send, 1);
    };
    response.on("close", () => {
      closed = true;
    });
    send();
  };
  await expectRefusal(() => httpSource(address), "FAILED_PRECONDITION", "no ranges");
  for (let turn = 0; turn < 200 && !closed; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(closed).toBe(true);
});

test("refuses wrong arguments", async () => {
  for (const url of [5, null, undefined, {}, { href: 5 }])
    await expectRefusal(() => httpSource(url as never), "INVALID_ARGUMENT", "address");
  await expectRefusal(() => httpSource(address, { whole: true } as never), "INVALID_ARGUMENT", "wholeUpTo");
  await expectRefusal(() => httpSource(address, { wholeUpTo: -1 }), "INVALID_ARGUMENT", "wholeUpTo");
  await expectRefusal(() => httpSource(address, { fetch: 5 as never }), "INVALID_ARGUMENT", "fetch");
  await expectRefusal(() => httpSource(address, { signal: 5 as never }), "INVALID_ARGUMENT", "AbortSignal");
  await expectRefusal(() => httpSource(address, { headers: 5 as never }), "INVALID_ARGUMENT", "headers");
  await expectRefusal(() => httpSource("not an address"), "INVALID_ARGUMENT", "not an address");
});

const kBytes = Uint8Array.of(1, 2, 3, 4);

const firstByte: FetchLike = async () =>
  ({
    status: 206,
    headers: new Headers({ "content-range": `bytes 0-0/${kBytes.length}`, "content-length": "1" }),
    body: new Blob([kBytes.slice(0, 1)]).stream(),
  }) as Any;

test("a signal without listeners is enough, and one with listeners has none left", async () => {
  const source = await httpSource("http://host/file", { fetch: firstByte, signal: { aborted: false } });
  expect(source.size).toBe(4);
  const listeners = new Set<unknown>();
  const signal = {
    aborted: false,
    addEventListener: (type: string, listener: unknown) => listeners.add(type + String(listener)),
    removeEventListener: (type: string, listener: unknown) => listeners.delete(type + String(listener)),
  } as Any;
  await httpSource("http://host/file", { fetch: firstByte, signal });
  expect(listeners.size).toBe(0);
});
