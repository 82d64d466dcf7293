/** The worker of the panel "Files": opens and reads files, so that the page stays alive while it does. */
import { TensorSlice } from "onebuffer";
import { formatOf, openTensorFiles } from "onebuffer/io";
import type { ByteSource, FormatName, TensorStore, TransferOptions } from "onebuffer/io";
import { errorText } from "../../panel.ts";
import { fileRegions } from "./anatomy/file-regions.ts";
import { firstWrong } from "./anatomy/region.ts";
import { countedSource } from "./counted-source.ts";
import type { ByteCount } from "./counted-source.ts";
import type { Answer, GivenFile, OpenedFile, Request } from "./messages.ts";
import { sampleFiles } from "./samples.ts";
import { numberFacts } from "./tensor-facts.ts";

const kDataFile = /^(.*)\.data-\d{5}-of-\d{5}$/;
const counts: ByteCount = { bytes: 0 };
const running = new Map<number, AbortController>();
let stores: (TensorStore | null)[] = [];

/** Formats that are shown by another name than their own, and what the one tensor of a format without names is called. */
const kTitles: Readonly<Partial<Record<FormatName, string>>> = { npy: ".npy", npz: ".npz, a zip of .npy files" };
const kOnlyNames: Readonly<Partial<Record<FormatName, string>>> = { npy: "array", TensorProto: "tensor" };

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
  stores = [];
  const opened: OpenedFile[] = [];
  for (const [name, source] of sources) {
    const prefix = kDataFile.exec(name)?.[1];
    // The index of this data file is given, too; under another name than its own it is the prefix.
    if (prefix !== undefined && (sources.has(`${prefix}.index`) || sources.has(prefix))) continue;
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
  const { size } = source;
  try {
    const store = await openTensorFiles(sources, name, options);
    const { format } = store;
    const regions = await fileRegions(source, format);
    const tensors = store.names.map((each) => {
      const { dtype, shape, bytes } = store.info(each);
      return { key: each === "" ? (kOnlyNames[format] ?? each) : each, dtype, shape, bytes };
    });
    const notes = store.notes.map(([title, value]) => (value === "" ? (["note", title] as const) : ([title, value] as const)));
    stores.push(store);
    return { name, format: kTitles[format] ?? format, size, tensors, notes, regions, error: "", errorAt: -1 };
  } catch (error) {
    stores.push(null);
    const format = await formatOf(source, { name }).catch(() => null);
    const regions = await fileRegions(source, format).catch(() => []);
    const text = errorText(error);
    const wrong = firstWrong(regions);
    return {
      name,
      format: format === null ? "unknown" : (kTitles[format] ?? format),
      size,
      tensors: [],
      notes: [],
      regions,
      error: text,
      errorAt: wrong >= 0 ? wrong : placeIn(text, size),
    };
  }
}

/** Returns the byte that an error message names; the end of the file if the message says that bytes are missing; -1 if it names none. */
function placeIn(text: string, size: number): number {
  const named = /(?:at byte|at offset|at|byte|offset) (\d+)/.exec(text)?.[1];
  if (named !== undefined && Number(named) <= size) return Number(named);
  return text.startsWith("DATA_LOSS") ? size : -1;
}

async function readTensor(
  { id, file, key, slice }: Extract<Request, { kind: "tensor" }>,
  signal: AbortSignal,
  options: TransferOptions,
): Promise<void> {
  const store = stores[file];
  if (store === null || store === undefined) throw new RangeError("the file is not open");
  const before = counts.bytes;
  const started = performance.now();
  const name = store.names.includes(key) ? key : "";
  using tensor = await store.read(name, slice === "" ? null : TensorSlice.parse(slice), options);
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
