/** The objects of the panel "Bytes on their way": a tensor, views of it, an expression over one, and the scene that is drawn. */
import { bytesCopied, Tensor } from "onebuffer";
import { explain } from "onebuffer/debug";
import type { PanelModel, PanelState, Params } from "../../panel.ts";
import { scenesOf } from "./scenes.ts";
import type { Scene } from "./scenes.ts";

/** The dtypes on offer: four lanes, and two. */
export const kDTypes = ["float32", "float64"] as const;
export type FlowDType = (typeof kDTypes)[number];

/** Seconds between two scenes. */
export const kPaces = { slow: 2.4, normal: 1.2, fast: 0.5 } as const;
export type Pace = keyof typeof kPaces;

const kVectorBytes = 16;

/** The model. */
export class Flow implements PanelModel {
  readonly #changed: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #grid!: Tensor<"float32">;
  #rows!: Tensor<"float32">;
  dtype: FlowDType;
  pace: Pace = "normal";
  scene = 0;
  isPlaying = false;
  /** The elements of the buffer and of the result, and the bytes of both. */
  values: readonly number[] = [];
  results: readonly number[] = [];
  bytes: Uint8Array<ArrayBufferLike> = new Uint8Array();
  /** What reshaping and slicing have copied: nothing. */
  copied = 0;
  loops: readonly number[] = [];
  /** The lines of the kernel that load, compute and store a vector. */
  lines: Readonly<Record<"load" | "compute" | "store", string>> = { load: "", compute: "", store: "" };

  constructor(params: Params, changed: () => void) {
    this.#changed = changed;
    this.dtype = kDTypes.find((each) => each === params["dtype"]) ?? "float32";
    this.#make();
    const scene = Number(params["scene"] ?? 0);
    if (Number.isInteger(scene)) this.scene = Math.max(0, Math.min(this.scenes.length - 1, scene));
  }

  /** The elements of a vector: as many as fit into 16 bytes. */
  get lanes(): number {
    return kVectorBytes / (this.bytes.length / 12);
  }

  get scenes(): readonly Scene[] {
    return scenesOf(this.results.length / this.lanes);
  }

  get current(): Scene {
    return this.scenes[this.scene]!;
  }

  /** The number of the first element of the slice. */
  get sliceBegin(): number {
    return 4;
  }

  #make(): void {
    const dtype = this.dtype as "float32";
    using vector = Tensor.arange(1, 13, 1, { dtype }) as Tensor<"float32">;
    const before = bytesCopied();
    this.#grid = vector.reshape([3, 4]) as Tensor<"float32">;
    this.#rows = this.#grid.slice(1, 3);
    this.copied = bytesCopied() - before;
    const expression = this.#rows.matrix().mul(10).add(1);
    const [step] = explain(expression).steps;
    this.loops = step?.loops ?? [];
    const listing = (step?.listing ?? "").split("\n").map((line) => line.trim());
    const find = (pattern: RegExp): string => listing.find((line) => pattern.test(line)) ?? "";
    this.lines = { load: find(/v128\.load/), compute: find(/f(?:32x4|64x2)\.(?:mul|relaxed_madd)/), store: find(/v128\.store/) };
    using result = Tensor.evaluate(expression);
    this.values = [...(vector.flat() as Iterable<number>)];
    this.results = [...(result.flat() as Iterable<number>)];
    this.bytes = vector.tensorData.slice();
  }

  setDType(dtype: FlowDType): void {
    this.pause();
    this.#dropTensors();
    this.dtype = dtype;
    this.#make();
    this.scene = 0;
    this.#changed();
  }

  setPace(pace: Pace): void {
    this.pace = pace;
    this.#changed();
  }

  /** Goes to a scene, and stops there. */
  goTo(scene: number): void {
    this.pause();
    this.scene = Math.max(0, Math.min(this.scenes.length - 1, scene));
    this.#changed();
  }

  /** Plays from here on, from the beginning after the last scene. */
  play(): void {
    if (this.isPlaying) return;
    this.isPlaying = true;
    if (this.scene === this.scenes.length - 1) this.scene = 0;
    this.#plan();
    this.#changed();
  }

  pause(): void {
    clearTimeout(this.#timer);
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.#changed();
  }

  #plan(): void {
    this.#timer = setTimeout(() => {
      this.scene++;
      if (this.scene >= this.scenes.length - 1) this.isPlaying = false;
      else this.#plan();
      this.#changed();
    }, kPaces[this.pace] * 1000);
  }

  #dropTensors(): void {
    this.#grid.dispose();
    this.#rows.dispose();
  }

  params(): Params {
    return { scene: String(this.scene), ...(this.dtype === "float32" ? {} : { dtype: this.dtype }) };
  }

  state(): PanelState {
    const { dtype, scene, scenes, current, isPlaying, values, results, lanes, copied, loops, lines } = this;
    return {
      dtype,
      scene,
      scenes: scenes.length,
      kind: current.kind,
      vector: current.vector,
      isPlaying,
      values,
      results,
      lanes,
      copied,
      loops,
      lines,
      sharesBuffer: this.#rows.sharesBufferWith(this.#grid),
    };
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#dropTensors();
  }
}
