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
import { shownValue } from "@onebuffer/base/internal";
import type { PythonValue } from "./python-literal.ts";

/**
 * The dtypes that an .npy file can hold: NumPy's numeric types and bool.
 *
 * @example
 * const dtype: NpyDType = "complex128";
 * dtypeSize(dtype); // => 16
 */
export type NpyDType = Extract<
  DType,
  | "bool"
  | "int8"
  | "int16"
  | "int32"
  | "int64"
  | "uint8"
  | "uint16"
  | "uint32"
  | "uint64"
  | "float16"
  | "float32"
  | "float64"
  | "complex64"
  | "complex128"
>;

/**
 * The dtypes that NumPy saves as raw bytes, `V1` or `V2`, because it knows them only through ml_dtypes: the file has lost their names.
 *
 * @example
 * const dtype: NpyVoidDType = "bfloat16";
 * dtypeSize(dtype); // => 2
 */
export type NpyVoidDType = Extract<
  DType,
  | "bfloat16"
  | "float8_e5m2"
  | "float8_e4m3fn"
  | "float8_e4m3fnuz"
  | "float8_e4m3b11fnuz"
  | "float8_e5m2fnuz"
  | "float4_e2m1fn"
  | "int4"
  | "uint4"
  | "int2"
  | "uint2"
>;

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

const kVoidDTypes: readonly NpyVoidDType[] = [
  "bfloat16",
  "float8_e5m2",
  "float8_e4m3fn",
  "float8_e4m3fnuz",
  "float8_e4m3b11fnuz",
  "float8_e5m2fnuz",
  "float4_e2m1fn",
  "int4",
  "uint4",
  "int2",
  "uint2",
];
/** The most bytes of a string element: NumPy's limit for the size of an element. */
const kMaxItemSize = 2 ** 31 - 1;

/** Throws INVALID_ARGUMENT unless the options have values of their types. */
export function checkTypeOptions(call: string, { strings, voidAs }: NpyTypeOptions): void {
  if (strings !== undefined && typeof strings !== "boolean")
    throw new InvalidArgumentError(`${call}: strings is true or false, got ${shownValue(strings)}`);
  if (voidAs !== undefined && !kVoidDTypes.includes(voidAs))
    throw new InvalidArgumentError(`${call}: voidAs is one of ${kVoidDTypes.join(", ")}, got ${shownValue(voidAs)}`);
}

/** Each dtype with NumPy's kind and size, type character, and names. Only names with the same size on every platform. */
const kSpellings: readonly (readonly [NpyDType, kindAndBytes: string, character: string, names: string])[] = [
  ["bool", "b1", "?", "bool bool_"],
  ["int8", "i1", "b", "int8 byte"],
  ["int16", "i2", "h", "int16 short"],
  ["int32", "i4", "i", "int32 intc"],
  ["int64", "i8", "q", "int64 longlong"],
  ["uint8", "u1", "B", "uint8 ubyte"],
  ["uint16", "u2", "H", "uint16 ushort"],
  ["uint32", "u4", "I", "uint32 uintc"],
  ["uint64", "u8", "Q", "uint64 ulonglong"],
  ["float16", "f2", "e", "float16 half"],
  ["float32", "f4", "f", "float32 single"],
  ["float64", "f8", "d", "float64 double float"],
  ["complex64", "c8", "F", "complex64 csingle"],
  ["complex128", "c16", "D", "complex128 cdouble complex"],
];

/** For each dtype the descr that NumPy writes. */
const kDescrs: ReadonlyMap<DType, string> = new Map(
  kSpellings.map(([dtype, code]) => [dtype, `${dtypeSize(dtype) === 1 ? "|" : "<"}${code}`]),
);

/**
 * Returns the descr that NumPy writes for little-endian elements of a dtype; with `voidTypes` also for those of ml_dtypes, whose names a file
 * does not keep. Throws UNIMPLEMENTED for a dtype that NumPy lacks.
 */
export function descrOf(dtype: DType, voidTypes: boolean): string {
  const isVoid = voidTypes && (kVoidDTypes as readonly DType[]).includes(dtype);
  const descr = isVoid ? `<V${dtypeSize(dtype as NpyVoidDType)}` : kDescrs.get(dtype);
  if (descr === undefined) {
    const remedy = isObjectDType(dtype) ? "" : `; cast("float32") first, or write its bytes with voidTypes: true`;
    throw new UnimplementedError(`npy: ${dtype} has no type in an .npy file${remedy}`);
  }
  return descr;
}

/** Dtypes by the spellings that may follow a byte order mark, and by the names that may not. */
const kByCode: ReadonlyMap<string, NpyDType> = new Map(
  kSpellings.flatMap(([dtype, code, character]) => [[code, dtype] as const, [character, dtype] as const]),
);
const kByName: ReadonlyMap<string, NpyDType> = new Map(
  kSpellings.flatMap(([dtype, , , names]) => names.split(" ").map((name) => [name, dtype] as const)),
);

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
