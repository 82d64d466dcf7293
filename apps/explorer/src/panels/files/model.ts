/** The state of the panel "Files": the files that were given, what the worker found in them, and the tensor that is looked at. */
import type { PanelModel, PanelState, Params } from "../../panel.ts";
import { FileWorker } from "./file-worker.ts";
import type { GivenFile, OpenedFile, Region, TensorEntry, TensorFacts } from "./messages.ts";

/** A tensor of more bytes than this is first shown by some of its rows. */
const kWholeBytes = 8 * 2 ** 20;
const kRowsBytes = 2 ** 20;
/** The bytes of a region that are drawn. */
const kShownBytes = 512;
const kCancelled = "CANCELLED";

/** The model. */
export class Files implements PanelModel {
  readonly #changed: () => void;
  readonly #worker = new FileWorker();
  #given: readonly GivenFile[] = [];
  /** Counts requests, so that the answer to an old one is not drawn. */
  #serial = 0;
  #isOpen = false;
  files: readonly OpenedFile[] = [];
  sample: string;
  filter = "";
  file = 0;
  tensor: TensorEntry | null = null;
  slice = "";
  facts: TensorFacts | null = null;
  error = "";
  /** What the worker does now; "" for nothing. */
  busy = "";
  progress = 0;
  region: Region | null = null;
  regionBytes: Uint8Array = new Uint8Array();

  constructor(params: Params, changed: () => void) {
    this.#changed = changed;
    this.sample = params["sample"] ?? "";
    if (this.sample !== "") void this.openSample(this.sample, params["tensor"], params["slice"]);
  }

  get opened(): OpenedFile | null {
    return this.files[this.file] ?? null;
  }

  /** The tensors whose names contain the filter's text. */
  get listed(): readonly TensorEntry[] {
    const wanted = this.filter.trim().toLowerCase();
    return (this.opened?.tensors ?? []).filter(({ key, dtype }) => wanted === "" || key.toLowerCase().includes(wanted) || dtype === wanted);
  }

  /** Opens files that were dropped or chosen. */
  async open(given: readonly GivenFile[]): Promise<void> {
    this.sample = "";
    await this.#open(given);
  }

  /** Has a sample written and opens it. */
  async openSample(sample: string, key = "", slice = ""): Promise<void> {
    this.sample = sample;
    const answer = await this.#ask({ kind: "sample", sample }, `writing ${sample}`);
    if (answer?.kind !== "sampled") return;
    await this.#open(answer.files);
    const tensor = this.opened?.tensors.find((each) => each.key === key);
    if (tensor !== undefined) await this.choose(tensor, slice);
  }

  async #open(given: readonly GivenFile[]): Promise<void> {
    this.#given = given;
    this.files = [];
    this.file = 0;
    this.tensor = null;
    this.facts = null;
    this.region = null;
    this.#isOpen = false;
    const answer = await this.#ask({ kind: "open", files: given }, `opening ${given.map(({ name }) => name).join(", ")}`);
    if (answer?.kind !== "opened") return;
    this.files = answer.files;
    this.#isOpen = true;
    this.#changed();
  }

  chooseFile(file: number): void {
    this.file = file;
    this.tensor = null;
    this.facts = null;
    this.region = null;
    this.#changed();
  }

  /** Reads all tensors of a large file and verifies their checksums. */
  async check(): Promise<void> {
    const { file } = this;
    const answer = await this.#ask({ kind: "check", file }, "reading every tensor");
    if (answer?.kind !== "checked") return;
    this.files = this.files.with(file, answer.file);
    this.#changed();
  }

  setFilter(filter: string): void {
    this.filter = filter;
    this.#changed();
  }

  /** Reads a tensor; of a large one the first rows. */
  async choose(tensor: TensorEntry, slice = firstRows(tensor)): Promise<void> {
    this.tensor = tensor;
    await this.read(slice);
  }

  /** Reads a slice of the chosen tensor; all of it for an empty text. */
  async read(slice: string): Promise<void> {
    const { tensor, file } = this;
    if (tensor === null) return;
    this.slice = slice;
    this.facts = null;
    if (!this.#isOpen) {
      // The worker was ended: open the files again, then read.
      const again = await this.#ask({ kind: "open", files: this.#given }, "opening the files again");
      if (again?.kind !== "opened") return;
      this.#isOpen = true;
    }
    const answer = await this.#ask({ kind: "tensor", file, key: tensor.key, slice }, `reading ${tensor.key}`);
    if (answer?.kind !== "facts") return;
    this.facts = answer.facts;
    this.#changed();
  }

  /** Ends what the worker does. */
  cancel(): void {
    this.#isOpen = false;
    this.#worker.stop(`${kCancelled}: ended by you`);
  }

  /** Shows the bytes of a piece of the file. */
  async chooseRegion(region: Region): Promise<void> {
    this.region = region;
    const name = this.opened?.name;
    const blob = this.#given.find((each) => each.name === name)?.blob;
    const bytes = await blob?.slice(region.offset, region.offset + Math.min(region.length, kShownBytes)).arrayBuffer();
    if (this.region !== region) return;
    this.regionBytes = new Uint8Array(bytes ?? new ArrayBuffer(0));
    this.#changed();
  }

  /** Sends a request; resolves to undefined if it failed or another one has taken its place. */
  async #ask(asked: Parameters<FileWorker["ask"]>[0], what: string) {
    const serial = ++this.#serial;
    this.busy = what;
    this.progress = 0;
    this.error = "";
    this.#changed();
    const answer = await this.#worker.ask(asked, (share) => {
      if (serial !== this.#serial) return;
      this.progress = share;
      this.#changed();
    });
    if (serial !== this.#serial) return undefined;
    this.busy = "";
    if (answer.kind === "failed") this.error = answer.error;
    this.#changed();
    return answer.kind === "failed" ? undefined : answer;
  }

  params(): Params {
    const { sample, tensor, slice } = this;
    if (sample === "") return {};
    return { sample, ...(tensor === null ? {} : { tensor: tensor.key, ...(slice === "" ? {} : { slice }) }) };
  }

  state(): PanelState {
    const { files, busy, error, facts, slice, progress, region } = this;
    return {
      files: files.map(({ regions, ...file }) => ({ ...file, regions: regions.length })),
      listed: this.listed.map(({ key }) => key),
      tensor: this.tensor?.key ?? null,
      slice,
      facts:
        facts === null
          ? null
          : {
              ...facts,
              numbers:
                facts.numbers === null
                  ? null
                  : {
                      ...facts.numbers,
                      image: facts.numbers.image === null ? null : [facts.numbers.image.width, facts.numbers.image.height],
                    },
            },
      region: region === null ? null : { name: region.name, offset: region.offset, length: region.length, bytes: [...this.regionBytes] },
      busy,
      progress,
      error,
    };
  }

  dispose(): void {
    this.#serial++;
    this.#worker.stop("the panel was closed");
  }
}

/** Returns the slice of a large tensor that is read first; "" for a small one. */
function firstRows({ shape, bytes }: TensorEntry): string {
  if (bytes <= kWholeBytes || shape.length === 0) return "";
  const rows = Math.max(1, Math.min(shape[0]!, Math.floor(kRowsBytes / (bytes / shape[0]!))));
  return [`0,${rows}`, ...shape.slice(1).map(() => "-")].join(":");
}
