/**
 * The methods and properties that people who know NumPy, PyTorch, TensorFlow.js or MATLAB try, and the call in place of each. Programs that
 * TypeScript does not check would end in "is not a function", or go on with undefined.
 *
 * A row is the names, and behind the colon the call. `$` stands for the map, or for the map that a tensor is asked for. Rows of properties,
 * which are read without a call, are in a list of their own. The members of an operand hide the rows of the same name.
 */
import { InvalidArgumentError } from "@onebuffer/base";

const kMethodRows = `
plus: $.add(y)
subtract minus: $.sub(y)
multiply times: $.mul(y)
divide true_divide rdivide divNoNan: $.div(y)
floor_divide floordiv floorDivide intDiv: $.floorDiv(y)
negative uminus: $.neg()
absolute fabs: $.abs()
power: $.pow(y)
remainder fmod: $.mod(y)
squared_difference: $.squaredDifference(y)
inv_sqrt: $.rsqrt()
gt greater_than greaterThan: $.greater(y)
ge gte greater_equal greaterThanEqual: $.greaterEqual(y)
lt less_than lessThan: $.less(y)
le lte less_equal lessThanEqual: $.lessEqual(y)
eq isEqual equal_to: $.equal(y)
ne neq not_equal: $.notEqual(y)
logical_and and: $.logicalAnd(y)
logical_or or: $.logicalOr(y)
logical_xor xor: $.logicalXor(y)
logical_not not: $.logicalNot()
bitwise_and: $.bitwiseAnd(y)
bitwise_or: $.bitwiseOr(y)
bitwise_xor: $.bitwiseXor(y)
bitwise_not invert_: $.invert()
left_shift: $.leftShift(y)
right_shift: $.rightShift(y)
fmax max_with: $.maximum(y)
fmin min_with: $.minimum(y)
arcsin: $.asin()
arccos: $.acos()
arctan: $.atan()
arctan2: $.atan2(x)
arcsinh: $.asinh()
arccosh: $.acosh()
arctanh: $.atanh()
ln: $.log()
log_: $.log()
erf_inv: $.erfinv()
gammaln: $.lgamma()
psi: $.digamma()
trunc truncate fix: $.cast("int32"), or $.sub($.truncateMod(1)) in the same dtype
rint: $.round()
step heaviside: $.greater(0).cast("float32")
isnan is_nan isNaN: $.isNan()
isinf is_inf: $.isInf()
isfinite is_finite: $.isFinite()
hypot: $.square().add(y.square()).sqrt()
deg2rad: $.mul(Math.PI / 180)
rad2deg: $.mul(180 / Math.PI)
argMax arg_max: $.argmax(axis)
argMin arg_min: $.argmin(axis)
idxmax: $.argmax(axis)
amax nanmax reduceMax reduce_max: $.max(axes)
amin nanmin reduceMin reduce_min: $.min(axes)
reduceSum reduce_sum: $.sum(axes)
reduceMean reduce_mean average: $.mean(axes)
reduceProd reduce_prod product: $.prod(axes)
nansum: select($.isNan(), 0, $).sum(axes)
stdev stddev reduce_std: $.std(axes), divided by n
var variance_ reduce_variance: $.variance(axes), divided by n
ptp: $.max(axes).sub($.min(axes))
logsumexp log_sum_exp reduceLogSumExp: $.logSumExp(axes)
count_nonzero countNonzero: $.notEqual(0).cast("int32").sum(axes)
cumulativeSum cum_sum: $.cumsum(axis)
cum_prod: $.cumprod(axis)
maximum_accumulate: $.cummax(axis)
diff: $.slice([1]).sub($.slice([0, -1]))
median: median($, { axes }) of onebuffer/eigen
quantile percentile: quantile($, q, { axes }) of onebuffer/eigen
histogram hist: histogram($, bins) of onebuffer/eigen
bincount: bincount($, length) of onebuffer/eigen
unique: unique($) of onebuffer
nonzero argwhere where_: nonzero($) of onebuffer
where: select(condition, $, otherwise), or nonzero($) for the places
masked_select booleanMask boolean_mask compress: booleanMask($, mask) of onebuffer
masked_fill maskedFill: select(mask, value, $)
clamp clipByValue clip_by_value: $.clip(low, high)
clamp_min: $.maximum(low)
clamp_max: $.minimum(high)
matmul mm bmm mtimes multiply_matrix: $.matMul(y)
matvec mv: $.matVec(vector)
inner: $.mul(y).sum(-1)
vdot: $.conj().mul(y).sum()
ger outerProduct: $.outer(y)
kron: $.contract(y, [])
tensordot tensorDot: $.contract(y, [[axis, axis]])
einsum: einsum("ij,jk->ik", $, y) of onebuffer/eigen
cross: $.roll(-1).mul(y.roll(-2)).sub($.roll(-2).mul(y.roll(-1)))
solve linsolve mldivide: solve($, b) of onebuffer/linalg
inv inverse: inverse($) of onebuffer/linalg
det determinant: determinant($) of onebuffer/linalg
logdet slogdet: logDeterminant($) of onebuffer/linalg
cholesky chol: cholesky($) of onebuffer/linalg
lu: lu($) of onebuffer/linalg
trace: $.diagPart().sum()
diagonal diag_part: $.diagPart(k)
band_part bandPart: $.tril(k) or $.triu(k)
normalize l2_normalize: $.l2Normalize(axes)
fft: fft($) of onebuffer/signal
ifft: ifft($) of onebuffer/signal
rfft: rfft($) of onebuffer/signal
astype asType toType type as_type to: $.cast("float32")
float toFloat asFloat single: $.cast("float32")
double toDouble: $.cast("float64")
int toInt long asInt: $.cast("int32"), or "int64"
half: $.cast("float16")
bool toBool asBool: $.notEqual(0)
view_as resize_ shapeAs: $.reshape(sizes)
ravel flatten reshape1d: $.reshape([-1])
permute_dims permuteDims: $.transpose(order)
permute moveaxis movedim: $.transpose(order)
swapaxes swapDims swapdims swap_axes: $.transpose(order), all axes in their new order
t: $.transpose()
expand_dims unsqueeze newaxis: $.expandDims(axis)
expand broadcastTo broadcast_to expandAs expand_as: $.broadcast(sizes)
repeat tile_: $.tile(multiples)
repeat_interleave: $.expandDims(axis + 1), then tile and reshape
flip reverse_ flipud: $.reverse([axis])
fliplr: $.reverse([1])
rot90: $.transpose().reverse([0])
concat concatenate cat append hstack vstack join: concatenate([$, y], axis) of onebuffer
stack: stack([$, y], axis) of onebuffer
split chunk array_split: $.unstack(axis) for parts of size 1, $.slice([from, to]) for others
unbind: $.unstack(axis)
index_select take indexSelect gatherRows: $.gather(indices, axis)
take_along_axis gatherND gather_nd: $.reshape([-1]).gather(places)
scatter_ scatter_add index_add scatterND tensor_scatter_nd_update: $.scatter(indices, rows, axis, { reduction: "add" })
narrow select_row get_slice: $.slice([start, stop])
row getRow: $.chip(i)
col column getCol: $.chip(j, 1)
topk top_k: $.topK(k)
sorted: $.sort()
arg_sort order: $.argsort()
searchsorted: $.expandDims(-1).lessEqual(values).cast("int32").sum(0)
tri: $.tril()
oneHot one_hot: oneHot($, depth) of onebuffer
pad2d constantPad mirrorPad: $.pad([[before, after]], { mode: "reflect" })
circshift: $.roll(shift, axis)
sigmoid_ logistic: $.sigmoid()
log_softmax: $.logSoftmax()
leaky_relu: $.leakyRelu(alpha)
relu6: $.clip(0, 6)
elu: $.greater(0).select($, $.expm1())
softplus: $.exp().log1p()
softsign: $.div($.abs().add(1))
swish: $.silu()
selu: 1.0507 times $.greater(0).select($, $.expm1().mul(1.67326))
batchNorm batch_norm: $.sub(mean).mul(variance.add(epsilon).rsqrt())
layer_norm: $.layerNorm()
dropout: $.mul(statelessUniform("float32", sizes, seed).less(keep).cast("float32")).div(keep)
conv2d conv1d conv: convolve($, filters) of onebuffer/eigen
maxPool max_pool2d maxpool2d: maxPool($, sizes) of onebuffer/eigen
avgPool avg_pool2d: avgPool($, sizes) of onebuffer/eigen
resizeBilinear resize interpolate resizeNearestNeighbor: resize($, [height, width]) of onebuffer/eigen
allclose isclose equals array_equal: evaluate($.sub(y).abs().lessEqual(tolerance).all()), or tensor.isClose(other) of tensors
apply map forEach apply_ reduce: write the function over the whole map, such as $.mul(2).add(1)
backward grad: gradients(loss, [variable]) of onebuffer
detach stop_gradient stopGradient: stopGradient($) of onebuffer
item_ get getElement val: $.at(i, j)
put itemset setElement: $.set(i, j, value)
copy clone deepCopy: tensorOf($)
contiguous ascontiguousarray: tensorOf($)
eval run compute evaluate: tensorOf($), or evaluate($)
numpy tolist toList array_ dataSync arraySync getData values: $.toArray()
print: console.log($.toString())
add_: a.assign(a.add(y)), or a.addAssign(y) of a map
sub_: a.subAssign(y) of a map
mul_: a.mulAssign(y) of a map
div_: a.divAssign(y) of a map
fill_: $.fill(value)
zero_ zeros_: $.fill(0)
copy_: $.assign(other)
cuda cpu gpu toDevice: evaluate on a device by map.device(device).assign($)
unstacked iterate entries: $.unstack(axis)
conjugate: $.conj()
`;

const kPropertyRows = `
T mT: $.transpose()
H: $.conj().transpose()
length numel_: $.size is the number of elements, $.dimensions[0] that of rows
shape: $.dimensions
ndim ndims rankType: $.rank
numel: $.size
itemsize: dtypeSize($.dtype)
nbytes: $.size * dtypeSize($.dtype)
`;

/** The first indices, which programs read as of an array: `map[0]`. */
const kIndices = 4;

/** Returns how a message names an operand: a tensor by the map of its rank. */
function operandText(self: object): string {
  const { asOperand, dims } = self as { readonly asOperand?: unknown; readonly dims?: number };
  if (asOperand !== undefined) return `tensor.${["scalar()", "vec()", "matrix()"][dims as number] ?? `tensor(${dims})`}`;
  return "at" in self && "assign" in self ? "map" : "expression";
}

/** Returns the function that refuses one name. */
function refusal(name: string, call: string): (this: object) => never {
  return function refuse(this: object): never {
    const operand = operandText(this);
    const kind = operand.startsWith("tensor.") ? "a Tensor" : operand === "map" ? "a map" : "an expression";
    throw new InvalidArgumentError(`${kind} has no ${name}: ${call.replaceAll("$", () => operand)}`);
  };
}

/** Returns an object whose members refuse the names of both lists; it is the prototype of the prototypes of maps, expressions and tensors. */
function refusingObject(): object {
  const object = {};
  const define = (rows: string, member: (refuse: (this: object) => never) => PropertyDescriptor): void => {
    for (const row of rows.trim().split("\n")) {
      const colon = row.indexOf(": ");
      const call = row.slice(colon + 2);
      for (const name of row.slice(0, colon).split(" ")) Object.defineProperty(object, name, member(refusal(name, call)));
    }
  };
  define(kMethodRows, (refuse) => ({ value: refuse, configurable: true, writable: true }));
  for (let i = 0; i < kIndices; i++) {
    const name = `element [${i}]`;
    Object.defineProperty(object, i, { get: refusal(name, `$.at(${i}, …) is an element, $.chip(${i}) a row`), configurable: true });
  }
  define(kPropertyRows, (refuse) => ({ get: refuse, configurable: true }));
  return object;
}

/** The names of other libraries as members that throw INVALID_ARGUMENT with the call in place of each. */
export const otherNames: object = /* @__PURE__ */ refusingObject();
