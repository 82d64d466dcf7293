/** plan-counts: how many plans of transforms this thread keeps and has made. The plans themselves may be loaded later (plan-cache.ts). */

/** The counts, which the cache of plans changes. */
export const planCounts: { kept: number; bytes: number; made: number } = { kept: 0, bytes: 0, made: 0 };

/**
 * The plans of transforms in this thread.
 *
 * @example
 * const counts: FftPlanCounts = fftPlanCounts();
 * counts.bytes >= 0; // => true
 */
export interface FftPlanCounts {
  /** The number of plans that are kept. */
  readonly kept: number;
  /** The bytes of their tables. */
  readonly bytes: number;
  /** The number of plans made so far. */
  readonly made: number;
}

/**
 * Returns how many plans of Fourier transforms this thread keeps, the bytes of their tables, and how many it has made, as a new object.
 *
 * @example
 * const { kept, made } = fftPlanCounts();
 * kept <= made; // => true
 */
export function fftPlanCounts(): FftPlanCounts {
  return { ...planCounts };
}
