/** What readers take as the bytes of a file. */

/**
 * The input of a reader: a buffer, or a view of one.
 *
 * @example
 * const inputs: BytesInput[] = [new ArrayBuffer(4), new DataView(new ArrayBuffer(4)), new SharedArrayBuffer(4)];
 * inputs.map((input) => input.byteLength); // => [4, 4, 4]
 * readNpy(inputs[0] as BytesInput); // throws INVALID_ARGUMENT
 */
export type BytesInput = ArrayBufferLike | ArrayBufferView<ArrayBufferLike>;
