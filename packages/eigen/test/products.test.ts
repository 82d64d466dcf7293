// Tests of products of matrices of every form. The suites run in one file so that the library is loaded only once.
import "./kernel/batched-products.suite.ts";
import "./random-products/random-products.suite.ts";
