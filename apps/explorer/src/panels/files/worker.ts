/** The worker of the panel "Files": opens and reads files, so that the page stays alive while it does. */
import { TensorSlice } from "onebuffer";
import type { ByteSource, TransferOptions } from "onebuffer/io";
import { errorText } from "../../panel.ts";
import { firstWrong } from "./anatomy/region.ts";
import { countedSource } from "./counted-source.ts";
import type { ByteCount } from "./counted-source.ts";
import type { Answer, GivenFile, OpenedFile, Request } from "./messages.ts";
import {
  brokenRegions,
  checkpointReader,
  formatOf,
  npyReader,
  npzReader,
  safetensorsReader,
  startOf,
  tensorProtoReader,
} from "./readers.ts";
import type { OpenReader } from "./readers.ts";
import { sampleFiles } from "./samples.ts";
import { numberFacts } from "./tensor-facts.ts";

const kDataFile = /^(.*)\.data-\d{5}-of-\d{5}$/;
const counts: ByteCount = { bytes: 0 };
const running = new Map<number, AbortController>();
let readers: (OpenReader | null)[] = [];

const answer = (message: Answer, transfer: Transferable[] = []): void => (self as unknown as Worker).postMessage(message, transfer);

self.addEventListener("message", ({ data }: MessageEvent<Request>) => {
  if (data.kind === "cancel") running.get(data.id)?.abort();
  else void handle(data);
});

async function handle(request: Exclude<Request, { kind: "cancel" }>): Promise<void> {
  const { id } = request;
  const controller = new AbortController();
  running.set(id, controller);
  const options: TransferOptions = {
    signal: controller.signal,
    onProgress: ({ bytes, totalBytes }) => answer({ id, kind: "progress", bytes, totalBytes }),
  };
  try {
    if (request.kind === "open") answer({ id, kind: "opened", files: await openFiles(request.files, options) });
    else if (request.kind === "sample") answer({ id, kind: "sampled", files: await sampleFiles(request.sample) });
    else await readTensor(request, controller.signal, options);
  } catch (error) {
    answer({ id, kind: "failed", error: errorText(error) });
  } finally {
    running.delete(id);
  }
}

/** Opens files; those of a checkpoint together. */
async function openFiles(given: readonly GivenFile[], options: TransferOptions): Promise<OpenedFile[]> {
  const sources = new Map(given.map(({ name, blob }) => [name, countedSource(blob, name, counts)]));
  const prefixes = new Set(given.filter(({ name }) => name.endsWith(".index")).map(({ name }) => name.slice(0, -".index".length)));
  readers = [];
  const opened: OpenedFile[] = [];
  for (const [name, source] of sources) {
    const prefix = kDataFile.exec(name)?.[1];
    if (prefix !== undefined && prefixes.has(prefix)) continue;
    opened.push(await openFile(name, source, sources, options));
  }
  return opened;
}

async function openFile(
  name: string,
  source: ByteSource,
  sources: ReadonlyMap<string, ByteSource>,
  options: TransferOptions,
): Promise<OpenedFile> {
  const format = formatOf(name, await startOf(source));
  try {
    if (kDataFile.test(name)) throw new RangeError("a data file of a checkpoint: its .index file is needed, too");
    const reader = await openReader(name, format, source, sources, options);
    readers.push(reader);
    const { format: shown, tensors, notes, regions } = reader;
    return { name, format: shown, size: source.size, tensors, notes, regions, error: "", errorAt: -1 };
  } catch (error) {
    readers.push(null);
    const regions = await brokenRegions(source, format).catch(() => []);
    const text = errorText(error);
    const wrong = firstWrong(regions);
    return {
      name,
      format,
      size: source.size,
      tensors: [],
      notes: [],
      regions,
      error: text,
      errorAt: wrong >= 0 ? wrong : placeIn(text, source.size),
    };
  }
}

/** Returns the byte that an error message names; the end of the file if the message says that bytes are missing; -1 if it names none. */
function placeIn(text: string, size: number): number {
  const named = /(?:at byte|at offset|at|byte|offset) (\d+)/.exec(text)?.[1];
  if (named !== undefined && Number(named) <= size) return Number(named);
  return text.startsWith("DATA_LOSS") ? size : -1;
}

function openReader(
  name: string,
  format: string,
  source: ByteSource,
  sources: ReadonlyMap<string, ByteSource>,
  options: TransferOptions,
): Promise<OpenReader> {
  if (format === "checkpoint") {
    const prefix = name.replace(/\.index$/, "");
    return checkpointReader(new Map([...sources, [`${prefix}.index`, source]]), prefix, options);
  }
  if (format === ".npy") return npyReader(source, options);
  if (format === ".npz") return npzReader(source, options);
  return format === "safetensors" ? safetensorsReader(source, options) : tensorProtoReader(source);
}

async function readTensor(
  { id, file, key, slice }: Extract<Request, { kind: "tensor" }>,
  signal: AbortSignal,
  options: TransferOptions,
): Promise<void> {
  const reader = readers[file];
  if (reader === null || reader === undefined) throw new RangeError("the file is not open");
  const before = counts.bytes;
  const started = performance.now();
  using tensor = await reader.read(key, slice === "" ? null : TensorSlice.parse(slice), options);
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
    milliseconds: performance.now() - started,
  };
  answer({ id, kind: "facts", facts }, numbers?.image ? [numbers.image.pixels.buffer] : []);
}
