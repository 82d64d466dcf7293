/** One HTTP request through `fetch`: how it ends early, how its body is read within bounds. */
import { DataLossError, FailedPreconditionError } from "@onebuffer/base";
import { argumentError, typedArrayKind } from "@onebuffer/base/internal";
import { concatBytes } from "./concat-bytes.ts";
import type { AbortSignalLike } from "./transfer-options.ts";
import { abortable, checkSignal, onAbort } from "./transfer-options.ts";

/** The part of a Response that is used here. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: {
    getReader(): { read(): Promise<{ readonly value?: Uint8Array | undefined }> };
  } | null;
}

/** The platform's `fetch`, or a function like it. `signal` is an AbortSignal. */
export type FetchLike = (
  url: string,
  options: { readonly headers: Record<string, string>; readonly signal: never },
) => Promise<HttpResponse>;

/** What all requests for a file have in common. */
export interface HttpRequest {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: FetchLike | undefined;
}

/** The part of AbortController that is used here. */
declare const AbortController: new () => { readonly signal: never; abort(): void };
declare const fetch: FetchLike;

/** Addresses that hold the bytes themselves: there is no request to end, and from Node 24 on `abort` of one ends the program with a TypeError. */
const kInMemory = /^data:/i;

/**
 * Requests a range and calls `use` with the answer; returns what it returns. Whatever of the body is not read then is cancelled.
 *
 * Throws FAILED_PRECONDITION if the server cannot be reached, CANCELLED if the signal is aborted, and what `use` throws.
 */
export async function request<T>(
  { address, headers, fetch: given }: HttpRequest,
  range: string,
  signal: AbortSignalLike | undefined,
  use: (response: HttpResponse) => Promise<T>,
): Promise<T> {
  checkSignal(signal, address);
  const controller = new AbortController();
  const abort = (): void => {
    if (!kInMemory.test(address)) controller.abort();
  };
  const forget = signal === undefined ? null : onAbort(signal, abort);
  try {
    // A function, because a `fetch` of the caller may throw. It need not heed the signal.
    const asked = async (): Promise<HttpResponse> =>
      (given ?? fetch)(address, { headers: { ...headers, range }, signal: controller.signal });
    let response: HttpResponse;
    try {
      response = await abortable(address, signal, asked());
    } catch (cause) {
      checkSignal(signal, address);
      throw new FailedPreconditionError(`${address}: the request failed`, { cause });
    }
    return await use(checkedResponse(response));
  } finally {
    forget?.();
    // Ends the request if its body was not read to the end.
    abort();
  }
}

/** Returns what `fetch` returned. Throws INVALID_ARGUMENT unless it is a Response. */
function checkedResponse(response: HttpResponse): HttpResponse {
  const { status, headers } = (response ?? {}) as Partial<HttpResponse>;
  if (typeof status !== "number" || typeof headers?.get !== "function") throw argumentError("a Response of fetch", response);
  return response;
}

/** Fills `target` with the body. Throws DATA_LOSS if the body is longer or shorter or breaks off, CANCELLED if the signal is aborted. */
export async function fillFromBody(
  { address }: HttpRequest,
  response: HttpResponse,
  target: Uint8Array<ArrayBufferLike>,
  signal?: AbortSignalLike,
): Promise<void> {
  let at = 0;
  for await (const piece of bodyPieces(address, response, target.length, signal)) {
    target.set(piece, at);
    at += piece.length;
  }
  if (at !== target.length) throw new DataLossError(`${address}: the server sent ${at} of ${target.length} bytes`);
}

/** Returns the body in new memory. Throws DATA_LOSS if it has more than `most` bytes or breaks off, CANCELLED if the signal is aborted. */
export async function wholeBody(
  { address }: HttpRequest,
  response: HttpResponse,
  most: number,
  signal?: AbortSignalLike,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bodyPieces(address, response, most, signal)) pieces.push(piece);
  return concatBytes(pieces);
}

/** Yields the body in the pieces in which it arrives, at most `most` bytes. */
async function* bodyPieces(
  address: string,
  response: HttpResponse,
  most: number,
  signal: AbortSignalLike | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = response.body?.getReader();
  let length = 0;
  for (;;) {
    let piece: Uint8Array | undefined;
    try {
      if (reader !== undefined) piece = (await abortable(address, signal, reader.read())).value;
    } catch (cause) {
      checkSignal(signal, address);
      throw new DataLossError(`${address}: the connection ended after ${length} bytes`, { cause });
    }
    checkSignal(signal, address);
    if (piece === undefined) return;
    if (typedArrayKind(piece) !== "Uint8Array") throw argumentError("Uint8Arrays in the body of a Response", piece);
    length += piece.length;
    if (length > most) throw new DataLossError(`${address}: the server sent more than ${most} bytes`);
    yield piece;
  }
}
