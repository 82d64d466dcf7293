"""Trains the classifier of the tour's last chapter with TensorFlow and writes its weights as TensorFlow's messages.

    pip install "tensorflow-cpu>=2.20,<2.22"
    python train-digits.py

64 pixels -> 64 hidden units (relu) -> 10 classes (softmax). Every fifth digit (0, 5, 10, ...) is held out: 360 digits that
training never sees. Written to digits-model/, each file a serialized TensorProto (tf.io.serialize_tensor):

    hidden-kernel.pb  float32 [64,64]      hidden-bias.pb  float32 [64]
    output-kernel.pb  float32 [64,10]      output-bias.pb  float32 [10]
    probabilities.pb  float32 [360,10]     predictions.pb  int64 [360]      TensorFlow's results for the held-out digits

The same TensorFlow on the same kind of machine writes the same bytes again. On other machines the last bits differ, and one or two
held-out digits may be classified differently.
"""
import pathlib

import numpy as np
import tensorflow as tf

EVERY = 5
HIDDEN = 64
EPOCHS = 120
INK = 16.0

here = pathlib.Path(__file__).parent
tf.keras.utils.set_random_seed(7)
tf.config.experimental.enable_op_determinism()

pixels = np.load(here / "digits.npy").reshape(-1, 64).astype(np.float32) / np.float32(INK)
labels = np.load(here / "digits-labels.npy").astype(np.int64)
held_out = np.arange(len(labels)) % EVERY == 0
train_pixels, train_labels = pixels[~held_out], labels[~held_out]
test_pixels, test_labels = pixels[held_out], labels[held_out]

glorot = tf.keras.initializers.GlorotUniform(seed=7)
weights = {
    "hidden-kernel": tf.Variable(glorot([64, HIDDEN])),
    "hidden-bias": tf.Variable(tf.zeros([HIDDEN])),
    "output-kernel": tf.Variable(glorot([HIDDEN, 10])),
    "output-bias": tf.Variable(tf.zeros([10])),
}


@tf.function
def logits(x, keep=1.0):
    hidden = tf.nn.relu(tf.matmul(x, weights["hidden-kernel"]) + weights["hidden-bias"])
    hidden = tf.nn.dropout(hidden, 1.0 - keep, seed=7)
    return tf.matmul(hidden, weights["output-kernel"]) + weights["output-bias"]


optimizer = tf.keras.optimizers.Adam(2e-3)
batches = tf.data.Dataset.from_tensor_slices((train_pixels, train_labels)).shuffle(len(train_labels), seed=7).batch(64)
for epoch in range(EPOCHS):
    for x, y in batches:
        with tf.GradientTape() as tape:
            cross = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits(x, keep=0.8))
            loss = tf.reduce_mean(cross) + 1e-4 * sum(tf.nn.l2_loss(w) for name, w in weights.items() if name.endswith("kernel"))
        variables = list(weights.values())
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))

probabilities = tf.nn.softmax(logits(test_pixels))
predictions = tf.argmax(probabilities, axis=1)
accuracy = float(np.mean(predictions.numpy() == test_labels))
ordered = np.sort(logits(test_pixels).numpy(), axis=1)
margin = float((ordered[:, -1] - ordered[:, -2]).min())
wrong = np.flatnonzero(held_out)[predictions.numpy() != test_labels]
print(f"TensorFlow {tf.__version__}: {accuracy:.4%} of {len(test_labels)} held-out digits, misread {wrong.tolist()}, closest call {margin:.4f}")

# Summing in another order must not change a prediction.
assert accuracy >= 0.97 and margin > 1e-3

out = here / "digits-model"
out.mkdir(exist_ok=True)
for name, tensor in {**weights, "probabilities": probabilities, "predictions": predictions}.items():
    (out / f"{name}.pb").write_bytes(tf.io.serialize_tensor(tf.convert_to_tensor(tensor)).numpy())
