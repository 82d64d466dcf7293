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
import type { AccessClass } from "../plan/loop-nest.ts";
import type { KernelWriter, GroupPlace } from "./kernel-writer.ts";

/** The loop to write, and the code for a group. */
export interface RowLoop {
  /** The index of the loop in the nest. */
  readonly loop: number;
  /** The number of groups that the main part computes at once. */
  readonly copies: number;
  /** True if the code must ignore elements beyond the end of the row: then `group` is given `remaining`. */
  readonly masked: boolean;
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
  readonly block?: RowBlock;
}

/** The code after each so many elements of a row: see RowLoop. */
export interface RowBlock {
  readonly elements: number;
  /** Smaller than `elements` if the run may be decided early: the elements of the first block. */
  readonly firstElements: number;
  readonly undecided: (() => void) | null;
  write(): void;
}

/**
 * Writes the run over one row. With `tail`, a partial last group is stored there instead of in the target. Returns an i32 local:
 * after the run it is the number of elements of the partial group minus those of a whole group, or 0 without a partial group.
 */
export function writeRowLoop(writer: KernelWriter, row: RowLoop, tail: number | null): number {
  const { code } = writer;
  const { moving, block } = row;
  const place = new RowPlace(writer, row.loop, moving);
  const copies = place.isScattered ? 1 : row.copies;
  const mayLeave = row.mayLeave === true;
  const hasMain = copies > 1 || row.masked || mayLeave || place.isScattered;
  const left = writer.local("left");
  const now = block === undefined ? left : writer.local("now");
  const most = block === undefined || block.firstElements === block.elements ? null : writer.local("most");
  const run: RowRun = { writer, row, place, copies, now, stop: mayLeave && !place.isScattered ? writer.local("stop") : null };
  place.start();
  writer.size(row.loop).set(left);
  if (block !== undefined && most !== null) code.i32(block.firstElements).set(most);
  const blocks = block === undefined ? null : code.loop();
  if (block !== undefined) {
    const pushMost = (): unknown => (most === null ? code.i32(block.elements) : code.get(most));
    code.get(left);
    pushMost();
    code.get(left);
    pushMost();
    code.op("i32.lt_s").op("select").set(now);
    if (most !== null) code.i32(block.elements).set(most);
    code.get(left).get(now).op("i32.sub").set(left);
  }
  // After the singles have computed a step that the main part left, the main part continues with the remaining elements.
  const again = run.stop === null ? null : code.loop();
  if (run.stop !== null) code.i32(0).set(run.stop);
  if (hasMain) writeMain(run);
  writeSingles(run, tail);
  if (again !== null) code.get(now).i32(0).op("i32.gt_s").brIf(again).end();
  if (block !== undefined && blocks !== null) {
    block.write();
    code.get(left);
    if (block.undecided !== null) {
      code.i32(0);
      block.undecided();
      code.op("select");
    }
    code.brIf(blocks).end();
  }
  return now;
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
export function repeatLast({ code }: KernelWriter, accesses: readonly ScatteredPointers[], remaining: number): void {
  for (const { pointers } of accesses) {
    for (let k = 1; k < pointers.length; k++) {
      code.get(pointers[k]!).get(pointers[k - 1]!);
      code.get(remaining).i32(k).op("i32.gt_s").op("select").set(pointers[k]!);
    }
  }
}

/** The pointers of a row's accesses during the run: one per access, or one per element for strided accesses. */
class RowPlace {
  readonly pointers: number[][] = [];
  readonly #writer: KernelWriter;
  readonly #loop: number;
  readonly #moving: readonly number[];
  /** For each access a local with its stride; 0 for accesses that move by whole groups. */
  readonly #strides: number[] = [];

  constructor(writer: KernelWriter, loop: number, moving: readonly number[]) {
    this.#writer = writer;
    this.#loop = loop;
    this.#moving = moving;
    for (let a = 0; a < writer.cursors.length; a++) {
      const strided = moving.includes(a) && this.#isStrided(a);
      const count = strided ? writer.elements : 1;
      this.pointers.push(Array.from({ length: count }, (_, k) => writer.local(`at${a}.${k}`)));
      this.#strides.push(strided ? writer.local(`stride${a}`) : 0);
    }
  }

  #classOf(a: number): AccessClass {
    return a === 0 ? this.#writer.spec.target : this.#writer.spec.classes[a - 1]!;
  }

  #isStrided(a: number): boolean {
    return this.#classOf(a) === "strided";
  }

  /** True if some access is read or written element by element. */
  get isScattered(): boolean {
    return this.pointers.some((pointers) => pointers.length > 1);
  }

  /** Sets the pointers to the start of the row, where the cursors are. */
  start(): void {
    const { code, cursors } = this.#writer;
    for (const a of this.#moving) {
      code.get(cursors[a]!.pointer).set(this.pointers[a]![0]!);
      if (this.#isStrided(a)) this.#writer.stride(a, this.#loop).set(this.#strides[a]!);
    }
  }

  /** Sets the pointers of the single elements of strided accesses. Called before each group. */
  scatter(): void {
    scatterPointers(this.#writer, this.#scattered(0));
  }

  /** Corrects these pointers for a partial group of `remaining` elements, a local; the target is redirected to `tail` if given. */
  endAt(remaining: number, tail: number | null): void {
    if (tail !== null) this.#redirectTarget(tail);
    repeatLast(this.#writer, this.#scattered(1), remaining);
  }

  /** The pointers of the strided accesses that move, from an access on. */
  #scattered(first: number): readonly ScatteredPointers[] {
    const { code } = this.#writer;
    const moving = this.#moving.filter((a) => a >= first && this.pointers[a]!.length > 1);
    return moving.map((a) => ({ pointers: this.pointers[a]!, stride: () => code.get(this.#strides[a]!) }));
  }

  /** Moves the pointers by `groups` groups. */
  advance(groups: number): void {
    const { code, elements } = this.#writer;
    for (const a of this.#moving) {
      if (this.#classOf(a) === "broadcast") continue;
      const pointers = this.pointers[a]!;
      const first = pointers[0]!;
      if (this.#isStrided(a)) code.get(pointers.at(-1)!).get(this.#strides[a]!).op("i32.add").set(first);
      else
        code
          .get(first)
          .i32(groups * elements * this.#writer.itemBytes(a))
          .op("i32.add")
          .set(first);
    }
  }

  /** Points the target at other memory, where its elements are adjacent. */
  #redirectTarget(pointer: number): void {
    const { code } = this.#writer;
    const pointers = this.pointers[0]!;
    code.get(pointer).set(pointers[0]!);
    if (this.#isStrided(0)) scatterPointers(this.#writer, [{ pointers, stride: () => code.i32(this.#writer.itemBytes(0)) }]);
  }

  /** The pointers of the target: one, or one per element. */
  get target(): readonly number[] {
    return this.pointers[0]!;
  }

  /** Returns the places of the operands. `remaining` is as in GroupPlace. */
  place(remaining: number | null): GroupPlace {
    return { pointers: this.pointers.slice(1), elements: this.#writer.elements, tiled: false, remaining };
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
    writer.addTo(pointer, () => writer.code.i32(groups * writer.elements * bytesPerElement));
  }
}

/** Writes the main part: several groups at once, while enough elements are left. */
function writeMain(run: RowRun): void {
  const { row, place, copies, now, stop } = run;
  const { code, elements } = run.writer;
  const step = elements * copies;
  const end = code.block();
  code.get(now).i32(step).op("i32.lt_s").brIf(end);
  const main = code.loop();
  const leave = stop === null ? null : (): void => void code.get(now).i32(step).op("i32.sub").set(stop).br(end);
  place.scatter();
  row.group(copies, place.place(null), null, place.target, leave);
  advance(run, copies);
  code.get(now).i32(step).op("i32.sub").tee(now).i32(step).op("i32.ge_s").brIf(main).end();
  code.end();
}

/** Writes the singles: one group at a time. A partial last group is stored in `tail` if given. */
function writeSingles(run: RowRun, tail: number | null): void {
  const { writer, row, place, now, stop } = run;
  const { code, elements } = writer;
  const pushStop = (): unknown => (stop === null ? code.i32(0) : code.get(stop));
  const done = code.block();
  code.get(now);
  pushStop();
  code.op("i32.eq").brIf(done);
  const single = code.loop();
  place.scatter();
  if (tail !== null || place.isScattered) {
    code.get(now).i32(elements).op("i32.lt_s").if();
    place.endAt(now, tail);
    code.end();
  }
  row.group(1, place.place(now), now, place.target, null);
  advance(run, 1);
  code.get(now).i32(elements).op("i32.sub").tee(now);
  pushStop();
  code.op("i32.gt_s").brIf(single).end();
  code.end();
}
