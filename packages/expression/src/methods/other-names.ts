/**
 * The methods and properties that people who know NumPy, PyTorch, TensorFlow.js or MATLAB try, and the call in place of each. Programs that
 * TypeScript does not check would end in "is not a function", or go on with undefined.
 *
 * The tables are those of adviceRows. `$` stands for the map, or for the map that a tensor is asked for. Properties, which are read without a
 * call, are in a table of their own. The members of an operand hide the rows of the same name.
 *
 * Gradients go through what a row says: the slopes of parts that a select does not take are finite, and those of softplus at 0 add up to 1/2.
 */
import { adviceRows, defineAdvice, definePropertyAdvice } from "@onebuffer/base/internal";

const kMethodRows = `
squaredDifference greaterEqual lessEqual notEqual logicalAnd logicalOr logicalXor bitwiseAnd bitwiseOr bitwiseXor leftShift rightShift: $.#(y)
logicalNot isNan isInf isFinite logSoftmax layerNorm: $.#()
unique nonzero evaluate: #($) of onebuffer
cholesky lu inverse determinant qr svd eig eigh: #($) of onebuffer/linalg
kron cross: #($, y) of onebuffer/linalg
fft ifft rfft irfft: #($) of onebuffer/signal
maxPool avgPool: #($, sizes) of onebuffer/eigen
plus: $.add(y)
subtract minus: $.sub(y)
multiply times: $.mul(y)
divide trueDivide rdivide: $.div(y)
divNoNan: select(y.equal(0), 0, $.div(select(y.equal(0), 1, y)))
floorDivide floordiv floorDiv: $.floorDiv(y)
negative: $.neg()
absolute: $.abs()
power: $.pow(y)
remainder: $.mod(y)
fmod: $.truncateMod(y)
gt greaterThan: $.greater(y)
ge gte greaterThanEqual: $.greaterEqual(y)
lt lessThan: $.less(y)
le lte lessThanEqual: $.lessEqual(y)
eq: $.equal(y)
ne: $.notEqual(y)
and: $.logicalAnd(y)
or: $.logicalOr(y)
xor: $.logicalXor(y)
not: $.logicalNot()
bitwiseNot: $.invert()
fmax: $.maximum(y), in which NaN stays
fmin: $.minimum(y), in which NaN stays
arcsin: $.asin()
arccos: $.acos()
arctan: $.atan()
arctan2: $.atan2(x)
arcsinh: $.asinh()
arccosh: $.acosh()
arctanh: $.atanh()
gammaln: $.lgamma()
around rint: $.round()
trunc fix: $.cast("int32"), or $.sub($.truncateMod(1)) in the same dtype
heaviside: $.greater(0).cast("float32")
isnan isNaN: $.isNan()
isinf: $.isInf()
isfinite: $.isFinite()
hypot: $.square().add(y.square()).sqrt()
deg2rad: $.mul(Math.PI / 180)
rad2deg: $.mul(180 / Math.PI)
argMax: $.argmax(axis)
argMin: $.argmin(axis)
amax reduceMax: $.max(axes)
amin reduceMin: $.min(axes)
reduceSum: $.sum(axes)
reduceMean average: $.mean(axes)
reduceProd: $.prod(axes)
stddev reduceStd: $.std(axes), divided by n
var reduceVariance: $.variance(axes), divided by n
ptp: $.max(axes).sub($.min(axes))
logsumexp logSumExp reduceLogSumExp: $.logSumExp(axes)
countNonzero: $.notEqual(0).cast("int32").sum(axes)
diff: $.slice([1]).sub($.slice([0, -1]))
partition: nthElements($, places) of onebuffer/eigen
cumulativeSum cumSum: $.cumsum(axis)
median: #($, { axes }) of onebuffer/eigen
quantile percentile: quantile($, q, { axes }) of onebuffer/eigen
histogram: #($, bins) of onebuffer/eigen
bincount: #($, length) of onebuffer/eigen
argwhere: nonzero($) of onebuffer
where: select(condition, $, otherwise), or nonzero($) for the places
maskedSelect booleanMask compress filter: booleanMask($, mask) of onebuffer
maskedFill: select(mask, value, $)
clamp clipByValue: $.clip(low, high)
clampMin: $.maximum(low)
clampMax: $.minimum(high)
matmul mm bmm mtimes: $.matMul(y)
mv: $.matVec(vector)
inner: $.mul(y).sum(-1)
tensordot tensorDot: $.contract(y, [[axis, axis]])
einsum: #("ij,jk->ik", $, y) of onebuffer/eigen
solve mldivide: solve($, b) of onebuffer/linalg
inv: inverse($) of onebuffer/linalg
det: determinant($) of onebuffer/linalg
logdet slogdet: logDeterminant($) of onebuffer/linalg
chol: cholesky($) of onebuffer/linalg
trace: $.diagPart().sum()
diagonal diagPart: $.diagPart(k)
bandPart: $.tril(k) or $.triu(k)
normalize l2Normalize: $.l2Normalize(axes)
astype asType type to float toFloat: $.cast("float32")
double: $.cast("float64")
int toInt long: $.cast("int32"), or "int64"
half: $.cast("float16")
bool toBool: $.notEqual(0)
view viewAs resize_ reshapeAs as1D as2D as3D as4D: $.reshape(sizes)
ravel flatten flat: $.reshape([-1])
permute permuteDims moveaxis movedim: $.transpose(order)
swapaxes swapdims: $.transpose(order), all axes in their new order
t: $.transpose()
ctranspose: $.conj().transpose()
expandDims unsqueeze: $.expandDims(axis)
expand expandAs broadcastTo: $.broadcast(sizes)
repeat: $.tile(multiples) for all in turn; each element by $.expandDims(axis + 1), then tile and reshape
repeatInterleave: $.expandDims(axis + 1), then tile and reshape
flip flipud: $.reverse([axis])
fliplr: $.reverse([1])
rot90: $.transpose().reverse([0])
concat concatenate cat append hstack vstack horzcat vertcat: concatenate([$, y], axis) of onebuffer
stack: stack([$, y], axis) of onebuffer
split chunk: $.unstack(axis) for parts of size 1, $.slice([from, to]) for others
unbind: $.unstack(axis)
indexSelect take: $.gather(indices, axis)
takeAlongAxis takeAlongDim: takeAlongAxis($, indices, axis) of onebuffer/eigen
gatherND gatherNd: $.reshape([-1]).gather(places)
scatter_ scatterAdd indexAdd scatterND: $.scatter(indices, rows, axis, { reduction: "add" })
narrow stridedSlice: $.slice([start, stop])
row: $.chip(i)
rows: $.unstack()
col column: $.chip(j, 1)
topk: $.topK(k)
searchsorted searchSorted lowerBound: searchSorted($, values) of onebuffer/eigen
upperBound: searchSorted($, values, { side: "right" }) of onebuffer/eigen
digitize bucketize: searchSorted(edges, $, { side: "right" }) of onebuffer/eigen
oneHot: #($, depth) of onebuffer
mirrorPad: $.pad([[before, after]], { mode: "reflect" })
circshift: $.roll(shift, axis)
leakyRelu: $.#(alpha)
relu6: $.clip(0, 6)
elu: $.less(0).select($.minimum(0).expm1(), $)
softplus: $.add($.abs()).div(2).add($.abs().neg().exp().log1p())
swish: $.silu()
selu: 1.0507 times $.less(0).select($.minimum(0).expm1().mul(1.67326), $)
batchNorm: $.sub(mean).mul(variance.add(epsilon).rsqrt())
dropout: $.mul(statelessUniform("float32", sizes, seed).less(keep).cast("float32")).div(keep)
conv2d conv1d conv: convolve($, filters) of onebuffer/eigen
maxPool2d: maxPool($, sizes) of onebuffer/eigen
resize resizeBilinear resizeNearestNeighbor interpolate: resize($, [height, width]) of onebuffer/eigen
allclose isclose equals arrayEqual: item($.sub(y).abs().lessEqual(tolerance).all()), or tensor.isClose(other) of tensors
apply map forEach reduce: write the function over the whole map, such as $.mul(2).add(1)
includes indexOf find some every: $.equal(value).any() with item, or the nested arrays of toArray
backward grad gradient: gradients(loss, [variable]) of onebuffer
detach stopGradient: stopGradient($) of onebuffer
get: $.at(i, j)
itemset: $.set(i, j, value)
copy clone contiguous eval compute: tensorOf($)
onesLike: Tensor.ones($.dimensions, { dtype })
zerosLike: Tensor.zeros($.dimensions, { dtype })
save tobytes tofile: writeNpy(tensorOf($)) returns the bytes of a .npy file
numpy tolist toList array dataSync arraySync values: $.toArray()
print: console.log($.toString())
add_: a.addAssign(y) of a map
sub_: a.subAssign(y) of a map
mul_: a.mulAssign(y) of a map
div_: a.divAssign(y) of a map
fill_: $.fill(value)
zero_: $.fill(0)
copy_: $.assign(other)
cuda cpu gpu: evaluate on a device by map.device(device).assign($)
conjugate: $.conj()
`;

const kPropertyRows = `
T: $.transpose()
mT: $.transpose() of a matrix, of a batch with the order of its axes
H: $.conj().transpose()
length: $.size is the number of elements, $.dimensions[0] that of rows
shape: $.dimensions
ndim ndims dim: $.rank
numel nelement: $.size
itemsize: dtypeSize($.dtype)
nbytes: $.size * dtypeSize($.dtype)
0 1 2 3: $.chip(#) is a row, map.at(#, …) an element of a map
`;

/** Returns how a message names an operand: a tensor by the map of its rank. */
export function operandText(self: object): string {
  const { asOperand, dims } = self as { readonly asOperand?: unknown; readonly dims?: number };
  if (asOperand !== undefined) return `tensor.${["scalar()", "vec()", "matrix()"][dims as number] ?? `tensor(${dims})`}`;
  return "at" in self && "assign" in self ? "map" : "expression";
}

/** Returns what a table says to an operand. The table is read for each error: its texts would take 20 kB of the memory of every program. */
function adviceOf(rows: string): (self: object, name: string) => string {
  return (self, name) => {
    const operand = operandText(self);
    const kind = operand.startsWith("tensor.") ? "a Tensor" : operand === "map" ? "a map" : "an expression";
    const row = adviceRows(rows).get(name)!;
    // An expression has no elements before it is evaluated.
    const text = operand === "expression" ? row.replace(/\$(?=\.(at|toArray)\()/, "evaluate($)") : row;
    return `${kind} has no ${name}: ${text.replaceAll("$", () => operand)}`;
  };
}

/** Returns an object whose members refuse the names of both tables; it is the prototype of the prototypes of maps, expressions and tensors. */
function refusingObject(): object {
  const object = {};
  defineAdvice(object, adviceRows(kMethodRows).keys(), adviceOf(kMethodRows));
  definePropertyAdvice(object, adviceRows(kPropertyRows).keys(), adviceOf(kPropertyRows));
  return object;
}

/** The names of other libraries as members that throw INVALID_ARGUMENT with the call in place of each. */
export const otherNames: object = /* @__PURE__ */ refusingObject();
