// The workloads of gradients: steps of training, beside other libraries and beside the same step with its backward pass written by hand.
import { fasterThan, timesOf } from "./targets.mjs";
import { kHidden, kLayers } from "./training-data.mjs";

/** In how many turns steps are measured that may take little more than others (run.mjs). */
const kTurns = 40;

/** A step may take so many times that of the hand-written one, NumPy's, and the other way round for the libraries with gradients. */
const digits = (name, byNumpy) => ({
  name,
  text: `the digits network with ${kHidden[name]} hidden units: loss, gradients and update of 359 rows; by-hand: its backward pass written out`,
  targets: [timesOf("by-hand", 1.03), timesOf("numpy", byNumpy), fasterThan(["jax-js"], 3), fasterThan(["tfjs-wasm"], 8)],
  tolerance: 1e-4,
  turns: kTurns,
});

export const kTraining = [
  digits("digits step 32", 1.4),
  digits("digits step 256", 1.15),
  {
    name: "digits step 32 anew",
    text: "the same, expressions and gradients made anew for each step",
    targets: [timesOf("by-hand", 1.25)],
    tolerance: 1e-4,
    turns: kTurns,
  },
  ...Object.keys(kLayers).map((name) => ({
    name,
    text: `loss and all gradients of a network of ${kLayers[name]} layers of 64 units with relu, 128 rows; by-hand: the loss alone`,
    targets: [timesOf("by-hand", 4)],
  })),
  {
    name: "gradients of a convolution network",
    text: "loss and all gradients of 32 images of 28 x 28, 16 and 32 filters of 3 x 3, two poolings; by-hand: the loss alone; jax: one thread",
    targets: [timesOf("by-hand", 3.6), timesOf("jax", 1.3)],
    tolerance: 1e-4,
  },
  {
    name: "step of an embedding",
    text: "256 rows of a table [50000, 64] are read and changed; by-hand: the same with 500 rows",
    targets: [timesOf("by-hand", 2)],
  },
];
