"""TFRecord files, examples, object graphs and the text format, for tensorflow_side.py: each function answers one question."""

import os

import tensorflow as tf
from google.protobuf import text_format


def write_records(question):
    """Writes records, given as hexadecimal, to a file."""
    with tf.io.TFRecordWriter(question["path"], question["compression"]) as writer:
        for record in question["records"]:
            writer.write(bytes.fromhex(record))
    return True


def read_records(question):
    """Returns the records of a file as hexadecimal."""
    return [record.numpy().hex() for record in tf.data.TFRecordDataset(question["path"], question["compression"])]


def parse_examples(question):
    """Parses serialized examples with three features of fixed length, and one whose name is __proto__."""
    parsed = tf.io.parse_example(
        [bytes.fromhex(example) for example in question["examples"]],
        {
            "f": tf.io.FixedLenFeature([3], tf.float32),
            "i": tf.io.FixedLenFeature([2], tf.int64),
            "s": tf.io.FixedLenFeature([2], tf.string),
            "__proto__": tf.io.FixedLenFeature([1], tf.int64),
        },
    )
    return {
        "f": parsed["f"].numpy().tolist(),
        "i": [[str(value) for value in row] for row in parsed["i"].numpy().tolist()],
        "s": [[value.hex() for value in row] for row in parsed["s"].numpy().tolist()],
        "proto": parsed["__proto__"].numpy().tolist(),
    }


def parse_feature(question):
    """Parses two copies of an example with the feature x."""
    dtype, shape = question["dtype"], question["shape"]
    default = None
    if question["with_default"]:
        default = tf.fill(shape, {"float32": tf.constant(7.0), "int64": tf.constant(7, tf.int64), "string": tf.constant("d")}[dtype])
    feature = tf.io.FixedLenFeature(shape, getattr(tf, dtype), default)
    record = bytes.fromhex(question["hex"])
    parsed = tf.io.parse_example([record, record], {"x": feature})["x"]
    flat = tf.reshape(parsed, [-1]).numpy().tolist()
    # Numbers as JavaScript writes them.
    values = [value.hex() if dtype == "string" else (str(int(value)) if value == int(value) else str(value)) for value in flat]
    return {"shape": parsed.shape.as_list(), "values": values}


def texts(messages):
    """Returns messages as bytes and in the text format."""
    return [{"hex": m.SerializeToString(deterministic=True).hex(), "text": text_format.MessageToString(m)} for m in messages]


def model(w, layers, values, optimizer):
    """Returns objects with variables: a module with a list and a dict, and an optimizer with a slot for `w`."""
    module = tf.Module()
    module.w = tf.Variable(w, dtype=tf.float32)
    module.layers = [tf.Variable(layers[0], dtype=tf.float32), tf.Variable(layers[1], dtype=tf.int64)]
    module.dict = {name: tf.Variable(value) for name, value in values.items()}
    optimizer.apply_gradients([(tf.zeros_like(module.w), module.w)])
    return module


def restore_objects(question):
    """Restores the latest checkpoint of a folder into objects, and checks that every value was matched."""
    latest = tf.train.latest_checkpoint(question["folder"])
    optimizer = tf.compat.v1.train.MomentumOptimizer(0.1, 0.9)
    values = {"k/ey": tf.constant([9.0]), ".x": tf.constant(9, tf.int64)}
    module = model([[9, 9, 9]], [[9], 9], values, optimizer)
    text = tf.Variable("")
    checkpoint = tf.train.Checkpoint(model=module, again=module.w, text=text, optimizer=optimizer)
    # MomentumOptimizer also has two variables of its own in some versions, so only what exists in Python must be matched.
    checkpoint.restore(latest).assert_existing_objects_matched()
    return {
        "latest": latest,
        "w": module.w.numpy().tolist(),
        "again": checkpoint.again is module.w,
        "layers": [layer.numpy().tolist() for layer in module.layers],
        "dict": {name: variable.numpy().tolist() for name, variable in module.dict.items()},
        "text": text.numpy().decode(),
        "momentum": optimizer.get_slot(module.w, "momentum").numpy().tolist(),
        "counter": int(checkpoint.save_counter.numpy()),
    }


def save_objects(question):
    """Saves objects three times, of which two checkpoints are kept. Returns the last one's object graph."""
    optimizer = tf.compat.v1.train.MomentumOptimizer(0.1, 0.9)
    module = model([[1, 2, 3]], [[0.5], 7], {"k/ey": tf.constant([2.5])}, optimizer)
    checkpoint = tf.train.Checkpoint(model=module, optimizer=optimizer)
    manager = tf.train.CheckpointManager(checkpoint, question["folder"], max_to_keep=2)
    for _ in range(3):
        manager.save()
    reader = tf.train.load_checkpoint(manager.latest_checkpoint)
    graph = reader.get_tensor("_CHECKPOINTABLE_OBJECT_GRAPH")
    return {"proto": graph.hex(), "files": [os.path.basename(path) for path in manager.checkpoints]}
