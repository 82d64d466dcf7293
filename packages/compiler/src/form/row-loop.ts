/**
 * row-loop: one run over the elements of the innermost loop, group by group (Eigen's vectorized loop with its unrolled part, its
 * packets and its scalar remainder).
 *
 *     n = 103, group 4, copies 4     | 16 | 16 | 16 | 16 | 16 | 16 | 4 | 3 |      main, singles, the last group is partial
 *
 * There is no scalar code: the partial group is computed like the others. Its loads of adjacent elements reach beyond the end of the
 * operands, at most to the end of the group, which is harmless inside the linear memory; the code that runs the kernel makes sure that the
 * memory is long enough. Elements that are loaded one by one are repeated instead: the next ones could be anywhere. The values beyond the
 * end are neither stored nor accumulated.
 */
import { elementAccess } from "@onebuffer/kernels/internal";
import type { AccessClass } from "@onebuffer/kernels/internal";
import type { KernelWriter, GroupPlace } from "./kernel-writer.ts";

/** The loop to write, and the code for a group. */
export interface RowLoop {
  /** The index of the loop in the nest. */
  readonly loop: number;
  /** The number of groups that the main part computes at once. */
  readonly copies: number;
  /**
   * True if groups are stored in the target: a partial last group is then stored in the tail buffer first. False if they are accumulated:
   * the code must then ignore elements beyond the end of the row, for which `group` is given `remaining`.
   */
  readonly stores: boolean;
  /** True if groups of the main part may be left to the singles: see `group`. Not valid together with `block`. */
  readonly mayLeave?: boolean;
  /** The numbers of the accesses that move along the row; 0 is the target. */
  readonly moving: readonly number[];
  /** Further pointers that move along the row, and their bytes per element. */
  readonly buffers: readonly { readonly pointer: number; readonly bytesPerElement: number }[];
  /**
   * Writes the code for `copies` groups at once. `remaining` is null if the groups are known to be whole. Otherwise it is an i32 local
   * with the number of elements that are left: at least 1, possibly more than a group has. `out` has the target's pointers. In
   * the main part `leave` may be passed to `emit`: groups with values that the main part's code does not handle are then computed
   * one by one.
   */
  group(copies: number, place: GroupPlace, remaining: number | null, out: readonly number[], leave: (() => void) | null): void;
  /** If given, `write` runs after each `elements` elements and at the end. The run ends early if `undecided` pushes 0. */
  readonly block?: RowBlock | null;
}

/** The code after each so many elements of a row: see RowLoop. */
export interface RowBlock {
  readonly elements: number;
  /** Smaller than `elements` if the run may be decided early: the elements of the first block. */
  readonly firstElements: number;
  readonly undecided: (() => void) | null;
  write(): void;
}

/** Writes the run over one row. */
export function writeRowLoop(writer: KernelWriter, row: RowLoop): void {
  const { code } = writer;
  const { moving, block = null } = row;
  const place = new RowPlace(writer, row.loop, moving);
  const copies = place.isScattered ? 1 : row.copies;
  const mayLeave = row.mayLeave === true;
  const hasMain = copies > 1 || !row.stores || mayLeave || place.isScattered;
  const left = writer.local("left");
  const now = block === null ? left : writer.local("now");
  const run: RowRun = { writer, row, place, copies, now, stop: mayLeave && !place.isScattered ? writer.local("stop") : null };
  place.start();
  writer.size(row.loop).set(left);
  const most = writer.local("most");
  if (block !== null) code.i32(block.firstElements).set(most);
  const blocks = block === null ? null : code.loop();
  if (block !== null) {
    code.get(left).get(most).get(left).get(most).op("i32.lt_s").op("select").set(now);
    code.i32(block.elements).set(most).get(left).get(now).op("i32.sub").set(left);
  }
  // After the singles have computed a step that the main part left, the main part continues with the remaining elements.
  const again = run.stop === null ? null : code.loop();
  if (run.stop !== null) code.i32(0).set(run.stop);
  if (hasMain) writeMain(run);
  writeSingles(run);
  if (again !== null) code.get(now).i32(0).op("i32.gt_s").brIf(again).end();
  if (block !== null && blocks !== null) {
    block.write();
    code.get(left);
    if (block.undecided !== null) {
      code.i32(0);
      block.undecided();
      code.op("select");
    }
    code.brIf(blocks).end();
  }
  if (row.stores) writeTail(writer, now, () => writer.size(row.loop), row.loop);
}

/**
 * Writes code that moves the elements of a partial group from the tail buffer to the end of the target's row. `size` pushes the length of
 * the row. `left` is a local: the number of elements of the partial group minus those of a whole group; 0 without a partial group.
 */
export function writeTail(writer: KernelWriter, left: number, size: () => void, loop: number): void {
  const { code, elements } = writer;
  const bytes = writer.itemBytes(0);
  const [to, count, from] = [writer.local("to"), writer.local("rest"), writer.local("from")];
  const [load, store] = elementAccess[bytes]!;
  code.get(left).if();
  code.get(left).i32(elements).op("i32.add").set(count);
  // to = out + (size - count) * stride
  code.get(writer.cursors[0]!.pointer);
  size();
  code.get(count).op("i32.sub");
  writer.stride(0, loop).op("i32.mul").op("i32.add").set(to);
  code.get(writer.tail).set(from);
  const again = code.loop();
  code.get(to).get(from).memory(load).memory(store);
  writer.addTo(to, () => writer.stride(0, loop));
  code.addTo(from, bytes).countDown(count, again).end();
}

/** The pointers of one group of a strided access, of which the first is set, and a function that pushes its stride. */
export interface ScatteredPointers {
  readonly pointers: readonly number[];
  readonly stride: () => unknown;
}

/** Writes code that sets the pointers of a group from the first ones. */
export function scatterPointers({ code }: KernelWriter, accesses: readonly ScatteredPointers[]): void {
  for (const { pointers, stride } of accesses) {
    for (let k = 1; k < pointers.length; k++) {
      code.get(pointers[k - 1]!);
      stride();
      code.op("i32.add").set(pointers[k]!);
    }
  }
}

/**
 * Writes code for a partial group, of which `remaining`, a local, are left: the pointers behind its last element point at that element
 * again, so that nothing behind it is read.
 */
function repeatLast({ code }: KernelWriter, accesses: readonly ScatteredPointers[], remaining: number): void {
  for (const { pointers } of accesses) {
    for (let k = 1; k < pointers.length; k++) {
      code.get(pointers[k]!).get(pointers[k - 1]!);
      code.get(remaining).i32(k).op("i32.gt_s").op("select").set(pointers[k]!);
    }
  }
}

/** The pointers of a row's accesses during the run: one per access, or one per element for strided accesses. */
export class RowPlace {
  readonly pointers: number[][] = [];
  readonly #writer: KernelWriter;
  readonly #loop: number;
  readonly #moving: readonly number[];
  /** For each access a local with its stride; 0 for accesses that move by whole groups. */

  constructor(writer: KernelWriter, loop: number, moving: readonly number[]) {
    this.#writer = writer;
    this.#loop = loop;
    this.#moving = moving;
    for (let a = 0; a < writer.cursors.length; a++) {
      const strided = moving.includes(a) && this.#isStrided(a);
      const count = strided ? writer.elements : 1;
      this.pointers.push(Array.from({ length: count }, (_, k) => writer.local(`at${a}.${k}`)));
    }
  }

  #classOf(a: number): AccessClass {
    return a === 0 ? this.#writer.spec.target : this.#writer.spec.classes[a - 1]!;
  }

  #isStrided(a: number): boolean {
    return ["strided", "transposed"].includes(this.#classOf(a));
  }

  /** True if some access is read or written element by element. */
  get isScattered(): boolean {
    return this.pointers.some((pointers) => pointers.length > 1);
  }

  /** Sets the pointers to the start of the row: where the cursors are, or one step of the loop `by` behind another row. */
  start(before: RowPlace | null = null, by: number = 0): void {
    const { code, cursors } = this.#writer;
    for (const a of this.#moving) {
      code.get(before === null ? cursors[a]!.pointer : before.pointers[a]![0]!);
      if (before !== null) this.#writer.stride(a, by).op("i32.add");
      code.set(this.pointers[a]![0]!);
    }
  }

  /** Sets the pointers of the single elements of strided accesses. Called before each group. */
  scatter(): void {
    scatterPointers(this.#writer, this.#scattered(0));
  }

  /** Corrects these pointers for a partial group of `remaining` elements, a local. With `stores`, the target is the tail buffer. */
  endAt(remaining: number, stores: boolean): void {
    if (stores) this.#redirectTarget();
    repeatLast(this.#writer, this.#scattered(1), remaining);
  }

  /** The pointers of the strided accesses that move, from an access on. */
  #scattered(first: number): readonly ScatteredPointers[] {
    const moving = this.#moving.filter((a) => a >= first && this.pointers[a]!.length > 1);
    return moving.map((a) => ({ pointers: this.pointers[a]!, stride: () => this.#writer.stride(a, this.#loop) }));
  }

  /** Moves the pointers by `groups` groups. */
  advance(groups: number): void {
    const { code, elements } = this.#writer;
    for (const a of this.#moving) {
      if (this.#classOf(a) === "broadcast") continue;
      const pointers = this.pointers[a]!;
      const first = pointers[0]!;
      if (this.#isStrided(a)) {
        code.get(pointers.at(-1)!);
        this.#writer.stride(a, this.#loop).op("i32.add").set(first);
      } else code.addTo(first, groups * elements * this.#writer.itemBytes(a));
    }
  }

  /** Points the target at the tail buffer, where its elements are adjacent. */
  #redirectTarget(): void {
    const { code, tail } = this.#writer;
    const pointers = this.pointers[0]!;
    code.get(tail).set(pointers[0]!);
    if (this.#isStrided(0)) scatterPointers(this.#writer, [{ pointers, stride: () => code.i32(this.#writer.itemBytes(0)) }]);
  }

  /** The pointers of the target: one, or one per element. */
  get target(): readonly number[] {
    return this.pointers[0]!;
  }

  /** Returns the places of the operands. `remaining` is as in GroupPlace. */
  place(remaining: number | null): GroupPlace {
    return { pointers: this.pointers.slice(1), blockRows: 0, remaining };
  }
}

/** The state of one run while it is written. */
interface RowRun {
  readonly writer: KernelWriter;
  readonly row: RowLoop;
  readonly place: RowPlace;
  readonly copies: number;
  /** A local: the number of elements that are still to be done. */
  readonly now: number;
  /**
   * A local: the number of elements at which the singles stop. It is not 0 while the main part has left a step to them. Null if
   * the main part never leaves one.
   */
  readonly stop: number | null;
}

/** Moves all pointers by `groups` groups. */
function advance({ writer, row, place }: RowRun, groups: number): void {
  place.advance(groups);
  for (const { pointer, bytesPerElement } of row.buffers) {
    writer.code.addTo(pointer, groups * writer.elements * bytesPerElement);
  }
}

/** Writes the main part: several groups at once, while enough elements are left. */
function writeMain(run: RowRun): void {
  const { row, place, copies, now, stop } = run;
  const { code, elements } = run.writer;
  const step = elements * copies;
  code.whileAtLeast(now, step, step, (end) => {
    const leave = stop === null ? null : (): void => void code.get(now).i32(step).op("i32.sub").set(stop).br(end);
    place.scatter();
    row.group(copies, place.place(null), null, place.target, leave);
    advance(run, copies);
  });
}

/** Writes the singles: one group at a time. */
function writeSingles(run: RowRun): void {
  const { writer, row, place, now, stop } = run;
  const { code, elements } = writer;
  const pushStop = (): unknown => (stop === null ? code.i32(0) : code.get(stop));
  const done = code.block();
  code.get(now);
  pushStop();
  code.op("i32.eq").brIf(done);
  const single = code.loop();
  place.scatter();
  if (row.stores || place.isScattered) {
    code.get(now).i32(elements).op("i32.lt_s").if();
    place.endAt(now, row.stores);
    code.end();
  }
  row.group(1, place.place(now), now, place.target, null);
  advance(run, 1);
  code.get(now).i32(elements).op("i32.sub").tee(now);
  pushStop();
  code.op("i32.gt_s").brIf(single).end();
  code.end();
}
