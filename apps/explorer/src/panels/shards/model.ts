/**
 * The objects of the panel "Shards": a batch whose rows are divided over devices, the step of a regression on each part, and the sum of all
 * parts. The parts are views of one tensor in this page; each gradient is computed on its part alone.
 */
import { evaluate, gradients, Tensor } from "onebuffer";
import { toStableHLO } from "onebuffer/stablehlo";
import { errorText } from "../../panel.ts";
import type { PanelModel, PanelState, Params } from "../../panel.ts";

/** The most rows and devices that can be chosen. */
export const kMostRows = 64;
export const kMostDevices = 16;
const kColumns = 4;

/** How the batch is divided. */
export type Division = "rows" | "columns" | "whole";

/** A part of the batch on a device. */
export interface Shard {
  readonly device: number;
  /** The first row and column, and how many of both. */
  readonly row: number;
  readonly rows: number;
  readonly column: number;
  readonly columns: number;
  /** The gradient that this part alone gives; empty unless the rows are divided. */
  readonly gradient: readonly number[];
}

/** The model. */
export class Shards implements PanelModel {
  readonly #changed: () => void;
  #batch: Tensor<"float32">;
  #targets: Tensor<"float32">;
  readonly #weights: Tensor<"float32">;
  rows = 8;
  devices: number;
  division: Division;
  /** How many parts have been added up: the collective step, one device after the other. */
  added = 0;
  /** The text that XLA gets; "" if the division does not fit. */
  text = "";
  /** The parts; none if the division does not fit. */
  shards: readonly Shard[] = [];
  /** The gradient of the whole batch, computed at once. */
  whole: readonly number[] = [];
  error = "";

  constructor(params: Params, changed: () => void) {
    this.#changed = changed;
    this.#weights = Tensor.from([0.5, -1, 0.25, 2]) as Tensor<"float32">;
    this.devices = numberIn(params["devices"], 4, 1, kMostDevices);
    this.division = (["rows", "columns", "whole"] as const).find((each) => each === params["division"]) ?? "rows";
    this.#batch = Tensor.zeros([1, kColumns]);
    this.#targets = Tensor.zeros([1]);
    this.#makeBatch(numberIn(params["rows"], 8, 1, kMostRows));
    this.#divide();
  }

  get columns(): number {
    return kColumns;
  }

  /** Divides the batch anew, and adds all parts up. The check is the library's: it refuses a division that does not fit. */
  #divide(): void {
    this.whole = this.#gradientOf(0, this.rows);
    try {
      this.text = this.#moduleText();
      this.shards = this.#parts();
      this.error = "";
    } catch (error) {
      this.text = "";
      this.shards = [];
      this.error = errorText(error);
    }
    this.added = this.shards.length;
  }

  #moduleText(): string {
    const [batch, weights] = [this.#batch.matrix(), this.#weights.vec()];
    const sharding = this.division === "rows" ? ["data"] : this.division === "columns" ? [null, "data"] : [];
    const { text } = toStableHLO([batch.mul(weights).sum(1)], {
      name: "predictions",
      mesh: { data: this.devices },
      locations: false,
      leaves: (leaf) => (leaf === batch ? { name: "batch", sharding } : { name: "weights" }),
    });
    return text;
  }

  #parts(): Shard[] {
    const { rows, devices, division } = this;
    const [height, width] = [division === "rows" ? rows / devices : rows, division === "columns" ? kColumns / devices : kColumns];
    return Array.from({ length: devices }, (_, device) => ({
      device,
      row: division === "rows" ? device * height : 0,
      rows: height,
      column: division === "columns" ? device * width : 0,
      columns: width,
      gradient: division === "rows" ? this.#gradientOf(device * height, height) : [],
    }));
  }

  /** The sum of the gradients that have been added up so far. */
  get sum(): readonly number[] {
    const sum = new Array<number>(kColumns).fill(0);
    for (const { gradient } of this.shards.slice(0, this.added)) gradient.forEach((each, i) => (sum[i] = Math.fround(sum[i]! + each)));
    return sum;
  }

  /** The largest difference between the sum of the parts and the gradient of the whole batch. */
  get difference(): number {
    const { whole, sum } = this;
    return Math.max(...whole.map((each, i) => Math.abs(each - sum[i]!)));
  }

  /** The bytes that each device sends in a ring: twice all parts but one. */
  get ringBytes(): number {
    return this.division === "rows" ? (2 * (this.devices - 1) * kColumns * 4) / this.devices : 0;
  }

  setDevices(devices: number): void {
    this.devices = Math.max(1, Math.min(kMostDevices, devices));
    this.#divide();
    this.#changed();
  }

  setRows(rows: number): void {
    this.#makeBatch(Math.max(1, Math.min(kMostRows, rows)));
    this.#divide();
    this.#changed();
  }

  setDivision(division: Division): void {
    this.division = division;
    this.#divide();
    this.#changed();
  }

  /** Sets how many parts are added up. */
  setAdded(added: number): void {
    this.added = Math.max(0, Math.min(this.shards.length, added));
    this.#changed();
  }

  /** Returns the gradient of the sum of squared errors over some rows with respect to the weights. */
  #gradientOf(row: number, count: number): number[] {
    using part = this.#batch.slice(row, row + count);
    using targets = this.#targets.slice(row, row + count);
    const loss = part.matrix().mul(this.#weights.vec()).sum(1).sub(targets.vec()).square().sum();
    const [gradient] = gradients(loss, [this.#weights]);
    return evaluate(gradient).toArray() as unknown as number[];
  }

  #makeBatch(rows: number): void {
    this.rows = rows;
    this.#batch.dispose();
    this.#targets.dispose();
    this.#batch = Tensor.random([rows, kColumns], { dtype: "float32", seed: 7, low: -1, high: 1 }) as Tensor<"float32">;
    this.#targets = Tensor.random([rows], { dtype: "float32", seed: 8, low: -1, high: 1 }) as Tensor<"float32">;
  }

  params(): Params {
    return { rows: String(this.rows), devices: String(this.devices), division: this.division };
  }

  state(): PanelState {
    const { rows, devices, division, shards, whole, sum, added, ringBytes, error } = this;
    const difference = shards.length === 0 || division !== "rows" ? null : this.difference;
    return { rows, columns: kColumns, devices, division, shards, whole, sum, added, difference, ringBytes, error };
  }

  dispose(): void {
    this.#batch.dispose();
    this.#targets.dispose();
    this.#weights.dispose();
  }
}

function numberIn(text: string | undefined, otherwise: number, least: number, most: number): number {
  const value = Number(text ?? Number.NaN);
  return Number.isInteger(value) ? Math.max(least, Math.min(most, value)) : otherwise;
}
