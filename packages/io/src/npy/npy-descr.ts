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

/** The parsed descr: element type and byte order. */
export interface NpyElementType {
  readonly dtype: NpyDType;
  readonly littleEndian: boolean;
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

/** Returns the descr that NumPy writes for little-endian elements of a dtype. Throws UNIMPLEMENTED for a dtype that NumPy lacks. */
export function descrOf(dtype: DType): string {
  const descr = kDescrs.get(dtype);
  if (descr === undefined) {
    const remedy = isObjectDType(dtype) ? "" : `; cast("float32") first`;
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
export function parseDescr(descr: PythonValue, source: string): NpyElementType {
  if (typeof descr === "object") {
    const what = descr.kind === "tuple" ? "a subarray" : "a structured array";
    throw new UnimplementedError(`npy header: descr ${shortened(source)} is ${what}, which has no dtype here`);
  }
  if (typeof descr !== "string") throw new InvalidArgumentError(`npy header: descr ${shortened(source)} is not a valid dtype descriptor`);
  const order = "<>=|".includes(descr.charAt(0)) ? descr.charAt(0) : "";
  const code = descr.slice(order.length);
  const dtype = kByCode.get(code) ?? (order === "" ? kByName.get(code) : undefined);
  if (dtype !== undefined) return { dtype, littleEndian: order !== ">" || dtypeSize(dtype) === 1 };
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
