// CommonJS: Node loads the modules by `require`.
const { Tensor } = require("onebuffer");
const { TensorShape } = require("onebuffer/shape");

console.log(JSON.stringify([Tensor.from([[1, 2]]).toArray(), new TensorShape([2]).dims]));
