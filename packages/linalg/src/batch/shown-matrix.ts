/** shown-matrix: a matrix of a batch in messages. */

/**
 * Returns `matrix 3 of the batch, `, or for a batch of several axes `matrix [1, 0] of the batch, `; nothing where there is one matrix
 * without a batch.
 */
export function shownMatrix(batch: readonly number[], matrix: number): string {
  if (batch.length === 0) return "";
  const places = batch.map((size, d) => {
    const inner = batch.slice(d + 1).reduce((a, b) => a * b, 1);
    return Math.floor(matrix / inner) % size;
  });
  return `matrix ${places.length === 1 ? places[0] : `[${places.join(", ")}]`} of the batch, `;
}
