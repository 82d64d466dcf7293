/**
 * row-loop: one run over the elements of the innermost loop, a group after the other (Eigen's vectorized loop with its
 * unrolled part, its packets and its scalar rest).
 *
 *     n = 103, group 4, copies 4     | 16 | 16 | 16 | 16 | 16 | 16 | 4 | 3 |      main, singles, the last group is partial
 *
 * There is no scalar code: the partial group is computed like the others. Its loads reach beyond the end of the operands, which is
 * harmless in one linear memory (whoever runs the kernel makes sure that it is long enough); what they bring in is neither
 * stored nor summed up.
 */
import type { AccessClass } from "../plan/loop-nest.ts";
import type { KernelWriter, GroupPlace } from "./kernel-writer.ts";

/** What a run does with a group. */
export interface RowLoop {
  /** The loop of the nest that is run over. */
  readonly loop: number;
  /** How many groups side by side in the main part. */
  readonly copies: number;
  /** Whether elements that are not there must be told apart: then `rest` is needed. */
  readonly masked: boolean;
  /** Whether groups of the main part may be left: see `group`. Not together with `block`. */
  readonly mayLeave?: boolean;
  /** Accesses that move, by number; the target is 0. */
  readonly moving: readonly number[];
  /** Further pointers that move along, and by how many bytes per element. */
  readonly buffers: readonly { readonly pointer: number; readonly bytesPerElement: number }[];
  /**
   * Writes the code for `copies` groups side by side. `rest` is null where they are known to be whole; otherwise an i32 local
   * that says how many elements are there: possibly more than a group has, never 0. `out` are the target's pointers. In the main
   * part `leave` may be handed to `emit`: groups with values that its code is not for are then done one by one.
   */
  group(copies: number, place: GroupPlace, rest: number | null, out: readonly number[], leave: (() => void) | null): void;
  /** Runs after each `elements` elements and at the end, if given. */
  readonly block?: { readonly elements: number; write(): void };
}

/** Where the accesses of a row are while it is run over: pointers of their own, and for strided ones one per element. */
class RowPlace {
  readonly pointers: number[][] = [];
  readonly #writer: KernelWriter;
  readonly #loop: number;
  readonly #moving: readonly number[];
  /** Per moving access its stride as a local; 0 for those that move by whole groups. */
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

  /** Whether some access is read or written element by element. */
  get isScattered(): boolean {
    return this.pointers.some((pointers) => pointers.length > 1);
  }

  /** To the start of the row, where the cursors are. */
  start(): void {
    const { code, cursors } = this.#writer;
    for (const a of this.#moving) {
      code.get(cursors[a]!.pointer).set(this.pointers[a]![0]!);
      if (this.#isStrided(a)) this.#writer.stride(a, this.#loop).set(this.#strides[a]!);
    }
  }

  /** Brings the pointers of single elements in place, before a group. */
  scatter(): void {
    const { code } = this.#writer;
    for (const a of this.#moving) {
      const pointers = this.pointers[a]!;
      for (let k = 1; k < pointers.length; k++)
        code
          .get(pointers[k - 1]!)
          .get(this.#strides[a]!)
          .op("i32.add")
          .set(pointers[k]!);
    }
  }

  /** On by `groups` groups. */
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

  /** Points the target at other memory, whose elements lie side by side. */
  redirectTarget(pointer: number): void {
    const { code } = this.#writer;
    code.get(pointer).set(this.pointers[0]![0]!);
    if (this.#isStrided(0)) code.i32(this.#writer.itemBytes(0)).set(this.#strides[0]!);
  }

  /** Where the target is: one pointer, or one per element. */
  get target(): readonly number[] {
    return this.pointers[0]!;
  }

  /** Where the operands are; `rest` as in GroupPlace. */
  place(rest: number | null): GroupPlace {
    return { pointers: this.pointers.slice(1), elements: this.#writer.elements, tiled: false, rest };
  }
}

/** One run while it is written. */
interface RowRun {
  readonly writer: KernelWriter;
  readonly row: RowLoop;
  readonly place: RowPlace;
  readonly copies: number;
  /** How many elements are still to be done, a local. */
  readonly now: number;
  /** How many are when single groups end, a local: not 0 while the main part has left some to them. Null where it leaves none. */
  readonly stop: number | null;
}

/** All pointers on by `groups` groups. */
function advance({ writer, row, place }: RowRun, groups: number): void {
  place.advance(groups);
  for (const { pointer, bytesPerElement } of row.buffers) {
    writer.addTo(pointer, () => writer.code.i32(groups * writer.elements * bytesPerElement));
  }
}

/** The main part: groups side by side, while there are so many. */
function writeMain(run: RowRun): void {
  const { row, place, copies, now, stop } = run;
  const { code, elements } = run.writer;
  const step = elements * copies;
  const end = code.block();
  code.get(now).i32(step).op("i32.lt_s").brIf(end);
  const main = code.loop();
  const leave = stop === null ? null : (): void => void code.get(now).i32(step).op("i32.sub").set(stop).br(end);
  row.group(copies, place.place(null), null, place.target, leave);
  advance(run, copies);
  code.get(now).i32(step).op("i32.sub").tee(now).i32(step).op("i32.ge_s").brIf(main).end();
  code.end();
}

/** Single groups, the last one into `tail` if it is partial. */
function writeSingles(run: RowRun, tail: number | null): void {
  const { writer, row, place, now, stop } = run;
  const { code, elements } = writer;
  const pushStop = (): unknown => (stop === null ? code.i32(0) : code.get(stop));
  const done = code.block();
  code.get(now);
  pushStop();
  code.op("i32.eq").brIf(done);
  const single = code.loop();
  if (tail !== null) {
    code.get(now).i32(elements).op("i32.lt_s").if();
    place.redirectTarget(tail);
    code.end();
  }
  place.scatter();
  row.group(1, place.place(now), now, place.target, null);
  advance(run, 1);
  code.get(now).i32(elements).op("i32.sub").tee(now);
  pushStop();
  code.op("i32.gt_s").brIf(single).end();
  code.end();
}

/**
 * Writes the run over one row. With `tail`, the partial group is stored there instead of into the target; the answer is
 * an i32 local that is then the number of its elements less those of a whole group, else 0.
 */
export function writeRowLoop(writer: KernelWriter, row: RowLoop, tail: number | null): number {
  const { code } = writer;
  const { moving, block } = row;
  const place = new RowPlace(writer, row.loop, moving);
  const copies = place.isScattered ? 1 : row.copies;
  const mayLeave = row.mayLeave === true;
  const hasMain = copies > 1 || ((row.masked || mayLeave) && !place.isScattered);
  const left = writer.local("left");
  const now = block === undefined ? left : writer.local("now");
  const run: RowRun = { writer, row, place, copies, now, stop: hasMain && mayLeave ? writer.local("stop") : null };
  place.start();
  writer.size(row.loop).set(left);
  const blocks = block === undefined ? null : code.loop();
  if (block !== undefined) {
    code.get(left).i32(block.elements).get(left).i32(block.elements).op("i32.lt_s").op("select").set(now);
    code.get(left).get(now).op("i32.sub").set(left);
  }
  // What the main part leaves to single groups comes before the rest of it.
  const again = run.stop === null ? null : code.loop();
  if (run.stop !== null) code.i32(0).set(run.stop);
  if (hasMain) writeMain(run);
  writeSingles(run, tail);
  if (again !== null) code.get(now).i32(0).op("i32.gt_s").brIf(again).end();
  if (block !== undefined && blocks !== null) {
    block.write();
    code.get(left).brIf(blocks).end();
  }
  return now;
}
