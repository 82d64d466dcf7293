/**
 * Many reads at once, in the order of the files: each source is read from front to back, and ranges that lie close together are read
 * with one call.
 *
 *     offset in the file     0 ............................................................................ end
 *     wanted ranges             aaa bb   cccccccccccccccccccccccccccccc                ddd      e
 *     calls                     |-----|  |-----------||----------||----|               |--------|
 *                               one group   one large range in pieces                  another group
 *
 * A large range is read in pieces straight into its target, without memory in between if the source has `readInto`. The next call
 * is started before the bytes of the last one are looked at, so that checksums are computed while the file system or the server works.
 */
import type { ByteSource } from "./byte-source.ts";
import { checkedRead, checkedReadInto, checkRange } from "./checked-read.ts";
import type { TransferOptions } from "./transfer-options.ts";
import { checkSignal, checkTransfer } from "./transfer-options.ts";

/** One range of a source, and where its bytes go. */
export interface PlannedRead {
  readonly source: ByteSource;
  readonly offset: number;
  /** Filled with the bytes from `offset`; its length is the length of the range. */
  readonly target: Uint8Array<ArrayBufferLike>;
  /** What the bytes are, for messages and as the `name` of progress: "w/kernel". */
  readonly what: string;
  /** Called with each part of `target`, from front to back, soon after it was filled: for checksums. An error ends all reads. */
  onBytes?(part: Uint8Array<ArrayBufferLike>): void;
  /** Called once when `target` is full. An error ends all reads. */
  onDone?(): void;
}

/** The options of `readPlanned`. The defaults depend on the source: a server is asked less often for more. */
export interface ReadPlanOptions extends TransferOptions {
  /** Ranges with at most this many unwanted bytes in between are read together. */
  readonly gap?: number;
  /** The most bytes of one call. */
  readonly callBytes?: number;
  /** The number of calls that are under way at once. */
  readonly parallel?: number;
}

/** How a kind of source is read. */
interface Habits {
  readonly gap: number;
  readonly callBytes: number;
  readonly parallel: number;
}

/**
 * Files: 32 KiB take about as long to read as a call takes to begin; 1 MiB fits a second-level cache, so that a checksum finds the bytes
 * there (with checksums 4.5 GB/s, calls of 2 MiB give 3.0).
 */
const kLocal: Habits = { gap: 32 << 10, callBytes: 1 << 20, parallel: 2 };

/** Servers: a request waits about as long as 256 KiB take. Three calls of 8 MiB are the most memory that joined ranges take. */
const kRemote: Habits = { gap: 256 << 10, callBytes: 8 << 20, parallel: 3 };

/** The part of a read that one call fills. */
interface Part {
  readonly read: PlannedRead;
  readonly begin: number;
  readonly end: number;
}

/** One call: a range of a source, and the parts that it fills. With one part that has all of the range, it fills the target itself. */
interface Call {
  readonly source: ByteSource;
  readonly offset: number;
  end: number;
  readonly parts: Part[];
}

/**
 * Fills the targets of all reads. When the promise is fulfilled or rejected, no read is under way any more, so the targets' memory may be
 * freed.
 *
 * Throws INVALID_ARGUMENT for wrong options, DATA_LOSS before anything is read if a range is not within its source, CANCELLED if the signal
 * is aborted, the errors of the sources, and what the callbacks throw.
 */
export async function readPlanned(reads: readonly PlannedRead[], options: ReadPlanOptions = {}): Promise<void> {
  checkTransfer(options);
  const { signal, onProgress } = options;
  const { parallel } = { ...(reads.some(({ source }) => source.isRemote === true) ? kRemote : kLocal), ...options };
  for (const { source, offset, target, what } of reads) checkRange(source, offset, target.length, what);
  const calls = callsOf(reads, options);
  const totalBytes = reads.reduce((sum, { target }) => sum + target.length, 0);
  let bytes = 0;
  for (const read of reads) if (read.target.length === 0) read.onDone?.();
  const finish = (call: Call): void => {
    let name: string | undefined;
    for (const { read, begin, end } of call.parts) {
      read.onBytes?.(read.target.subarray(begin, end));
      bytes += end - begin;
      if (end < read.target.length) continue;
      read.onDone?.();
      name = read.what;
    }
    onProgress?.({ bytes, totalBytes, ...(name === undefined ? {} : { name }) });
  };
  const underWay: Promise<void>[] = [];
  let next = 0;
  try {
    for (const call of calls) {
      while (next < calls.length && underWay.length < parallel) {
        checkSignal(signal, "reading");
        const begun = perform(calls[next++] as Call, signal);
        // A rejection is noticed when it is this call's turn.
        begun.catch(() => undefined);
        underWay.push(begun);
      }
      await underWay[0];
      underWay.shift();
      checkSignal(signal, "reading");
      finish(call);
    }
  } finally {
    await Promise.allSettled(underWay);
  }
}

/** Sorts the reads and divides them into calls. */
function callsOf(reads: readonly PlannedRead[], options: ReadPlanOptions): Call[] {
  const order = new Map<ByteSource, number>();
  for (const { source } of reads) if (!order.has(source)) order.set(source, order.size);
  const sorted = reads
    .filter(({ target }) => target.length > 0)
    .sort((a, b) => (order.get(a.source) as number) - (order.get(b.source) as number) || a.offset - b.offset);
  const calls: Call[] = [];
  let last: Call | undefined;
  for (const read of sorted) {
    const { source, offset, target } = read;
    const { gap, callBytes } = { ...(source.isRemote === true ? kRemote : kLocal), ...options };
    const end = offset + target.length;
    const joins =
      last !== undefined && last.source === source && offset - last.end <= gap && Math.max(end, last.end) - last.offset <= callBytes;
    if (joins && last !== undefined) {
      last.end = Math.max(end, last.end);
      last.parts.push({ read, begin: 0, end: target.length });
      continue;
    }
    for (let begin = 0; begin < target.length; begin += callBytes) {
      const pieceEnd = Math.min(target.length, begin + callBytes);
      last = { source, offset: offset + begin, end: offset + pieceEnd, parts: [{ read, begin, end: pieceEnd }] };
      calls.push(last);
    }
    // The pieces of a large range go straight into its target; nothing joins the last one.
    if (target.length > callBytes) last = undefined;
  }
  return calls;
}

/** Makes the call and fills its parts. */
async function perform({ source, offset, end, parts }: Call, signal: ReadPlanOptions["signal"]): Promise<void> {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined)
    return checkedReadInto(source, offset, only.read.target.subarray(only.begin, only.end), only.read.what, signal);
  const what = `${only?.read.what ?? ""} and ${parts.length - 1} more`;
  const bytes = await checkedRead(source, offset, end - offset, what, signal);
  for (const { read, begin, end: partEnd } of parts) {
    const from = read.offset + begin - offset;
    read.target.set(bytes.subarray(from, from + partEnd - begin), begin);
  }
}
