/** Decodes the names of a zip's members: UTF-8 if the member says so, else the character set of the IBM PC, code page 437. */
import { InvalidArgumentError } from "@onebuffer/base";

/** The characters of the bytes from 128. */
const kUpperHalf: string =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

declare const TextDecoder: new (
  label: string,
  options: { readonly fatal: boolean; readonly ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

/** Returns the name. Throws INVALID_ARGUMENT if it shall be UTF-8 and is not, or has a NUL, at which some programs end it. */
export function zipName(bytes: Uint8Array<ArrayBufferLike>, isUtf8: boolean): string {
  if (bytes.includes(0)) throw new InvalidArgumentError("npz: the name of a member has a NUL byte");
  if (!isUtf8) return Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : kUpperHalf.charAt(byte - 128))).join("");
  try {
    // Copied with `slice`, because browsers' TextDecoder refuses shared memory.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.slice());
  } catch (cause) {
    throw new InvalidArgumentError("npz: the name of a member is not valid UTF-8", { cause });
  }
}
