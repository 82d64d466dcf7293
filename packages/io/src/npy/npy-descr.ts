/**
 * Parses the `descr` of an .npy header, NumPy's name of an element type, into a dtype and a byte order.
 *
 *     '<f4'   byte order ( < little, > big, = native, | none ), kind, bytes per element
 *
 * Besides the form that NumPy writes, NumPy's platform-independent spellings are read: `'f4'`, `'|f4'`, the type characters
 * (`'e'`, `'?'`) and the type names (`'float32'`). Native means little-endian.
 * Types without a dtype here (structured, string, void, time, object, long double) are refused with their name. An object
 * array is a pickle, that is, a program, and is never executed.
 */
import { dtypeSize, InvalidArgumentError, isObjectDType, UnimplementedError } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { dtypeRows, shownValue } from "@onebuffer/base/internal";
import type { DTypeCell, DTypesWhere } from "@onebuffer/base/internal";
import type { PythonValue } from "./python-literal.ts";

/**
 * The dtypes that an .npy file can hold: bool, integers of 8 to 64 bits, floats of 16 to 64 bits but bfloat16, and complex numbers.
 *
 * @example
 * const dtype: NpyDType = "complex128";
 * dtypeSize(dtype); // => 16
 */
export type NpyDType = Exclude<DTypesWhere<"npy", string>, NpyVoidDType>;

/**
 * The dtypes that NumPy saves as raw bytes, `V1` or `V2`, because it knows them only through ml_dtypes: bfloat16, and all formats of at most
 * 8 bits (float8, float4, int4, int2 and their unsigned kinds). The file has lost their names.
 *
 * @example
 * const dtype: NpyVoidDType = "bfloat16";
 * dtypeSize(dtype); // => 2
 */
export type NpyVoidDType = DTypesWhere<"npy", `V${number}`>;

/**
 * Types that are read only if the caller asks for them.
 *
 * @example
 * const options: NpyTypeOptions = { strings: true };
 * const text = "\x93NUMPY\x01\x00\x3c\x00{'descr': '|S2', 'fortran_order': False, 'shape': (2,), }  \nabc\x00";
 * using names = readNpy(Uint8Array.from(text, (character) => character.charCodeAt(0)), options);
 * names.toArray(); // => ["ab", "c"]
 */
export interface NpyTypeOptions {
  /**
   * True to read byte strings (`S5`) and text (`U5`) as a tensor of strings, in UTF-8, without the NULs that NumPy fills them with. Half a
   * surrogate pair in a text is encoded alone, as Python's "surrogatepass" does. Otherwise they are UNIMPLEMENTED.
   */
  readonly strings?: boolean;
  /**
   * The dtype of raw bytes (`V1`, `V2`; `f1` for float8_e5m2), which NumPy writes for the types of ml_dtypes: `"bfloat16"` for `V2`, for
   * example. The file does not say which it was. Otherwise raw bytes are UNIMPLEMENTED.
   */
  readonly voidAs?: NpyVoidDType;
}

/** Every dtype that the reader can make. */
export type NpyAnyDType = NpyDType | NpyVoidDType | "string";

/** The parsed descr: element type, byte order, and the bytes of an element in the file. */
export interface NpyElementType {
  readonly dtype: NpyAnyDType;
  readonly littleEndian: boolean;
  readonly itemSize: number;
  /** Four bytes per character (`U`) and not one (`S`). Only for strings. */
  readonly wide: boolean;
}

const kVoidDTypes: readonly NpyVoidDType[] = (Object.keys(dtypeRows) as NpyVoidDType[]).filter((dtype) =>
  dtypeRows[dtype].npy?.startsWith("V"),
);
/** The most bytes of a string element: NumPy's limit for the size of an element. */
const kMaxItemSize = 2 ** 31 - 1;

/** Throws INVALID_ARGUMENT unless the options have values of their types. */
export function checkTypeOptions(call: string, { strings, voidAs }: NpyTypeOptions): void {
  if (strings !== undefined && typeof strings !== "boolean")
    throw new InvalidArgumentError(`${call}: strings is true or false, got ${shownValue(strings)}`);
  if (voidAs !== undefined && !kVoidDTypes.includes(voidAs))
    throw new InvalidArgumentError(`${call}: voidAs is one of ${kVoidDTypes.join(", ")}, got ${shownValue(voidAs)}`);
}

type NpyCode = DTypeCell<NpyDType, "npy">;

/** By NumPy's kind and bytes: the type character, and the names besides the dtype's own that have the same size on every platform. */
const kSpellings: { readonly [C in NpyCode]: readonly [character: string, names: string] } = {
  b1: ["?", "bool_"],
  i1: ["b", "byte"],
  i2: ["h", "short"],
  i4: ["i", "intc"],
  i8: ["q", "longlong"],
  u1: ["B", "ubyte"],
  u2: ["H", "ushort"],
  u4: ["I", "uintc"],
  u8: ["Q", "ulonglong"],
  f2: ["e", "half"],
  f4: ["f", "single"],
  f8: ["d", "double float"],
  c8: ["F", "csingle"],
  c16: ["D", "cdouble complex"],
};

/**
 * Returns the descr that NumPy writes for little-endian elements of a dtype; with `voidTypes` also for those of ml_dtypes, whose names a file
 * does not keep. Throws UNIMPLEMENTED for a dtype that NumPy lacks; the message begins with `what`.
 */
export function descrOf(dtype: DType, voidTypes: boolean, what: string = "npy"): string {
  const { npy } = dtypeRows[dtype];
  const isVoid = npy?.startsWith("V") === true;
  const order = isVoid || dtypeSize(dtype) > 1 ? "<" : "|";
  const descr = npy === null || (isVoid && !voidTypes) ? undefined : order + npy;
  if (descr === undefined) {
    const remedy = isObjectDType(dtype) ? "" : `; cast("float32") first, or write its bytes with voidTypes: true`;
    throw new UnimplementedError(`${what}: ${dtype} has no type in an .npy file${remedy}`);
  }
  return descr;
}

/** Returns a map from spellings of the dtypes that NumPy has to the dtypes. */
function bySpelling(spellings: (dtype: string, code: NpyCode) => readonly string[]): ReadonlyMap<string, NpyDType> {
  const dtypes = (Object.keys(dtypeRows) as NpyDType[]).filter((dtype) => Object.hasOwn(kSpellings, dtypeRows[dtype].npy ?? ""));
  return new Map(dtypes.flatMap((dtype) => spellings(dtype, dtypeRows[dtype].npy as NpyCode).map((spelling) => [spelling, dtype])));
}

/** Dtypes by the spellings that may follow a byte order mark, and by the names that may not. */
const kByCode = bySpelling((_, code) => [code, kSpellings[code][0]]);
const kByName = bySpelling((dtype, code) => [dtype, ...kSpellings[code][1].split(" ")]);

/** Types whose size depends on the platform that wrote the file; they are refused. */
const kPlatformSized: ReadonlySet<string> = new Set("l L n N p P int int_ uint long ulong intp uintp".split(" "));

/** First letters of NumPy types that have no dtype here: void, bytes, text, object, times, long doubles, StringDType. */
const kForeignKinds = "VSaUOMmgGTc";
const kForeignNames: ReadonlySet<string> = new Set(
  "str str_ bytes bytes_ unicode object object_ void longdouble clongdouble float128 complex256 datetime64 timedelta64".split(" "),
);

/**
 * Returns the element type of a descr; `source` is the descr as written, for error messages.
 *
 * Throws UNIMPLEMENTED for a NumPy type without a dtype here, INVALID_ARGUMENT if the descr is not a type.
 */
export function parseDescr(descr: PythonValue, source: string, options: NpyTypeOptions = {}): NpyElementType {
  if (typeof descr === "object") {
    const what = descr.kind === "tuple" ? "a subarray" : "a structured array";
    throw new UnimplementedError(`npy header: descr ${shortened(source)} is ${what}, which has no dtype here`);
  }
  if (typeof descr !== "string") throw new InvalidArgumentError(`npy header: descr ${shortened(source)} is not a valid dtype descriptor`);
  const order = "<>=|".includes(descr.charAt(0)) ? descr.charAt(0) : "";
  const code = descr.slice(order.length);
  const dtype = kByCode.get(code) ?? (order === "" ? kByName.get(code) : undefined);
  if (dtype !== undefined) {
    const itemSize = dtypeSize(dtype);
    return { dtype, littleEndian: order !== ">" || itemSize === 1, itemSize, wide: false };
  }
  const optional = optionalType(code, order, options);
  if (optional !== undefined) return optional;
  if (kPlatformSized.has(code)) {
    throw new UnimplementedError(
      `npy header: descr ${shortened(source)}: the size of this type depends on the platform that wrote the file`,
    );
  }
  if (code === "f16" || code === "c32" || kForeignNames.has(code) || isForeign(code)) {
    throw new UnimplementedError(`npy header: descr ${shortened(source)} has no dtype here`);
  }
  if (code.includes(",") || isDigitOrParenthesis(code.charAt(0))) {
    throw new UnimplementedError(`npy header: descr ${shortened(source)} is a structured array or a subarray, which has no dtype here`);
  }
  throw new InvalidArgumentError(`npy header: descr ${shortened(source)} is not a valid dtype descriptor`);
}

/** Returns the type of strings or raw bytes, if the options ask for it and its size fits. */
function optionalType(code: string, order: string, { strings, voidAs }: NpyTypeOptions): NpyElementType | undefined {
  // NumPy with ml_dtypes writes this type, and does not read it.
  if (code === "f1" && voidAs === "float8_e5m2") return { dtype: voidAs, littleEndian: true, itemSize: 1, wide: false };
  const match = /^([SUV])([1-9][0-9]{0,9})$/.exec(code);
  if (match === null) return undefined;
  const [, kind, digits] = match;
  const wide = kind === "U";
  const itemSize = Number(digits) * (wide ? 4 : 1);
  const littleEndian = order !== ">" || !wide;
  if (kind === "V") {
    if (voidAs === undefined || itemSize !== dtypeSize(voidAs)) return undefined;
    return { dtype: voidAs, littleEndian: true, itemSize, wide };
  }
  if (strings !== true || itemSize > kMaxItemSize) return undefined;
  return { dtype: "string", littleEndian, itemSize, wide };
}

/** Returns true for a NumPy kind without a dtype here, followed by a size or a unit: `U5`, `M8[ns]`, `O`, but not a longer word. */
function isForeign(code: string): boolean {
  if (code === "" || !kForeignKinds.includes(code.charAt(0))) return false;
  const next = code.charAt(1);
  return next === "" || next === "[" || (next >= "0" && next <= "9" && code.charAt(0) !== "c");
}

function isDigitOrParenthesis(c: string): boolean {
  return c === "(" || (c >= "0" && c <= "9");
}

/** Returns the first 120 characters of a descr, for a message. */
function shortened(source: string): string {
  return source.length <= 120 ? source : `${source.slice(0, 120)}...`;
}
