/** The operations of a StableHLO module, read from its text. */

/** Returns the names of a module's operations, such as `stablehlo.add`, in the order of the text. A name occurs as often as in the text. */
export const operationsIn = (text: string): string[] => [...text.matchAll(/\b(?:stablehlo|chlo)\.\w+/g)].map(([name]) => name);

/** True for operations that compute nothing: a constant, or an operand repeated to the sizes of the other. */
export const isConstantOrBroadcast = (name: string): boolean => /\.(?:constant|broadcast_in_dim)$/.test(name);
