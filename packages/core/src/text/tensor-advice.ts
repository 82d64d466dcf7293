/**
 * The advice for names that tensors do not have: the operations of maps, and properties and factories of other libraries' tensors. Not `set`,
 * whose presence tells a writable map from other values.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { defineAdvice, defineNumberAdvice } from "@onebuffer/base/internal";
import { otherNames } from "@onebuffer/expression/internal";

/** Methods of maps and expressions. */
const kMapMethods = (
  "abs acos acosh add all any argmax argmin argsort asin asinh atan atan2 atanh bitwiseAnd bitwiseOr bitwiseXor broadcast cast cbrt ceil " +
  "chip clip conj contract cos cosh cummax cummin cumprod cumsum diag diagPart digamma div dot equal erf erfc erfinv exp exp2 expandDims expm1 " +
  "floor floorDiv gather gelu greater greaterEqual imag isFinite isInf isNan l2Normalize layerNorm leakyRelu leftShift less lessEqual " +
  "lgamma log log10 log1p log2 logSoftmax logSumExp logicalAnd logicalNot logicalOr logicalXor matMul matVec max maximum mean min minimum mod " +
  "moments mul neg nextAfter norm notEqual outer pad polygamma pow prod real reciprocal relu reverse rightShift roll round rsqrt " +
  "saturateCast scatter select shuffle sigmoid sign silu sin sinh softmax sort sqrt square squaredDifference squeeze std sub sum tan tanh " +
  "tile topK transpose tril triu truncateMod unstack variance xdivy xlogy at"
).split(" ");

/** Methods of other libraries' tensors, and what to write in place of a call. VIEW stands for the view of the tensor's rank. */
const kOtherNames: Readonly<Record<string, string>> = {
  arraySync: "tensor.toArray() returns nested arrays",
  dataSync: "tensor.flat().data is the elements as a typed array",
  fill: "tensor.assign(value) sets all elements",
  print: "console.log(tensor) prints it",
  toFloat: 'tensorOf(tensor.VIEW.cast("float32")) converts',
  numpy: "tensor.toArray() returns nested arrays, writeNpy(tensor) the bytes of a .npy file",
  clone: "deepCopy(tensor) copies the elements, tensor.share() shares them",
  copy: "deepCopy(tensor) copies the elements, tensor.share() shares them",
  row: "tensor.subSlice(i) is row i",
  view: "tensor.reshape(sizes)",
  flatten: "tensor.reshape([-1])",
  ravel: "tensor.reshape([-1])",
  unsqueeze: "tensor.reshape(sizes) with a size of 1",
  concat: "concat([tensor, other]), or concatenate([tensor, other], axis)",
  free: "tensor.dispose()",
  delete: "tensor.dispose()",
  keep: "scope((keep) => keep(tensor))",
};

/** Properties of other libraries' tensors. */
const kProperties: Readonly<Record<string, string>> = {
  T: "tensor.matrix().transpose()",
  length: "tensor.numElements is the number of elements, tensor.dimSize(0) that of rows",
  size: "tensor.numElements",
  numel: "tensor.numElements",
  ndim: "tensor.dims",
  rank: "tensor.dims",
  rankType: "tensor.dims",
  dimensions: "tensor.shape.dimSizes",
  nbytes: "tensor.totalBytes",
  byteLength: "tensor.totalBytes",
  itemsize: "dtypeSize(tensor.dtype)",
  strides: "a tensor is dense and row-major; tensor.strided().strides has those of a view",
};

/** Factories of other libraries, and what to write in place of a call. */
const kOtherFactories: Readonly<Record<string, string>> = {
  array: "Tensor.from(array)",
  asarray: "Tensor.from(array) copies, Tensor.wrap(typedArray, sizes) does not",
  tensor: "Tensor.from(array, { shape })",
  fromArray: "Tensor.from(array)",
  fromData: "Tensor.from(array, { shape })",
  fromTypedArray: "Tensor.from(typedArray, { shape }) copies, Tensor.wrap(typedArray, sizes) does not",
  create: "Tensor.from(array), or new Tensor(dtype, sizes)",
  empty: "new Tensor(dtype, sizes)",
  rand: "Tensor.random(sizes)",
  uniform: "Tensor.random(sizes, { low, high })",
  randomUniform: "Tensor.random(sizes, { low, high })",
  randn: 'tensorOf(statelessNormal("float32", sizes, [1, 2]))',
  normal: 'tensorOf(statelessNormal("float32", sizes, [1, 2]))',
  randomNormal: 'tensorOf(statelessNormal("float32", sizes, [1, 2]))',
  randint: 'Tensor.random(sizes, { dtype: "int32", low, high })',
  range: "Tensor.arange(start, stop, step)",
  identity: "Tensor.eye(n)",
  fill: "Tensor.full(sizes, value)",
  zerosLike: "Tensor.zeros(other.shape, { dtype: other.dtype })",
  onesLike: "Tensor.ones(other.shape, { dtype: other.dtype })",
  zeros_like: "Tensor.zeros(other.shape, { dtype: other.dtype })",
  ones_like: "Tensor.ones(other.shape, { dtype: other.dtype })",
  scalar: "Tensor.from(number)",
  diag: "tensorOf(vector.diag())",
  logspace: 'tensorOf(constant("float32", 10).pow(Tensor.linspace(0, 1, 5)))',
  concat: "concat([a, b])",
  stack: "stackTensors([a, b])",
  meshgrid: "meshgrid([x, y])",
  load: "readNpy(bytes)",
};

/** Returns an object whose properties throw the advice for kProperties; its prototype refuses the other names. */
function tensorProperties(): object {
  const object = Object.create(otherNames) as object;
  for (const [name, advice] of Object.entries(kProperties)) {
    const get = (): never => {
      throw new InvalidArgumentError(`a Tensor has no ${name}: ${advice}`);
    };
    Object.defineProperty(object, name, { get, configurable: true });
  }
  return object;
}

/** The views of low ranks. */
const kViews: readonly string[] = ["scalar()", "vec()", "matrix()"];

/** The methods that a Tensor refuses with the text of `adviceFor`. */
export const kRefusedMethods: readonly string[] = [...kMapMethods, ...Object.keys(kOtherNames)];

/** Makes a class of tensors refuse the names of other libraries; `base` is the prototype of its parent. */
export function refuseOtherNames(tensors: { readonly prototype: { readonly dims: number } }, base: object): void {
  defineAdvice(tensors.prototype, kRefusedMethods, (tensor, name) => adviceFor(tensor.dims, name));
  Object.setPrototypeOf(base, tensorProperties());
  defineNumberAdvice(base, "a tensor is not a number: tensor.scalar().at() is its one element, tensor.matrix().mul(2) computes with all");
  defineAdvice(tensors, Object.keys(kOtherFactories), (_, name) => `Tensor.${name}: ${kOtherFactories[name] as string}`);
}

/** Returns the message for a call of one of kRefusedMethods on a tensor of this rank: what to write in its place. */
function adviceFor(rank: number, name: string): string {
  const view = kViews[rank] ?? `tensor(${rank})`;
  const advice = kOtherNames[name] ?? `take a map of it: tensor.VIEW.${name}(…)`;
  return `a Tensor has no ${name}, ${advice.replace("VIEW", view)}`;
}
