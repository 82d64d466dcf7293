// Tests of products over any axes and of what is made of them. The suites run in one file so that the library is loaded only once.
import "./kernel/general-products.suite.ts";
import "./expression/einsum.suite.ts";
import "./expression/convolve.suite.ts";
import "./kernel/product-epilogues.suite.ts";
