"""The TensorFlow side of `npm run interop`: answers questions about bytes, one JSON object per line.

A question is {"op": ..., ...}, an answer {"ok": ...} or {"error": "..."}. Bytes are sent as hexadecimal. Results are not compared
here: answers contain what TensorFlow, its Python tools and Google's protobuf read from bytes, and the bytes they write.

A tensor is encoded as {"dtype", "dims"} with "content" (the elements' bytes, little-endian, one byte for a 4- or 2-bit
number), "strings" (a list) or, for resources and variants, "content": the bytes that TensorFlow itself serializes.
"""

import importlib
import json
import os
import random
import struct
import sys

# Everything that libraries print goes to stderr, so that stdout contains only answers.
ANSWERS = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)
sys.dont_write_bytecode = True
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

import google.protobuf  # noqa: E402
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from google.protobuf import json_format  # noqa: E402
from tensorflow.core.framework import tensor_pb2, types_pb2  # noqa: E402
from tensorflow.python.framework import tensor_util  # noqa: E402

import numpy_trees  # noqa: E402
import tensorflow_gradients  # noqa: E402
import tensorflow_checkpoints  # noqa: E402
import tensorflow_expressions  # noqa: E402
import tensorflow_linalg  # noqa: E402
import tensorflow_records  # noqa: E402

MODULES = [
    "tensorflow.core.framework.types_pb2",
    "tensorflow.core.framework.tensor_shape_pb2",
    "tensorflow.core.framework.tensor_slice_pb2",
    "tensorflow.core.framework.resource_handle_pb2",
    "tensorflow.core.framework.tensor_pb2",
    "tensorflow.core.framework.allocation_description_pb2",
    "tensorflow.core.framework.tensor_description_pb2",
    "tensorflow.core.framework.versions_pb2",
    "tensorflow.core.framework.log_memory_pb2",
    "tensorflow.core.example.feature_pb2",
    "tensorflow.core.example.example_pb2",
    "tensorflow.core.util.saved_tensor_slice_pb2",
    "tensorflow.core.protobuf.trackable_object_graph_pb2",
    "tensorflow.python.training.checkpoint_state_pb2",
    "tensorflow.core.protobuf.tensor_bundle_pb2",
    "tensorflow.compiler.xla.tsl.protobuf.bfc_memory_map_pb2",
    "tensorflow.compiler.xla.xla_data_pb2",
]
# A module of the list that this TensorFlow does not ship is left out; the client checks that all expected messages are there.
MESSAGES = {}
for name in MODULES:
    try:
        module = importlib.import_module(name)
    except ImportError:
        continue
    for message in module.DESCRIPTOR.message_types_by_name:
        MESSAGES[message] = getattr(module, message)

KEPT = {}  # keeps variables alive while their handles are used: name -> tf.Variable


def data_type(number):
    """Returns the tf.DType of a DataType number; raises if this TensorFlow does not have it."""
    return tf.dtypes.as_dtype(number)


def encoded(tensor):
    """Returns the contents of a tf.Tensor or an array, bit for bit."""
    if isinstance(tensor, tf.Tensor) and tensor.dtype in (tf.resource, tf.variant):
        proto = tensor_pb2.TensorProto.FromString(tf.io.serialize_tensor(tensor).numpy())
        return {"dtype": proto.dtype, "dims": list(tensor.shape), "content": proto.tensor_content.hex()}
    array = tensor.numpy() if isinstance(tensor, tf.Tensor) else tensor
    number = (tensor.dtype if isinstance(tensor, tf.Tensor) else tf.dtypes.as_dtype(array.dtype)).as_datatype_enum
    dims = list(tensor.shape)
    if number == types_pb2.DT_STRING:
        flat = np.asarray(array, dtype=object).reshape(-1)
        return {"dtype": number, "dims": dims, "strings": [(s.encode() if isinstance(s, str) else s).hex() for s in flat]}
    return {"dtype": number, "dims": dims, "content": np.asarray(array).tobytes().hex()}


def array_of(question):
    """Returns the numpy array of an encoded tensor, without using a TensorProto."""
    dims, dtype = question["dims"], data_type(question["dtype"])
    if dtype == tf.string:
        flat = np.empty(len(question["strings"]), dtype=object)
        flat[:] = [bytes.fromhex(s) for s in question["strings"]]
        return flat.reshape(dims)
    return np.frombuffer(bytes.fromhex(question["content"]), dtype=storage_of(dtype)).reshape(dims)


STORAGE = {tf.qint8: np.int8, tf.quint8: np.uint8, tf.qint16: np.int16, tf.quint16: np.uint16, tf.qint32: np.int32}


def storage_of(dtype):
    return STORAGE.get(dtype, dtype.as_numpy_dtype)


def tensor_of(question):
    """Returns the tf.Tensor of an encoded tensor, made from its array."""
    dtype, array = data_type(question["dtype"]), array_of(question)
    if dtype in STORAGE:
        return tf.bitcast(tf.constant(array), dtype)
    return tf.constant(array, dtype=dtype)


def op_hello(_question):
    return {
        "tensorflow": tf.__version__,
        "python": ".".join(map(str, sys.version_info[:3])),
        "protobuf": google.protobuf.__version__,
        "numpy": np.__version__,
        "dataTypes": {number: name for name, number in types_pb2.DataType.items()},
        "messages": sorted(MESSAGES),
    }


def op_parse_tensor(question):
    """tf.io.parse_tensor: the C++ parser and Tensor::FromProto."""
    data = bytes.fromhex(question["hex"])
    dtype = question.get("dtype")
    if dtype is None:
        dtype = tensor_pb2.TensorProto.FromString(data).dtype
    return encoded(tf.io.parse_tensor(data, data_type(dtype)))


def op_make_ndarray(question):
    """tensor_util.MakeNdarray: the Python reader, which clients of TF Serving use."""
    proto = tensor_pb2.TensorProto.FromString(bytes.fromhex(question["hex"]))
    array = tensor_util.MakeNdarray(proto)
    if proto.dtype == types_pb2.DT_STRING:
        return {**encoded(array), "dtype": proto.dtype}
    return {"dtype": proto.dtype, "dims": list(array.shape), "content": np.ascontiguousarray(array).tobytes().hex()}


def op_write(question):
    """Writes an encoded tensor as TensorFlow does: content form (C++), field form (C++) and Python's form."""
    tensor = tensor_of(question)
    answer = {"encoded": encoded(tensor), "content": None, "python": None}
    try:
        answer["content"] = tf.io.serialize_tensor(tensor).numpy().hex()
    except (tf.errors.NotFoundError, tf.errors.InvalidArgumentError):
        pass  # No SerializeTensor kernel for quantized, float8 and narrow types.
    dtype = data_type(question["dtype"])
    # AsProtoField is the form in which a TensorList writes its items.
    items = tf.raw_ops.EmptyTensorList(
        element_shape=tf.constant(question["dims"], dtype=tf.int32), max_num_elements=1, element_dtype=dtype
    )
    items = tf.raw_ops.TensorListPushBack(input_handle=items, tensor=tensor)
    answer["list"] = tf.io.serialize_tensor(items).numpy().hex()
    try:
        array = array_of(question)
        if dtype in STORAGE:
            array = array.astype(dtype.as_numpy_dtype)
        answer["python"] = tf.make_tensor_proto(array, dtype=dtype, shape=question["dims"]).SerializeToString().hex()
    except (TypeError, ValueError) as error:
        answer["pythonError"] = str(error)
    return answer


def op_python_splat(question):
    """tf.make_tensor_proto of one value and a shape: one stored value that fills the shape."""
    value = array_of({**question, "dims": []})
    dtype = data_type(question["dtype"])
    if dtype in STORAGE:
        value = value.astype(dtype.as_numpy_dtype)
    return tf.make_tensor_proto(value, dtype=dtype, shape=question["dims"]).SerializeToString().hex()


def op_list_items(question):
    """Returns the items of the TensorList in the bytes of a variant tensor."""
    handle = tf.io.parse_tensor(bytes.fromhex(question["hex"]), tf.variant)
    dtype = data_type(question["dtype"])
    count = int(tf.raw_ops.TensorListLength(input_handle=handle))
    return [
        encoded(
            tf.raw_ops.TensorListGetItem(
                input_handle=handle, index=i, element_shape=tf.constant(-1, dtype=tf.int32), element_dtype=dtype
            )
        )
        for i in range(count)
    ]


def op_variants(_question):
    """Returns variant tensors that TensorFlow's own kernels make."""
    raw = tf.raw_ops
    inner = raw.TensorListPushBack(
        input_handle=raw.EmptyTensorList(element_shape=-1, max_num_elements=-1, element_dtype=tf.float32),
        tensor=tf.constant([1.5, -2.5]),
    )
    outer = raw.TensorListPushBack(
        input_handle=raw.EmptyTensorList(element_shape=-1, max_num_elements=-1, element_dtype=tf.variant), tensor=inner
    )
    ragged = tf.ragged.constant([[1, 2], [], [3]])
    tensors = {
        "empty variants": tf.io.parse_tensor(b"\x08\x15\x12\x04\x12\x02\x08\x03", tf.variant),
        "TensorList": inner,
        "TensorList of TensorLists": outer,
        "Optional": raw.OptionalFromValue(components=[tf.constant(3.0), tf.constant("a")]),
        "Optional without a value": raw.OptionalNone(),
        "RaggedTensor": ragged._to_variant(batched_input=True),
        "TensorMap": raw.TensorMapInsert(input_handle=raw.EmptyTensorMap(), key=tf.constant("k"), value=tf.constant(7)),
    }
    answer = {}
    for name, tensor in tensors.items():
        try:
            answer[name] = tf.io.serialize_tensor(tensor).numpy().hex()
        except tf.errors.OpError as error:
            answer[name] = {"error": str(error).splitlines()[0]}
    return answer


def op_variables(_question):
    """Returns handles of two live variables: each alone, and both in one tensor."""
    KEPT["a"], KEPT["b"] = tf.Variable([1.25, -2.5]), tf.Variable(42)
    handles = [KEPT["a"].handle, KEPT["b"].handle]
    return {
        "a": tf.io.serialize_tensor(handles[0]).numpy().hex(),
        "b": tf.io.serialize_tensor(handles[1]).numpy().hex(),
        "both": tf.io.serialize_tensor(tf.raw_ops.Pack(values=handles, axis=0)).numpy().hex(),
    }


def op_read_variables(question):
    """Reads live variables through the handles in a resource tensor's bytes."""
    handles = tf.io.parse_tensor(bytes.fromhex(question["hex"]), tf.resource)
    flat = tf.unstack(handles) if handles.shape.rank else [handles]
    return [encoded(tf.raw_ops.ReadVariableOp(resource=h, dtype=data_type(d))) for h, d in zip(flat, question["dtypes"])]


def op_reserialize(question):
    """Returns the bytes that protobuf reads and writes again, and its JSON."""
    message = MESSAGES[question["message"]].FromString(bytes.fromhex(question["hex"]))
    return {"hex": message.SerializeToString(deterministic=True).hex(), "json": json_of(message)}


def op_from_json(question):
    message = json_format.Parse(question["json"], MESSAGES[question["message"]]())
    return message.SerializeToString(deterministic=True).hex()


def json_of(message):
    try:
        return json.loads(json_format.MessageToJson(message))
    except (json_format.SerializeToJsonError, ValueError):
        return None


def op_random(question):
    """Returns messages from a seed, with every field set at random, including extremes."""
    answers = []
    for i in range(question["count"]):
        message = MESSAGES[question["message"]]()
        fill(message, random.Random(f"{question['seed']} {question['message']} {i}"), 0)
        answers.append({"hex": message.SerializeToString(deterministic=True).hex(), "json": json_of(message)})
    return answers


def scalar(field, rng):
    """Returns a value of the field's type: an extreme, the default, or anything between."""
    kind = field.type
    if kind in (field.TYPE_INT64, field.TYPE_SINT64, field.TYPE_SFIXED64):
        return rng.choice([0, 1, -1, 2**53, 2**53 + 1, -(2**63), 2**63 - 1, rng.getrandbits(20), -rng.getrandbits(62)])
    if kind in (field.TYPE_INT32, field.TYPE_SINT32, field.TYPE_SFIXED32):
        return rng.choice([0, 1, -1, 127, 128, 300, -(2**31), 2**31 - 1, rng.getrandbits(14)])
    if kind in (field.TYPE_UINT64, field.TYPE_FIXED64):
        return rng.choice([0, 1, 2**53 + 1, 2**64 - 1, rng.getrandbits(64)])
    if kind in (field.TYPE_UINT32, field.TYPE_FIXED32):
        return rng.choice([0, 1, 2**32 - 1, rng.getrandbits(32)])
    if kind == field.TYPE_FLOAT:
        return struct.unpack("<f", struct.pack("<I", rng.choice([0, 1 << 31, 0x7F800000, 0xFF800000, 0x7FC00000, 1, rng.getrandbits(31)])))[0]
    if kind == field.TYPE_DOUBLE:
        return rng.choice([0.0, -0.0, float("inf"), float("-inf"), float("nan"), 5e-324, 1.5, rng.uniform(-1e9, 1e9)])
    if kind == field.TYPE_BOOL:
        return rng.random() < 0.5
    if kind == field.TYPE_ENUM:
        return rng.choice([rng.choice(field.enum_type.values).number, 0, 77])
    if kind == field.TYPE_BYTES:
        return bytes(rng.getrandbits(8) for _ in range(rng.choice([0, 1, 3, 130])))
    return rng.choice(["", "a", "gr\u00f6\u00dfer \U0001f600", "\u0000", "x" * 200])


def fill(message, rng, depth):
    for field in message.DESCRIPTOR.fields:
        if rng.random() < 0.4:
            continue
        if field.message_type is not None:
            if depth >= 3:
                continue
            if field.message_type.GetOptions().map_entry:
                for key in rng.sample(["", "a", "b", "gr\u00f6\u00dfer", "constructor"], rng.randrange(4)):
                    fill(getattr(message, field.name)[key], rng, depth + 1)
            elif is_repeated(field):
                for _ in range(rng.randrange(3)):
                    fill(getattr(message, field.name).add(), rng, depth + 1)
            else:
                child = getattr(message, field.name)
                child.SetInParent()
                fill(child, rng, depth + 1)
        elif is_repeated(field):
            getattr(message, field.name).extend(scalar(field, rng) for _ in range(rng.choice([1, 2, 5])))
        else:
            setattr(message, field.name, scalar(field, rng))


def is_repeated(field):
    """Returns true for a repeated field; older releases of protobuf have only `label`."""
    return field.is_repeated if hasattr(field, "is_repeated") else field.label == field.LABEL_REPEATED


def op_compute(question):
    """Returns the result of an operation on encoded tensors: see tensorflow_expressions.py."""
    arrays = [array_of(x) for x in question["inputs"]]
    tensors = [tensor_of(x) for x in question["inputs"]] if question["tensorflow"] else arrays
    op = question["name"]
    return tensorflow_expressions.compute(op, tensors, arrays, question["args"], encoded, question["tensorflow"])


def op_tree(question):
    """Returns NumPy's result of a whole expression: see numpy_trees.py."""
    return {"content": numpy_trees.evaluate(question["nodes"]).hex()}


def named(question):
    """Returns the tensors of a question with their keys and slices."""
    return [(bytes.fromhex(x["key"]), x["slice"], tensor_of(x)) for x in question["tensors"]]


def op_save_checkpoint(question):
    """Writes a checkpoint of version 2, also one with variants."""
    tensors = named(question)
    if question.get("variants"):
        tensors += [(f"variant {i}".encode(), "", x) for i, x in enumerate(tensorflow_checkpoints.variants())]
    tensorflow_checkpoints.save(question["prefix"], tensors)


def op_save_version_1(question):
    """Writes a checkpoint of version 1."""
    tensorflow_checkpoints.save_version_1(question["path"], named(question))


def op_merge_checkpoints(question):
    """Merges checkpoints."""
    tensorflow_checkpoints.merge(question["prefixes"], question["prefix"])


def op_restore_checkpoint(question):
    """Returns tensors of a checkpoint."""
    wanted = [(bytes.fromhex(x["key"]), x["slice"], data_type(x["dtype"])) for x in question["tensors"]]
    return [encoded(x) for x in tensorflow_checkpoints.restore(question["prefix"], wanted)]


def op_random_texts(question):
    """Returns messages from a seed, as bytes and in the text format."""
    messages = [MESSAGES[question["message"]]() for _ in range(question["count"])]
    for i, message in enumerate(messages):
        fill(message, random.Random(f"{question['seed']} {question['message']} {i}"), 0)
    return tensorflow_records.texts(messages)


op_write_records = tensorflow_records.write_records
op_read_records = tensorflow_records.read_records
op_parse_examples = tensorflow_records.parse_examples
op_parse_feature = tensorflow_records.parse_feature
op_restore_objects = tensorflow_records.restore_objects
op_save_objects = tensorflow_records.save_objects

def op_gradients(question):
    """Returns the gradients of a whole expression by a tape: see tensorflow_gradients.py."""
    value, found = tensorflow_gradients.gradients(question["nodes"], question["variables"], question["weights"])
    return {"value": value.tobytes().hex(), "gradients": [each.tobytes().hex() for each in found]}


def op_linalg(question):
    """Returns the results of a function of matrices: see tensorflow_linalg.py."""
    return tensorflow_linalg.compute(question["name"], [tensor_of(each) for each in question["operands"]], question["options"])


OPS = {name[3:]: function for name, function in list(globals().items()) if name.startswith("op_")}


def answer(question):
    try:
        return {"ok": OPS[question["op"]](question)}
    except Exception as error:  # If TensorFlow refuses a question, the answer is its message.
        return {"error": f"{type(error).__name__}: {str(error)[:300]}"}


for line in sys.stdin:
    ANSWERS.write(json.dumps(answer(json.loads(line))) + "\n")
    ANSWERS.flush()
