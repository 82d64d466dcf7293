/**
 * The advice for names that tensors do not have: the operations of maps, and properties and factories of other libraries' tensors. Not `set`,
 * whose presence tells a writable map from other values. The tables are those of adviceRows.
 */
import { adviceRows, defineAdvice, defineNumberAdvice, definePropertyAdvice } from "@onebuffer/base/internal";
import { CompositeBase, membersOf, operandText, otherNames } from "@onebuffer/expression/internal";

/** Methods of other libraries' tensors, and what to write in place of a call. `$` stands for the view of the tensor's rank. */
const kMethodRows = `
arraySync: tensor.toArray() returns nested arrays
dataSync: tensor.flat().data is the elements as a typed array
fill: tensor.assign(value) sets all elements
print: console.log(tensor) prints it
toFloat: tensorOf($.cast("float32")) converts
numpy: tensor.toArray() returns nested arrays, writeNpy(tensor) the bytes of a .npy file
clone copy: deepCopy(tensor) copies the elements, tensor.share() shares them
row: tensor.subSlice(i) is row i
view: tensor.reshape(sizes)
flatten ravel: tensor.reshape([-1])
unsqueeze: tensor.reshape(sizes) with a size of 1
save tobytes tofile: writeNpy(tensor) returns the bytes of a .npy file
zerosLike: Tensor.zeros(tensor.shape, { dtype: tensor.dtype })
onesLike: Tensor.ones(tensor.shape, { dtype: tensor.dtype })
concat: concat([tensor, other]), or concatenate([tensor, other], axis)
free delete: tensor.dispose()
keep: scope((keep) => keep(tensor))
`;

/** Properties of other libraries' tensors. */
const kPropertyRows = `
T: tensor.matrix().transpose()
length: tensor.numElements is the number of elements, tensor.dimSize(0) that of rows
size numel: tensor.numElements
ndim ndims dim rank: tensor.dims
dimensions: tensor.shape.dimSizes
nbytes byteLength: tensor.totalBytes
itemsize: dtypeSize(tensor.dtype)
strides: a tensor is dense and row-major; tensor.strided().strides has those of a view
`;

/** Factories of other libraries, and what to write in place of a call. */
const kFactoryRows = `
array fromArray: Tensor.from(array)
asarray fromTypedArray: Tensor.from(array) copies, Tensor.wrap(typedArray, sizes) does not
tensor tensor1d tensor2d tensor3d fromData: Tensor.from(array, { shape })
asTensor fromNumpy: Tensor.from(array)
of: Tensor.from([1, 2, 3])
frombuffer: Tensor.wrap(typedArray, sizes)
fromPixels: Tensor.wrap(imageData.data, [height, width, 4])
create: Tensor.from(array), or new Tensor(dtype, sizes)
empty: new Tensor(dtype, sizes)
rand: Tensor.random(sizes)
uniform randomUniform: Tensor.random(sizes, { low, high })
randn normal randomNormal: tensorOf(statelessNormal("float32", sizes, [1, 2]))
randint: Tensor.random(sizes, { dtype: "int32", low, high })
range: Tensor.arange(start, stop, step)
identity: Tensor.eye(n)
fill: Tensor.full(sizes, value)
zerosLike emptyLike: Tensor.zeros(other.shape, { dtype: other.dtype })
fullLike: Tensor.full(other.shape, value, { dtype: other.dtype })
onesLike: Tensor.ones(other.shape, { dtype: other.dtype })
scalar: Tensor.from(number)
diag: tensorOf(vector.diag())
logspace: tensorOf(constant("float32", 10).pow(Tensor.linspace(0, 1, 5)))
concat: #([a, b])
cat vstack hstack concatenate: concat([a, b]), or concatenate([a, b], axis)
seed manualSeed: each random function takes its seed, as statelessNormal("float32", sizes, [1, 2])
stack: stackTensors([a, b])
meshgrid: #([x, y])
load fromfile loadtxt: readNpy(bytes)
`;

/** Returns an object whose members refuse the methods of maps and the names of the tables; its prototype refuses the other names. */
function refusingObject(): object {
  const object = Object.create(otherNames) as object;
  const methods = adviceRows(kMethodRows);
  const properties = adviceRows(kPropertyRows);
  const members = Object.entries(membersOf(CompositeBase)).filter(([name, { value }]) => name !== "constructor" && value !== undefined);
  defineAdvice(object, [...members.map(([name]) => name), "at", ...methods.keys()], (tensor, name) => {
    const advice = methods.get(name) ?? `take a map of it: $.${name}(…)`;
    return `a Tensor has no ${name}, ${advice.replace("$", operandText(tensor))}`;
  });
  definePropertyAdvice(object, properties.keys(), (_, name) => `a Tensor has no ${name}: ${properties.get(name)!}`);
  return object;
}

/** Makes a class of tensors refuse the names of other libraries; `base` is the prototype of its parent. */
export function refuseOtherNames(tensors: object, base: object): void {
  const factories = adviceRows(kFactoryRows);
  Object.setPrototypeOf(base, refusingObject());
  defineNumberAdvice(base, "a tensor is not a number: tensor.scalar().at() is its one element, tensor.matrix().mul(2) computes with all");
  defineAdvice(tensors, factories.keys(), (_, name) => `Tensor.${name}: ${factories.get(name)!}`);
}
