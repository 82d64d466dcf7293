// Two copies of the library in one thread, the files for Node and the modules: one arena, tensors go from one to the other.
import * as first from "onebuffer";

const second = await import(new URL("./node_modules/onebuffer/esm/onebuffer/index.js", import.meta.url));
const tensor = first.Tensor.from([1, 2, 3]);
const there = second.receiveTensor(first.shareTensor(tensor));
there.vec().set(0, 9);
const sum = second.tensorOf(tensor.vec().add(there.vec()));
const sameMemory = tensor.vec().data.buffer === second.Tensor.from([1]).vec().data.buffer;
console.log(JSON.stringify([first.Tensor === second.Tensor, sameMemory, tensor.toArray(), sum.toArray()]));
