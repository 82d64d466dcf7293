/**
 * network-text: the kernels of sorting-networks.ts as text. Vector xK has the elements K of a group of rows, one row in each lane; where
 * the places of elements are wanted, vector yK has the places in the row that these come from.
 *
 *     load x0 x1 x2 …  |  compare x0 x1, x0 x2, …  |  store x0 x1 x2 …
 *
 * Which vectors are compared, in which order, is Batcher's merge exchange (The Art of Computer Programming, 5.2.2, algorithm M). It is not
 * stable: elements that are equal are told apart by their places.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import { isFloat } from "@onebuffer/expression/internal";

/** What a network does with rows. */
export interface NetworkRows {
  readonly width: number;
  readonly descending: boolean;
  /** What is stored of a sorted row: the first elements, those at places in a list (zeros as +0), or the places of the first ones, as int32. */
  readonly stores: "elements" | "selected" | "places";
}

/** Returns the places that are compared to sort so many elements, two at a time, in their order. */
export function comparators(count: number): [lower: number, upper: number][] {
  const pairs: [number, number][] = [];
  const top = 2 ** (Math.ceil(Math.log2(count)) - 1);
  for (let bit = top; bit >= 1; bit /= 2) {
    // First places without the bit are compared with those that have it, then those that have it with places behind that do not.
    for (let [span, value, distance] = [top, 0, bit]; span >= bit; [span, value, distance] = [span / 2, bit, span - bit]) {
      for (let lower = 0; lower + distance < count; lower++) if ((lower & bit) === value) pairs.push([lower, lower + distance]);
    }
  }
  return pairs;
}

/** Returns the words for each of the numbers from 0 to count - 1. */
const each = (count: number, words: (k: number) => string): string => Array.from({ length: count }, (_, k) => words(k)).join(" ");

const names = (name: string, count: number, type = ""): string => each(count, (k) => `${name}${k}${type}`);

/** The text of the kernel for rows of a dtype. */
export class NetworkText {
  readonly #order: NetworkRows;
  readonly #item: number;
  readonly #bits: number;
  readonly #numLanes: number;
  readonly #isReal: boolean;
  /** The suffix of instructions that compare elements. */
  readonly #sign: string;
  /** The types of vectors of elements, and of integers of as many bits. */
  readonly #elements: string;
  readonly #integers: string;

  constructor(dtype: DType, order: NetworkRows) {
    this.#order = order;
    this.#item = dtypeSize(dtype);
    this.#bits = 8 * this.#item;
    this.#numLanes = 16 / this.#item;
    this.#isReal = isFloat(dtype);
    this.#sign = this.#isReal ? "" : dtype.startsWith("u") ? "_u" : "_s";
    this.#integers = `i${this.#bits}x${this.#numLanes}`;
    this.#elements = this.#isReal ? `f${this.#bits}x${this.#numLanes}` : this.#integers;
  }

  /** The locals of the kernel. */
  get locals(): string {
    const { width, stores } = this.#order;
    const places = stores === "places" ? `${names("y", width, ":v128")} wrong:v128` : "";
    return `${names("row", this.#numLanes)} ${names("out", this.#numLanes)} last at
      ${names("x", width, ":v128")} ${places} x:v128 zero:v128 signs:v128 special:v128`;
  }

  /** The words of the kernel. The lanes behind the last row have that row, too, and store the same again. */
  get rows(): string {
    const { width, stores } = this.#order;
    const step = width * this.#item;
    const stored = stores === "selected" ? `listEnd list - 2 >> ${this.#item} *` : `kept ${stores === "places" ? 4 : this.#item} *`;
    const next = (name: string, lane: number, distance: string): string =>
      `${name}${lane} row${lane} last < ${distance} * + ->${name}${lane + 1}`;
    return `
      rows 1 - ${step} * from + ->last
      ${this.#isReal ? `i${this.#bits}:${-(2n ** BigInt(this.#bits - 1))} ${this.#integers}.splat ->signs` : ""}
      block:stop
      loop
        from ->row0
        to ->out0
        ${each(this.#numLanes - 1, (lane) => `${next("out", lane, stored)} ${next("row", lane, String(step))}`)}
        ${each(width, (k) => this.#load(k))}
        ${this.#isReal ? `zero ->special ${each(width, (k) => this.#findSpecial(k))} special v128.any_true br_if:stop` : ""}
        ${comparators(width)
          .map((pair) => this.#compare(...pair))
          .join(" ")}
        ${this.#store()}
        from+=${this.#numLanes * step}
        to ${stored} ${this.#numLanes} * + ->to
        rows+=${-this.#numLanes}
      rows 0 i32.gt_s while
      end
      rows`;
  }

  #load(k: number): string {
    const offset = k * this.#item;
    return `
      row0 v128.load${this.#bits}_splat:${offset} ->x
      ${each(this.#numLanes - 1, (lane) => `row${lane + 1} x v128.load${this.#bits}_lane:${offset},${lane + 1} ->x`)}
      x ->x${k}
      ${this.#order.stores === "places" ? `i${this.#bits === 64 ? 64 : 32}:${k} ${this.#integers}.splat ->y${k}` : ""}`;
  }

  /** Returns the words that find elements that the comparators cannot put in order. Where zeros keep their signs, -0 is one. */
  #findSpecial(k: number): string {
    const isMinusZero = this.#order.stores === "elements" ? `x${k} signs ${this.#integers}.eq v128.or` : "";
    return `x${k} x${k} ${this.#elements}.ne ${isMinusZero} special v128.or ->special`;
  }

  #compare(lower: number, upper: number): string {
    const [a, b] = [`x${lower}`, `x${upper}`];
    const named = (name: string): string => `${this.#elements}.${this.#isReal ? "p" : ""}${name}${this.#sign}`;
    const [first, second] = this.#order.descending ? [named("max"), named("min")] : [named("min"), named("max")];
    return `
      ${this.#order.stores === "places" ? this.#comparePlaces(lower, upper) : ""}
      ${a} ${b} ${first} ${a} ${b} ${second} ->${b} ->${a}`;
  }

  /** Returns the words that exchange the places of elements in the wrong order, before these are compared. */
  #comparePlaces(lower: number, upper: number): string {
    const [a, b, p, q] = [`x${lower}`, `x${upper}`, `y${lower}`, `y${upper}`];
    const isLater = `${this.#elements}.${this.#order.descending ? "lt" : "gt"}${this.#sign}`;
    return `
      ${a} ${b} ${this.#elements}.eq ${p} ${q} ${this.#integers}.gt_s v128.and ${a} ${b} ${isLater} v128.or
      ${p} ${q} v128.xor v128.and ->wrong
      ${p} wrong v128.xor ->${p}
      ${q} wrong v128.xor ->${q}`;
  }

  #store(): string {
    const { width, stores } = this.#order;
    if (stores === "selected") return this.#storeSelected();
    const isLanes = stores === "elements" || this.#bits === 32;
    const [name, size] = stores === "places" ? ["y", 4] : ["x", this.#item];
    return `
      block:stored
      ${each(width, (k) => `kept ${k} == br_if:stored ${isLanes ? this.#storeLanes(`${name}${k}`, k * size) : this.#storePlaces(k)}`)}
      end`;
  }

  /** Returns the words that store the lanes of a vector, each `offset` behind the address for its row. */
  #storeLanes(vector: string, offset: number): string {
    return each(this.#numLanes, (lane) => `out${lane} ${vector} v128.store${this.#bits}_lane:${offset},${lane}`);
  }

  /** Returns the words that store places that are not words. */
  #storePlaces(k: number): string {
    const [suffix, store] = this.#bits === 64 ? ["", "i64.store32"] : ["_u", "i32.store"];
    return each(this.#numLanes, (lane) => `out${lane} y${k} ${this.#integers}.extract_lane${suffix}:${lane} ${store}:${4 * k}`);
  }

  /** Returns the words that store the vectors whose numbers are in the list. */
  #storeSelected(): string {
    return `
      ${each(this.#order.width, (k) => `scratch x${k} v128.store:${16 * k}`)}
      list ->at
      loop
        at i32.load 4 << scratch + v128.load ${this.#isReal ? `zero ${this.#elements}.add` : ""} ->x
        ${this.#storeLanes("x", 0)}
        ${each(this.#numLanes, (lane) => `out${lane}+=${this.#item}`)}
        at+=4
      at listEnd < while`;
  }
}
