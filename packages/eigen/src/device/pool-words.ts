/**
 * pool-words: the words of shared memory by which a pool and its workers communicate. `servePool` (pool-worker.ts) has the same numbers.
 *
 *     0 job | 1 stop | 2 parts | 3 parked workers | 4 modules | 5 their table | 6 threads | 7 waiter | 8 age of the table | 9 records |
 *     16 + w      the state of worker w
 *     128 + p     the state of part p: 256 * job + a code
 *     …           for each part the address and the number of the words of its calls
 *     …           for each part the thread that ran it, and its microseconds, if the pool records jobs
 *
 *     a call      | module | function | number of arguments | arguments … |
 *
 * A part's state names the job, so a worker that comes late to a job that is over cannot claim a part of the next one by mistake.
 */

/** The number of the job; it changes when a new one is ready. Workers wait for that. */
export const kJob = 0;
/** 1 once workers are to end. */
export const kStop = 1;
/** The number of parts of the job. */
export const kParts = 2;
/** The number of workers that wait for a job. */
export const kParked = 3;
/** The number of modules, and the address of the table of their addresses and lengths. */
export const kModules = 4;
export const kModuleTable = 5;
/** The number of threads, the pool's own included. */
export const kThreads = 6;
/** 0: nobody waits for parts; 1: the pool's thread is to be notified; 2: and it is to get a message. */
export const kWaiter = 7;
/** Changes when the modules are numbered anew. */
export const kModuleAge = 8;
/** 1 if threads are to write for each part who ran it and for how long. */
export const kRecords = 9;
/** The states of workers begin here. */
export const kWorkerStates = 16;
/** The states of parts begin here; behind them the addresses and lengths of their calls, their threads, and their times. */
export const kPartStates = 128;

/** The most threads of a pool. */
export const kMaxThreads = 64;
/** The most parts of a job. */
export const kMaxParts = 512;
export const kCallPlaces: number = kPartStates + kMaxParts;
export const kPartThreads: number = kCallPlaces + 2 * kMaxParts;
export const kPartTimes: number = kPartThreads + kMaxParts;
export const kNumWords: number = kPartTimes + kMaxParts;

/** The states of a worker. */
export const kReady = 1;
export const kEnded = 3;

/**
 * The codes of a part's state: not claimed, done, done with a nonzero result, cut off by an error or the end of its worker, claimed by the
 * pool's thread; claimed by worker w.
 */
export const kFree = 0;
export const kDone = 1;
export const kDoneNonzero = 2;
export const kFailed = 3;
export const kOwn = 15;
export const kClaimed = 16;

/** Job numbers wrap around after 2^23 - 1, because a state is an int32. */
export const kMaxJob = 0x7fffff;
