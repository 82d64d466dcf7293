/**
 * panels: packs blocks of one operand of a product into panels, from wherever its lines and the elements of k are.
 *
 *     A[1, 56 x 56, 3 x 3 x 64], patches of an image     a line's offset is the place of its patch, from a table
 *                                                        a run of k is a row of the patch: 192 adjacent elements
 *
 * Lines (rows of A, columns of B) and k are loops with strides in bytes. A block is packed one run of k at a time. A run is a part of the
 * innermost loop of k.
 */
import { linearMemory } from "@onebuffer/wasm";
import type { GebpKernel, Packing } from "./gebp-kernel.ts";

/** Loops, outermost first: how often each runs, and the bytes of one step. There is at least one. */
export interface StridedLoops {
  readonly sizes: readonly number[];
  readonly strides: readonly number[];
}

/** Returns how often loops run. */
export const countOf = ({ sizes }: StridedLoops): number => sizes.reduce((a, b) => a * b, 1);

/** The bytes from the first element to the one at an index. */
function offsetAt({ sizes, strides }: StridedLoops, index: number): number {
  let offset = 0;
  let rest = index;
  for (let d = sizes.length - 1; d > 0; d--) {
    const size = sizes[d] as number;
    const outer = Math.floor(rest / size);
    offset += (rest - outer * size) * (strides[d] as number);
    rest = outer;
  }
  return offset + rest * (strides[0] as number);
}

/** The memory for tables of offsets that was used last: products of equal sizes get the same scratch memory. */
const last: { tables: Int32Array<ArrayBufferLike> } = { tables: new Int32Array(0) };

/** Returns memory for tables as 32-bit words. */
export function tablesAt(address: number, length: number): Int32Array<ArrayBufferLike> {
  const { buffer } = linearMemory();
  const { tables } = last;
  if (tables.byteOffset !== address || tables.length !== length || tables.buffer !== buffer) {
    last.tables = new Int32Array(buffer, address, length);
  }
  return last.tables;
}

/** Panels of one kind: the first, their number, and 1 if their lines are adjacent, otherwise 0; three numbers for each kind. */
type PanelGroups = number[];

/** The offsets of some lines, and the kinds of their panels. */
interface LineTable {
  readonly first: number;
  readonly count: number;
  readonly offsets: Int32Array;
  readonly groups: PanelGroups;
}

/** Packs the blocks of one operand. */
export class Panels {
  readonly #packing: Packing;
  readonly #lines: StridedLoops;
  readonly #k: StridedLoops;
  readonly #numK: number;
  readonly #perPanel: number;
  readonly #kernel: GebpKernel;
  /** The address of the panels, the memory of the tables, and where the table of this operand begins in it. */
  #panels: number = 0;
  #tables: Int32Array<ArrayBufferLike> = last.tables;
  #table: number = 0;
  /** The lines that the table describes: the first one and their number. */
  #first: number = -1;
  #count: number = 0;
  #groups: PanelGroups = [];
  /** The lines that were described last: a product of one block that is computed again only copies their offsets into the table. */
  #described: LineTable | null = null;
  /** The tables that are kept, by their first line; null if the next table replaces the last one. */
  #kept: Map<number, { readonly table: number; readonly groups: PanelGroups }> | null = null;
  #nextTable: number = 0;

  constructor(kernel: GebpKernel, packing: Packing, perPanel: number, lines: StridedLoops, k: StridedLoops) {
    this.#packing = packing;
    this.#perPanel = perPanel;
    this.#kernel = kernel;
    this.#lines = lines;
    this.#k = k;
    this.#numK = countOf(k);
  }

  /** Sets the memory for the panels and for the table. With `keeps` there is room for the tables of all blocks, which are all kept. */
  moveTo(panels: number, memory: Int32Array<ArrayBufferLike>, table: number, keeps: boolean = false): void {
    this.#kept = keeps ? new Map() : null;
    this.#nextTable = table;
    this.#panels = panels;
    this.#tables = memory;
    this.#table = table;
    this.#first = -1;
  }

  /** Packs packed elements `k` to `k + depth` of `count` lines of the operand that begins at `start`. */
  pack(start: number, first: number, count: number, k: number, depth: number): void {
    if (first !== this.#first || count !== this.#count) this.#describe(first, count);
    const packing = this.#packing;
    const last = this.#k.sizes.length - 1;
    const [size, kStride] = [this.#k.sizes[last] as number, this.#k.strides[last] as number];
    const { sourceBytes, perElement, shape } = this.#kernel;
    const [panelLines, groups] = [this.#perPanel, this.#groups];
    const elementBytes = panelLines * shape.itemBytes;
    const all = this.#numK;
    const offsets = this.#tables.byteOffset + this.#table * 4;
    for (let done = 0; done < depth; ) {
      const at = (k + done) * perElement;
      const elements = Math.min(size - (at % size), (depth - done) * perElement, all - at);
      const run = Math.ceil(elements / perElement);
      const from = start + offsetAt(this.#k, at);
      const apart = kStride === sourceBytes && run * shape.itemBytes >= 16 ? packing.across : packing.any;
      for (let g = 0; g < groups.length; g += 3) {
        const panel = groups[g] as number;
        const copy = groups[g + 2] === 1 ? packing.along : apart;
        const to = this.#panels + (panel * depth + done) * elementBytes;
        copy(from, offsets + panel * panelLines * 4, to, groups[g + 1] as number, elements, kStride, (depth - run) * elementBytes);
      }
      done += run;
    }
  }

  /** Writes the offsets of lines into the table. The last line fills up the last panel. */
  #describe(first: number, count: number): void {
    this.#first = first;
    this.#count = count;
    if (this.#kept !== null && this.#keep(first)) return;
    const before = this.#described;
    const described = before?.first === first && before.count === count ? before : this.#tableOf(first, count);
    const { offsets, groups } = (this.#described = described);
    this.#groups = groups;
    this.#tables.set(offsets, this.#table);
    this.#kept?.set(first, { table: this.#table, groups });
    this.#nextTable += offsets.length;
  }

  #tableOf(first: number, count: number): LineTable {
    const panels = Math.ceil(count / this.#perPanel);
    const offsets = new Int32Array(panels * this.#perPanel);
    const { sizes, strides } = this.#lines;
    const last = sizes.length - 1;
    const [size, stride] = [sizes[last] as number, strides[last] as number];
    for (let n = 0; n < count; ) {
      const end = Math.min(n + size - ((first + n) % size), count);
      for (let offset = offsetAt(this.#lines, first + n); n < end; offset += stride) offsets[n++] = offset;
    }
    offsets.fill(offsets[count - 1] as number, count);
    if (last === 0 && stride !== this.#kernel.sourceBytes) return { first, count, offsets, groups: [0, panels, 0] };
    const groups: PanelGroups = [];
    for (let panel = 0; panel < panels; panel++) addPanel(groups, panel, this.#isAdjacent(offsets, panel) ? 1 : 0);
    return { first, count, offsets, groups };
  }

  /** Moves on to the table that begins with a line. Returns false if that table has yet to be written. */
  #keep(first: number): boolean {
    const known = this.#kept!.get(first);
    this.#table = known?.table ?? this.#nextTable;
    if (known !== undefined) this.#groups = known.groups;
    return known !== undefined;
  }

  #isAdjacent(offsets: Int32Array, panel: number): boolean {
    const first = panel * this.#perPanel;
    for (let n = 1; n < this.#perPanel; n++) if (offsets[first + n]! - offsets[first + n - 1]! !== this.#kernel.sourceBytes) return false;
    return true;
  }
}

function addPanel(groups: PanelGroups, panel: number, kind: 0 | 1): void {
  const group = groups.length - 3;
  if (group >= 0 && groups[group + 2] === kind) groups[group + 1]!++;
  else groups.push(panel, 1, kind);
}
