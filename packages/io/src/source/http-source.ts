/**
 * A byte source over HTTP range requests: a reader loads the index of a large file and the tensors it wants, not the rest.
 *
 *     open    GET, Range: bytes=0-0       ->  206, Content-Range: bytes 0-0/SIZE      size, ETag and Last-Modified are kept
 *     read    GET, Range: bytes=FROM-TO   ->  206, Content-Range: bytes FROM-TO/SIZE  and the same ETag and Last-Modified
 *
 * An answer with another size, ETag or Last-Modified belongs to another version of the file and is refused. The comparison is made here
 * and not by the server (If-Range), because a page may send that header to few other servers.
 */
import { DataLossError, FailedPreconditionError, InvalidArgumentError, NotFoundError } from "@onebuffer/base";
import { checkCallback, checkInteger, checkObject, checkOptions, shownValue } from "@onebuffer/base/internal";
import type { ByteSource } from "./byte-source.ts";
import { fillFromBody, request, wholeBody } from "./http-request.ts";
import type { FetchLike, HttpRequest, HttpResponse } from "./http-request.ts";
import { memorySource } from "./memory-source.ts";
import { newBytes } from "./new-bytes.ts";
import type { AbortSignalLike } from "./transfer-options.ts";
import { checkTransfer } from "./transfer-options.ts";

/**
 * The options of `httpSource`.
 *
 * @example
 * const options: HttpSourceOptions = { headers: { authorization: "Bearer abc" }, wholeUpTo: 1 << 20 };
 * (await httpSource("data:,abc", options)).size; // => 3
 */
export interface HttpSourceOptions {
  /** Headers of every request, for example `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The function that makes requests; by default the platform's `fetch`. */
  readonly fetch?: FetchLike;
  /** If the server ignores ranges, files of up to this many bytes are loaded whole. By default 0: such servers are refused. */
  readonly wholeUpTo?: number;
  /** An AbortSignal that ends the first request. Readers have an option of the same name for theirs. */
  readonly signal?: AbortSignalLike;
}

/** What must stay the same from answer to answer. */
interface Version {
  readonly size: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/**
 * Asks the server for the size of a file, and returns a source that reads parts of it.
 *
 * Throws NOT_FOUND if there is no such file, FAILED_PRECONDITION if the server cannot be reached, refuses the request or has no ranges
 * (unless the file has at most `wholeUpTo` bytes), CANCELLED if the signal is aborted. Reading throws DATA_LOSS if the file has changed or
 * the server sends other bytes than it was asked for.
 *
 * A page can read a file of another server only if that server allows it: `Access-Control-Allow-Origin`, and
 * `Access-Control-Expose-Headers: Content-Range`, with ETag to notice changes.
 *
 * @example
 * // A data: address has no ranges.
 * const source = await httpSource("data:,1234", { wholeUpTo: 4 });
 * await source.read(1, 2); // => Uint8Array.of(50, 51)
 * await httpSource("data:,1234"); // throws FAILED_PRECONDITION
 */
export async function httpSource(url: string | { readonly href: string }, options: HttpSourceOptions = {}): Promise<ByteSource> {
  checkOptions("httpSource", options, ["headers", "fetch", "wholeUpTo", "signal"]);
  const { headers = {}, wholeUpTo = 0, signal } = options;
  checkInteger(wholeUpTo, "wholeUpTo");
  checkTransfer(signal === undefined ? {} : { signal });
  checkObject(headers, "an object of headers");
  if (options.fetch !== undefined) checkCallback(options.fetch, "a function fetch");
  const address = addressOf(url);
  const http: HttpRequest = { address, headers, fetch: options.fetch };
  return request(http, "bytes=0-0", signal, async (response) => {
    if (response.status === 200) return wholeSource(http, response, wholeUpTo, signal);
    // A server cannot send the first byte of an empty file.
    if (response.status === 416 && response.headers.get("content-range") === "bytes */0") return memorySource(new Uint8Array(0), address);
    const version = versionOf(address, response, 0, 1);
    await fillFromBody(http, response, new Uint8Array(1), signal);
    return rangeSource(http, version);
  });
}

/** The part of URL that is used here. */
declare const URL: new (address: string, base?: string) => { readonly href: string };

/** Returns the complete address: a page's address may be relative to that of the page. */
function addressOf(url: unknown): string {
  const href = typeof url === "object" && url !== null ? (url as { readonly href?: unknown }).href : url;
  const base = (globalThis as { readonly location?: { readonly href?: string } }).location?.href;
  try {
    if (typeof href === "string") return new URL(href, base).href;
  } catch (cause) {
    throw new InvalidArgumentError(`Expected an address, got ${shownValue(href)}`, { cause });
  }
  throw new InvalidArgumentError(`Expected an address, got ${shownValue(url)}`);
}

function rangeSource(http: HttpRequest, version: Version): ByteSource {
  const readInto = (offset: number, target: Uint8Array<ArrayBufferLike>, signal?: AbortSignalLike): Promise<void> => {
    if (target.length === 0) return Promise.resolve();
    return request(http, `bytes=${offset}-${offset + target.length - 1}`, signal, (response) => {
      const now = versionOf(http.address, response, offset, target.length);
      for (const key of ["size", "etag", "lastModified"] as const)
        if (now[key] !== version[key]) throw changed(http.address, key, version[key], now[key]);
      return fillFromBody(http, response, target, signal);
    });
  };
  return {
    size: version.size,
    name: http.address,
    isRemote: true,
    readInto,
    async read(offset, length, signal) {
      const bytes = newBytes(length, http.address);
      await readInto(offset, bytes, signal);
      return bytes;
    },
  };
}

/** Reads the version from an answer to a range request. Throws if it is not an answer to a request for this range. */
function versionOf(address: string, response: HttpResponse, offset: number, length: number): Version {
  const { status, headers } = response;
  if (status === 404 || status === 410) throw new NotFoundError(`${address}: the server answered ${status}`);
  if (status === 200 || status === 416)
    throw new DataLossError(`${address}: the file has changed, or the server ignored the range (${status})`);
  if (status !== 206) throw new FailedPreconditionError(`${address}: the server answered ${status}`);
  const range = headers.get("content-range");
  if (range === null) {
    throw new FailedPreconditionError(
      `${address}: the answer has no Content-Range, or the server does not allow this page to see it (Access-Control-Expose-Headers)`,
    );
  }
  const [, first, last, size] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(range) ?? [];
  if (Number(first) !== offset || Number(last) !== offset + length - 1 || !(Number(size) > Number(last)))
    throw new DataLossError(`${address}: asked for ${length} bytes at ${offset}, the server sent ${shownValue(range)}`);
  refuseEncoded(address, headers.get("content-encoding"));
  return { size: Number(size), etag: headers.get("etag"), lastModified: headers.get("last-modified") };
}

/** Ranges of a compressed answer count compressed bytes. */
function refuseEncoded(address: string, encoding: string | null): void {
  if (encoding !== null && encoding !== "identity")
    throw new FailedPreconditionError(`${address}: the server compresses the file (${shownValue(encoding)}), so its ranges are of no use`);
}

function changed(address: string, key: keyof Version, before: string | number | null, now: string | number | null): DataLossError {
  const name = key === "size" ? "size" : key === "etag" ? "ETag" : "Last-Modified";
  return new DataLossError(
    `${address}: the file has changed since it was opened: ${name} was ${shownValue(before)}, is ${shownValue(now)}`,
  );
}

/** Loads a file whole, from a server that ignored the range. */
async function wholeSource(http: HttpRequest, response: HttpResponse, most: number, signal?: AbortSignalLike): Promise<ByteSource> {
  const { address } = http;
  const declared = response.headers.get("content-length");
  if (most === 0 || (declared !== null && Number(declared) > most)) {
    const size = declared === null ? "" : `, which has ${declared} bytes`;
    throw new FailedPreconditionError(
      `${address}: the server has no ranges, and the file${size} is not loaded whole: wholeUpTo is ${most} bytes`,
    );
  }
  return memorySource(await wholeBody(http, response, most, signal), address);
}
