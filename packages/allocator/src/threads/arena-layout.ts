/**
 * arena-layout: the meaning of the words that all threads of an arena share in the linear memory (no counterpart in TensorFlow, whose
 * threads share one heap and a lock).
 *
 *     page 0   word 0  units taken (LinearMemory)  1 magic  2 arena id  3 epoch  4 control area (unit)  5 cells taken
 *              16      thread records, 16 words each: state | key | parent key | head | draining | claim | ten spare
 *              400     slab table, 128 words: 0 not the arena's, -1 free, else thread + 1
 *              528     directory, a word for each cell: 0 unused, else thread + 1
 *     control area     24 ticket tables of 1024 tickets   (generation | slot)                     192 KiB in all
 *                      cells of 256 control blocks        (hold | place | bytes | link)           4 KiB each
 *
 *     hold    bits 0..23 one bit per thread that holds the block, bits 24..31 the number of tickets in flight
 *     place   bits 0..23 the address in 256-byte units, bits 24..31 the owner's thread number + 1; 0: the block is free
 *     state   bits 0..7 0 free, 1 alive, 2 + r reaped by thread r; bits 8..31 the number of threads that have had this thread number
 *
 * A control block is identified by its slot, which is its byte offset / 16. Offsets in this file are in 32-bit words, addresses in
 * units of 256 bytes. arena-protocol.ts explains the operations on the words.
 */

/** Addresses are in units of this many bytes. */
export const kUnitBytes = 256;

/** Word of page 0: the number of units taken from the linear memory. LinearMemory itself uses this word. */
export const kTopWord = 0;
/** Word of page 0: the magic number, which marks a memory that contains an arena of this layout. */
export const kMagicWord = 1;
/** Word of page 0: a random number other than 0, by which handles of another arena are recognized. */
export const kArenaIdWord = 2;
/**
 * Word of page 0: a counter modulo 2^32. Every join of a thread and every announcement of a key adds 1, so that a thread can tell
 * whether there are new threads or keys.
 */
export const kEpochWord = 3;
/** Word of page 0: the start of the control area, in units. */
export const kControlWord = 4;
/** Word of page 0: the number of cells of the control area that have been taken. */
export const kCursorWord = 5;
/** The first word of the thread records. */
export const kRecordsWord = 16;

/** The number of words of a thread record. */
export const kRecordWords = 16;
/** Word of a thread record: the state. */
export const kState = 0;
/**
 * Word of a thread record: the key by which other threads know the thread (its Node thread id + 1, or the number in the name of its Web
 * Lock); 0 if it has none.
 */
export const kKey = 1;
/** Word of a thread record: the key of the thread that started this one, whose end also ends this one; 0 if there is none. */
export const kParentKey = 2;
/** Word of a thread record: the slot of the block returned last to the thread's list of returned blocks; 0 if the list is empty. */
export const kHead = 3;
/** Word of a thread record: the slot of the next block of the list that is being drained; 0 if there is none. */
export const kDraining = 4;
/** Word of a thread record: new slabs that are not yet entered in the slab table, as first | count << 8; 0 if there are none. */
export const kClaim = 5;

/** The number of words of a control block. */
export const kBlockWords = 4;
/** Word of a control block: the holding threads and the number of tickets in flight. */
export const kHold = 0;
/** Word of a control block: the address and the owner; 0 while the block is free. */
export const kPlace = 1;
/** Word of a control block: the size in bytes, an unsigned number stored as a signed one. */
export const kBytes = 2;
/** Word of a control block: the next slot of the owner's list of returned blocks. Meaningless while the block is not on the list. */
export const kLink = 3;

/** The number of words of a ticket. */
export const kTicketWords = 2;
/** Word of a ticket: its generation, odd while the ticket is in flight. Every start and end adds 1, so that no value repeats. */
export const kGeneration = 0;
/** Word of a ticket: the slot of its control block. */
export const kSlot = 1;

/** The value of a link before the thread that pushes the block has written it. */
export const kPending = -1;
/** The value in the slab table of a slab that belongs to the arena and that any thread may claim. */
export const kFreeSlab = -1;
/** Added to the hold word: 1 in the number of tickets in flight. */
export const kOneTicket = 0x1000000;
/** The bits of the hold word that stand for threads, and the bits of the place word that are the address. */
export const kLow24 = 0xffffff;
/**
 * The maximum number of tickets in flight for one block. Each of 24 threads may add a ticket before it sees that there are too many
 * and removes the ticket again: 231 + 24 = 255 still fits the eight bits.
 */
export const kMaxTicketsOfBlock = 231;

/** State of a thread number: no thread has it. */
export const kFreeNumber = 0;
/** State of a thread number: a living thread has it. */
export const kAlive = 1;
/** State of a thread number: its thread is dead, and thread number `state - kReaped` has taken over what the dead thread owned. */
export const kReaped = 2;
/** The bits of the state word that are the state. */
export const kStateMask = 0xff;
/** Added to the state word: 1 in the count of threads that have had this thread number. */
export const kOneIncarnation = 0x100;

const kMagic = 0x4f624131; // "ObA1": a change of the layout changes the last letter.
const kMaxThreads = 24;
const kMaxSlabs = 128;
const kTicketsPerThread = 1024;
const kBlocksPerCell = 256;
const kPageBytes = 65536;
const kMinSlabBytes = 2 * 1048576;

/** The magic number of an arena of this layout. */
export const kArenaMagic: number = kMagic;

/** The sizes of an arena's tables. `geometryFor` computes them from the length of the memory; tests use smaller ones. */
export interface ArenaGeometry {
  /** The number of thread numbers, at most 24. */
  readonly threads: number;
  /** The number of tickets of each thread. */
  readonly ticketsPerThread: number;
  /** The number of whole slabs in the memory, at most 128. */
  readonly slabs: number;
  /** The size of a slab, in units. */
  readonly slabUnits: number;
  /** The number of cells of control blocks that fit the control area. */
  readonly cells: number;
  /** The number of control blocks of a cell. */
  readonly blocksPerCell: number;
  /** The start of the control area, in units. */
  readonly controlUnit: number;
}

/** Returns the size of a slab in a memory of `byteLength` bytes: at least 2 MiB, and large enough that there are at most 128 slabs. */
export function slabBytesFor(byteLength: number): number {
  return Math.max(kMinSlabBytes, Math.ceil(byteLength / kMaxSlabs / kPageBytes) * kPageBytes);
}

/**
 * Returns the number of bytes to reserve for the control area: the first slab without page 0. The operating system provides its pages
 * when they are first used.
 */
export function controlBytesFor(byteLength: number): number {
  return slabBytesFor(byteLength) - kPageBytes;
}

/** Returns the geometry of a memory of `byteLength` bytes whose control area starts at `controlByteOffset`. */
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

/** The positions of an arena's tables, in words. `| 0` tells the engine that every field is a 32-bit integer. */
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
  /** The end of the words that the arena uses; they start at word 0. */
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
