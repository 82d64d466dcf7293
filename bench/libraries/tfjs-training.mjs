// TensorFlow.js's steps of training: variableGrads through an optimizer.
import * as tf from "@tensorflow/tfjs-core";
import { register } from "node:module";
import { digitsData, kHidden, kRate, kRows, meanOf } from "../training-data.mjs";

// The package's own registration of gradients is written for bundlers: its files import each other without extensions.
const hook = `export const resolve = (specifier, context, next) =>
  next(context.parentURL?.includes("/tfjs-core/dist/") && specifier.startsWith(".") && !specifier.endsWith(".js") ? specifier + ".js" : specifier, context);
export const load = (url, context, next) => next(url, url.includes("/tfjs-core/dist/") && !url.includes(".node.") ? { ...context, format: "module" } : context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
await import("@tensorflow/tfjs-core/dist/register_all_gradients.js");

function digits(hiddenUnits) {
  const { x, y, ...rest } = Object.fromEntries(
    Object.entries(digitsData(hiddenUnits)).map(([name, [data, dims]]) => [name, tf.tensor(data, dims)]),
  );
  const [w1, b1, w2, b2] = Object.values(rest).map((tensor) => tf.variable(tensor));
  const optimizer = tf.train.sgd(kRate);
  const loss = () => {
    const hidden = tf.relu(tf.add(tf.matMul(x, w1), b1));
    return tf.div(tf.sum(tf.mul(tf.logSoftmax(tf.add(tf.matMul(hidden, w2), b2)), y)), -kRows);
  };
  return { run: () => optimizer.minimize(loss, false, [w1, b1, w2, b2]), w1 };
}

const caseOf = (hiddenUnits) => () => ({
  run: digits(hiddenUnits).run,
  checksum() {
    const fresh = digits(hiddenUnits);
    fresh.run();
    return meanOf(fresh.w1.dataSync());
  },
});

export const trainingOfTfjs = Object.fromEntries(Object.entries(kHidden).map(([name, hidden]) => [name, caseOf(hidden)]));
