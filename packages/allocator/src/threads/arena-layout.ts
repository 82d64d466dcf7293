/**
 * arena-layout: which word of the linear memory means what, for all threads that share it (no counterpart in TensorFlow, whose
 * threads share one heap and a lock).
 *
 *     page 0   word 0  units taken (LinearMemory)  1 magic  2 arena id  3 epoch  4 control area (unit)  5 cells taken
 *              16      thread records, 16 words each: state | key | parent key | head | draining | claim | ten spare
 *              400     slab table, 128 words: 0 not the arena's, -1 free, else thread + 1
 *              528     directory, a word for each cell: 0 unused, else thread + 1
 *     control area     24 ticket tables of 1024 tickets   (generation | slot)                     192 KiB, untouched: no pages
 *                      cells of 256 control blocks        (hold | place | bytes | link)           4 KiB each
 *
 *     hold    bits 0..23 a bit for each thread that holds the block, bits 24..31 tickets in flight
 *     place   bits 0..23 the address in 256-byte units, bits 24..31 the owner's thread number + 1; 0: the block is free
 *     state   bits 0..7 0 free, 1 alive, 2 + r reaped by thread r; bits 8..31 how many threads have had the number
 *
 * A control block is named by its slot, its byte offset / 16. Offsets here are in words, addresses in units of 256 bytes. What
 * may be done to the words stands in arena-protocol.ts.
 */

/** The grain of addresses. */
export const kUnitBytes = 256;

/** Words of page 0: the units taken of the linear memory, which is LinearMemory's own word. */
export const kTopWord = 0;
/** The word that says that the memory holds an arena of this layout. */
export const kMagicWord = 1;
/** A random number, never 0: handles of another arena are told by it. */
export const kArenaIdWord = 2;
/** Goes up by one with every thread that joins. */
export const kEpochWord = 3;
/** Where the control area starts, in units. */
export const kControlWord = 4;
/** How many cells of the control area have been taken. */
export const kCursorWord = 5;
/** Where the thread records start. */
export const kRecordsWord = 16;

/** Words of a thread record. */
export const kRecordWords = 16;
/** Its state. */
export const kState = 0;
/** What other threads know it by: a Node thread's id, the number in the name of a Web Lock; 0 when there is none. */
export const kKey = 1;
/** The key of the thread that started it, which takes it along when it ends; 0 when there is none. */
export const kParentKey = 2;
/** The last block given back to the thread and not taken up yet; 0 none. */
export const kHead = 3;
/** The next of the blocks that its consumer has taken up; 0 none. */
export const kDraining = 4;
/** Slabs that the memory has given the thread and the table does not name yet: first | count << 8; 0 none. */
export const kClaim = 5;

/** Words of a control block. */
export const kBlockWords = 4;
/** Holding threads and tickets. */
export const kHold = 0;
/** Address and owner; 0 while the block is free. */
export const kPlace = 1;
/** Size in bytes, an unsigned number kept as a signed one. */
export const kBytes = 2;
/** The next slot of the owner's list; its value means something only while the block is on it. */
export const kLink = 3;

/** Words of a ticket. */
export const kTicketWords = 2;
/** Odd while the ticket is in flight; every share and every end of one adds 1, so that no value comes twice. */
export const kGeneration = 0;
/** The slot it is for. */
export const kSlot = 1;

/** A link that its thread is about to write. */
export const kPending = -1;
/** A word of the slab table: the arena's, and any thread may take it. */
export const kFreeSlab = -1;
/** One ticket in the hold word. */
export const kOneTicket = 0x1000000;
/** The bits of the hold word that stand for threads, and those of the place word that are an address. */
export const kLow24 = 0xffffff;
/**
 * Tickets in flight of one block at most. Each of 24 threads may add one before it sees that there are too many and takes it
 * away again: 231 + 24 still fits the eight bits.
 */
export const kMaxTicketsOfBlock = 231;

/** States of a thread number. */
export const kFreeNumber = 0;
/** A thread has it. */
export const kAlive = 1;
/** Its thread is dead; `state - kReaped` is the thread that looks after what it left. */
export const kReaped = 2;
/** The bits of the state word that are the state. */
export const kStateMask = 0xff;
/** One thread more that has had the number. */
export const kOneIncarnation = 0x100;

const kMagic = 0x4f624131; // "ObA1": a change of the layout changes the last letter.
const kMaxThreads = 24;
const kMaxSlabs = 128;
const kTicketsPerThread = 1024;
const kBlocksPerCell = 256;
const kPageBytes = 65536;
const kMinSlabBytes = 2 * 1048576;

/** The value of the magic word. */
export const kArenaMagic: number = kMagic;

/** The sizes that an arena is made with. The product's follow from the length of the memory; tests take smaller ones. */
export interface ArenaGeometry {
  /** Thread numbers, at most 24. */
  readonly threads: number;
  /** Tickets of each. */
  readonly ticketsPerThread: number;
  /** Slabs that the memory is long, at most 128, partial ones not counted. */
  readonly slabs: number;
  /** Units of a slab. */
  readonly slabUnits: number;
  /** Cells of control blocks that there is room for. */
  readonly cells: number;
  /** Control blocks of a cell. */
  readonly blocksPerCell: number;
  /** The unit where the control area starts. */
  readonly controlUnit: number;
}

/** Bytes of a slab of a memory of `byteLength` bytes: 2 MiB or more, and never more than 128 of them. */
export function slabBytesFor(byteLength: number): number {
  return Math.max(kMinSlabBytes, Math.ceil(byteLength / kMaxSlabs / kPageBytes) * kPageBytes);
}

/** Bytes to reserve for the control area: what is left of the first slab after page 0. Address space; pages come with use. */
export function controlBytesFor(byteLength: number): number {
  return slabBytesFor(byteLength) - kPageBytes;
}

/** The geometry of a memory of `byteLength` bytes whose control area, `controlBytesFor` long, starts at `controlByteOffset`. */
export function geometryFor(byteLength: number, controlByteOffset: number): ArenaGeometry {
  const slabBytes = slabBytesFor(byteLength);
  const ticketBytes = kMaxThreads * kTicketsPerThread * kTicketWords * 4;
  return {
    threads: kMaxThreads,
    ticketsPerThread: kTicketsPerThread,
    slabs: Math.floor(byteLength / slabBytes),
    slabUnits: slabBytes / kUnitBytes,
    cells: Math.floor((controlBytesFor(byteLength) - ticketBytes) / (kBlocksPerCell * kBlockWords * 4)),
    blocksPerCell: kBlocksPerCell,
    controlUnit: controlByteOffset / kUnitBytes,
  };
}

/** Where the tables of an arena are, in words. Every field is a small integer. */
export class ArenaLayout {
  readonly threads: number;
  readonly ticketsPerThread: number;
  readonly slabs: number;
  readonly slabUnits: number;
  readonly cells: number;
  readonly blocksPerCell: number;
  /** The first word of the slab table. */
  readonly slabTableWord: number;
  /** The first word of the directory of cells. */
  readonly directoryWord: number;
  /** The first word of the ticket tables. */
  readonly ticketsWord: number;
  /** The slot of the first control block. */
  readonly firstSlot: number;
  /** The words that the arena needs a view of: all from 0 to here. */
  readonly endWord: number;

  constructor(geometry: ArenaGeometry) {
    this.threads = geometry.threads | 0;
    this.ticketsPerThread = geometry.ticketsPerThread | 0;
    this.slabs = geometry.slabs | 0;
    this.slabUnits = geometry.slabUnits | 0;
    this.cells = geometry.cells | 0;
    this.blocksPerCell = geometry.blocksPerCell | 0;
    this.slabTableWord = (kRecordsWord + this.threads * kRecordWords) | 0;
    this.directoryWord = (this.slabTableWord + kMaxSlabs) | 0;
    this.ticketsWord = (geometry.controlUnit * (kUnitBytes / 4)) | 0;
    const tickets = this.threads * this.ticketsPerThread * kTicketWords;
    this.firstSlot = Math.ceil((this.ticketsWord + tickets) / kBlockWords) | 0;
    this.endWord = ((this.firstSlot + this.cells * this.blocksPerCell) * kBlockWords) | 0;
  }
}
