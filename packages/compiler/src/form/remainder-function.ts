/**
 * remainder-function: the remainder of two doubles for any quotient (C's fmod), computed with integers. Kernels call the function
 * for the few lanes that need it.
 *
 *     x = X 2^e,  y = Y 2^f,  e >= f        x mod y = ((X 2^(e - f)) mod Y) 2^f
 *
 * X and Y have up to 53 bits. A remainder of 53 bits leaves 11 of 64 bits free, so 11 powers of two are processed at a time.
 */
import type { CodeWriter, WasmFunction, WasmModule } from "@onebuffer/wasm/internal";

const kMagnitude = 0x7fffffffffffffffn;
const kFraction = 0xfffffffffffffn;
const kMantissaBits = 52n;
/** The number of bits that a remainder of 53 bits leaves free in 64. */
const kStep = 11n;

/** A double taken apart: its parameter, and locals for its bits without the sign, its exponent and its mantissa. */
interface Parts {
  readonly value: number;
  readonly bits: number;
  readonly exponent: number;
  readonly mantissa: number;
}

/**
 * Adds the function `remainder(x, y)` to a module. It returns exactly x - trunc(x / y) y, with the sign of x. x must be finite
 * and y neither 0 nor NaN; for other arguments the function returns an arbitrary double.
 */
export function writeRemainderFunction(module: WasmModule): WasmFunction {
  const target = module.function("remainder", { x: "f64", y: "f64" }, ["f64"]);
  const code = target.body;
  const local = (name: string): number => target.local("i64", name);
  const partsOf = (name: string): Parts => ({
    value: target.param(name),
    bits: local(`${name}Bits`),
    exponent: local(`${name}Exponent`),
    mantissa: local(`${name}Mantissa`),
  });
  const [x, y] = [partsOf("x"), partsOf("y")];
  const [left, step] = [local("left"), local("step")];
  takeApart(code, x);
  takeApart(code, y);
  // If |x| < |y|, x is its own remainder.
  code.get(x.bits).get(y.bits).op("i64.lt_u").if();
  code.get(x.value).op("return");
  code.end();
  // A divisor of 0 would trap, so it is replaced by 1.
  code.get(y.mantissa).get(y.mantissa).op("i64.eqz").op("i64.extend_i32_u").op("i64.or").set(y.mantissa);
  code.get(x.mantissa).get(y.mantissa).op("i64.rem_u").set(x.mantissa);
  code.get(x.exponent).get(y.exponent).op("i64.sub").set(left);
  const done = code.block();
  const again = code.loop();
  code.get(left).op("i64.eqz").brIf(done);
  code.get(left).i64(kStep).get(left).i64(kStep).op("i64.lt_u").op("select").set(step);
  code.get(x.mantissa).get(step).op("i64.shl").get(y.mantissa).op("i64.rem_u").set(x.mantissa);
  code.get(left).get(step).op("i64.sub").set(left).br(again);
  code.end();
  code.end();
  // Read as the bits of a double, the mantissa is mantissa * 2^-1074. The factor 2^(exponent - 1) may exceed the range of a
  // double, so it is applied in two parts.
  code.get(y.exponent).i64(1n).op("i64.sub").tee(left).i64(1n).op("i64.shr_u").set(step);
  code.get(x.mantissa).op("f64.reinterpret_i64");
  powerOfTwo(code, () => void code.get(step));
  code.op("f64.mul");
  powerOfTwo(code, () => void code.get(left).get(step).op("i64.sub"));
  code.op("f64.mul").get(x.value).op("f64.copysign");
  return target;
}

/** Takes a double apart. For a denormal the exponent is 1, too, and the mantissa has no leading one. */
function takeApart(code: CodeWriter, { value, bits, exponent, mantissa }: Parts): void {
  code.get(value).op("i64.reinterpret_f64").i64(kMagnitude).op("i64.and").tee(bits);
  code.i64(kMantissaBits).op("i64.shr_u").set(exponent);
  code.get(bits).i64(kFraction).op("i64.and");
  code.get(exponent).op("i64.eqz").op("i32.eqz").op("i64.extend_i32_u").i64(kMantissaBits).op("i64.shl").op("i64.or").set(mantissa);
  code.get(exponent).get(exponent).op("i64.eqz").op("i64.extend_i32_u").op("i64.add").set(exponent);
}

/** Pushes 2^n, where `push` pushes n, an integer from 0 to 1023. */
function powerOfTwo(code: CodeWriter, push: () => void): void {
  push();
  code.i64(1023n).op("i64.add").i64(kMantissaBits).op("i64.shl").op("f64.reinterpret_i64");
}
