/** The worker of the panel "Files": opens and reads files, so that the page stays alive while it does. */
import { TensorSlice } from "onebuffer";
import type { TransferOptions } from "onebuffer/io";
import { errorText } from "../../panel.ts";
import type { ByteCount } from "./counted-source.ts";
import type { Answer, Request } from "./messages.ts";
import { checkFile, openFiles } from "./open-files.ts";
import type { FileInHand } from "./open-files.ts";
import { sampleFiles } from "./samples.ts";
import { numberFacts } from "./tensor-facts.ts";

/** The least time between two reports of progress, in milliseconds. */
const kReportMs = 50;
const counts: ByteCount = { bytes: 0 };
const running = new Map<number, AbortController>();
let inHand: FileInHand[] = [];
/** Counts the requests to open files: those of the last one are in hand, also if files that were given before take longer. */
let openings = 0;

const answer = (message: Answer, transfer: Transferable[] = []): void => (self as unknown as Worker).postMessage(message, transfer);

self.addEventListener("message", ({ data }: MessageEvent<Request>) => {
  if (data.kind === "cancel") running.get(data.id)?.abort();
  else void handle(data);
});

async function handle(request: Exclude<Request, { kind: "cancel" }>): Promise<void> {
  const { id } = request;
  const controller = new AbortController();
  running.set(id, controller);
  let reported = 0;
  const options: TransferOptions = {
    signal: controller.signal,
    onProgress: ({ bytes, totalBytes }) => {
      // The page is drawn after each report, so a file of many small tensors must not send one for each of them.
      if (performance.now() - reported < kReportMs) return;
      reported = performance.now();
      answer({ id, kind: "progress", bytes, totalBytes });
    },
  };
  try {
    if (request.kind === "open") {
      const opening = ++openings;
      // What was asked of the files before is not shown any more.
      for (const [other, each] of running) if (other !== id) each.abort();
      const files = await openFiles(request.files, counts, options);
      if (opening === openings) inHand = files;
      answer({ id, kind: "opened", files: files.map(({ opened }) => opened) });
    } else if (request.kind === "check") answer({ id, kind: "checked", file: await checked(request.file, options) });
    else if (request.kind === "sample") answer({ id, kind: "sampled", files: await sampleFiles(request.sample) });
    else await readTensor(request, controller.signal, options);
  } catch (error) {
    answer({ id, kind: "failed", error: errorText(error) });
  } finally {
    running.delete(id);
  }
}

/** Reads all tensors of an open file. */
async function checked(file: number, options: TransferOptions): Promise<FileInHand["opened"]> {
  const files = inHand;
  const each = files[file];
  if (each === undefined) throw new RangeError("the file is not open");
  const next = await checkFile(each, options);
  files[file] = next;
  return next.opened;
}

async function readTensor(
  { id, file, key, slice }: Extract<Request, { kind: "tensor" }>,
  signal: AbortSignal,
  options: TransferOptions,
): Promise<void> {
  const store = inHand[file]?.store;
  if (store === null || store === undefined) throw new RangeError("the file is not open");
  const before = counts.bytes;
  const started = performance.now();
  const name = store.names.includes(key) ? key : "";
  using tensor = await store.read(name, slice === "" ? null : TensorSlice.parse(slice), options);
  const readMilliseconds = performance.now() - started;
  const pause = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
  };
  const numbers = await numberFacts(tensor, pause);
  const facts = {
    dtype: tensor.dtype,
    shape: tensor.shape.dimSizes,
    text: tensor.toString(),
    numbers,
    bytesRead: counts.bytes - before,
    readMilliseconds,
    countMilliseconds: performance.now() - started - readMilliseconds,
  };
  answer({ id, kind: "facts", facts }, numbers?.image ? [numbers.image.pixels.buffer] : []);
}
